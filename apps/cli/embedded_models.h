// The mechanisms that come with the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pintle/model/model_spec.h"

namespace pintle::cli {

/// The names of all embedded models.
std::vector<std::string> embedded_model_names();

/// An embedded model by name. Throws CommandError (usage) with the nearest name when there is none.
///
///     chain    six bars of 0.25 m and 0.1 kg on pins about z, stretched along x, gravity -10 m/s^2 along y
///     console  six bodies of 1 kg on pins about z 0.15 m apart, with their centres of mass on the pins
ModelSpec embedded_model(std::string_view name);

}  // namespace pintle::cli
