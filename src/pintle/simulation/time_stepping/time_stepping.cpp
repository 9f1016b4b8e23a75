#include "pintle/simulation/time_stepping/time_stepping.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {

TimeStepping::TimeStepping(SceneSystem& system, MotionSystem& integrated, Method method, const Tolerances& tolerances)
    : system_(system),
      model_(system.model()),
      stepper_(integrated, method, tolerances),
      space_(model_),
      trees_(model_),
      free_joints_(model_),
      blocks_(model_, trees_),
      contacts_(model_, trees_, system.contacts(), system.all_pairs()),
      islands_(trees_.count()),
      impulses_(system, trees_),
      places_(model_),
      free_modes_(size(model_.nv())),
      sleep_(trees_, system.contacts().setup(), size(model_.nv())),
      states_(trees_.count()),
      movable_(trees_.count()),
      needed_(trees_.count()),
      pushed_(trees_.count()),
      restless_(trees_.count()),
      arrival_(trees_.count()),
      way_(size(model_.nv())),
      zero_(way_.size()),
      joint_work_(way_.size()),
      friction_work_(way_.size()),
      efforts_(way_.size()),
      carried_(way_.size()),
      momentum_size_(trees_.count()),
      free_(neutral_state(integrated)),
      before_(free_),
      after_(free_),
      end_(free_),
      motors_(model_),
      inverse_(model_),
      on_bodies_(model_.bodies().size()) {
  bounds_.reserve(2 * way_.size());
  damping_.resize(way_.size());
  stiffness_.resize(way_.size());
  bool any_passive = false;
  for (std::size_t k = 0; k < model_.dofs().size(); ++k) {
    const JointPassive& passive = model_.dofs()[k].passive;
    const CoordinateSource& source = model_.v_sources()[k];
    damping_[size(source.source)] += source.ratio * source.ratio * passive.damping;
    stiffness_[size(source.source)] += source.ratio * source.ratio * passive.stiffness;
    any_passive = any_passive || passive.damping > 0.0 || passive.stiffness > 0.0;
  }
  const bool explicit_method = method != Method::sdirk && method != Method::symplectic_midpoint;
  if (any_passive && explicit_method) stiff_stepper_.emplace(integrated, Method::sdirk, tolerances);
  for (std::size_t i = 0; i < way_.size(); ++i) {
    const bool prescribed = system.prescribed()[i] != 0;
    any_prescribed_ = any_prescribed_ || prescribed;
    if (!prescribed) movable_[size(trees_.of_dof(i))] = 1;
  }
}

TimeSteppingReport TimeStepping::step(double h, MotionState& state, bool certified) {
  TimeSteppingReport report;
  was_ = system_.contacts().active();
  system_.contacts().active().clear();
  system_.set_modes(free_modes_);
  system_.complete_weight(state);
  report.free = (is_stiff(h, state) ? *stiff_stepper_ : stepper_).step(state, h, free_);
  if (!report.ok()) return report;
  free_.t = state.t + h;
  system_.complete_weight(free_);  // from here on bodies are elsewhere
  find_velocities(state);
  kinematics(model_, before_.q, before_.v, zero_, places_);
  find_contacts(h, state);
  find_bounds(h, state);
  islands_.find(contacts_.all(), needed_);
  for (std::size_t tree = 0; tree < needed_.size(); ++tree) needed_[tree] = islands_.of_tree(tree) >= 0 ? 1 : 0;
  const DynamicsReport inverted = blocks_.find(state.q, system_.prescribed(), needed_);
  report.joint = inverted.singular_joint;
  if (!report.ok()) return report;
  impulses_.find({h, state.v, before_.v}, contacts_, bounds_, islands_, blocks_);
  report.residual = impulses_.residual();
  apply(report);
  record_work(report);
  if (certified) certify(report);
  impact_records_.clear();
  for (std::size_t c = 0; c < contacts_.all().size(); ++c) record_impact(c, free_.t);
  move(h, state);
  keep_pressed(h);
  return report;
}

