// Workspace: the memory of every algorithm of this layer in one object, for callers who do not count bytes.
//
//     Workspace work(model);
//     forward_dynamics(model, q, v, tau, work, vdot);
//     mass_matrix(model, q, work, M);
#pragma once

#include "pintle/dynamics/centroidal.h"
#include "pintle/dynamics/centroidal_matrix.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/energies.h"
#include "pintle/dynamics/impulse_dynamics.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/reactions.h"
#include "pintle/dynamics/response.h"
#include "pintle/dynamics/workspace.h"

namespace pintle {

/// Stands for the workspace of whatever function it is given to. Each thread needs its own.
class Workspace {
 public:
  explicit Workspace(const Model& model)
      : kinematics(model),
        inverse_dynamics(model),
        forward_dynamics(model),
        mass_matrix(model),
        mass_matrix_inverse(model),
        coriolis_matrix(model),
        jacobian(model),
        centroidal(model),
        centroidal_matrix(model),
        energies(model),
        response(model),
        reactions(model),
        impulses(model) {}

  operator KinematicsWorkspace&() { return kinematics; }
  operator InverseDynamicsWorkspace<>&() { return inverse_dynamics; }
  operator ForwardDynamicsWorkspace<>&() { return forward_dynamics; }
  operator MassMatrixWorkspace<>&() { return mass_matrix; }
  operator MassMatrixInverseWorkspace&() { return mass_matrix_inverse; }
  operator CoriolisMatrixWorkspace<>&() { return coriolis_matrix; }
  operator JacobianWorkspace&() { return jacobian; }
  operator CentroidalWorkspace&() { return centroidal; }
  operator CentroidalMatrixWorkspace&() { return centroidal_matrix; }
  operator EnergiesWorkspace&() { return energies; }
  operator ResponseWorkspace&() { return response; }
  operator ReactionsWorkspace&() { return reactions; }
  operator ImpulseWorkspace&() { return impulses; }

  KinematicsWorkspace kinematics;
  InverseDynamicsWorkspace<> inverse_dynamics;
  ForwardDynamicsWorkspace<> forward_dynamics;
  MassMatrixWorkspace<> mass_matrix;
  MassMatrixInverseWorkspace mass_matrix_inverse;
  CoriolisMatrixWorkspace<> coriolis_matrix;
  JacobianWorkspace jacobian;
  CentroidalWorkspace centroidal;
  CentroidalMatrixWorkspace centroidal_matrix;
  EnergiesWorkspace energies;
  ResponseWorkspace response;
  ReactionsWorkspace reactions;
  ImpulseWorkspace impulses;
};

}  // namespace pintle
