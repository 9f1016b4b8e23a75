#include "pintle/dynamics/solve/pose_errors.h"

#include <cmath>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/solve/search_space.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {

PoseErrorsWorkspace::PoseErrorsWorkspace(const Model& model, std::size_t max_targets)
    : kinematics(model),
      zero(static_cast<std::size_t>(model.nv())),
      X_AT(max_targets),
      errors(max_targets),
      residuals(max_targets),
      columns(model.dofs().size()) {}

namespace {

using Column = PoseErrorsWorkspace::Column;

bool is_weight(const Vec3<>& w) {
  return is_finite(w) && w.x >= 0.0 && w.y >= 0.0 && w.z >= 0.0;
}
double largest(const Vec3<>& w) {
  return max(max(w.x, w.y), w.z);
}
Vec3<> squares(const Vec3<>& w) {
  return componentwise_product(w, w);
}
/// The part of an error along the axes of nonzero weight.
double counted(const Vec3<>& error, const Vec3<>& weight) {
  return norm(Vec3<>{weight.x > 0.0 ? error.x : 0.0, weight.y > 0.0 ? error.y : 0.0, weight.z > 0.0 ? error.z : 0.0});
}
/// Rotations are accepted to single precision, as files have them.
bool is_rotation(const Mat3<>& R) {
  const Mat3<> D = transpose_times(R, R) - identity3();
  for (const double d : to_array(D))
    if (!(abs(d) < 1e-5)) return false;
  return determinant(R) > 0.0;
}

/// The derivative of J_r(phi)^-1' c by phi, by dual numbers.
Mat3<> bending(const Vec3<>& phi, const Vec3<>& c) {
  using D = Dual<double, 3>;
  const Vec3<D> minus{-D::variable(phi.x, 0), -D::variable(phi.y, 1), -D::variable(phi.z, 2)};
  const Vec3<D> n = transpose_times(left_jacobian_inverse_so3(minus), Vec3<D>{D(c.x), D(c.y), D(c.z)});
  const auto slope = [](const D& x) { return Vec3<>{x.derivative[0], x.derivative[1], x.derivative[2]}; };
  return from_rows(slope(n.x), slope(n.y), slope(n.z));
}

void check(const Model& model, const PoseTarget& target) {
  constexpr const char* kFunction = "inverse_kinematics";
  const int links = static_cast<int>(model.links().size());
  require(target.place.link >= -1 && target.place.link < links, kFunction, "targets", "there is no such link");
  require(is_finite(target.X_WT.translation), kFunction, "targets", "positions must be finite");
  require(is_rotation(target.X_WT.rotation), kFunction, "targets", "rotations must be proper orthogonal matrices");
  require(is_weight(target.position_weight) && is_weight(target.orientation_weight), kFunction, "targets",
          "weights must be finite and not negative");
}

int root_of(const Model& model, int link) {
  while (link >= 0 && model.links()[size(link)].parent >= 0) link = model.links()[size(link)].parent;
  return link;
}

}  // namespace

PoseErrors::PoseErrors(const Model& model, std::span<const PoseTarget> targets, double length,
                       PoseErrorsWorkspace& work)
    : model_(model), targets_(targets), work_(work), length_(length) {
  require_size_at_least("inverse_kinematics", "work (room for targets)", work.errors.size(), targets.size());
  require(length >= 0.0 && std::isfinite(length), "inverse_kinematics", "options.length",
          "it must be finite and not negative");
  double heaviest = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const PoseTarget& target = targets[i];
    check(model, target);
    if (length == 0.0 && target.place.link >= 0)
      length_ = max(length_, way_from_root(model, target.place.link) + norm(target.place.X_LF.translation));
    heaviest = max(heaviest, max(largest(target.position_weight), largest(target.orientation_weight)));
    const int root = root_of(model, target.place.link);
    const Pose<> X_WT = pose(normalized(quaternion(target.X_WT.rotation)), target.X_WT.translation);
    work.X_AT[i] = root < 0 ? X_WT : inverse_times(model.links()[size(root)].X_PJ, X_WT);
  }
  if (length_ == 0.0) length_ = 1.0;
  if (heaviest > 0.0) unit_ = 1.0 / heaviest;
}

/// The pose of the place relative to the fixed side of its root joint, so that errors are differences of values of the
/// size of the mechanism, wherever it is in the world.
Pose<> PoseErrors::pose_from_root(const Place& place, std::span<const double> q) {
  if (place.link < 0) return place.X_LF;
  const auto motion = work_.kinematics.motion.view();
  Pose<> X_LF = place.X_LF;
  int at = place.link;
  for (; model_.links()[size(at)].parent >= 0; at = model_.links()[size(at)].parent) X_LF = motion.X_PL[at] * X_LF;
  const Link& root = model_.links()[size(at)];
  double numbers[7];
  for (int i = 0; i < facts(root.kind).nq; ++i) {
    const CoordinateSource& source = model_.q_sources()[size(root.q + i)];
    numbers[i] = source.ratio * q[size(source.source)] + source.offset;
  }
  Twist<> S[kMaxDofs];
  return joint_motion(root, numbers, S) * X_LF;
}

