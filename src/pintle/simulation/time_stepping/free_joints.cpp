#include "pintle/simulation/time_stepping/free_joints.h"

#include "pintle/base/size.h"
#include "pintle/math/quaternion.h"
#include "pintle/model/compiled/configuration.h"

namespace pintle {
namespace {

Quaternion<> orientation(const double* q) {
  return {q[3], q[4], q[5], q[6]};
}

}  // namespace

FreeJoints::FreeJoints(const Model& model) : model_(model) {
  for (const IndependentJoint& joint : model.independent_joints())
    if (joint.kind == JointKind::free) joints_.push_back({size(joint.q), size(joint.v)});
}

void FreeJoints::change_axes(std::span<const double> from_q, std::span<const double> to_q, std::span<double> v) const {
  for (const Joint& joint : joints_) {
    const Quaternion<> from = orientation(from_q.data() + joint.q), to = orientation(to_q.data() + joint.q);
    for (std::size_t part = 0; part < 6; part += 3) {
      double* const x = v.data() + joint.v + part;
      const Vec3<> there = rotate(conjugate(to), rotate(from, Vec3<>{x[0], x[1], x[2]}));
      x[0] = there.x;
      x[1] = there.y;
      x[2] = there.z;
    }
  }
}

void FreeJoints::move(std::span<const double> q, std::span<const double> way, std::span<double> result) const {
  integrate(model_, q, way, result);
  for (const Joint& joint : joints_) {
    const double* const from = q.data() + joint.q;
    const double* const along = way.data() + joint.v;
    const Vec3<> to = Vec3<>{from[0], from[1], from[2]} + rotate(orientation(from), Vec3<>{along[0], along[1], along[2]});
    double* const at = result.data() + joint.q;
    at[0] = to.x;
    at[1] = to.y;
    at[2] = to.z;
  }
}

}  // namespace pintle
