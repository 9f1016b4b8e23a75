// The check of a compiled model that needs its kinematics: does every joint move some inertia?
#pragma once

#include "pintle/model/compiled/model.h"

namespace pintle {

/// Returns an error for each independent dof that moves no inertia, neither of a body nor of a rotor, and for each
/// joint with a combination of dofs that moves none, unless its motion is prescribed: no effort could be balanced
/// there. The test takes the bodies outboard of a joint as one rigid body, in a few fixed positions; a driver also
/// moves what the joints coupled to it move. A floating body without inertia is an error too when its joints let it
/// move while everything else is at rest, such as the bare root link of a robot with one joint on it. Forward dynamics
/// detects other singularities, in special positions or of several joints together.
Diagnostics check_moved_inertia(const Model& model, const ModelSpec& spec);

}  // namespace pintle
