#include "pintle/simulation/hybrid/scene_system.h"

#include <cmath>
#include <cstring>

#include "pintle/base/size.h"
#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/dynamics/hybrid_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/momentum_rate.h"
#include "pintle/math/number_arrays.h"
#include "pintle/math/scalar.h"
#include "pintle/model/compiled/configuration.h"

namespace pintle {
namespace {

void write_to(std::span<double> numbers, std::size_t first, const Wrench<>& w) {
  double* const x = numbers.data() + first;
  x[0] = w.force.x, x[1] = w.force.y, x[2] = w.force.z;
  x[3] = w.torque.x, x[4] = w.torque.y, x[5] = w.torque.z;
}

bool acts(const Wrench<>& w) {
  const auto any = [](const Vec3<>& a) { return a.x != 0.0 || a.y != 0.0 || a.z != 0.0; };
  return any(w.force) || any(w.torque);
}

Wrench<> wrench_at(std::span<const double> numbers, std::size_t first) {
  const double* const x = numbers.data() + first;
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

CoordinateMotion motion_of(const PrescribedMotion& motion, double t, std::span<const double> q,
                           std::span<const double> v) {
  return evaluate(motion, t, motion.q >= 0 ? q[size(motion.q)] : 0.0, v[size(motion.dof)]);
}

/// Behind the impulse of the weight: for how long [s] its torque at the end of the last step still counts.
constexpr std::size_t kWaiting = 6;

/// Whether everything is connected to the world by one free joint without passive effort.
bool floats(const Model& model) {
  const std::span<const Link> links = model.links();
  if (links.empty() || links[0].nv != 6 || model.has_couplings()) return false;
  for (std::size_t i = 1; i < links.size(); ++i)
    if (links[i].parent < 0) return false;
  for (int i = 0; i < links[0].nv; ++i) {
    const JointPassive& passive = model.dofs()[size(links[0].v + i)].passive;
    if (passive.armature != 0.0 || passive.damping != 0.0 || passive.stiffness != 0.0) return false;
  }
  return true;
}

}  // namespace

SceneSystem::SceneSystem(const Scene& scene, std::span<ForceElement* const> users, bool all_pairs)
    : scene_(scene),
      model_(scene_.model()),
      own_elements_(scene.make_elements()),
      modes_(size(model_.nv())),
      friction_(size(model_.nv())),
      sliding_(friction_.size()),
      weight_(friction_.size()),
      inertia_(friction_.size()),
      prescribed_(friction_.size()),
      given_(friction_.size()),
      lower_(friction_.size()),
      upper_(friction_.size()),
      tau_(friction_.size()),
      applied_(friction_.size()),
      constraint_(friction_.size()),
      zero_(friction_.size()),
      needed_(friction_.size()),
      forward_(model_),
      kinematics_(model_),
      moments_(model_),
      time_functions_(scene_),
      contacts_(model_, scene_.contacts(), scene_.spec().contact),
      all_pairs_(all_pairs),
      contact_forces_(model_),
      contact_places_(model_),
      displacement_(friction_.size()) {
  for (const auto& element : own_elements_) elements_.push_back(element.get());
  for (ForceElement* const user : users) elements_.push_back(user);
  pintle::friction_limits(model_, friction_);
  find_weights();
  position_ranges(model_, lower_, upper_);
  for (const PrescribedMotion& motion : scene.prescribed()) {
    prescribed_[size(motion.dof)] = 1;
    if (motion.kind == MotionKind::acceleration) continue;
    imposed_levels_.resize(prescribed_.size());
    imposed_levels_[size(motion.dof)] = motion.kind == MotionKind::position ? 2 : 1;
  }
  for (const ForceElement* const element : elements_) {
    first_state_.push_back(state_count_);
    state_count_ += element->state_count();
    needs_places_ = needs_places_ || element->needs_places();
    if (element->counts_events()) event_counts_.resize(scene.spec().events.size());
  }
  elements_need_places_ = needs_places_;
  first_state_.push_back(state_count_);
  needs_places_ = needs_places_ || contacts_.any_pairs();
  for (std::vector<double>* const kept : {&kept_.vdot, &kept_.v}) kept->resize(friction_.size());
  kept_.q.resize(size(model_.nq()));
  sample_times_.resize(elements_.size(), kInfinity<double>);
  auxiliary_count_ = state_count_;
  if (needs_places_) external_.resize(model_.bodies().size());
  options_.friction = false;
  options_.external = external_;
  take_dampers();
  if (scene.run().energy_balance) open_accounts();
  if (!scene.run().energy_balance) staged_count_ = auxiliary_count_;
  no_derivatives_.resize(size(auxiliary_count_));
  kept_.states.resize(size(state_count_));
  kept_.rates.resize(no_derivatives_.size());
  floats_ = floats(model_);
  if (elements_.empty() && scene.prescribed().empty() && FreeFlight::can_fly(model_))
    flight_ = FreeFlight(model_, contacts_, all_pairs_);
  set_modes(modes_);
}

void SceneSystem::open_accounts() {
  std::vector<AccountedElement> elements;
  for (const ForceElement* const element : elements_)
    elements.push_back({std::string(element->name()), element->has_limit()});
  accounts_ = work_accounts(scene_, elements, auxiliary_count_);
  number_accounts();
  for (const WorkAccount& account : accounts_) {
    if (account.kind == AccountKind::prescribed)
      prescribed_work_.push_back({size(scene_.prescribed()[size(account.number)].dof), size(account.work)});
    if (account.kind == AccountKind::damper) add_dampers(account);
    if (account.kind == AccountKind::friction) friction_work_.push_back({size(account.number), size(account.work)});
    if (account.kind == AccountKind::contact) contact_work_ = account.work;
    if (account.kind == AccountKind::surface) {
      if (surface_count_ == 0) first_surface_work_ = size(account.work);
      surface_of_.resize(model_.bodies().size() + 1, -1);
      surface_of_[size(account.number + 1)] = static_cast<int>(surface_count_++);
    }
  }
  for (const Link& link : model_.links()) mass_ += link.inertia.mass;
}

/// What needs all stages of a step comes first.
void SceneSystem::number_accounts() {
  auxiliary_count_ = state_count_;
  const auto number = [&](bool at_end) {
    for (WorkAccount& account : accounts_) {
      if (finishes(account) != at_end) continue;
      if (account.work >= 0) account.work = auxiliary_count_++;
      if (account.clipped >= 0) account.clipped = auxiliary_count_++;
    }
  };
  number(false);
  const bool moves = moves_mass(model_);
  if (moves) auxiliary_count_ += needs_places_ ? 12 : 6;
  staged_count_ = auxiliary_count_;
  if (moves) {
    weight_impulse_ = size(auxiliary_count_);
    auxiliary_count_ += 7;
  }
  number(true);
}

/// Whether finish_step finds its work: that of the damper of a joint whose velocities are derivatives of coordinates.
bool SceneSystem::finishes(const WorkAccount& account) const {
  if (account.kind != AccountKind::damper) return false;
  const ModelJoint& joint = model_.joints()[size(account.number)];
  for (int k = joint.v; k < joint.v + facts(joint.kind).nv; ++k) {
    const ModelJoint& source = model_.joints()[size(model_.joint_of_dof(model_.v_sources()[size(k)].source))];
    if (facts(source.kind).nq != facts(source.kind).nv) return false;  // it has a quaternion
  }
  return true;
}

/// Where dampers are the only passive efforts, a run adds them itself.
void SceneSystem::take_dampers() {
  damped_options_ = options_;
  damped_options_.passive = false;
  bool springs = false;
  for (const ModelDof& dof : model_.dofs()) springs = springs || dof.passive.stiffness != 0.0;
  if (springs || model_.has_couplings() || !model_.has_passive()) return;
  for (const ModelDof& dof : model_.dofs()) joint_damping_.push_back(dof.passive.damping);
  damped_tau_.resize(joint_damping_.size());
}

/// The dampers of all dofs of a joint.
void SceneSystem::add_dampers(const WorkAccount& account) {
  const std::span<const ModelDof> dofs = model_.dofs();
  bool is_first = true;
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    if (dofs[k].joint != account.number || !(dofs[k].passive.damping > 0.0)) continue;
    const CoordinateSource& source = model_.v_sources()[k];
    const double damping = dofs[k].passive.damping * source.ratio * source.ratio;
    const Damper damper{size(source.source), size(account.work), damping, is_first};
    if (!finishes(account))
      rotating_dampers_.push_back(damper);
    else
      is_first ? add_damper(damper) : further_dampers_.push_back(damper);
    is_first = false;
  }
}

/// Adds the first damper of a joint to the last run, or begins another.
void SceneSystem::add_damper(const Damper& damper) {
  const DamperRun last = damper_runs_.empty() ? DamperRun{} : damper_runs_.back();
  const std::size_t count = size(last.count);
  if (count > 0 && last.dof + count == damper.dof && last.work + count == damper.work)
    ++damper_runs_.back().count;
  else
    damper_runs_.push_back({damper.dof, damper.work, damping_.size(), 1});
  damping_.push_back(damper.damping);
}

void SceneSystem::set_modes(const DofModes& modes) {
  kept_.any = false;
  modes_ = modes;
  any_given_ = false;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const bool held = modes_.hold[i] != ActiveConstraint::none;
    given_[i] = prescribed_[i] != 0 || held ? 1 : 0;
    any_given_ = any_given_ || given_[i] != 0;
    sliding_[i] = held || modes_.slide[i] == 0 ? 0.0 : -modes_.slide[i] * friction_[i];
    constraint_[i] = 0.0;
  }
}

