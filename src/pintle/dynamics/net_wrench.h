// The net force and torque on a body.
#pragma once

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// The reference point of a torque on a body.
enum class About : unsigned char {
  center_of_mass,
  joint,  ///< the origin of the frame, on the body's side, of the joint that carries it
};

/// The net force m a_c and torque I_c alpha + w x I_c w + r x m a_c on a body (its index from Model::body) at the
/// motion of the last `kinematics`, in world axes; includes its weight. r is the centre of mass from the point.
/// [eq. newton-euler]
Wrench<> net_wrench(const Model& model, const KinematicsWorkspace& work, int body, About about = About::center_of_mass);

}  // namespace pintle
