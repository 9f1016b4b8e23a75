// The element status of a robot's file, for people and for programs.
#pragma once

#include <string>

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/text/json.h"

namespace pintle::cli {

/// "arm.urdf: 130 elements and attributes: 121 used, 4 without effect, 2 approximated, 3 ignored".
std::string losses_count(const LossReport& losses);

/// What is not used as written; similar losses share one entry with their line numbers:
///
///     ignored       line 18       <safety_controller> of joint 'elbow': soft limits are for a controller to enforce
std::string losses_text(const LossReport& losses);

/// Every element and attribute (docs/formats/commands.md).
Json losses_json(const LossReport& losses);

}  // namespace pintle::cli
