// The blows of ContactChange: impulses at points and stops that close in, and what is recorded of them.
#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"
#include "pintle/simulation/hybrid/contact_change.h"

namespace pintle {
namespace {

constexpr double kRounding = 1e-12;  // of the hardest impulse: less is rounding, at points that only rest
constexpr double kGain = 1e-12;      // of the work of all impulses: less is rounding
constexpr int kMostRounds = 200;

bool moves_into(StopSide side, double v) {
  return (at_lower_stop(side) && v < 0.0) || (at_upper_stop(side) && v > 0.0);
}

/// An impact is too short for friction against rolling and spinning.
Touch without_turning(Touch touch) {
  touch.rolls = touch.spins = false;
  return touch;
}

}  // namespace

void ContactChange::forget_impacts() {
  impacts_.clear();
  contact_work_ = 0.0;
  for (double& work : blow_work_) work = 0.0;
  for (double& impulse : stop_impulses_) impulse = 0.0;
}

bool ContactChange::strike(std::span<const StopSide> sides, MotionState& state, ContactChangeReport& report) {
  for (int round = 0; round < 2 * kMostRounds; ++round) {
    bool any = approaches(state);
    for (std::size_t i = 0; i < sides.size(); ++i) any = any || moves_into(sides[i], state.v[i]);
    if (!any && !turn_rims_to_approach()) return true;
    const bool plastic = round >= kMostRounds;
    report.impact = true;
    report.cut_short = report.cut_short || plastic;
    choose_struck(sides, state);
    const std::size_t n = 3 * chosen_.size() + bars_.size();
    if (!pose_blow(sides, state, plastic, report)) return false;
    const ImpactReport blow = solve_blow();
    report.scale = min(report.scale, blow.scale);
    report.residual = max(report.residual, blow.residual);
    report.cut_short = report.cut_short || blow.cut_short;
    if (!blow.ok) return false;
    v_before_ = state.v;
    apply_blow({P_.data(), n}, state);
    const bool one = chosen_.size() == 1 && bars_.empty() && !system_.contacts().spec().single_point && !blow.fell_back;
    // Where friction was left out the certificate shall say so: it is held against Coulomb's law.
    const bool together =
        blow.smooth || (system_.contacts().spec().several == SeveralImpacts::together && !blow.fell_back);
    certify_blow(state, blow,
                 one                                                   ? ImpactRule::point
                 : together && !system_.contacts().spec().single_point ? ImpactRule::several
                                                                       : ImpactRule::other);
    record_blows(state, blow);
  }
  read_speeds(state);
  return true;
}

/// All points and stops that do not move apart take part in a round.
void ContactChange::choose_struck(std::span<const StopSide> sides, const MotionState& state) {
  chosen_.clear();
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (parts_slowly(c)) chosen_.push_back(c);
  bars_.clear();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (system_.prescribed()[i] != 0) continue;
    if (at_lower_stop(sides[i]) && !(state.v[i] > 0.0)) bars_.push_back({static_cast<int>(i), 1.0});
    if (at_upper_stop(sides[i]) && !(state.v[i] < 0.0)) bars_.push_back({static_cast<int>(i), -1.0});
  }
}

/// Fills A_, b_, restitution_ and friction_, after `approaches` at this state, which has left its places. False: the
/// mechanism has no answer to forces.
bool ContactChange::pose_blow(std::span<const StopSide> sides, const MotionState& state, bool plastic,
                              ContactChangeReport& report) {
  const Model& model = system_.model();
  const std::size_t k = chosen_.size(), n = 3 * k + bars_.size();
  for (std::size_t a = 0; a < k; ++a) touches_[a] = without_turning(candidates_[chosen_[a]].touch);
  const std::span<const Touch> struck{touches_.data(), k};
  const std::span<double> A = std::span(A_).first(n * n);
  if (system_.may_fly()) {  // there are no stops
    system_.answer_touches(struck, places_, rows_, A);
  } else {
    contact_rows(model, places_, struck, rows_, RowRates::zero);
    const DynamicsReport prepared = prepare_response(model, state.q, response_, system_.prescribed());
    report.joint = prepared.singular_joint;
    if (!prepared.ok()) return false;
    contact_delassus(model, bars_, response_, rows_, A);
  }
  for (std::size_t a = 0; a < k; ++a) {
    const ContactCandidate& candidate = candidates_[chosen_[a]];
    const Surface& surface = system_.contacts().surface(static_cast<std::size_t>(candidate.contact.pair));
    const bool none = plastic || candidate.plastic || candidate.rests.any();
    restitution_[a] = none ? 0.0 : surface.restitution;
    friction_[a] = surface.friction;
    for (std::size_t r = 0; r < 3; ++r) b_[3 * a + r] = rows_.speed[3 * a + r];
  }
  for (std::size_t s = 0; s < bars_.size(); ++s) {
    const std::size_t freedom = static_cast<std::size_t>(bars_[s].freedom);
    const bool shut = plastic || sides[freedom] == StopSide::both;
    restitution_[k + s] = shut ? 0.0 : system_.scene().restitution()[freedom];
    b_[3 * k + s] = bars_[s].sign * state.v[freedom];
  }
  return true;
}

