// GrowingFile: a file that grows during a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pintle/base/result.h"

namespace pintle {

/// A file that grows and can be truncated to an earlier length: for data that must survive a killed process. It belongs
/// to one process at a time: `claim`, `create` and `reopen` fail with `write-busy` while another one has it open. Other
/// problems are the same as those of AtomicFile.
class GrowingFile {
 public:
  GrowingFile() = default;
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile() { close(); }

  /// Opens the file, whether it exists or not, and leaves it unchanged.
  Result<void> claim(const std::string& path);
  /// Creates a file, or truncates an existing one.
  Result<void> create(const std::string& path);
  /// Opens an existing file; `append` continues at its end.
  Result<void> reopen(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }

  Result<void> append(std::string_view bytes);
  /// Flushes all bytes to the disk.
  Result<void> flush();
  /// Truncates the file.
  Result<void> cut(std::int64_t bytes);
  /// Reads up to `count` bytes from offset `place` on; returns how many, fewer only at the end of the file.
  Result<std::size_t> read(std::int64_t place, char* bytes, std::size_t count) const;
  /// Bytes so far.
  std::int64_t size() const { return size_; }
  void close();

 private:
  Result<void> open(const std::string& path, int flags);

  std::string path_;
  std::string buffer_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace pintle
