// ValidSpec: what stands in for a spec that is wrong, so that what is said about it can be checked all the same.
#pragma once

#include "pintle/model/spec/model_spec.h"

namespace pintle {

struct ValidSpec {
  ModelSpec spec;
  bool tree_changed = false;  ///< bodies that carried each other in a circle hang on the world
};

/// The spec with something harmless of the same name in place of every body, joint and frame whose numbers cannot be;
/// without couplings that cannot be; with one body of every circle hung on the world; joints and frames of one name
/// have several. Where it is in doubt what a joint moves, it moves a ball. What is right already stays. Bodies of one
/// name, with no joint or with several, and bodies that do not exist are beyond repair: of such a spec check_spec has
/// something to say still.
ValidSpec valid_spec(const ModelSpec& spec);

/// A body for one whose inertia is not known.
SpatialInertia<> harmless_inertia();
/// A joint of the same name, kind and bodies whose numbers cannot be wrong.
JointSpec harmless_joint(const JointSpec& joint);

}  // namespace pintle
