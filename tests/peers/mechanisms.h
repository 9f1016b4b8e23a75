// The mechanisms on which engines are compared: robots with plausible numbers of our own making, chains, trees.
#pragma once

#include "mechanism.h"

namespace peers {

Mechanism arm();        ///< 7 revolute joints
Mechanism ur_like();    ///< 6 revolute joints
Mechanism quadruped();  ///< 12 + 6
Mechanism humanoid();   ///< 30 + 6
Mechanism hand();       ///< 24
Mechanism gantry();     ///< 3 prismatic joints and a wrist of 3 revolute ones
Mechanism scara();      ///< 3 revolute joints and a prismatic one
Mechanism doll();       ///< a body of 10 balls and 4 hinges that floats, without rotors
Mechanism chain(int n);
Mechanism wide_tree();  ///< 30 lane groups of two joints on a free hub

/// A tree of 15 links whose joints are of these kinds, with any axes and armature. A free joint is drawn only for the
/// first link, unless `nested_free`.
Mechanism random_tree(const std::string& name, const std::vector<Kind>& kinds, bool nested_free, unsigned seed);

/// All of the above; random trees for every kind of joint that a peer has.
std::vector<Mechanism> all_mechanisms();

/// Random states: any orientation, angles within +-pi, travel within +-0.5 m, velocities and accelerations within +-2,
/// efforts within +-20.
std::vector<State> random_states(const Mechanism& mechanism, std::size_t count, unsigned seed);

}  // namespace peers
