// Writing files whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace pintle::cli {

/// Writes a file so that `path` holds either all of `text` or what it held before; missing folders are created. Throws
/// CommandError (io) with the path and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace pintle::cli
