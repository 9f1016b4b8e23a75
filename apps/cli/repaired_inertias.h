// `pintle check robot.urdf --fix-inertia out.urdf`: the file that is written, and what it changes.
#pragma once

#include <string>

#include "pintle/io/urdf/repair_inertias.h"
#include "pintle/text/json.h"

namespace pintle::cli {

/// Mends the inertias of a URDF file and writes it to another one, whole or not at all. Throws CommandError: io where a
/// file cannot be read or written, bad_model where it is no URDF.
RepairedUrdf write_repaired(const std::string& from, const std::string& to);

/// What was changed, in lines.
std::string repaired_text(const RepairedUrdf& repaired, const std::string& to);

/// The same for `--json`.
Json repaired_json(const RepairedUrdf& repaired);

}  // namespace pintle::cli
