// Drives by tables in files.
#pragma once

#include "pintle/io/scene/scene_reader.h"

namespace pintle {

/// `{ file = "lift.csv", time = "t", value = "lift", ends = "natural", outside = "refuse" }`: a drive through the rows
/// of a table of numbers. The units of the two columns, if they have any, must be times and of the dimension.
Result<Drive> read_drive_table(SceneReader& scene, TomlTable& table, const Dimension& dimension);

}  // namespace pintle
