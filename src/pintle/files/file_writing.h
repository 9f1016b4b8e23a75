// What all files that are written have in common, close to the system. For the classes of this layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// The problem of an error of the system (errno), with the codes of AtomicFile.
Diagnostic write_problem(const std::string& path, int error, const char* deed = "write");

/// Appends, or writes at a place when it is not negative; raises no signal. 0, or the error.
int write_all(int descriptor, std::string_view bytes, std::int64_t place = -1);

/// How much is gathered before it goes to a file.
inline constexpr std::size_t kBufferBytes = 1 << 16;

/// How names of temporary files end.
inline constexpr std::string_view kTemporaryEnd = ".tmp";

/// A new file beside `target`: its descriptor, or -1 with errno; `path` becomes its name.
int open_beside(const std::string& target, std::string& path);

}  // namespace pintle