ForceInput SceneSystem::input_of(const MotionInstant& at, std::size_t k, const KinematicsWorkspace& places) const {
  const std::size_t first = size(first_state_[k]), end = size(first_state_[k + 1]);
  return {at.t, at.q, at.v, at.auxiliary.subspan(first, end - first), needs_places_ ? &places : nullptr,
          event_counts_};
}

bool SceneSystem::count_event(std::size_t number) {
  if (number >= event_counts_.size()) return false;
  event_counts_[number] += 1.0;
  kept_.any = false;
  return true;
}

bool SceneSystem::holds_anything() const {
  bool any = !contacts_.active().empty();
  for (const ActiveConstraint hold : modes_.hold) any = any || hold != ActiveConstraint::none;
  return any;
}

std::size_t SceneSystem::show_elements(const MotionInstant& at, std::span<double> values) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const std::size_t own = size(elements_[k]->shown_count());
    if (own == 0 || count + own > values.size()) continue;
    elements_[k]->show(model_, input_of(at, k), values.subspan(count, own));
    count += own;
  }
  return count;
}

void SceneSystem::place(const MotionInstant& at) {
  kept_.any = false;
  if (needs_places_) kinematics(model_, at.q, at.v, zero_, kinematics_);
}

/// Efforts of sliding friction and of all elements, and the wrenches of elements.
bool SceneSystem::act(const MotionInstant& at, std::span<double> auxiliary_derivative) {
  copy_numbers(sliding_.data(), model_.nv(), tau_.data());
  if (elements_.empty() && !needs_places_) return true;
  // Elements of the caller may read accelerations too.
  if (has_added_elements())
    place(at);
  else if (elements_need_places_ || !contacts_.active().empty())
    first_order_kinematics(model_, at.q, at.v, kinematics_);
  for (Wrench<>& wrench : external_) wrench = {};
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const std::size_t first = size(first_state_[k]), end = size(first_state_[k + 1]);
    const ForcePower power = elements_[k]->apply(model_, input_of(at, k),
                                                 {tau_, external_, auxiliary_derivative.subspan(first, end - first)});
    if (!power.ok) {
      derivatives_error_.element = static_cast<int>(k);
      return false;
    }
    if (accounts_.empty()) continue;
    const WorkAccount& account = accounts_[k];  // elements come first
    auxiliary_derivative[size(account.work)] = power.power;
    if (account.clipped >= 0) auxiliary_derivative[size(account.clipped)] = power.clipped;
  }
  return true;
}

