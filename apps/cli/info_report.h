// The output of `pintle info`.
#pragma once

#include <string>

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/simulation/scene/scene.h"
#include "pintle/text/unit_system.h"

namespace pintle::cli {

/// For people: the tree, a table of masses and inertias, totals at the initial state, all force elements, and the run
/// settings. Fits 80 characters, and uses more if available.
std::string info_text(const Scene& scene, const std::string& name, int width, const UnitSystem& units);

/// For programs (docs/formats/commands.md).
std::string info_json(const Scene& scene, const std::string& name, const LossReport& losses);

}  // namespace pintle::cli
