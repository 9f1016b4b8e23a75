// Whether a body could pass through the ground, because a joint connects it to the world.
#pragma once

#include <span>

#include "pintle/base/diagnostic.h"
#include "pintle/simulation/contact/contact_setup.h"

namespace pintle {

/// Bodies that a joint connects to the world do not touch the ground, unless a rule says so. A warning for each that
/// could reach it from a configuration by moving one dof of that joint within its limits; looked for at some 50
/// positions.
Diagnostics check_ignored_ground(const Model& model, const ContactSetup& setup, const ContactSpec& spec,
                                 std::span<const double> q);

}  // namespace pintle
