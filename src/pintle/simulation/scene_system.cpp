#include "pintle/simulation/scene_system.h"

#include <cmath>

#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/dynamics/hybrid_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/momentum_rate.h"
#include "pintle/model/configuration.h"

namespace pintle {
namespace {

constexpr double kInfinity = __builtin_inf();

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

void write_to(std::span<double> numbers, std::size_t first, const Wrench<>& w) {
  const double parts[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
  for (std::size_t i = 0; i < 6; ++i) numbers[first + i] = parts[i];
}

CoordinateMotion motion_of(const PrescribedMotion& motion, double t, std::span<const double> q,
                           std::span<const double> v) {
  return evaluate(motion, t, motion.q >= 0 ? q[size(motion.q)] : 0.0, v[size(motion.freedom)]);
}

bool moves_mass(const Model& model) {
  for (const Link& link : model.links())
    if (link.inertia.mass > 0.0) return true;
  return false;
}

}  // namespace

SceneSystem::SceneSystem(const Scene& scene, std::span<ForceElement* const> users)
    : scene_(scene),
      own_elements_(scene.make_elements()),
      modes_(size(scene.model().nv())),
      friction_(size(scene.model().nv())),
      prescribed_(friction_.size()),
      given_(friction_.size()),
      lower_(friction_.size()),
      upper_(friction_.size()),
      tau_(friction_.size()),
      applied_(friction_.size()),
      constraint_(friction_.size()),
      zero_(friction_.size()),
      needed_(friction_.size()),
      forward_(scene.model()),
      kinematics_(scene.model()),
      moments_(scene.model()) {
  for (const auto& element : own_elements_) elements_.push_back(element.get());
  for (ForceElement* const user : users) elements_.push_back(user);
  const Model& of = model();
  pintle::friction_limits(of, friction_);
  position_ranges(of, lower_, upper_);
  for (const PrescribedMotion& motion : scene.prescribed()) {
    prescribed_[size(motion.freedom)] = 1;
    if (motion.kind == MotionKind::acceleration) continue;
    imposed_.resize(prescribed_.size());
    imposed_[size(motion.freedom)] = motion.kind == MotionKind::position ? 2 : 1;
  }
  for (const ForceElement* const element : elements_) {
    first_state_.push_back(state_count_);
    state_count_ += element->state_count();
    needs_places_ = needs_places_ || element->needs_places();
  }
  first_state_.push_back(state_count_);
  sample_times_.resize(elements_.size(), kInfinity);
  extra_count_ = state_count_;
  if (needs_places_) external_.resize(of.bodies().size());
  if (scene.run().ledger) open_accounts();
  no_rates_.resize(size(extra_count_));
  set_modes(modes_);
}

void SceneSystem::open_accounts() {
  const Model& of = model();
  const auto open = [&](std::string name, AccountKind kind, std::size_t number, bool limited = false) {
    WorkAccount account{std::move(name), kind, static_cast<int>(number), -1, -1};
    if (kind != AccountKind::stop) account.work = extra_count_++;
    if (limited) account.clipped = extra_count_++;
    accounts_.push_back(std::move(account));
  };
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    open(std::string(elements_[k]->name()), AccountKind::element, k, elements_[k]->has_limit());
  }
  for (std::size_t k = 0; k < scene_.prescribed().size(); ++k) {
    open(scene_.prescribed()[k].name, AccountKind::prescribed, k);
  }
  const std::span<const ModelFreedom> freedoms = of.freedoms();
  for (std::size_t k = 0; k < freedoms.size(); ++k) {
    if (!(freedoms[k].passive.damping > 0.0)) continue;
    const std::size_t joint = size(freedoms[k].joint);
    const bool open_already = !accounts_.empty() && accounts_.back().kind == AccountKind::damper &&
                              accounts_.back().number == freedoms[k].joint;
    if (!open_already) open(of.joints()[joint].name, AccountKind::damper, joint);
  }
  for (std::size_t i = 0; i < friction_.size(); ++i)
    if (friction_[i] > 0.0) open(freedom_name(of, i), AccountKind::friction, i);
  for (std::size_t i = 0; i < friction_.size(); ++i)
    if (prescribed_[i] == 0 && (lower_[i] > -kInfinity || upper_[i] < kInfinity)) open(freedom_name(of, i), AccountKind::stop, i);
  if (moves_mass(of)) {
    first_impulse_ = extra_count_;
    extra_count_ += 6 * kImpulses;
  }
}

std::string freedom_name(const Model& model, std::size_t freedom) {
  const int joint = model.joint_of_freedom(static_cast<int>(freedom));
  const ModelJoint& of = model.joints()[size(joint)];
  if (facts(of.kind).nv == 1) return of.name;
  for (const IndependentJoint& independent : model.independent_joints()) {
    if (independent.joint == joint)
      return of.name + "[" + std::to_string(static_cast<int>(freedom) - independent.v) + "]";
  }
  return of.name;
}

void SceneSystem::set_modes(const FreedomModes& modes) {
  modes_ = modes;
  any_given_ = false;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    given_[i] = prescribed_[i] != 0 || modes_.hold[i] != Hold::none ? 1 : 0;
    any_given_ = any_given_ || given_[i] != 0;
  }
}