bool TimeStepping::all_sleep() const {
  if (!sleep_.any()) return false;
  for (std::size_t tree = 0; tree < movable_.size(); ++tree)
    if (movable_[tree] != 0 && !sleep_.is_asleep(tree)) return false;
  return true;
}

/// Whether a joint's damper or spring is too stiff for explicit methods at this step: of a joint on its own the velocity
/// changes by -h d/m, with 1/m its entry of M^-1.
bool TimeStepping::is_stiff(double h, const MotionState& state) {
  constexpr double kStiff = 1.0;
  if (!stiff_stepper_) return false;
  for (std::size_t tree = 0; tree < needed_.size(); ++tree) {
    needed_[tree] = 0;
    for (const std::size_t dof : trees_.dofs(tree))
      if (damping_[dof] > 0.0 || stiffness_[dof] > 0.0) needed_[tree] = 1;
  }
  if (!blocks_.find(state.q, system_.prescribed(), needed_).ok()) return false;
  for (std::size_t i = 0; i < damping_.size(); ++i) {
    const std::size_t tree = size(trees_.of_dof(i)), n = trees_.dofs(tree).size();
    if (needed_[tree] == 0) continue;
    const double mobility = blocks_.of(tree)[trees_.place(i) * (n + 1)];
    if (h * mobility * (damping_[i] + h * stiffness_[i]) > kStiff) return true;
  }
  return false;
}

/// The points that may touch, with what they wake.
void TimeStepping::find_contacts(double h, const MotionState& state) {
  if (sleep_.any()) {
    sleep_.wake_where_loads_change(before_.v);
    sleep_.wake_connected(was_);
  }
  find_states(state);
  contacts_.find(places_, h, was_, states_);
  while (sleep_.any() && wake_touched(h)) {
    sleep_.wake_connected(was_);
    find_states(state);
    contacts_.find(places_, h, was_, states_);
  }
  for (std::size_t i = 0; i < way_.size(); ++i)
    if (states_[size(trees_.of_dof(i))] == TreeState::asleep) before_.v[i] = 0.0;
}

/// Whether a contact is of a tree that sleeps in this step.
bool TimeStepping::was_asleep(const ActiveContact& contact) const {
  const ContactSetup& setup = system_.contacts().setup();
  const ContactPair& pair = setup.pairs[size(contact.pair)];
  const auto sleeps = [&](int part) {
    const int tree = trees_.of_link(setup.parts[size(part)].link);
    return tree >= 0 && states_[size(tree)] == TreeState::asleep;
  };
  return sleeps(pair.a) || sleeps(pair.b);
}

void TimeStepping::find_states(const MotionState& state) {
  any_slept_ = sleep_.any();
  for (std::size_t tree = 0; tree < states_.size(); ++tree) {
    bool moves = false;
    for (const std::size_t dof : trees_.dofs(tree)) moves = moves || state.v[dof] != 0.0 || before_.v[dof] != 0.0;
    states_[tree] = movable_[tree] == 0        ? (moves ? TreeState::given : TreeState::still)
                    : sleep_.is_asleep(tree) ? TreeState::asleep
                                             : TreeState::awake;
  }
}

/// Wakes the trees that something reaches within the step; false: none.
bool TimeStepping::wake_touched(double h) {
  bool any = false;
  const std::span<const StepContact> all = contacts_.all();
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].sleeper < 0 || !sleep_.is_asleep(size(all[c].sleeper))) continue;
    double gap = all[c].gap;
    if (all[c].trees[0] >= 0) {
      const double* J = contacts_.J(c, 0);
      for (const std::size_t dof : trees_.dofs(size(all[c].trees[0]))) gap = fma(h * *J++, before_.v[dof], gap);
    } else {
      gap = 0.0;  // what is prescribed moves near it
    }
    if (gap > all[c].tolerance) continue;
    sleep_.wake(size(all[c].sleeper));
    any = true;
  }
  return any;
}

