// ContactSetup: the shapes of a compiled scene that can touch, and every pair of them that may.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/compiled/model.h"
#include "pintle/simulation/contact/contact_spec.h"

namespace pintle {

/// A shape on a link.
struct ContactPart {
  int spec;       ///< its index in ContactSpec::shapes
  int number;     ///< its index among the shapes of its body
  int body;       ///< -1: the world
  int link;       ///< -1: the world
  Pose<> X_LS;    ///< of the shape's frame in the link's
  double extent;  ///< [m] size of the shape; 0 for a half-space
  SurfaceVelocity surface_velocity{};  ///< in the axes of the link
};

struct ContactPair {
  int a, b;  ///< parts
  Surface surface;
};

struct ContactSetup {
  std::vector<ContactPart> parts;
  std::vector<ContactPair> pairs;    ///< in the order of their parts
  std::vector<ContactPair> ignored;  ///< of the ground and bodies that do not touch it because of their joint
};

/// The surface parameters of two materials: those of their pair, else the geometric means.
Surface surface_between(const ContactSpec& spec, const std::string& first, const std::string& second);

/// Checks the contact settings of a scene and finds the pairs that may touch: at least one part moves relative to the
/// other, there are queries for the two shapes, and neither groups nor rules exclude the pair.
Result<ContactSetup> compile_contacts(const Model& model, const ContactSpec& spec);

}  // namespace pintle