Vec3<> PoseErrors::position_squares(const PoseTarget& target) const {
  return squares(unit_ * target.position_weight);
}
Vec3<> PoseErrors::orientation_squares(const PoseTarget& target) const {
  return squares((unit_ * length_) * target.orientation_weight);
}

double PoseErrors::cost(std::span<const double> q) {
  kinematics(model_, q, work_.zero, work_.zero, work_.kinematics);
  double cost = 0.0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const PoseTarget& target = targets_[i];
    PoseErrorsWorkspace::Error& error = work_.errors[i];
    const Pose<> X_TF = inverse_times(work_.X_AT[i], pose_from_root(target.place, q));
    error.R_TF = X_TF.rotation;
    error.position = X_TF.translation;
    error.orientation = log_so3(X_TF.rotation);
    const Vec3<> pull = componentwise_product(position_squares(target), error.position);
    const Vec3<> turn = componentwise_product(orientation_squares(target), error.orientation);
    error.orientation_jacobian = left_jacobian_inverse_so3(-error.orientation);
    error.F = {transpose_times(error.R_TF, pull), transpose_times(error.orientation_jacobian, turn)};
    cost += 0.5 * (dot(pull, error.position) + dot(turn, error.orientation));
    work_.residuals[i] = {counted(error.position, target.position_weight),
                          counted(error.orientation, target.orientation_weight)};
  }
  return cost;
}

bool PoseErrors::within(double tolerance) const {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    // A position relative to the root joint is known up to a few roundings of its size.
    const double rounding = 16.0 * kEpsilon<double> * (length_ + norm(work_.X_AT[i].translation));
    if (!(work_.residuals[i].position <= tolerance * length_ + rounding)) return false;
    if (!(work_.residuals[i].orientation <= tolerance + 16.0 * kEpsilon<double>)) return false;
  }
  return true;
}

/// The columns of the place's motion, from the place towards the root.
std::size_t PoseErrors::gather_columns(const Place& place) {
  const auto motion = work_.kinematics.motion.view();
  std::size_t count = 0;
  Pose<> X_FL = inverse(place.X_LF);
  for (int at = place.link; at >= 0; at = model_.links()[size(at)].parent) {
    const Link& link = model_.links()[size(at)];
    for (int k = link.v + link.nv - 1; k >= link.v; --k) {
      const CoordinateSource& source = model_.v_sources()[size(k)];
      work_.columns[count++] = {X_FL * motion.S[k], source.source, source.ratio, at, quaternion_place(link.kind) >= 0};
    }
    X_FL = X_FL * inverse(motion.X_PL[at]);
  }
  return count;
}

/// The errors change with the columns J: de = E J. The gradient is J'F with F = E'W e, the matrix J'E'W E J; the rest
/// is J' (dE/dt)'W e, and dJ_k/dq_j = J_k x J_j for a joint j outside k.
void PoseErrors::linearise(std::span<double> gradient, std::span<double> H, std::span<double> curvature) {
  const std::size_t n = work_.zero.size();
  const auto add = [n](std::span<double> A, const Column& a, const Column& b, double value) {
    A[size(a.source) * n + size(b.source)] += a.ratio * b.ratio * value;
  };
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const PoseErrorsWorkspace::Error& error = work_.errors[t];
    const std::size_t count = gather_columns(targets_[t].place);
    const Vec3<> w_p = position_squares(targets_[t]), w_o = orientation_squares(targets_[t]);
    const Mat3<> B = bending(error.orientation, componentwise_product(w_o, error.orientation));
    for (std::size_t i = 0; i < count; ++i) {
      const Column& inner = work_.columns[i];
      const Vec3<> e_p = error.R_TF * inner.J.linear, e_o = error.orientation_jacobian * inner.J.angular;
      const Wrench<> stiff{transpose_times(error.R_TF, componentwise_product(w_p, e_p)),
                           transpose_times(error.orientation_jacobian, componentwise_product(w_o, e_o))};
      const Wrench<> bent{-cross(inner.J.angular, error.F.force), B * e_o};
      gradient[size(inner.source)] += inner.ratio * dot(inner.J, error.F);
      for (std::size_t j = 0; j < count; ++j) {
        const Column& outer = work_.columns[j];
        add(H, outer, inner, dot(outer.J, stiff));
        double more = dot(outer.J, bent);
        const bool same_frame = inner.link == outer.link && inner.turning_frame;
        if (j < i && !same_frame) more += dot(cross(inner.J, outer.J), error.F);
        add(curvature, outer, inner, 0.5 * more);
        add(curvature, inner, outer, 0.5 * more);
      }
    }
  }
}

}  // namespace pintle
