// Rows of the Jacobian of a contact, in the dofs of one tree.
#pragma once

#include "pintle/constraints/contact_rows.h"
#include "pintle/simulation/time_stepping/trees.h"

namespace pintle {

/// The number of rows of a contact: normal and two tangents, then rotation about the normal, if it is wanted, and about
/// the two tangents.
constexpr std::size_t row_count(const ContactFrame& frame) {
  return 3 + (frame.spins ? 1 : 0) + (frame.rolls ? 2 : 0);
}

/// Adds `sign` times the velocity rows of a contact frame on a link to J, row_count x columns, whose columns are the
/// dofs of the link's tree; after `kinematics`.  [eq. jacobian]
void add_tree_rows(const Model& model, const Trees& trees, const KinematicsWorkspace& places, const Place& place,
                   double sign, const ContactFrame& frame, std::size_t columns, double* J);

}  // namespace pintle
