// RunChecks: whether the results of a run can be trusted, by limits that are stated here and nowhere else.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/simulation/run/simulation.h"

namespace pintle {

enum class CheckVerdict : unsigned char {
  ok,
  warning,  ///< less accurate than a run should be, or not checked
  failed,   ///< the results are wrong
};

/// "ok", "warning", "failed".
std::string_view name(CheckVerdict verdict);

enum class CheckKind : unsigned char {
  energy,                  ///< the largest residual of the energy balance
  momentum,                ///< the same of momentum: the worse of linear and angular
  certificate,             ///< the worst certificate of a row
  contact,                 ///< the worst contact certificate of a row or an impact
  impacts,                 ///< the energy that impacts gained
  time_stepping_residual,  ///< how far time stepping violates the contact laws
};

/// A value above `warning` is a warning, one above `failed` a failure.
struct CheckFacts {
  CheckKind kind;
  std::string_view name;
  double warning, failed;
};

/// Balances and gains are relative to the energy or the momentum that flowed; certificates to the terms of their laws.
/// Rounding is about 1e-15 in all of them; what integrators add to balances is about their tolerance, 1e-9.
inline constexpr int kChecks = 6;
inline constexpr std::array<CheckFacts, kChecks> kCheckFacts{{
    {CheckKind::energy, "energy", 1e-4, 1e-2},
    {CheckKind::momentum, "momentum", 1e-4, 1e-2},
    {CheckKind::certificate, "certificate", 1e-9, 1e-6},
    {CheckKind::contact, "contact", 1e-6, 1e-3},
    {CheckKind::impacts, "impacts", 1e-9, 1e-2},
    {CheckKind::time_stepping_residual, "time-stepping-residual", 1e-6, 1e-3},
}};

constexpr const CheckFacts& facts(CheckKind kind) {
  return kCheckFacts[static_cast<std::size_t>(kind)];
}

struct RunCheck {
  CheckKind kind = CheckKind::energy;
  double value = 0.0;  ///< NaN: not a number, which fails, or not checked
  CheckVerdict verdict = CheckVerdict::ok;
  std::string text{};  ///< one line: what the value is of, and the limit if it is over
};

struct RunChecks {
  std::vector<RunCheck> list{};  ///< those that apply, in the order of kCheckFacts

  /// The worst of all.
  CheckVerdict verdict() const;
  /// The texts of the checks with that verdict, joined by "; ".
  std::string reasons(CheckVerdict verdict) const;
};

/// `ok` up to the limits of a kind; NaN fails.
CheckVerdict verdict_of(CheckKind kind, double value);

/// The checks of a run so far. A check that the settings of the run turned off is a warning: nobody looked.
RunChecks run_checks(Simulation& simulation);

}  // namespace pintle
