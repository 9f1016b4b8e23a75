#include "pintle/io/recording/run_checks.h"

#include <charconv>
#include <cmath>

#include "pintle/simulation/contact/contact_setup.h"

namespace pintle {
namespace {

constexpr double kNothing = __builtin_nan("");

/// With up to `digits` significant digits.
std::string text_of(double x, int digits = 3) {
  if (std::isnan(x)) return "nan";
  char text[40];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits);
  return {text, end.ptr};
}

/// "68 %", "0.012 %", "3e-09".
std::string share_text(double x) {
  if (!(std::abs(x) >= 1e-5)) return text_of(x, 2);
  const double percent = 100.0 * x;
  return (percent >= 99.5 ? text_of(std::round(percent), 6) : text_of(percent, 2)) + " %";
}

/// "68 % of the energy is unaccounted for (limit 1 %): 108 J of 159 J": a text about a value, the limit that the value
/// exceeds, details.
std::string text_of_check(CheckKind kind, double value, const std::string& text, const std::string& details = "") {
  if (!std::isfinite(value)) return "the " + std::string(facts(kind).name) + " check has no finite value";
  const CheckVerdict verdict = verdict_of(kind, value);
  const double limit = verdict == CheckVerdict::warning ? facts(kind).warning : facts(kind).failed;
  const std::string exceeded = verdict == CheckVerdict::ok ? "" : " (limit " + share_text(limit) + ")";
  return text + exceeded + (details.empty() ? "" : ": " + details);
}

std::string at(double t) {
  return " at t = " + text_of(t, 6) + " s";
}

/// The checks of one simulation.
struct Checker {
  Simulation& simulation;
  const Scene& scene = simulation.scene();
  RunChecks checks{};

  void add(CheckKind kind, double value, const std::string& text) {
    checks.list.push_back({kind, value, verdict_of(kind, value), text});
  }
  void add_unchecked(CheckKind kind, const std::string& text) {
    checks.list.push_back({kind, kNothing, CheckVerdict::warning, text});
  }

  std::string body(int i) const {
    return "'" + (i < 0 ? std::string(kWorld) : scene.model().bodies()[static_cast<std::size_t>(i)].name) + "'";
  }