bool SceneSystem::applied(const MotionInstant& at) {
  kept_.any = false;
  derivatives_error_ = {};
  return act(at, no_derivatives_);
}

void SceneSystem::given_accelerations(const MotionInstant& at, std::span<double> vdot) const {
  for (std::size_t i = 0; i < vdot.size(); ++i)
    if (given_[i] != 0) vdot[i] = 0.0;
  for (const PrescribedMotion& motion : scene_.prescribed())
    vdot[size(motion.dof)] = motion_of(motion, at.t, at.q, at.v).vdot;
}

bool SceneSystem::derivatives(double t, std::span<const double> q, std::span<const double> v,
                              std::span<const double> auxiliary, std::span<double> vdot,
                              std::span<double> auxiliary_derivative) {
  return find_derivatives<false>({t, q, v, auxiliary}, vdot, auxiliary_derivative);
}

bool SceneSystem::stage_derivatives(double t, std::span<const double> q, std::span<const double> v,
                                    std::span<const double> auxiliary, std::span<double> vdot,
                                    std::span<double> auxiliary_derivative) {
  return find_derivatives<true>({t, q, v, auxiliary}, vdot, auxiliary_derivative);
}

/// Contacts and elements of the caller may change in ways that this object does not see.
void SceneSystem::keep_derivatives(const MotionState& at, std::span<const double> vdot, std::span<const double> rates) {
  if (contacts_.any_pairs() || has_added_elements() || flies()) return;
  const auto keep = [](std::span<const double> from, std::vector<double>& to) { to.assign(from.begin(), from.end()); };
  kept_.t = at.t;
  keep(at.q, kept_.q);
  keep(at.v, kept_.v);
  keep(std::span(at.auxiliary).first(size(state_count_)), kept_.states);
  keep(vdot, kept_.vdot);
  keep(rates, kept_.rates);
  kept_.any = true;
}

