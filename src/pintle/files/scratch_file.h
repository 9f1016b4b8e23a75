// ScratchFile: disk space for data that does not fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pintle/base/result.h"

namespace pintle {

/// A file without a name, in the folder of `path`: it holds data that does not fit into memory. It disappears when it
/// is closed, however the process ends. Reports the same problems as AtomicFile.
class ScratchFile {
 public:
  ScratchFile() = default;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { close(); }

  Result<void> open(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }
  Result<void> append(std::string_view bytes);
  /// Reads `count` bytes from offset `place` on; all of them must have been written.
  Result<void> read(std::int64_t place, char* bytes, std::size_t count);
  void close();

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace pintle
