#include "pintle/simulation/hybrid/impact_resolution.h"

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"
#include "pintle/simulation/hybrid/limit_modes.h"

namespace pintle {
namespace {

constexpr int kMaxRounds = 200;

/// An impact is too short for rolling and spinning friction.
ContactFrame without_turning(ContactFrame touch) {
  touch.rolls = touch.spins = false;
  return touch;
}

}  // namespace

ImpactResolution::ImpactResolution(const SceneSystem& system, ContactCandidates& candidates, DelassusSystem& rows,
                                   EdgeContacts& edges)
    : system_(system),
      candidates_(candidates),
      rows_(rows),
      edges_(edges),
      records_(system, candidates, rows),
      impact_(0, 0),
      zero_(system.modes().hold.size()),
      v_before_(zero_.size()),
      jump_(zero_.size()),
      efforts_(zero_.size()),
      carried_(zero_.size()),
      limit_impulses_(zero_.size()),
      joint_work_(zero_.size()) {}

void ImpactResolution::make_room() {
  impact_ = ImpactWorkspace(rows_.max_contacts(), rows_.max_joints());
  friction_.resize(rows_.max_contacts());
  restitution_.resize(rows_.max_contacts() + rows_.max_joints());
}

void ImpactResolution::clear() {
  records_.clear();
  for (double& work : joint_work_) work = 0.0;
  for (double& impulse : limit_impulses_) impulse = 0.0;
}

bool ImpactResolution::resolve(std::span<const LimitSide> sides, MotionState& state, ModeChangeReport& report) {
  const auto end = [&](int rounds) {
    if (rounds > 0) records_.certify_separation(sides, state);
    return true;
  };
  for (int round = 0; round < 2 * kMaxRounds; ++round) {
    candidates_.read_speeds(state);
    if (!any_approaches(sides, state)) {
      if (!edges_.rotate_to_approach()) return end(round);
      candidates_.read_speeds(state);  // of the vertices at their new places
    }
    const bool plastic = round >= kMaxRounds;
    report.impact = true;
    report.cut_short = report.cut_short || plastic;
    choose(sides, state);
    if (!assemble(state, report)) return false;
    set_restitution(sides, state, plastic);
    const ImpactReport solved = solve();
    report.residual = max(report.residual, solved.residual);
    report.work += solved.work;
    report.cut_short = report.cut_short || solved.cut_short;
    if (!solved.ok) return false;
    v_before_ = state.v;
    apply(state);
    record(solved, rule_of(solved), sides, state);
  }
  candidates_.read_speeds(state);
  return end(2 * kMaxRounds);
}

bool ImpactResolution::any_approaches(std::span<const LimitSide> sides, const MotionState& state) const {
  for (std::size_t c = 0; c < candidates_.count(); ++c)
    if (candidates_.approaches(c)) return true;
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (moves_into(sides[i], state.v[i])) return true;
  return false;
}

/// All contacts and limits that do not separate take part in a round.
void ImpactResolution::choose(std::span<const LimitSide> sides, const MotionState& state) {
  rows_.clear();
  for (std::size_t c = 0; c < candidates_.count(); ++c)
    if (candidates_.parts_slowly(c)) rows_.add_contact(c, without_turning(candidates_[c].touch));
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (system_.prescribed()[i] != 0) continue;
    if (at_lower_limit(sides[i]) && !(state.v[i] > 0.0)) rows_.add_joint(i, 1.0);
    if (at_upper_limit(sides[i]) && !(state.v[i] < 0.0)) rows_.add_joint(i, -1.0);
  }
}

/// J and A, with the poses at which the speeds were read. False: a joint moves no inertia.
bool ImpactResolution::assemble(const MotionState& state, ModeChangeReport& report) {
  if (system_.may_fly()) {  // there are no limits
    rows_.assemble_flight(candidates_.places());
    return true;
  }
  const DynamicsReport assembled = rows_.assemble(candidates_.places(), state.q, RowDerivatives::zero);
  report.joint = assembled.singular_joint;
  return assembled.ok();
}

/// The speeds b before the impact, and the restitution and friction of all that take part.
void ImpactResolution::set_restitution(std::span<const LimitSide> sides, const MotionState& state, bool plastic) {
  const std::span<const std::size_t> contacts = rows_.contacts();
  const std::size_t k = contacts.size();
  const std::span<double> u_before = rows_.b();
  for (std::size_t a = 0; a < k; ++a) {
    const ContactCandidate& candidate = candidates_[contacts[a]];
    const Surface& surface = candidates_.surface(contacts[a]);
    const bool none = plastic || candidate.plastic || candidate.rests.any();
    restitution_[a] = none ? 0.0 : surface.restitution;
    friction_[a] = surface.friction;
    for (std::size_t r = 0; r < 3; ++r) u_before[3 * a + r] = rows_.jacobian().speed[3 * a + r];
  }
  for (std::size_t s = 0; s < rows_.joints().size(); ++s) {
    const DofRow& joint = rows_.joints()[s];
    const bool none = plastic || sides[size(joint.dof)] == LimitSide::both;
    restitution_[k + s] = none ? 0.0 : system_.scene().restitution()[size(joint.dof)];
    u_before[3 * k + s] = joint.sign * state.v[size(joint.dof)];
  }
}

