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
  int spec;       ///< its number in ContactSpec::shapes
  int number;     ///< likewise among those of its body
  int body;       ///< -1: the world
  int link;       ///< -1: the world
  Pose<> X_LS;    ///< of the shape's frame in the link's
  double extent;  ///< [m] how large the shape is; of a half-space 0
};

struct ContactPair {
  int a, b;  ///< parts
  Surface surface;
};

struct ContactSetup {
  std::vector<ContactPart> parts;
  std::vector<ContactPair> pairs;  ///< in the order of their parts
};

/// The surface at which two materials meet: that of their pair, else the geometric means.
Surface surface_between(const ContactSpec& spec, const std::string& first, const std::string& second);

/// Checks what a scene says of contacts and finds the pairs that may touch: at least one part moves against the other,
/// there are queries about the two shapes, and neither groups nor rules keep them apart.
Result<ContactSetup> compile_contacts(const Model& model, const ContactSpec& spec);

}  // namespace pintle
