// ValidSpec: a valid substitute for an invalid spec, so that what refers to it can still be checked.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

struct ValidSpec {
  ModelSpec spec;
  bool tree_changed = false;  ///< bodies of a cycle were attached to the world
};

/// Returns the spec with every invalid body, joint and frame replaced by a harmless one of the same name; without
/// invalid couplings; with one body of every cycle attached to the world; with duplicate names of joints and frames
/// made unique. Where it is unknown what a joint moves, it moves a sphere. Valid parts are kept. Duplicate body names,
/// bodies with no joint or with several, and missing bodies cannot be repaired: check_spec still reports problems for
/// such a spec.
ValidSpec valid_spec(const ModelSpec& spec);

/// An inertia for a body whose own is unknown.
SpatialInertia<> harmless_inertia();
/// A joint of the same name, kind and bodies with valid parameters.
JointSpec harmless_joint(const JointSpec& joint);

}  // namespace pintle