/// The impulses P = f of the rows.
ImpactReport ImpactResolution::solve() {
  const ContactSpec& spec = system_.contacts().spec();
  const std::size_t contacts = rows_.contacts().size(), joints = rows_.joints().size();
  const ImpactProblem problem{rows_.A(),
                              rows_.b(),
                              std::span(restitution_).first(contacts + joints),
                              std::span(friction_).first(contacts),
                              spec.single_point ? ImpactLaw::single_point : spec.law,
                              spec.single_point ? SeveralImpacts::sequential : spec.several};
  return solve_impact(problem, impact_, rows_.f());
}

/// The velocities jump; the impulses and their work are stored with the candidates and joints.
void ImpactResolution::apply(MotionState& state) {
  const std::span<const double> P = rows_.f();
  const std::size_t k = rows_.contacts().size();
  find_jump(state);
  for (std::size_t i = 0; i < jump_.size(); ++i) state.v[i] += jump_[i];
  for (std::size_t a = 0; a < k; ++a) {
    ContactCandidate& candidate = candidates_[rows_.contacts()[a]];
    for (std::size_t r = 0; r < 3; ++r) candidate.impulse[r] = P[3 * a + r];
    candidate.approach = impact_.approach[a];
    candidate.slip = impact_.slip[a];
    candidate.rebound = impact_.rebound[a];
    candidate.dissipated = impact_.lost[a];
  }
  for (std::size_t s = 0; s < rows_.joints().size(); ++s) {
    const DofRow& joint = rows_.joints()[s];
    limit_impulses_[size(joint.dof)] += joint.sign * P[3 * k + s];
    joint_work_[size(joint.dof)] -= impact_.lost[k + s];
    if (P[3 * k + s] > 0.0 && impact_.after[3 * k + s] <= 0.0) state.v[size(joint.dof)] = 0.0;
  }
}

/// v+ - v- = M^-1 J^T P. The motors of prescribed joints keep their speeds, which takes work.
void ImpactResolution::find_jump(const MotionState& state) {
  const std::span<const unsigned char> prescribed = system_.prescribed();
  bool any_prescribed = false;
  for (const unsigned char given : prescribed) any_prescribed = any_prescribed || given != 0;
  if (!any_prescribed) {
    rows_.apply_inverse_mass(jump_);
    return;
  }
  rows_.efforts(efforts_);
  apply_mass_inverse(system_.model(), rows_.response(), efforts_, {}, {}, jump_);
  response_efforts(system_.model(), rows_.response(), jump_, {}, carried_);
  for (std::size_t i = 0; i < jump_.size(); ++i)
    if (prescribed[i] != 0) joint_work_[i] += (carried_[i] - efforts_[i]) * state.v[i];
}

/// The law that the certificate checks an impact against. Where friction was left out it is Coulomb's law, so that the
/// certificate reports it.
ImpactRule ImpactResolution::rule_of(const ImpactReport& solved) const {
  const ContactSpec& spec = system_.contacts().spec();
  if (spec.single_point) return ImpactRule::other;
  if (rows_.contacts().size() == 1 && rows_.joints().empty() && !solved.fell_back) return ImpactRule::point;
  const bool simultaneous = spec.several == SeveralImpacts::simultaneous && !solved.fell_back;
  return solved.smooth || simultaneous ? ImpactRule::several : ImpactRule::other;
}

void ImpactResolution::record(const ImpactReport& solved, ImpactRule rule, std::span<const LimitSide> sides,
                              const MotionState& state) {
  const std::size_t contacts = rows_.contacts().size();
  records_.add({.v_before = v_before_,
                .u_after = {impact_.after.data(), rows_.count()},
                .friction = std::span(friction_).first(contacts),
                .restitution = std::span(restitution_).first(contacts),
                .rule = rule,
                .scale = solved.scale,
                .energy_change = solved.energy_change},
               sides, state);
}

bool ImpactResolution::resolve_without_collision(std::size_t number, MotionState& state, ModeChangeReport& report) {
  if (report.without_collision) return false;
  report.without_collision = report.impact = true;
  ContactCandidate& candidate = candidates_[number];
  rows_.clear();
  rows_.add_contact(number, without_turning(candidate.touch));
  kinematics(system_.model(), state.q, state.v, zero_, candidates_.places());
  if (!rows_.assemble(candidates_.places(), state.q, RowDerivatives::zero).ok()) return false;
  const std::span<const double> A = rows_.A();
  const ContactRowsWorkspace& J = rows_.jacobian();
  const CoulombPoint point{A[0], {A[1], A[2]}, {A[4], A[5], A[8]}, {0.0, J.speed[1], J.speed[2]}};
  friction_[0] = candidates_.surface(number).friction;
  restitution_[0] = 0.0;
  const PointImpactSolution solution = painleve_impact({point, restitution_[0], friction_[0]});
  if (!solution.ok) return false;
  candidate.impulse = solution.P;
  candidate.approach = candidate.rebound = 0.0;
  candidate.slip = length(point.c[1], point.c[2]);
  candidate.dissipated = -solution.energy_change();
  v_before_ = state.v;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t i = 0; i < state.v.size(); ++i)
      state.v[i] = fma(J.responses[r * J.nv + i], solution.P[r], state.v[i]);
    rows_.f()[r] = solution.P[r];
    rows_.b()[r] = point.c[r];
    impact_.after[r] = solution.after[r];
  }
  ImpactReport solved;
  solved.energy_change = solution.energy_change();
  record(solved, ImpactRule::other, {}, state);
  return true;
}

}  // namespace pintle
