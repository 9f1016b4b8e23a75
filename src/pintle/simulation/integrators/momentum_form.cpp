#include "pintle/simulation/integrators/momentum_form.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/centroidal_momentum.h"

namespace pintle {
namespace {

constexpr int kRootDofs = 6;
constexpr std::size_t kLinear = 3;  // the first coordinates of a root are its position

/// The joint of six dofs that carries all the others, or UsageError.
const IndependentJoint& root_of(const Model& model) {
  double mass = 0.0;
  int roots = 0;
  for (const Link& link : model.links()) {
    mass += link.inertia.mass;
    if (link.parent < 0) ++roots;
  }
  require(roots == 1 && model.links()[0].nv == kRootDofs, "MomentumForm", "other",
          "its model does not float: one free joint must connect it to the world");
  require(mass > 0.0, "MomentumForm", "other", "no body that can move has mass, so there is no momentum");
  const IndependentJoint* root = nullptr;
  for (const IndependentJoint& joint : model.independent_joints())
    if (model.joints()[static_cast<std::size_t>(joint.joint)].link == 0) root = &joint;
  return *root;  // a joint of six dofs follows no other
}

Vec3<> load(std::span<const double> x) {
  return {x[0], x[1], x[2]};
}

void store(const Vec3<>& a, std::span<double> x) {
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

}  // namespace

MomentumForm::MomentumForm(MotionSystem& other, const Vec3<>& b)
    : other_(other),
      others_(static_cast<std::size_t>(other.auxiliary_count())),
      q_(static_cast<std::size_t>(root_of(other.model()).q)),
      v_(static_cast<std::size_t>(root_of(other.model()).v)),
      place_(other.model()),
      scratch_(other.model()),
      momenta_(other.model().links().size()),
      speeds_(static_cast<std::size_t>(other.model().nv())),
      zero_(speeds_.size()),
      imposed_levels_(speeds_.size()) {
  const Model& model = other.model();
  const int body = model.joints()[static_cast<std::size_t>(root_of(model).joint)].child_body;
  b_L_ = transform_point(model.bodies()[static_cast<std::size_t>(body)].X_LB, b);
  const std::span<const unsigned char> others = other.imposed();
  for (std::size_t i = 0; i < others.size(); ++i) imposed_levels_[i] = others[i];
  for (std::size_t i = 0; i < kRootDofs; ++i) imposed_levels_[v_ + i] = i < kLinear ? 2 : 1;
}

MomentumForm::Root MomentumForm::root_at(std::span<const double> q) const {
  const double* const r = q.data() + q_ + kLinear;
  const Mat3<> R_WL = model().links()[0].X_PJ.rotation * rotation_matrix(Quaternion<>{r[0], r[1], r[2], r[3]});
  return {R_WL, R_WL * b_L_};
}

std::span<const double> MomentumForm::own(std::span<const double> auxiliary) const {
  return auxiliary.subspan(others_, kNumbers);
}

/// In the root link's frame: of the motion v with the root at rest. Also computes poses and velocities of that motion.
Wrench<> MomentumForm::momentum_of_joints(std::span<const double> q, std::span<const double> v) {
  for (std::size_t i = 0; i < speeds_.size(); ++i) speeds_[i] = v[i];
  for (std::size_t i = 0; i < kRootDofs; ++i) speeds_[v_ + i] = 0.0;
  kinematics(model(), q, {speeds_.data(), speeds_.size()}, {zero_.data(), zero_.size()}, place_);
  const auto motion = place_.motion.view();
  const std::span<const Link> links = model().links();
  for (std::size_t i = 0; i < links.size(); ++i) momenta_[i] = links[i].inertia * motion.V[i];
  for (std::size_t i = links.size(); i-- > 1;)
    momenta_[static_cast<std::size_t>(links[i].parent)] += motion.X_PL[i] * momenta_[i];
  return momenta_[0];
}

void MomentumForm::prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double> auxiliary) {
  other_.prescribe(t, q, v, auxiliary.first(others_));
  const std::span<const double> values = own(auxiliary);
  const Vec3<> r_b = load(values), p = load(values.subspan(3)), L_b = load(values.subspan(6));
  const Root root = root_at(q);
  const Pose<>& X_WJ = model().links()[0].X_PJ;
  store(transpose_times(X_WJ.rotation, r_b - root.b - X_WJ.translation), q.subspan(q_, kLinear));
  const Wrench<> joints = momentum_of_joints(q, v);
  gather_subtrees(model(), place_, scratch_);
  const Vec3<> p_L = transpose_times(root.R_WL, p);
  const Wrench<> whole{p_L, transpose_times(root.R_WL, L_b) + cross(b_L_, p_L)};
  const Twist<> V = solve(scratch_.I_C[0], whole - joints);
  store(V.linear, v.subspan(v_, 3));
  store(V.angular, v.subspan(v_ + kLinear, 3));
}

bool MomentumForm::derivatives(double t, std::span<const double> q, std::span<const double> v,
                               std::span<const double> auxiliary, std::span<double> vdot,
                               std::span<double> auxiliary_derivative) {
  if (!other_.derivatives(t, q, v, auxiliary.first(others_), vdot, auxiliary_derivative.first(others_))) return false;
  const Vec3<> r_b = load(own(auxiliary));
  const Momentum<> M{load(own(auxiliary).subspan(3)), load(own(auxiliary).subspan(6))};
  const Root root = root_at(q);
  const Vec3<> v_b = root.R_WL * (load(v.subspan(v_)) + cross(load(v.subspan(v_ + kLinear)), b_L_));
  Wrench<> F_b;
  if (!other_.outside_wrench(r_b, F_b)) {
    kinematics(model(), q, v, vdot, place_);
    const CentroidalMomentum all = centroidal_momentum(model(), place_, scratch_);
    const Vec3<> center = place_links("MomentumForm", model(), place_, scratch_).from_first - root.b;
    F_b = {all.rate.force, all.rate.torque + cross(center, all.rate.force)};
  }
  const Wrench<> rate = momentum_rate(F_b, v_b, M);
  const std::span<double> values = auxiliary_derivative.subspan(others_, kNumbers);
  store(v_b, values);
  store(rate.force, values.subspan(3));
  store(rate.torque, values.subspan(6));
  return true;
}

void MomentumForm::require_sizes(const char* function, const MotionState& state) const {
  require_size(function, "state.q", state.q.size(), static_cast<std::size_t>(model().nq()));
  require_size(function, "state.v", state.v.size(), speeds_.size());
  require_size(function, "state.auxiliary", state.auxiliary.size(), others_ + kNumbers);
}

void MomentumForm::take_momentum(MotionState& state) {
  require_sizes("MomentumForm::take_momentum", state);
  const Root root = root_at(state.q);
  const Wrench<> joints = momentum_of_joints(state.q, state.v);
  gather_subtrees(model(), place_, scratch_);
  const std::span<const double> v = state.v;
  const Twist<> V{load(v.subspan(v_)), load(v.subspan(v_ + kLinear))};
  const Wrench<> whole = scratch_.I_C[0] * V + joints;
  const std::span<double> values = std::span<double>(state.auxiliary).subspan(others_, kNumbers);
  store(place_.X_WL[0].translation + root.b, values);
  store(root.R_WL * whole.force, values.subspan(3));
  store(root.R_WL * (whole.torque - cross(b_L_, whole.force)), values.subspan(6));
}

Vec3<> MomentumForm::position(const MotionState& state) const {
  require_sizes("MomentumForm::position", state);
  return load(own(state.auxiliary));
}

Momentum<> MomentumForm::momentum(const MotionState& state) const {
  require_sizes("MomentumForm::momentum", state);
  const std::span<const double> values = own(state.auxiliary);
  return {load(values.subspan(3)), load(values.subspan(6))};
}

}  // namespace pintle