bool SceneSystem::take_kept(const MotionInstant& at, std::span<double> vdot, std::span<double> auxiliary_derivative) {
  const auto same = [](std::span<const double> a, std::span<const double> b) {
    return b.empty() || std::memcmp(a.data(), b.data(), b.size() * sizeof(double)) == 0;
  };
  if (at.t != kept_.t || !same(at.q, kept_.q) || !same(at.v, kept_.v) || !same(at.auxiliary, kept_.states)) return false;
  copy_numbers(kept_.vdot.data(), static_cast<int>(vdot.size()), vdot.data());
  copy_numbers(kept_.rates.data(), auxiliary_count_, auxiliary_derivative.data());
  return true;
}

template <bool kAtStage>
bool SceneSystem::find_derivatives(const MotionInstant& at, std::span<double> vdot,
                                   std::span<double> auxiliary_derivative) {
  if (kept_.any && !kAtStage && take_kept(at, vdot, auxiliary_derivative)) return true;
  kept_.any = false;
  derivatives_error_ = {};
  if (flies()) return flight_derivatives(at, vdot, auxiliary_derivative);
  if (!act(at, auxiliary_derivative)) return false;
  if (contact_work_ >= 0) auxiliary_derivative[size(contact_work_)] = 0.0;
  for (std::size_t k = 0; k < surface_count_; ++k) auxiliary_derivative[first_surface_work_ + k] = 0.0;
  if (any_given_) applied_ = tau_;
  DynamicsReport report = accelerate(at, vdot);
  if (!contacts_.active().empty() && report.ok()) {
    if (!add_contact_forces(at, vdot, auxiliary_derivative)) return false;
    if (any_given_) tau_ = applied_;
    report = accelerate(at, vdot);
  }
  if (report.singular_joint >= 0) {
    derivatives_error_.joint = report.singular_joint;
    return false;
  }
  // Without prescribed or held dofs, efforts that are not finite show in the accelerations, which the report covers.
  if ((any_given_ || !report.ok()) && (!all_finite(at, vdot) || !report.ok())) return false;
  record_joint_work<kAtStage>(at, auxiliary_derivative);
  if (balances_momentum()) record_impulses<kAtStage>(at, vdot, auxiliary_derivative);
  return true;
}

/// The same for flying bodies.
bool SceneSystem::flight_derivatives(const MotionInstant& at, std::span<double> vdot,
                                     std::span<double> auxiliary_derivative) {
  for (double& effort : tau_) effort = 0.0;
  for (Wrench<>& wrench : external_) wrench = {};
  for (double& rate : auxiliary_derivative) rate = 0.0;
  flight_weight_ = flight_.accelerations(at.q, at.v, vdot);
  if (balances_momentum()) write_to(auxiliary_derivative, weight_impulse_, flight_weight_);
  for (const double number : vdot)
    if (!std::isfinite(number)) return all_finite(at, vdot);
  return true;
}

