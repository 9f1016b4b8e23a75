#include "pintle/simulation/hybrid/impact_records.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {
namespace {

constexpr double kNoImpulse = 1e-12;  // relative to the largest impulse: less is rounding, at resting contacts
constexpr double kGain = 1e-12;       // relative to the work of all impulses: less is rounding

}  // namespace

ImpactRecords::ImpactRecords(const SceneSystem& system, const ContactCandidates& candidates, const DelassusSystem& rows)
    : system_(system),
      candidates_(candidates),
      rows_(rows),
      checks_(system.model()),
      limit_efforts_(system.modes().hold.size()) {}

void ImpactRecords::clear() {
  records_.clear();
  contact_work_ = worst_ = 0.0;
  fastest_ = 0.0;
  surface_work_.assign(system_.surface_count(), 0.0);
}

void ImpactRecords::add(const ResolvedImpact& impact, std::span<const LimitSide> sides, const MotionState& state) {
  const bool gains = gains_energy(impact);
  const ImpactVerdict verdict = certify(impact, sides, state);
  fastest_ = max(fastest_, verdict.speed);
  v_before_.assign(impact.v_before.begin(), impact.v_before.end());
  const ContactSetup& setup = system_.contacts().setup();
  double hardest = 0.0;
  for (const std::size_t c : rows_.contacts()) hardest = max(hardest, candidates_[c].impulse[0]);
  for (std::size_t k = 0; k < rows_.contacts().size(); ++k) {
    const ContactCandidate& candidate = candidates_[rows_.contacts()[k]];
    const double* const before = &rows_.b()[3 * k];
    const double* const after = &impact.u_after[3 * k];
    contact_work_ -= candidate.dissipated;
    system_.add_surface_work(size(candidate.contact.pair), candidate.touch, candidate.impulse.data(), surface_work_);
    if (candidate.impulse[0] <= kNoImpulse * hardest) continue;
    const ContactPair& pair = setup.pairs[size(candidate.contact.pair)];
    const ContactPart& a = setup.parts[size(pair.a)];
    const Pose<> X_WC =
        a.link < 0 ? candidate.touch.X_AC : candidates_.places().X_WL[size(a.link)] * candidate.touch.X_AC;
    ImpactRecord record;
    record.t = state.t;
    record.body_a = a.body;
    record.body_b = setup.parts[size(pair.b)].body;
    record.point = X_WC.translation;
    record.normal = column(X_WC.rotation, 0);
    record.penetration = max(-candidate.point.distance, 0.0);
    record.approach = candidate.approach;
    record.slip = candidate.slip;
    record.slip_before = X_WC.rotation * Vec3<>{0.0, before[1], before[2]};
    record.slip_after = X_WC.rotation * Vec3<>{0.0, after[1], after[2]};
    record.normal_impulse = candidate.impulse[0];
    record.tangential_impulse = length(candidate.impulse[1], candidate.impulse[2]);
    record.restitution = candidate.approach > 0.0 ? max(candidate.rebound / candidate.approach, 0.0) : 0.0;
    record.energy = candidate.dissipated;
    record.scale = impact.scale;
    record.gains_energy = gains && candidate.dissipated < 0.0;
    worst_ = worse_of(worst_, verdict.residuals.worst());
    if (system_.scene().run().certificate) record.certificate = verdict.residuals;
    records_.push_back(record);
  }
}

bool ImpactRecords::gains_energy(const ResolvedImpact& impact) const {
  double work = 0.0;
  for (std::size_t i = 0; i < rows_.count(); ++i)
    work = fma(0.5 * std::abs(rows_.f()[i]), std::abs(rows_.b()[i]) + std::abs(impact.u_after[i]), work);
  return impact.energy_change > kGain * work;
}

bool ImpactRecords::is_wanted() const {
  const RunSpec& run = system_.scene().run();
  return run.certificate || run.contact == ContactMethod::automatic;
}

/// Certifies the impact, if certificates are wanted.
ImpactVerdict ImpactRecords::certify(const ResolvedImpact& impact, std::span<const LimitSide> sides,
                                     const MotionState& state) {
  if (!is_wanted()) return {};
  const std::span<const double> P = rows_.f();
  const std::size_t contact_rows = rows_.jacobian().rows;
  for (double& effort : limit_efforts_) effort = 0.0;
  for (std::size_t s = 0; s < rows_.joints().size(); ++s)
    limit_efforts_[size(rows_.joints()[s].dof)] += rows_.joints()[s].sign * P[contact_rows + s];
  return certify_impact(system_.model(),
                        {.q = state.q,
                         .before = impact.v_before,
                         .after = state.v,
                         .touches = rows_.touches(),
                         .P = P.first(contact_rows),
                         .efforts = limit_efforts_,
                         .given = system_.prescribed(),
                         .friction = impact.friction,
                         .restitution = impact.restitution,
                         .rule = impact.rule,
                         .law = system_.contacts().spec().law,
                         .A = impact.rule == ImpactRule::point ? rows_.A() : std::span<const double>(),
                         .sides = sides},
                        checks_);
}

void ImpactRecords::certify_separation(std::span<const LimitSide> sides, const MotionState& state) {
  if (!is_wanted() || records_.empty()) return;
  touches_.clear();
  for (std::size_t c = 0; c < candidates_.count(); ++c) touches_.push_back(candidates_[c].touch);
  const double approach = pintle::certify_separation(
      {.before = v_before_, .after = state.v, .touches = touches_, .sides = sides, .speed = fastest_}, checks_);
  worst_ = worse_of(worst_, approach);
  double& complementarity = records_.back().certificate.complementarity;
  if (system_.scene().run().certificate) complementarity = worse_of(complementarity, approach);
}

}  // namespace pintle
