// The check of a compiled model that needs its kinematics: does every joint have something to move?
#pragma once

#include "pintle/model/compiled/model.h"

namespace pintle {

/// An error for each independent dof that moves no inertia, neither of bodies nor of a rotor, and for each joint
/// with a combination of dofs that moves none, unless the motion is prescribed: no effort could be balanced there.
/// Judged by the bodies outboard of a joint, taken as one rigid body, in a few fixed positions; a driver moves what the
/// joints coupled to it move, too. An error also for a floating body without inertia whose joints let it move while all
/// else stays, as a robot's bare root link with one joint on it. What else is singular, in special positions or by
/// several joints together, is found by forward dynamics.
Diagnostics check_moved_inertia(const Model& model, const ModelSpec& spec);

}  // namespace pintle
