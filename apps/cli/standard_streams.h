// The three streams that a program begins with, also where the shell has closed some of them.
#pragma once

#include <string>

namespace pintle::cli {

/// A stream that is closed stays one that cannot be used: no file that is opened later comes to its number, so that
/// what is printed never ends in a result.
void keep_standard_streams_apart();

/// Writes to stderr. Whether anybody takes it changes nothing.
void say(const std::string& text);

}  // namespace pintle::cli
