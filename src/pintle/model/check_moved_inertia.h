// The check of a compiled model that needs its kinematics: does every joint have something to move?
#pragma once

#include "pintle/model/model.h"

namespace pintle {

/// An error for each freedom of a joint that moves no inertia, neither of bodies nor of a rotor, unless its motion is
/// prescribed: no effort could be balanced there. Judged by the bodies outboard of the joint, taken as one rigid body,
/// in a few fixed positions; what is singular only in special positions is found by forward dynamics.
Diagnostics check_moved_inertia(const Model& model, const ModelSpec& spec);

}  // namespace pintle