/// The impulses P_ of what pose_blow has put down.
ImpactReport ContactChange::solve_blow() {
  const ContactSpec& spec = system_.contacts().spec();
  const std::size_t k = chosen_.size(), n = 3 * k + bars_.size();
  const ImpactProblem problem{std::span(A_).first(n * n),
                              std::span(b_).first(n),
                              std::span(restitution_).first(k + bars_.size()),
                              std::span(friction_).first(k),
                              spec.single_point ? ImpactLaw::single_point : spec.law,
                              spec.single_point ? SeveralImpacts::in_turn : spec.several};
  return solve_impact(problem, impact_, std::span(P_).first(n));
}

/// What the motors of prescribed joints do to keep their speeds in a blow.
void ContactChange::book_prescribed(std::span<const double> P, const MotionState& state) {
  bool any = false;
  for (const unsigned char given : system_.prescribed()) any = any || given != 0;
  if (!any) return;
  const std::size_t rows = rows_.rows;
  for (std::size_t i = 0; i < efforts_.size(); ++i) {
    efforts_[i] = 0.0;
    for (std::size_t row = 0; row < rows; ++row) efforts_[i] = fma(rows_.J[row * rows_.nv + i], P[row], efforts_[i]);
  }
  for (std::size_t s = 0; s < bars_.size(); ++s)
    efforts_[static_cast<std::size_t>(bars_[s].freedom)] += bars_[s].sign * P[rows + s];
  respond(system_.model(), response_, efforts_, {}, {}, jump_);
  response_efforts(system_.model(), response_, jump_, {}, carried_);
  for (std::size_t i = 0; i < jump_.size(); ++i)
    if (system_.prescribed()[i] != 0) blow_work_[i] += (carried_[i] - efforts_[i]) * state.v[i];
}

/// The velocities jump; what that does at stops and at prescribed joints is booked.
void ContactChange::apply_blow(std::span<const double> P, MotionState& state) {
  const std::size_t k = chosen_.size();
  for (std::size_t i = 0; i < jump_.size(); ++i) {
    jump_[i] = 0.0;
    for (std::size_t row = 0; row < P.size(); ++row)
      jump_[i] = fma(rows_.answers[row * rows_.nv + i], P[row], jump_[i]);
  }
  book_prescribed(P, state);
  for (std::size_t i = 0; i < jump_.size(); ++i) state.v[i] += jump_[i];
  for (std::size_t a = 0; a < k; ++a) {
    ContactCandidate& candidate = candidates_[chosen_[a]];
    for (std::size_t r = 0; r < 3; ++r) candidate.impulse[r] = P[3 * a + r];
    candidate.approach = impact_.approach[a];
    candidate.slip = impact_.slip[a];
    candidate.rebound = impact_.rebound[a];
    candidate.lost = impact_.lost[a];
  }
  for (std::size_t s = 0; s < bars_.size(); ++s) {
    const std::size_t freedom = static_cast<std::size_t>(bars_[s].freedom);
    stop_impulses_[freedom] += bars_[s].sign * P[3 * k + s];
    blow_work_[freedom] -= impact_.lost[k + s];
    if (P[3 * k + s] > 0.0 && impact_.after[3 * k + s] <= 0.0) state.v[freedom] = 0.0;
  }
}

