// The columns that every scene records besides the time: the state of its joints and its energies.
#pragma once

#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/simulation/recording/column.h"

namespace pintle {

/// The columns of joint_columns.h (q, v, a, tau), then energy.kinetic, energy.gravity, energy.springs, energy.stored
/// and energy.total.
std::vector<Column> state_columns(const Model& model);

}  // namespace pintle
