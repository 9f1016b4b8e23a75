// The three standard streams, also if the shell has closed some of them.
#pragma once

#include <string>

namespace pintle::cli {

/// Keeps a closed stream unusable: no file opened later gets its descriptor, so that printed text never ends up in a
/// result file.
void keep_standard_streams_apart();

/// Writes to stderr and ignores failures.
void say(const std::string& text);

}  // namespace pintle::cli
