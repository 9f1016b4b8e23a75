// `pintle check robot.urdf --fix-inertia out.urdf`: writes the repaired file and lists the changes.
#pragma once

#include <string>

#include "pintle/io/urdf/repair_inertias.h"
#include "pintle/text/json.h"

namespace pintle::cli {

/// Repairs the inertias of a URDF file and writes it to another file, completely or not at all. Throws CommandError: io
/// if a file cannot be read or written, bad_model if it is not URDF.
RepairedUrdf write_repaired(const std::string& from, const std::string& to);

/// The changes, as text.
std::string repaired_text(const RepairedUrdf& repaired, const std::string& to);

/// The same for `--json`.
Json repaired_json(const RepairedUrdf& repaired);

}  // namespace pintle::cli