/// `before_`: the positions of the start, with the velocities of the free step in the axes of the start.
void TimeStepping::find_velocities(const MotionState& state) {
  before_ = free_;
  before_.q = state.q;
  free_joints_.change_axes(free_.q, state.q, before_.v);
}

/// The dofs with friction, and those with joint limits, of which the nearer one counts.
void TimeStepping::find_bounds(double h, const MotionState& state) {
  const std::span<const double> friction = system_.friction_limits();
  bounds_.clear();
  for (unsigned char& mark : needed_) mark = 0;
  for (std::size_t i = 0; i < way_.size(); ++i) {
    if (system_.prescribed()[i] != 0 || sleep_.is_asleep(size(trees_.of_dof(i)))) continue;
    const std::size_t before = bounds_.size();
    if (friction[i] > 0.0) bounds_.push_back({i, 1.0, -friction[i] * h, friction[i] * h});
    if (space_.q_number[i] >= 0) {
      const double q = state.q[size(space_.q_number[i])];
      const double below = q - space_.lower[i], above = space_.upper[i] - q;
      const double sign = below <= above ? 1.0 : -1.0, room = max(min(below, above), 0.0);
      if (room < kInfinity<double>)
        bounds_.push_back({i, sign, 0.0, kInfinity<double>, room, system_.scene().restitution()[i], true});
    }
    if (bounds_.size() > before) needed_[size(trees_.of_dof(i))] = 1;
  }
}

/// The velocities jump, in the axes of the start; each tree rebounds from its earliest arrival on.
void TimeStepping::apply(TimeSteppingReport& report) {
  after_ = before_;
  for (std::size_t i = 0; i < way_.size(); ++i) after_.v[i] += impulses_.jump()[i];
  for (std::size_t tree = 0; tree < pushed_.size(); ++tree) {
    pushed_[tree] = impulses_.acts_on(tree) ? 1 : 0;
    arrival_[tree] = 1.0;
  }
  const std::span<const StepContact> all = contacts_.all();
  for (std::size_t c = 0; c < all.size(); ++c) {
    report.penetration = max(report.penetration, -all[c].gap);
    const StepRow& row = impulses_.rows(c)[0];
    for (const int tree : all[c].trees)
      if (tree >= 0 && row.P > 0.0) arrival_[size(tree)] = min(arrival_[size(tree)], row.arrival);
  }
  for (std::size_t k = 0; k < bounds_.size(); ++k) {
    double& arrival = arrival_[size(trees_.of_dof(bounds_[k].dof))];
    if (impulses_.row_of_bound(k).P > 0.0) arrival = min(arrival, impulses_.row_of_bound(k).arrival);
  }
  for (double& arrival : arrival_)
    if (arrival == 1.0) arrival = 0.0;
}

