// Which shapes of a scene can touch, and their surface parameters, as a person describes them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/constraints/contact_rows.h"
#include "pintle/constraints/impact_solver.h"
#include "pintle/geometry/broad_phase/contact_filter.h"
#include "pintle/geometry/shapes/contact_shape.h"
#include "pintle/geometry/shapes/mesh_source.h"
#include "pintle/spatial/pose.h"

namespace pintle {

/// Their names, in the order of the enumerations.
inline constexpr std::array<std::string_view, 3> kImpactLawNames = {"newton", "poisson", "stronge"};
inline constexpr std::array<std::string_view, 2> kSeveralImpactsNames = {"simultaneous", "sequential"};

constexpr std::string_view name(ImpactLaw law) {
  return kImpactLawNames[static_cast<std::size_t>(law)];
}
constexpr std::string_view name(SeveralImpacts several) {
  return kSeveralImpactsNames[static_cast<std::size_t>(several)];
}

/// The contact parameters of two surfaces.
struct Surface {
  double restitution = 0.0;        ///< within [0, 1]
  double friction = 0.0;           ///< kinetic: tangential over normal force of a sliding point
  double static_friction = 0.0;    ///< of a sticking point; not less than `friction`
  double rolling_friction = 0.0;   ///< [m] the rolling moment over the normal force
  double spinning_friction = 0.0;  ///< [m] the spinning moment, about the normal, over the normal force
};

/// The surface of a material. Two materials without a pair of their own use the geometric means of their parameters.
struct SurfaceSpec {
  std::string material;
  Surface surface{};
  Origin origin{};
};

/// The surface parameters of two materials, instead of the geometric means.
struct SurfacePairSpec {
  std::string first, second;
  Surface surface{};
  Origin origin{};
};

/// A shape that can touch others.
struct ContactShapeSpec {
  std::string body;  ///< or kWorld
  ContactShape shape;
  Pose<> X_BS = identity_pose<double>();
  std::string material{};  ///< of its surface; without one it has no restitution and no friction
  SurfaceVelocity surface_velocity{};  ///< of a conveyor belt, in the shape's axes
  ContactGroups groups{};
  Origin origin{};
  MeshSource mesh{};  ///< of the hull or the triangles of a mesh
  int holes = 0;      ///< of the solid; they count as filled here
};

/// Whether two bodies may touch, instead of the default: all may, except a body and its parent.
struct ContactRuleSpec {
  std::string first, second;  ///< bodies, or kWorld
  bool may_touch = false;
  Origin origin{};
};

struct ContactSpec {
  std::vector<ContactShapeSpec> shapes{};
  std::vector<SurfaceSpec> surfaces{};
  std::vector<SurfacePairSpec> pairs{};
  std::vector<ContactRuleSpec> rules{};
  ImpactLaw law = ImpactLaw::stronge;
  SeveralImpacts several = SeveralImpacts::simultaneous;
  /// The single-point model (seed 004's): one nearest point for each pair of shapes, and its own impact law.
  bool single_point = false;
};

}  // namespace pintle
