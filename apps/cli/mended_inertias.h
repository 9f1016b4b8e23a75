// `pintle check robot.urdf --fix-inertia out.urdf`: the file that is written, and what it changes.
#pragma once

#include <string>

#include "pintle/io/urdf/mend_inertias.h"
#include "pintle/text/json.h"

namespace pintle::cli {

/// Mends the inertias of a URDF file and writes it to another one, whole or not at all. Throws CommandError: io where a
/// file cannot be read or written, bad_model where it is no URDF.
MendedUrdf write_mended(const std::string& from, const std::string& to);

/// What was changed, in lines.
std::string mended_text(const MendedUrdf& mended, const std::string& to);

/// The same for `--json`.
Json mended_json(const MendedUrdf& mended);

}  // namespace pintle::cli
