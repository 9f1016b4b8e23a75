// Drives given by tables in files.
#pragma once

#include "pintle/io/scene/scene_reader.h"

namespace pintle {

/// `{ file = "lift.csv", time = "t", value = "lift", ends = "natural", outside = "refuse" }`: a drive that interpolates
/// the rows of a numeric table. The units of the two columns, if any, must be a unit of time and a unit of the given
/// dimension.
Result<Drive> read_drive_table(SceneReader& scene, TomlTable& table, const Dimension& dimension);

}  // namespace pintle