/// Positions follow the velocities at the end of the step, up to a rebound those before it. Overlaps that are left open
/// without velocity. What no impulse acts on keeps its step without contacts.
void TimeStepping::move(double h, MotionState& state) {
  for (std::size_t i = 0; i < way_.size(); ++i)
    way_[i] = h * fma(1.0 - arrival_[size(trees_.of_dof(i))], impulses_.jump()[i], before_.v[i]);
  (void)impulses_.open_overlaps(contacts_, islands_, blocks_, way_, pushed_);
  for (std::size_t i = 0; i < way_.size(); ++i)
    if (pushed_[size(trees_.of_dof(i))] == 0) way_[i] = 0.0;
  free_joints_.move(state.q, way_, end_.q);
  for (unsigned char& mark : restless_) mark = 0;
  for (const StepContact& contact : contacts_.all())
    for (const int tree : contact.trees)
      if (tree >= 0 && contact.frame.surfaces_move) restless_[size(tree)] = 1;
  end_.v = after_.v;
  sleep_.count(islands_, restless_, state.v, before_.v, end_.v);
  free_joints_.change_axes(state.q, end_.q, end_.v);
  for (const IndependentJoint& joint : model_.independent_joints()) {
    const std::size_t q = size(joint.q), v = size(joint.v), tree = size(trees_.of_dof(v));
    if (sleep_.is_asleep(tree)) {  // where and as it was
      for (std::size_t i = q; i < q + size(facts(joint.kind).nq); ++i) end_.q[i] = state.q[i];
      for (std::size_t i = v; i < v + size(facts(joint.kind).nv); ++i) end_.v[i] = 0.0;
    }
    if (pushed_[tree] != 0 || sleep_.is_asleep(tree)) continue;
    for (std::size_t i = q; i < q + size(facts(joint.kind).nq); ++i) end_.q[i] = before_.q[i] = after_.q[i] = free_.q[i];
    for (std::size_t i = v; i < v + size(facts(joint.kind).nv); ++i) end_.v[i] = before_.v[i] = after_.v[i] = free_.v[i];
  }
  for (std::size_t i = 0; i < space_.lower.size(); ++i) {
    if (space_.q_number[i] < 0 || system_.prescribed()[i] != 0) continue;
    double& q = end_.q[size(space_.q_number[i])];
    q = min(max(q, space_.lower[i]), space_.upper[i]);  // rounding beyond the limit
  }
  end_.t = free_.t;
  end_.auxiliary = free_.auxiliary;
  system_.prescribe(end_.t, end_.q, end_.v, end_.auxiliary);
  swap(state, end_);
}

/// The works of the impulses at the positions of the start: P'(u_free + u_end)/2 of each row.
void TimeStepping::record_work(TimeSteppingReport& report) {
  for (double& work : joint_work_) work = 0.0;
  for (double& work : friction_work_) work = 0.0;
  surface_work_.assign(system_.surface_count(), 0.0);
  const auto work = [](const StepRow& row) { return row.P * 0.5 * (row.free + row.end); };
  const std::span<const StepContact> all = contacts_.all();
  for (std::size_t c = 0; c < all.size(); ++c) {
    const std::span<const StepRow> rows = impulses_.rows(c);
    for (const StepRow& row : rows) report.contact_work += work(row);
    if (!all[c].frame.surfaces_move) continue;
    const double P[3] = {rows[0].P, rows[1].P, rows[2].P};
    system_.add_surface_work(size(all[c].contact.pair), all[c].frame, P, surface_work_);
  }
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    (bounds_[k].is_limit ? joint_work_ : friction_work_)[bounds_[k].dof] += work(impulses_.row_of_bound(k));
  if (any_prescribed_) record_motor_work();
}

/// The motors of prescribed joints keep their speeds against the impulses.
void TimeStepping::record_motor_work() {
  for (double& effort : efforts_) effort = 0.0;
  const std::span<const StepContact> all = contacts_.all();
  for (std::size_t c = 0; c < all.size(); ++c) {
    const std::span<const StepRow> rows = impulses_.rows(c);
    for (std::size_t side = 0; side < 2; ++side) {
      if (all[c].trees[side] < 0) continue;
      const double* J = contacts_.J(c, side);
      for (const StepRow& row : rows)
        for (const std::size_t dof : trees_.dofs(size(all[c].trees[side])))
          efforts_[dof] = fma(*J++, row.P, efforts_[dof]);
    }
  }
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    efforts_[bounds_[k].dof] += bounds_[k].sign * impulses_.row_of_bound(k).P;
  if (!prepare_response(model_, before_.q, motors_, system_.prescribed()).ok()) return;
  apply_mass_inverse(model_, motors_, efforts_, {}, {}, way_);
  response_efforts(model_, motors_, way_, {}, carried_);
  for (std::size_t i = 0; i < way_.size(); ++i)
    if (system_.prescribed()[i] != 0) joint_work_[i] += (carried_[i] - efforts_[i]) * before_.v[i];
}

