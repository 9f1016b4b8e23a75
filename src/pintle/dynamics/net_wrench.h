// The force and torque that all that acts on a body comes to.
#pragma once

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// About which point of a body a torque is taken.
enum class About : unsigned char {
  center_of_mass,
  joint,  ///< the origin of the frame, on the body's side, of the joint that carries it
};

/// The net force m a_c and torque I_c alpha + w x I_c w + r x m a_c on a body (its number from Model::body) that moves
/// as the last `kinematics` says, in world axes; weight is a part of it. r is the centre of mass from the point.
/// [eq. newton-euler]
Wrench<> net_wrench(const Model& model, const KinematicsWorkspace& work, int body, About about = About::center_of_mass);

}  // namespace pintle