/// Holds the blow that led from v_before_ to `state` against the laws.
void ContactChange::certify_blow(const MotionState& state, const ImpactReport& blow, ImpactRule rule) {
  const std::size_t k = chosen_.size();
  double work = 0.0;
  for (std::size_t i = 0; i < 3 * k + bars_.size(); ++i)
    work = fma(0.5 * std::abs(P_[i]), std::abs(b_[i]) + std::abs(impact_.after[i]), work);
  gains_ = blow.energy_change > kGain * work;
  verdict_ = {};
  if (!system_.scene().run().certificate) return;
  for (double& effort : stop_efforts_) effort = 0.0;
  for (std::size_t s = 0; s < bars_.size(); ++s)
    stop_efforts_[static_cast<std::size_t>(bars_[s].freedom)] += bars_[s].sign * P_[3 * k + s];
  verdict_ = certify_impact(system_.model(),
                            {.q = state.q,
                             .before = v_before_,
                             .after = state.v,
                             .touches = {touches_.data(), k},
                             .P = std::span<const double>(P_).first(3 * k),
                             .efforts = stop_efforts_,
                             .given = system_.prescribed(),
                             .friction = std::span<const double>(friction_).first(k),
                             .restitution = std::span<const double>(restitution_).first(k),
                             .rule = rule,
                             .law = system_.contacts().spec().law,
                             .A = std::span<const double>(A_).first(rule == ImpactRule::point ? 9 : 0)},
                            checks_);
}

void ContactChange::record_blows(const MotionState& state, const ImpactReport& blow) {
  const ContactSetup& setup = system_.contacts().setup();
  double hardest = 0.0;
  for (const std::size_t c : chosen_) hardest = max(hardest, candidates_[c].impulse[0]);
  for (const std::size_t c : chosen_) {
    const ContactCandidate& candidate = candidates_[c];
    contact_work_ -= candidate.lost;
    if (candidate.impulse[0] <= kRounding * hardest) continue;
    const ContactPair& pair = setup.pairs[static_cast<std::size_t>(candidate.contact.pair)];
    const ContactPart& a = setup.parts[static_cast<std::size_t>(pair.a)];
    const Pose<> X_WC =
        a.link < 0 ? candidate.touch.X_AC : places_.X_WL[static_cast<std::size_t>(a.link)] * candidate.touch.X_AC;
    ImpactRecord record;
    record.t = state.t;
    record.body_a = a.body;
    record.body_b = setup.parts[static_cast<std::size_t>(pair.b)].body;
    record.point = X_WC.translation;
    record.normal = column(X_WC.rotation, 0);
    record.penetration = max(-candidate.point.distance, 0.0);
    record.approach = candidate.approach;
    record.slip = candidate.slip;
    record.normal_impulse = candidate.impulse[0];
    record.tangential_impulse = length(candidate.impulse[1], candidate.impulse[2]);
    record.restitution = candidate.approach > 0.0 ? max(candidate.rebound / candidate.approach, 0.0) : 0.0;
    record.energy = candidate.lost;
    record.scale = blow.scale;
    record.gains_energy = gains_ && candidate.lost < 0.0;
    record.certificate = verdict_.residuals;
    impacts_.push_back(record);
  }
}

/// Impact without collision: friction presses a sliding point together faster than any force could part it, until its
/// slip ends.
bool ContactChange::strike_jammed(std::size_t contact, MotionState& state, ContactChangeReport& report) {
  const Model& model = system_.model();
  if (report.jammed) return false;
  report.jammed = report.impact = true;
  ContactCandidate& candidate = candidates_[contact];
  touches_[0] = without_turning(candidate.touch);
  kinematics(model, state.q, state.v, zero_, places_);
  contact_rows(model, places_, {touches_.data(), 1}, rows_, RowRates::zero);
  contact_delassus(model, {}, response_, rows_, std::span(A_).first(9));
  const Surface& surface = system_.contacts().surface(static_cast<std::size_t>(candidate.contact.pair));
  const CoulombPoint point{A_[0], {A_[1], A_[2]}, {A_[4], A_[5], A_[8]}, {0.0, rows_.speed[1], rows_.speed[2]}};
  const PointImpactAnswer answer = jam_impact({point, 0.0, surface.friction});
  if (!answer.ok) return false;
  candidate.impulse = answer.P;
  candidate.approach = candidate.rebound = 0.0;
  candidate.slip = length(point.c[1], point.c[2]);
  candidate.lost = -answer.energy_change();
  v_before_ = state.v;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < state.v.size(); ++i)
      state.v[i] = fma(rows_.answers[r * rows_.nv + i], answer.P[r], state.v[i]);
  chosen_.assign(1, contact);
  bars_.clear();
  for (std::size_t r = 0; r < 3; ++r) {
    P_[r] = answer.P[r];
    b_[r] = point.c[r];
    impact_.after[r] = answer.after[r];
  }
  friction_[0] = surface.friction;
  restitution_[0] = 0.0;
  ImpactReport blow;
  blow.energy_change = answer.energy_change();
  certify_blow(state, blow, ImpactRule::other);
  record_blows(state, blow);
  return true;
}

}  // namespace pintle