/// Accelerations from efforts and wrenches; with prescribed or held dofs `tau_` becomes what they need, `applied_` is
/// what acts.
DynamicsReport SceneSystem::accelerate(const MotionInstant& at, std::span<double> vdot) {
  if (!any_given_) {
    if (joint_damping_.empty()) return forward_dynamics(model_, at.q, at.v, tau_, forward_, vdot, options_);
    // As in joint_passive_efforts, bit by bit.
    const auto with_damper = [](const auto& tau, const auto& damping, const auto& v) {
      return (std::decay_t<decltype(v)>(0.0) - damping * v) + tau;
    };
    map_numbers(static_cast<int>(damped_tau_.size()), damped_tau_.data(), with_damper, tau_.data(),
                joint_damping_.data(), at.v.data());
    return forward_dynamics(model_, at.q, at.v, damped_tau_, forward_, vdot, damped_options_);
  }
  given_accelerations(at, vdot);
  const DynamicsReport report = hybrid_dynamics_of(model_, at.q, at.v, given_, forward_, tau_, vdot, options_);
  for (std::size_t i = 0; i < tau_.size(); ++i) constraint_[i] = tau_[i] - applied_[i];
  return report;
}

/// Whether all efforts and accelerations are finite; if not, finds the cause.
bool SceneSystem::all_finite(const MotionInstant& at, std::span<const double> vdot) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const std::span<const double> efforts = any_given_ ? constraint_ : tau_;
  std::size_t broken = 0;
  while (broken < vdot.size() && finite(vdot[broken]) && finite(efforts[broken])) ++broken;
  if (broken == vdot.size()) return true;
  derivatives_error_.joint = model_.joint_of_dof(static_cast<int>(broken));
  derivatives_error_.not_finite = true;
  for (std::size_t k = 0; k < elements_.size() && derivatives_error_.element < 0; ++k) {
    const std::size_t first = size(first_state_[k]), end = size(first_state_[k + 1]);
    for (double& effort : tau_) effort = 0.0;
    for (Wrench<>& wrench : external_) wrench = {};
    (void)elements_[k]->apply(model_, input_of(at, k),
                              {tau_, external_, std::span(no_derivatives_).subspan(first, end - first)});
    bool good = true;
    for (const double effort : tau_) good = good && finite(effort);
    for (const Wrench<>& w : external_) good = good && finite(norm_squared(w.force)) && finite(norm_squared(w.torque));
    if (!good) derivatives_error_.element = static_cast<int>(k);
  }
  return false;
}

/// Works of dampers whose account finish_step writes are left out at stages.
template <bool kAtStage>
void SceneSystem::record_joint_work(const MotionInstant& at, std::span<double> auxiliary_derivative) const {
  for (const auto& [dof, work] : prescribed_work_) auxiliary_derivative[work] = constraint_[dof] * at.v[dof];
  for (const auto& [dof, work] : friction_work_) auxiliary_derivative[work] = sliding_[dof] * at.v[dof];
  const double* const v = at.v.data();
  double* const power = auxiliary_derivative.data();
  for (const auto& [dof, work, damping, is_first] : rotating_dampers_)
    power[work] = (is_first ? 0.0 : power[work]) - damping * v[dof] * v[dof];
  if constexpr (kAtStage) return;
  const auto damper = [](const auto& damping, const auto& speed) {
    return std::decay_t<decltype(speed)>(0.0) - damping * speed * speed;
  };
  for (const auto& [dof, work, first, count] : damper_runs_)
    map_numbers(count, power + work, damper, damping_.data() + first, v + dof);
  for (const auto& [dof, work, damping, is_first] : further_dampers_) power[work] -= damping * v[dof] * v[dof];
}

/// The index of an impulse in the auxiliary state.
std::size_t SceneSystem::impulse_index(std::size_t number) const {
  return number == kWeight ? weight_impulse_ : weight_impulse_ - (needs_places_ && number == kSupports ? 12 : 6);
}

/// That of the weight is left out at stages.
template <bool kAtStage>
void SceneSystem::record_impulses(const MotionInstant& at, std::span<const double> vdot,
                                  std::span<double> auxiliary_derivative) {
  if (needs_places_) write_to(auxiliary_derivative, impulse_index(kForces), element_wrench());
  if (model_.has_couplings()) inverse_dynamics(model_, at.q, at.v, vdot, forward_.inverse, needed_, options_);
  write_to(auxiliary_derivative, impulse_index(kSupports), supports());
  if constexpr (kAtStage) return;
  const Wrench<> weight = model_.has_couplings() ? weight_wrench(model_, forward_.inverse, moments_)
                                                 : weight_wrench(model_, forward_, moments_);
  write_to(auxiliary_derivative, weight_impulse_, weight);
  auxiliary_derivative[weight_impulse_ + kWaiting] = 0.0;
}