/// Rounding must not move what just holds, so a little more than the limit is allowed.
SceneSystem::HoldMargin SceneSystem::hold_margin(std::size_t i) const {
  const Hold hold = modes_.hold[i];
  const bool pushes_up = hold == Hold::lower_stop || hold == Hold::both_stops;
  const bool pushes_down = hold == Hold::upper_stop || hold == Hold::both_stops;
  const double above = constraint_[i] - (pushes_down ? -kInfinity : -friction_[i]);
  const double below = (pushes_up ? kInfinity : friction_[i]) - constraint_[i];
  double largest = 0.0;
  for (const double effort : tau_) largest = max(largest, std::abs(effort));
  const double size = std::abs(constraint_[i]) + std::abs(tau_[i]) + friction_[i];
  const double rounding = 64 * kEpsilon<double> * size + 4 * kEpsilon<double> * largest;
  return {min(above, below) + rounding, static_cast<signed char>(below < above ? -1 : 1)};
}

DynamicsOptions SceneSystem::options() const {
  DynamicsOptions options;
  options.friction = false;
  options.external = external_;
  return options;
}

ForceInput SceneSystem::input_of(const MotionInstant& at, std::size_t k) const {
  const std::size_t first = size(first_state_[k]), end = size(first_state_[k + 1]);
  return {at.t, at.q, at.v, at.extra.subspan(first, end - first), needs_places_ ? &kinematics_ : nullptr};
}

void SceneSystem::place(const MotionInstant& at) {
  if (needs_places_) kinematics(model(), at.q, at.v, zero_, kinematics_);
}

bool SceneSystem::add_elements(const MotionInstant& at, std::span<double> extra_rate) {
  place(at);
  for (double& effort : tau_) effort = 0.0;
  for (Wrench<>& wrench : external_) wrench = {};
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const std::size_t first = size(first_state_[k]), end = size(first_state_[k + 1]);
    const ForcePower power =
        elements_[k]->apply(model(), input_of(at, k), {tau_, external_, extra_rate.subspan(first, end - first)});
    if (!power.ok) {
      trouble_.element = static_cast<int>(k);
      return false;
    }
    if (accounts_.empty()) continue;
    const WorkAccount& account = accounts_[k];  // elements come first
    extra_rate[size(account.work)] = power.power;
    if (account.clipped >= 0) extra_rate[size(account.clipped)] = power.clipped;
  }
  return true;
}

void SceneSystem::add_friction() {
  for (std::size_t i = 0; i < friction_.size(); ++i)
    if (modes_.hold[i] == Hold::none) tau_[i] -= modes_.slide[i] * friction_[i];
}

bool SceneSystem::applied(const MotionInstant& at) {
  trouble_ = {};
  if (!add_elements(at, no_rates_)) return false;
  add_friction();
  return true;
}

void SceneSystem::given_accelerations(const MotionInstant& at, std::span<double> vdot) const {
  for (std::size_t i = 0; i < vdot.size(); ++i)
    if (given_[i] != 0) vdot[i] = 0.0;
  for (const PrescribedMotion& motion : scene_.prescribed())
    vdot[size(motion.freedom)] = motion_of(motion, at.t, at.q, at.v).vdot;
}

