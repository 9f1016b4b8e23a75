// System-level functions that all file writers share. For the classes of this layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// The diagnostic of a system error (errno), with the codes of AtomicFile.
Diagnostic write_problem(const std::string& path, int error, const char* deed = "write");

/// Appends, or writes at an offset when it is not negative; raises no signal. Returns 0 or the error.
int write_all(int descriptor, std::string_view bytes, std::int64_t place = -1);

/// How many bytes are buffered before they are written to a file.
inline constexpr std::size_t kBufferBytes = 1 << 16;

/// The suffix of temporary files.
inline constexpr std::string_view kTemporaryEnd = ".tmp";

/// Creates a file beside `target`: returns its descriptor, or -1 with errno; sets `path` to its name.
int open_beside(const std::string& target, std::string& path);

}  // namespace pintle