/// After the dynamics. A single free joint transmits its efforts and nothing else: exactly zero if there are none.
Wrench<> SceneSystem::supports() {
  if (model_.has_couplings()) return root_wrench(model_, forward_.inverse);
  if (!floats_) return root_wrench(model_, forward_, moments_);
  const double* const tau = tau_.data() + model_.links()[0].v;
  const Wrench<> joint{{tau[0], tau[1], tau[2]}, {tau[3], tau[4], tau[5]}};
  if (!acts(joint)) return zero_wrench();
  if (forward_.planned.in_use) return root_wrench(model_, forward_, moments_);
  return forward_.view().motion.X_PL[0] * joint;
}

/// With h the first moment of mass, the torque of the weight is h x g, and dh/dt = p: Hermite's rule for its integral
/// takes h at both ends of the step and the jump of p, which is the sum of the impulses of all forces. The part of the
/// end waits for the next evaluation there. The work of a damper is that of the cubic velocity with the same ends and
/// the same integral, by Simpson's rule.  [eq. weight-impulse] [eq. damper-work]
void SceneSystem::finish_step(const FinishedStep& step, MotionState& to) {
  const std::span<const double> before = step.from.auxiliary;
  const std::span<double> after = to.auxiliary;
  const double h = step.h;
  if (balances_momentum()) {
    const Vec3<>& g = model_.gravity();
    Vec3<> jump = (h * mass_) * g;
    for (const std::size_t k : {kSupports, kForces}) {
      if (k == kForces && !needs_places_) continue;
      const std::size_t i = impulse_index(k);
      jump += Vec3<>{after[i] - before[i], after[i + 1] - before[i + 1], after[i + 2] - before[i + 2]};
    }
    const Wrench<> start = wrench_at(before, weight_impulse_), rate = wrench_at(step.rates, weight_impulse_);
    const double waiting = before[weight_impulse_ + kWaiting];
    write_to(after, weight_impulse_,
             {fma(h * mass_, g, start.force),
              fma(waiting + 0.5 * h, rate.torque, fma(-h * h / 12.0, cross(jump, g), start.torque))});
    after[weight_impulse_ + kWaiting] = 0.5 * h;
  }
  const auto work = [h](const auto& past, const auto& damping, const auto& v0, const auto& v1, const auto& moved) {
    using N = std::decay_t<decltype(past)>;
    const N twice = N(6.0 / h) * moved - (v0 + v1);  // 4 times the velocity in the middle
    return past - damping * N(h / 6.0) * fma(v0, v0, fma(v1, v1, N(0.25) * twice * twice));
  };
  const double *const v0 = step.from.v.data(), *const v1 = to.v.data(), *const moved = step.moved.data();
  for (const auto& [dof, at, first, count] : damper_runs_)
    map_numbers(count, after.data() + at, work, before.data() + at, damping_.data() + first, v0 + dof, v1 + dof,
                moved + dof);
  for (const auto& [dof, at, damping, is_first] : further_dampers_)
    after[at] = work(after[at], damping, v0[dof], v1[dof], moved[dof]);
}

void SceneSystem::complete_integrals(std::span<double> auxiliary, std::span<const double> rates) const {
  if (!balances_momentum()) return;
  double& waiting = auxiliary[weight_impulse_ + kWaiting];
  for (std::size_t i = weight_impulse_ + 3; i < weight_impulse_ + 6; ++i)
    auxiliary[i] = fma(waiting, rates[i], auxiliary[i]);
  waiting = 0.0;
}

void SceneSystem::complete_weight(MotionState& state) {
  if (!balances_momentum() || state.auxiliary[weight_impulse_ + kWaiting] == 0.0) return;
  kept_.any = false;
  kinematics(model_, state.q, state.v, zero_, kinematics_);
  write_to(state.auxiliary, weight_impulse_, impulse(state, kWeight, kinematics_));
  state.auxiliary[weight_impulse_ + kWaiting] = 0.0;
}

Wrench<> SceneSystem::impulse(const MotionState& state, std::size_t number, const KinematicsWorkspace& places) const {
  if (!balances_momentum() || (number == kForces && !needs_places_)) return zero_wrench();
  Wrench<> sum = wrench_at(state.auxiliary, impulse_index(number));
  const double waiting = state.auxiliary[weight_impulse_ + kWaiting];
  if (number == kWeight && waiting != 0.0)
    sum.torque = fma(waiting, weight_wrench(model_, places).torque, sum.torque);
  return sum;
}