void TimeStepping::record_impact(std::size_t contact, double t) {
  const std::span<const StepRow> rows = impulses_.rows(contact);
  const StepContact& of = contacts_.all()[contact];
  const StepRow& normal = rows[0];
  if (of.was_active || !(normal.P > 0.0) || !(-normal.start > std::abs(normal.free - normal.start))) return;
  const ContactSetup& setup = system_.contacts().setup();
  const ContactPair& pair = setup.pairs[size(of.contact.pair)];
  const Pose<> X_WC = pose_of(places_, {of.frame.link_a, of.frame.X_AC});
  ImpactRecord record;
  record.t = t;
  record.body_a = setup.parts[size(pair.a)].body;
  record.body_b = setup.parts[size(pair.b)].body;
  record.point = X_WC.translation;
  record.normal = column(X_WC.rotation, 0);
  record.penetration = max(-of.gap, 0.0);
  record.approach = -normal.free;
  record.slip = length(rows[1].free, rows[2].free);
  record.slip_before = X_WC.rotation * Vec3<>{0.0, rows[1].free, rows[2].free};
  record.slip_after = X_WC.rotation * Vec3<>{0.0, rows[1].end, rows[2].end};
  record.normal_impulse = normal.P;
  record.tangential_impulse = length(rows[1].P, rows[2].P);
  record.restitution = record.approach > 0.0 ? max(normal.end / record.approach, 0.0) : 0.0;
  for (const StepRow& row : rows) record.energy -= row.P * 0.5 * (row.free + row.end);
  impact_records_.push_back(record);
}

/// The contacts with an impulse are the active ones; they stick or slide as they did, by mean forces. Those of sleepers
/// stay as they were.
void TimeStepping::keep_pressed(double h) {
  std::vector<ActiveContact>& active = system_.contacts().active();
  if (any_slept_)
    for (const ActiveContact& contact : was_)
      if (was_asleep(contact)) active.push_back(contact);
  const std::span<const StepContact> all = contacts_.all();
  for (std::size_t c = 0; c < all.size(); ++c) {
    const std::span<const StepRow> rows = impulses_.rows(c);
    if (!(rows[0].P > 0.0)) continue;
    ActiveContact contact;
    contact.pair = all[c].contact.pair;
    contact.feature = all[c].contact.feature;
    const Surface& surface = system_.contacts().surface(size(contact.pair));
    const Mat3<>& R = all[c].frame.X_AC.rotation;
    const auto mode = [](double friction, double limit, double speed) {
      return friction < limit || !(speed > 0.0) ? ContactMode::sticks : ContactMode::slides;
    };
    // Within its cone a contact sticks; on it, where it moves, it slides.
    constexpr double kWithin = 1.0 - 1e-9;
    const Vec3<> slip{0.0, rows[1].end, rows[2].end};
    contact.mode = mode(length(rows[1].P, rows[2].P), kWithin * impulses_.friction(c) * rows[0].P, norm(slip));
    if (contact.mode == ContactMode::slides) contact.slip_A = R * (slip / norm(slip));
    contact.mean_force = Vec3<>{rows[0].P, rows[1].P, rows[2].P} / h;
    contact.mean_axis_A = R * Vec3<>{0.0, 1.0, 0.0};
    std::size_t row = 3;
    const auto turn = [&](TurnMode& of, const Vec3<>& moment, const Vec3<>& rate, double friction) {
      contact.mean_moment += moment / h;
      of.mode = mode(norm(moment), kWithin * friction * rows[0].P, norm(rate));
      if (of.mode == ContactMode::slides) of.about_A = R * (rate / norm(rate));
    };
    if (all[c].frame.spins) {
      turn(contact.spin, {rows[row].P, 0.0, 0.0}, {rows[row].end, 0.0, 0.0}, surface.spinning_friction);
      ++row;
    }
    if (all[c].frame.rolls)
      turn(contact.roll, {0.0, rows[row].P, rows[row + 1].P}, {0.0, rows[row].end, rows[row + 1].end},
           surface.rolling_friction);
    active.push_back(contact);
  }
}

}  // namespace pintle
