// Configurations q live on a manifold (angles, positions, unit quaternions), velocities v in its tangent space. All
// arrays hold the independent coordinates of the model, in the order of its joints.
#pragma once

#include <span>

#include "pintle/base/random.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// Sets every joint to its zero position. q has model.nq() elements, else UsageError; likewise below.
void neutral(const Model& model, std::span<double> q);

/// result = q moved along v for unit time: exact for a constant v of every joint on its own. May overwrite q.
/// [eq. integrate]
void integrate(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> result);

/// v such that integrate(q0, v) = q1: the shortest rotation for quaternions, the plain difference elsewhere.
/// [eq. integrate]
void difference(const Model& model, std::span<const double> q0, std::span<const double> q1, std::span<double> v);

/// Normalises the quaternions. Throws UsageError, naming the joint, for a quaternion of length zero or one that is not
/// finite.
void normalize(const Model& model, std::span<double> q);

/// The position range of each independent dof [rad or m], nv values each: its own limits and, for a driver, the range
/// that the limits of the joints coupled to it leave, so that these keep theirs to the last bit. Infinite where there
/// is no limit, as for spherical and free joints, whose dofs are not positions.
void position_ranges(const Model& model, std::span<double> lower, std::span<double> upper);

/// A random configuration: positions within the limits (a driver's also within those of the joints coupled to it, up to
/// rounding), or within +-1 m and +-pi rad where there are none; all orientations equally likely.
void random_configuration(const Model& model, RandomStream& stream, std::span<double> q);

}  // namespace pintle