/// Of all elements on the moving bodies, about the world's origin, in world axes.
Wrench<> SceneSystem::element_wrench() const {
  Wrench<> sum{};
  const std::span<const ModelBody> bodies = model_.bodies();
  for (std::size_t b = 0; b < external_.size(); ++b) {
    const ModelBody& body = bodies[b];
    if (body.link >= 0 && acts(external_[b])) sum += kinematics_.X_WL[size(body.link)] * (body.X_LB * external_[b]);
  }
  return sum;
}

bool SceneSystem::outside_wrench(const Vec3<>& point, Wrench<>& wrench) {
  if (model_.has_couplings()) return false;
  if (flies()) {
    wrench = {flight_weight_.force, flight_weight_.torque - cross(point, flight_weight_.force)};
    return true;
  }
  const Wrench<> sum = weight_wrench(model_, forward_, moments_) + supports() + element_wrench();
  wrench = {sum.force, sum.torque - cross(point, sum.force)};
  return true;
}

void SceneSystem::prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double>) {
  for (const PrescribedMotion& motion : scene_.prescribed()) {
    if (motion.kind == MotionKind::acceleration) continue;
    const CoordinateMotion given = motion_of(motion, t, q, v);
    if (motion.kind == MotionKind::position) q[size(motion.q)] = given.q;
    v[size(motion.dof)] = given.v;
  }
}

bool SceneSystem::rk4_step(const MotionState& from, double h, MotionState& to) {
  if (!flies()) return false;
  to = from;
  if (!balances_momentum()) return flight_.step(h, to.q, to.v, nullptr);
  complete_weight(to);
  Wrench<> weight = wrench_at(to.auxiliary, weight_impulse_);
  if (!flight_.step(h, to.q, to.v, &weight)) return false;
  write_to(to.auxiliary, weight_impulse_, weight);
  return true;
}

void SceneSystem::place_links(const MotionInstant& at, std::span<const double> vdot,
                              KinematicsWorkspace& places) const {
  if (flies()) return flight_.place(at.q, at.v, places, vdot);
  kinematics(model_, at.q, at.v, vdot, places);
}

std::int64_t SceneSystem::fly(const FlightSteps& steps, MotionState& state) {
  if (!balances_momentum()) return flight_.steps(steps, state.t, state.q, state.v, nullptr);
  complete_weight(state);
  Wrench<> weight = wrench_at(state.auxiliary, weight_impulse_);
  const std::int64_t made = flight_.steps(steps, state.t, state.q, state.v, &weight);
  write_to(state.auxiliary, weight_impulse_, weight);
  return made;
}

void SceneSystem::choose_sides(const MotionInstant& at) {
  bool placed = false;
  if (!contacts_.active().empty()) {
    place(at);
    placed = true;
    contacts_.keep_up(kinematics_);
  }
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    if (elements_[k]->switch_count() == 0) continue;
    if (!placed) place(at);
    placed = true;
    elements_[k]->choose_sides(model_, input_of(at, k));
  }
}

void SceneSystem::sample(const MotionInstant& at) {
  bool placed = false;
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    if (!(sample_times_[k] <= at.t)) continue;
    if (!placed) place(at);
    placed = true;
    elements_[k]->sample(model_, input_of(at, k));
    sample_times_[k] = elements_[k]->next_sample(at.t);
  }
}

double SceneSystem::next_sample() const {
  double next = kInfinity<double>;
  for (const double time : sample_times_)
    if (time < next) next = time;
  return next;
}

void SceneSystem::reset_elements(const MotionInstant& start) {
  for (double& count : event_counts_) count = 0.0;
  place(start);
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    elements_[k]->reset();
    elements_[k]->sample(model_, input_of(start, k));
    sample_times_[k] = elements_[k]->next_sample(start.t);
  }
}

void SceneSystem::switches(const MotionInstant& at, std::size_t k, std::span<double> values) {
  place(at);
  elements_[k]->switches(model_, input_of(at, k), values);
}

double SceneSystem::stored_energy(const MotionInstant& at, const KinematicsWorkspace& places) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < elements_.size(); ++k) sum += elements_[k]->energy(model_, input_of(at, k, places));
  return sum;
}

}  // namespace pintle
