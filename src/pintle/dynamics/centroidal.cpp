#include "pintle/dynamics/centroidal.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"

namespace pintle {
CentroidalWorkspace::CentroidalWorkspace(const Model& model)
    : sizes(model), r(model.links().size()), I_C(model.links().size()), A_0(model.links().size()) {}

MassCenter place_links(const char* function, const Model& model, const KinematicsWorkspace& work,
                       CentroidalWorkspace& scratch) {
  require_fit(function, work.sizes, model);
  require_fit(function, scratch.sizes, model);
  const auto motion = work.motion.view();
  double mass = 0.0;
  Vec3<> moment{0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    if (link.parent < 0) {
      scratch.r[i] = motion.X_PL[i].translation - motion.X_PL[0].translation;
    } else {
      const std::size_t parent = size(link.parent);
      scratch.r[i] = scratch.r[parent] + work.X_WL[parent].rotation * motion.X_PL[i].translation;
    }
    mass += link.inertia.mass;
    moment += link.inertia.mass * scratch.r[i] + work.X_WL[i].rotation * link.inertia.first_moment;
  }
  require_moving_mass(function, mass);
  return {mass, moment / mass};
}

void require_moving_mass(const char* function, double mass) {
  require(mass > 0.0, function, "model", "no body that can move has mass, so there is no centre of mass");
}

void gather_subtrees(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch) {
  const auto motion = work.motion.view();
  Buffer<SpatialInertia<>>& I_C = scratch.I_C;
  for (std::size_t i = 0; i < I_C.size(); ++i) I_C[i] = model.links()[i].inertia;
  for (std::size_t i = I_C.size(); i-- > 0;) {
    const int parent = model.links()[i].parent;
    if (parent >= 0) I_C[size(parent)] = I_C[size(parent)] + motion.X_PL[i] * I_C[i];
  }
}

void accelerate_without_vdot(const Model& model, const KinematicsWorkspace& work, CentroidalWorkspace& scratch) {
  const auto motion = work.motion.view();
  for (std::size_t i = 0; i < scratch.A_0.size(); ++i) {
    const int parent = model.links()[i].parent;
    scratch.A_0[i] = motion.c[i];
    if (parent >= 0) scratch.A_0[i] += inverse_times(motion.X_PL[i], scratch.A_0[size(parent)]);
  }
}

Pose<> from_center(const KinematicsWorkspace& work, const CentroidalWorkspace& scratch, const MassCenter& center,
                   std::size_t link) {
  return {work.X_WL[link].rotation, scratch.r[link] - center.from_first};
}

}  // namespace pintle
