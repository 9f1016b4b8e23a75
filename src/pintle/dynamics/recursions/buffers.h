// The memory layout of the algorithms: plain structs of pointers that kernels fill. The workspaces (workspace.h) own
// the memory.
#pragma once

#include "pintle/dynamics/recursions/coriolis_operator.h"
#include "pintle/model/links/joint_kind.h"
#include "pintle/spatial/articulated_inertia.h"

namespace pintle {

/// Memory of the outward pass: one entry per link, `S` one per dof.
template <class T>
struct TreeMotion {
  Pose<T>* X_PL;  ///< the link's frame in its parent link's frame (in the world's, for a root)
  Twist<T>* S;    ///< motion columns of the joints, in the link's frame
  Twist<T>* V;    ///< velocity of the link relative to the world, in its own frame
  Twist<T>* c;    ///< its bias acceleration (vdot = 0): V x S v + dS/dt v
};

/// The same, read-only.
template <class T>
struct ConstTreeMotion {
  const Pose<T>* X_PL;
  const Twist<T>* S;
  const Twist<T>* V;
  const Twist<T>* c;
};

/// Memory of inverse dynamics.
template <class T>
struct InverseDynamicsBuffers {
  TreeMotion<T> motion;
  Twist<T>* A;   ///< acceleration of the link minus gravity, in its own frame
  Wrench<T>* F;  ///< wrench of the joint on the link, in the link's frame
};

/// Memory of the mass matrix.
template <class T>
struct MassMatrixBuffers {
  Pose<T>* X_PL;
  Twist<T>* S;
  SpatialInertia<T>* I_C;  ///< of the subtree rooted at the link, in its frame
};

/// Memory of the Coriolis matrix.
template <class T>
struct CoriolisMatrixBuffers {
  TreeMotion<T> motion;
  Twist<T>* S_rate;          ///< per dof: V x S + dS/dt, in the link's frame
  SpatialInertia<T>* I_C;    ///< of the subtree rooted at the link, in its frame
  CoriolisOperator<T>* B_C;  ///< likewise
};

/// A symmetric matrix, lower triangle; after factor_block L D L' in place, with the reciprocals of D on the diagonal.
template <class T>
struct JointBlock {
  T m[kMaxDofs][kMaxDofs];
};

/// Memory of the articulated inertias at a configuration.
template <class T>
struct ArticulatedBuffers {
  Pose<T>* X_PL;
  Twist<T>* S;
  ArticulatedInertia<T>* I_A;
  Wrench<T>* U;
  JointBlock<T>* D;
};

/// Memory of applying M^-1 to efforts and wrenches.
template <class T>
struct ResponseBuffers {
  Wrench<T>* p;  ///< per link: the wrench passed on towards the root
  T* u;          ///< per dof
  Twist<T>* A;   ///< per link: its acceleration, or velocity jump
};

/// Memory of forward dynamics.
template <class T>
struct ForwardDynamicsBuffers {
  TreeMotion<T> motion;
  ArticulatedInertia<T>* I_A;  ///< articulated inertia, A of ArticulatedBody
  Wrench<T>* p_A;    ///< articulated bias, d of ArticulatedBody but with gravity as an acceleration of the world
  Wrench<T>* U;      ///< per dof: I_A S
  JointBlock<T>* D;  ///< per link: the factors of S' I_A S + armature
  T* u;              ///< per dof: tau - S' p_A
  Twist<T>* A;       ///< acceleration of the link minus gravity

  /// The part that applies M^-1 to further efforts.
  ArticulatedBuffers<T> articulated() const { return {motion.X_PL, motion.S, I_A, U, D}; }
};

}  // namespace pintle
