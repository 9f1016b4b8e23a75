// SARIF 2.1.0 (OASIS): problems for tools that show them next to the source lines.
#pragma once

#include <span>
#include <string>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// A file that has problems.
struct SarifFile {
  std::string name;  ///< as in the origins of the problems
  std::string path;  ///< relative to the source folder, or absolute
  std::string text;  ///< the whole content; columns count its characters
};

/// Writes problems as a SARIF log of one run, ending in a newline. The same problems give the same bytes. Every code is
/// a rule with its meaning and remedy (problem_rules). Paths become URIs, relative to %SRCROOT% unless they are
/// absolute. A problem of a whole file is placed at its first line. A problem of something that is not in `files`, such
/// as an option, gets a logical location with its name.
std::string sarif_text(const Diagnostics& problems, std::span<const SarifFile> files);

}  // namespace pintle
