// Configurations q: they live on a manifold (angles, positions, unit quaternions), velocities v in its
// tangent space. All arrays hold the independent numbers of the model, in the order of its joints.
#pragma once

#include <span>

#include "pintle/base/random.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// The configuration in which every joint is at zero. q has model.nq() numbers, else UsageError; likewise below.
void neutral(const Model& model, std::span<double> q);

/// result = q moved along v for unit time: exact for a constant v of every joint on its own. May overwrite q.  [eq.
/// integrate]
void integrate(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> result);

/// v such that integrate(q0, v) = q1: the shortest way for quaternions, the plain difference elsewhere.  [eq.
/// integrate]
void difference(const Model& model, std::span<const double> q0, std::span<const double> q1, std::span<double> v);

/// Makes quaternions of unit length. Throws UsageError, naming the joint, for one of length zero or not finite.
void normalize(const Model& model, std::span<double> q);

/// Where each independent dof may stand [rad or m], nv numbers each: its own limits, and for a driver what the
/// limits of the joints coupled to it leave, so that these keep theirs to the bit; infinite where there is none, as for
/// ball and free joints, whose dofs are not positions.
void position_ranges(const Model& model, std::span<double> lower, std::span<double> upper);

/// A random configuration: positions within the limits (a driver's also within those of the joints coupled to it, up to
/// rounding), or within +-1 m and +-pi rad where there are none; all orientations equally likely.
void random_configuration(const Model& model, RandomStream& stream, std::span<double> q);

}  // namespace pintle
