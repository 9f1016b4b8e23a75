// SARIF 2.1.0 (OASIS): problems for the tools that show them beside the lines of a file.
#pragma once

#include <span>
#include <string>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// A file that problems are in.
struct SarifFile {
  std::string name;  ///< as the origins of problems name it
  std::string path;  ///< relative to the folder of the sources, or absolute
  std::string text;  ///< all of it; columns are counted in its characters
};

/// Problems as a SARIF log of one run, ending in a newline; the same problems give the same bytes. Every code is a rule
/// with its meaning and remedy (problem_rules). Paths become URIs, relative to %SRCROOT% unless they are absolute. A
/// problem of a file as a whole is at its first line; one of something that is not among the files, such as an option,
/// has a logical location of its name.
std::string sarif_text(const Diagnostics& problems, std::span<const SarifFile> files);

}  // namespace pintle
