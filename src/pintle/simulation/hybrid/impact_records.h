// ImpactRecords: the records of impacts between bodies: their energy, and their contact certificates.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_certificate.h"
#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/delassus_system.h"
#include "pintle/simulation/recording/recording.h"

namespace pintle {

/// A resolved impact, besides what the candidates and the rows contain.
struct ResolvedImpact {
  std::span<const double> v_before;               ///< per independent dof
  std::span<const double> u_after;                ///< [m/s, rad/s] per row
  std::span<const double> friction, restitution;  ///< per contact
  ImpactRule rule = ImpactRule::other;
  double scale = 1.0;          ///< ImpactReport
  double energy_change = 0.0;  ///< [J]
};

class ImpactRecords {
 public:
  /// `candidates` and `rows` must outlive this object.
  ImpactRecords(const SceneSystem& system, const ContactCandidates& candidates, const DelassusSystem& rows);

  void clear();

  /// Records the impact of the contacts and joints in the rows, which led to `state`. `sides`: the limits of the dofs.
  void add(const ResolvedImpact& impact, std::span<const LimitSide> sides, const MotionState& state);

  /// After the last of the impacts that led to `state`: its certificate sees all that touches and still approaches.
  void certify_separation(std::span<const LimitSide> sides, const MotionState& state);

  std::span<const ImpactRecord> records() const { return records_; }
  /// The worst residual of their certificates: also where nobody asked for certificates, but the run chooses by them
  /// (ContactMethod::automatic).
  double worst() const { return worst_; }
  double contact_work() const { return contact_work_; }  ///< [J] of all, along their slips
  std::span<const double> surface_work() const { return surface_work_; }  ///< [J] SceneSystem::add_surface_work

 private:
  bool is_wanted() const;
  bool gains_energy(const ResolvedImpact& impact) const;
  ImpactVerdict certify(const ResolvedImpact& impact, std::span<const LimitSide> sides, const MotionState& state);

  const SceneSystem& system_;
  const ContactCandidates& candidates_;
  const DelassusSystem& rows_;
  ImpactCertificateWorkspace checks_;
  std::vector<double> limit_efforts_, v_before_;
  std::vector<ContactFrame> touches_;
  double fastest_ = 0.0;  // [m/s] of the contacts in all impacts
  std::vector<ImpactRecord> records_;
  double worst_ = 0.0;
  double contact_work_ = 0.0;
  std::vector<double> surface_work_;
};

}  // namespace pintle