bool SceneSystem::rates(double t, std::span<const double> q, std::span<const double> v, std::span<const double> extra,
                        std::span<double> vdot, std::span<double> extra_rate) {
  const MotionInstant at{t, q, v, extra};
  trouble_ = {};
  if (!add_elements(at, extra_rate)) return false;
  add_friction();
  DynamicsReport report;
  if (any_given_) {
    given_accelerations(at, vdot);
    applied_ = tau_;
    report = hybrid_dynamics_of(model(), q, v, given_, forward_, tau_, vdot, options());
    for (std::size_t i = 0; i < tau_.size(); ++i) constraint_[i] = tau_[i] - applied_[i];
  } else {
    report = forward_dynamics(model(), q, v, tau_, forward_, vdot, options());
  }
  if (report.singular_joint >= 0) {
    trouble_.joint = report.singular_joint;
    return false;
  }
  if (!all_finite(at, vdot) || !report.ok()) return false;
  if (!accounts_.empty()) book_joints(at, extra_rate);
  if (first_impulse_ >= 0) book_impulses(at, vdot, extra_rate);
  return true;
}

/// Whether all efforts and accelerations are numbers; if not, who is to blame.
bool SceneSystem::all_finite(const MotionInstant& at, std::span<const double> vdot) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const std::span<const double> efforts = any_given_ ? constraint_ : tau_;
  std::size_t broken = 0;
  while (broken < vdot.size() && finite(vdot[broken]) && finite(efforts[broken])) ++broken;
  if (broken == vdot.size()) return true;
  trouble_.joint = model().joint_of_freedom(static_cast<int>(broken));
  trouble_.not_finite = true;
  for (std::size_t k = 0; k < elements_.size() && trouble_.element < 0; ++k) {
    const std::size_t first = size(first_state_[k]), end = size(first_state_[k + 1]);
    for (double& effort : tau_) effort = 0.0;
    for (Wrench<>& wrench : external_) wrench = {};
    (void)elements_[k]->apply(model(), input_of(at, k),
                              {tau_, external_, std::span(no_rates_).subspan(first, end - first)});
    bool good = true;
    for (const double effort : tau_) good = good && finite(effort);
    for (const Wrench<>& w : external_) good = good && finite(norm_squared(w.force)) && finite(norm_squared(w.torque));
    if (!good) trouble_.element = static_cast<int>(k);
  }
  return false;
}

void SceneSystem::book_joints(const MotionInstant& at, std::span<double> extra_rate) const {
  const std::span<const ModelFreedom> freedoms = model().freedoms();
  const std::span<const CoordinateSource> sources = model().v_sources();
  std::size_t freedom = 0;
  for (std::size_t a = elements_.size(); a < accounts_.size(); ++a) {
    const WorkAccount& account = accounts_[a];
    if (account.kind == AccountKind::stop) break;  // they come last
    const std::size_t number = size(account.number);
    double power = 0.0;
    if (account.kind == AccountKind::prescribed) {
      const std::size_t i = size(scene_.prescribed()[number].freedom);
      power = constraint_[i] * at.v[i];
    } else if (account.kind == AccountKind::friction) {
      if (modes_.hold[number] == Hold::none) power = -(modes_.slide[number] * friction_[number]) * at.v[number];
    } else {
      while (freedoms[freedom].joint != account.number) ++freedom;  // accounts are in the order of the freedoms
      for (; freedom < freedoms.size() && freedoms[freedom].joint == account.number; ++freedom) {
        const double speed = sources[freedom].ratio * at.v[size(sources[freedom].source)];
        power -= freedoms[freedom].passive.damping * speed * speed;
      }
    }
    extra_rate[size(account.work)] = power;
  }
}

