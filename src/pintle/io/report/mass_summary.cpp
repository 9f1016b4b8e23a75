#include "pintle/io/report/mass_summary.h"

#include <vector>

#include "pintle/dynamics/kinematics.h"
#include "pintle/spatial/principal_inertia.h"

namespace pintle {
namespace {

Vec3<> principal_moments(const SymMat3<>& I) {
  const Vec3<> moments = principal_inertia(I).moments;
  const double rounding = 8.0 * kEpsilon<double> * moments.z;
  const auto cleaned = [&](double moment) { return abs(moment) <= rounding ? 0.0 : moment; };
  return {cleaned(moments.x), cleaned(moments.y), cleaned(moments.z)};
}

}  // namespace

MassSummary mass_summary(const SpatialInertia<>& I) {
  MassSummary summary;
  summary.mass = I.mass;
  summary.inertia = I.inertia;
  if (I.mass > 0.0) {
    summary.center = center_of_mass(I);
    summary.inertia = inertia_about_center_of_mass(I);
  }
  summary.principal = principal_moments(summary.inertia);
  return summary;
}

MassSummary mass_summary(const Model& model, std::span<const double> q) {
  KinematicsWorkspace work(model);
  const std::vector<double> zero(static_cast<std::size_t>(model.nv()));
  kinematics(model, q, zero, zero, work);
  std::vector<Pose<>> X_WB;
  MassSummary summary;
  Vec3<> first_moment{0.0, 0.0, 0.0};
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const SpatialInertia<>& I = model.bodies()[static_cast<std::size_t>(body)].inertia;
    X_WB.push_back(pose_of(work, body_place(model, body)));
    summary.mass += I.mass;
    first_moment = first_moment + X_WB.back().rotation * I.first_moment + I.mass * X_WB.back().translation;
  }
  if (summary.mass > 0.0) summary.center = first_moment / summary.mass;
  SpatialInertia<> about_center = zero_inertia<double>();
  for (std::size_t body = 0; body < model.bodies().size(); ++body) {
    const Pose<> X_GB{X_WB[body].rotation, X_WB[body].translation - summary.center};
    about_center = about_center + X_GB * model.bodies()[body].inertia;
  }
  // Removes the rounding error of the centre: the inertia about the centre itself.
  summary.inertia = mass_summary(about_center).inertia;
  summary.principal = principal_moments(summary.inertia);
  return summary;
}

}  // namespace pintle