  void check_balances();
  void check_energy(const Balance& balance);
  void check_momentum(const EnergyBalance& balance);
  void check_certificate();
  void check_contacts();
  void check_time_stepping(const ContactRecord& record);
};

/// A residual relative to all that flowed, or as it is if nothing did (Balance::relative).
double relative(double rest, const Balance& balance) {
  return std::abs(Balance{rest, balance.size}.relative());
}

void Checker::check_balances() {
  if (!scene.run().energy_balance) {
    add_unchecked(CheckKind::energy, "energy is not checked: energy_balance = false");
    return add_unchecked(CheckKind::momentum, "momentum is not checked: energy_balance = false");
  }
  const EnergyBalance& balance = simulation.energy_balance();
  check_energy(balance.energy());
  check_momentum(balance);
}

/// The worse of the residual at a row and at the present state.
WorstBalance::Residual worse(const WorstBalance::Residual& row, const Balance& now, double t) {
  return std::abs(now.rest) <= row.rest ? row : WorstBalance::Residual{std::abs(now.rest), t};
}

void Checker::check_energy(const Balance& balance) {
  const WorstBalance::Residual worst = worse(simulation.worst_balance().energy, balance, simulation.state().t);
  const double value = relative(worst.rest, balance);
  add(CheckKind::energy, value,
      text_of_check(CheckKind::energy, value, share_text(value) + " of the energy is unaccounted for",
                    text_of(worst.rest) + " J of " + text_of(balance.size) + " J" + at(worst.t)));
}

void Checker::check_momentum(const EnergyBalance& balance) {
  const double t = simulation.state().t;
  const WorstBalance::Residual linear = worse(simulation.worst_balance().linear, balance.linear(), t);
  const WorstBalance::Residual angular = worse(simulation.worst_balance().angular, balance.angular(), t);
  const double of_linear = relative(linear.rest, balance.linear());
  const double of_angular = relative(angular.rest, balance.angular());
  const bool by_linear = std::isnan(of_linear) || of_linear > of_angular;
  const double value = by_linear ? of_linear : of_angular;
  const WorstBalance::Residual& worst = by_linear ? linear : angular;
  const std::string text =
      share_text(value) + " of the " + (by_linear ? "linear" : "angular") + " momentum is unaccounted for";
  add(CheckKind::momentum, value,
      text_of_check(CheckKind::momentum, value, text,
                    text_of(worst.rest) + (by_linear ? " N s" : " N m s") + at(worst.t)));
}

void Checker::check_certificate() {
  if (!scene.run().certificate)
    return add_unchecked(CheckKind::certificate, "forces are not checked: certificate = false");
  const WorstCertificate& worst = simulation.worst_certificate();
  const Certificate& c = worst.certificate;
  const Model& model = scene.model();
  std::string where = "the power";
  if (c.worst() == c.joint_balance_relative && c.worst_joint >= 0) {
    where = "the effort of '" + model.joints()[static_cast<std::size_t>(c.worst_joint)].name + "'";
  } else if (c.worst() == c.force_balance_relative && c.worst_body >= 0) {
    where = "the forces on " + body(c.worst_body);
  }
  const std::string text = "forces and accelerations disagree by " + share_text(c.worst());
  add(CheckKind::certificate, c.worst(),
      text_of_check(CheckKind::certificate, c.worst(), text, "in " + where + at(worst.t)));
}

void Checker::check_contacts() {
  const ContactRecord& record = simulation.contact_record();
  if (scene.contacts().pairs.empty()) {
    if (record.time_stepped > 0.0) check_time_stepping(record);  // of joint limits
    return;
  }
  if (scene.run().certificate) {
    const double worst = record.residuals.worst();
    const std::string where = std::string(record.at_impact ? "in the impact of " : "in the contact of ") +
                              body(record.body_a) + " and " + body(record.body_b) + at(record.t);
    add(CheckKind::contact, worst,
        worst == 0.0 ? "the contact laws hold"
                     : text_of_check(CheckKind::contact, worst, "a contact law is violated by " + share_text(worst),
                                     where));
  } else {
    add_unchecked(CheckKind::contact, "contact laws are not checked: certificate = false");
  }
  const double flowed = simulation.energy_balance().energy().size;
  const double gained = relative(record.gained, {record.gained, flowed});
  const std::string text = (record.gains == 1 ? std::string("an impact gains ")
                                              : std::to_string(record.gains) + " impacts gain ") +
                           text_of(record.gained) + " J, " + share_text(gained) + " of the energy";
  add(CheckKind::impacts, gained,
      record.gains == 0 ? "no impact gains energy" : text_of_check(CheckKind::impacts, gained, text));
  check_time_stepping(record);
}

void Checker::check_time_stepping(const ContactRecord& record) {
  if (record.time_stepped == 0.0) return;
  const std::string breach = "time-stepping violates the contact laws by " + share_text(record.breach);
  add(CheckKind::time_stepping_residual, record.breach,
      text_of_check(CheckKind::time_stepping_residual, record.breach, breach));
}

}  // namespace

std::string_view name(CheckVerdict verdict) {
  static constexpr std::string_view kNames[] = {"ok", "warning", "failed"};
  return kNames[static_cast<int>(verdict)];
}

CheckVerdict verdict_of(CheckKind kind, double value) {
  const CheckFacts& limits = facts(kind);
  if (!(value <= limits.failed)) return CheckVerdict::failed;
  return value <= limits.warning ? CheckVerdict::ok : CheckVerdict::warning;
}

CheckVerdict RunChecks::verdict() const {
  CheckVerdict worst = CheckVerdict::ok;
  for (const RunCheck& check : list) worst = check.verdict > worst ? check.verdict : worst;
  return worst;
}

std::string RunChecks::reasons(CheckVerdict verdict) const {
  std::string text;
  for (const RunCheck& check : list)
    if (check.verdict == verdict) text += (text.empty() ? "" : "; ") + check.text;
  return text;
}

RunChecks run_checks(Simulation& simulation) {
  Checker checker{simulation};
  checker.check_balances();
  checker.check_certificate();
  checker.check_contacts();
  return std::move(checker.checks);
}

}  // namespace pintle
