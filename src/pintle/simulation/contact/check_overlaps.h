// Whether shapes overlap at the start of a run.
#pragma once

#include <span>

#include "pintle/base/diagnostic.h"
#include "pintle/simulation/contact/contact_setup.h"

namespace pintle {

/// The pairs of bodies whose shapes overlap by more than the contact tolerance at a configuration, each with its
/// deepest overlap: a warning, since a run begins by moving them apart.
Diagnostics check_overlaps(const Model& model, const ContactSetup& setup, const ContactSpec& spec,
                           std::span<const double> q);

}  // namespace pintle
