// The parts of a report's data (docs/formats/report.md). Used by report.cpp.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/report/report.h"
#include "pintle/simulation/run/row_bodies.h"

namespace pintle {

/// As JSON: bodies with their shapes, joints with their axes, frames, springs and meshes. The axes are those of the
/// first row.
std::string report_scene(const Scene& scene, const RowBodies& at_start, std::string_view about);

/// As JSON: poses, velocities, wrenches and momenta at some of the rows that the outline kept.
std::string report_motion(const Scene& scene, const RecordingOutline& outline, std::size_t max_numbers);

/// The rows of the outline to show, at most `max_rows` and at least two: the first, the last, and others evenly spaced
/// between them.
std::vector<std::size_t> rows_shown(const RecordingOutline& outline, std::size_t max_rows);

/// Computes the poses of the bodies at row i of the outline.
bool find_at(RowBodies& bodies, const Model& model, const RecordingOutline& outline, std::size_t i);

}  // namespace pintle