void SceneSystem::book_impulses(const MotionInstant& at, std::span<const double> vdot, std::span<double> extra_rate) {
  const std::size_t first = size(first_impulse_);
  if (model().couplings().empty()) {
    write_to(extra_rate, first + 6 * kWeight, weight_wrench(model(), forward_, moments_));
    write_to(extra_rate, first + 6 * kSupports, root_wrench(model(), forward_));
  } else {
    inverse_dynamics(model(), at.q, at.v, vdot, forward_.inverse, needed_, options());
    write_to(extra_rate, first + 6 * kWeight, weight_wrench(model(), forward_.inverse, moments_));
    write_to(extra_rate, first + 6 * kSupports, root_wrench(model(), forward_.inverse));
  }
  write_to(extra_rate, first + 6 * kForces, element_wrench());
}

/// Of all elements on the bodies that move, about the world's origin, in world axes.
Wrench<> SceneSystem::element_wrench() const {
  Wrench<> sum{};
  for (std::size_t b = 0; b < external_.size(); ++b) {
    const ModelBody& body = model().bodies()[b];
    if (body.link >= 0) sum += (kinematics_.X_WL[size(body.link)] * body.X_LB) * external_[b];
  }
  return sum;
}

bool SceneSystem::outside_wrench(const Vec3<>& point, Wrench<>& wrench) {
  if (!model().couplings().empty()) return false;
  const Wrench<> sum = weight_wrench(model(), forward_, moments_) + support_wrench() + element_wrench();
  wrench = {sum.force, sum.torque - cross(point, sum.force)};
  return true;
}

/// What the world exerts through the root joints. A single free joint transmits its efforts and nothing else: to the
/// bit nothing where there are none.
Wrench<> SceneSystem::support_wrench() {
  const Link& root = model().links()[0];
  bool plain = root.nv == 6;
  for (std::size_t i = 1; i < model().links().size(); ++i) plain = plain && model().links()[i].parent >= 0;
  for (int i = 0; plain && i < root.nv; ++i) {
    const JointPassive& passive = model().freedoms()[size(root.v + i)].passive;
    plain = passive.armature == 0.0 && passive.damping == 0.0 && passive.stiffness == 0.0;
  }
  if (!plain) return root_wrench(model(), forward_);
  const double* const tau = tau_.data() + root.v;
  return forward_.view().motion.X_PL[0] * Wrench<>{{tau[0], tau[1], tau[2]}, {tau[3], tau[4], tau[5]}};
}

void SceneSystem::impose(double t, std::span<double> q, std::span<double> v, std::span<const double>) {
  for (const PrescribedMotion& motion : scene_.prescribed()) {
    if (motion.kind == MotionKind::acceleration) continue;
    const CoordinateMotion given = motion_of(motion, t, q, v);
    if (motion.kind == MotionKind::position) q[size(motion.q)] = given.q;
    v[size(motion.freedom)] = given.v;
  }
}

void SceneSystem::choose_sides(const MotionInstant& at) {
  bool placed = false;
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    if (elements_[k]->switch_count() == 0) continue;
    if (!placed) place(at);
    placed = true;
    elements_[k]->choose_sides(model(), input_of(at, k));
  }
}

void SceneSystem::sample(const MotionInstant& at) {
  bool placed = false;
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    if (!(sample_times_[k] <= at.t)) continue;
    if (!placed) place(at);
    placed = true;
    elements_[k]->sample(model(), input_of(at, k));
    sample_times_[k] = elements_[k]->next_sample(at.t);
  }
}

double SceneSystem::next_sample() const {
  double next = kInfinity;
  for (const double time : sample_times_)
    if (time < next) next = time;
  return next;
}

void SceneSystem::reset_elements(const MotionInstant& start) {
  place(start);
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    elements_[k]->reset();
    elements_[k]->sample(model(), input_of(start, k));
    sample_times_[k] = elements_[k]->next_sample(start.t);
  }
}

void SceneSystem::switches(const MotionInstant& at, std::size_t k, std::span<double> values) {
  place(at);
  elements_[k]->switches(model(), input_of(at, k), values);
}

double SceneSystem::stored_energy(const MotionInstant& at) {
  place(at);
  double sum = 0.0;
  for (std::size_t k = 0; k < elements_.size(); ++k) sum += elements_[k]->energy(model(), input_of(at, k));
  return sum;
}

}  // namespace pintle
