// GrowingFile: a file that grows as a run goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pintle/base/result.h"

namespace pintle {

/// A file that grows, and can be cut back to a length that it had: for what must outlive a process that is killed. It
/// belongs to one process at a time: `claim`, `create` and `reopen` fail with `write-busy` while another one has it
/// open. Other problems are those of AtomicFile.
class GrowingFile {
 public:
  GrowingFile() = default;
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile() { close(); }

  /// Opens the file, which may be there or not, and leaves it as it is.
  Result<void> claim(const std::string& path);
  /// A new file; one that was there is emptied.
  Result<void> create(const std::string& path);
  /// One that is there; `append` goes on at its end.
  Result<void> reopen(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }

  Result<void> append(std::string_view bytes);
  /// Hands all bytes over to the disk.
  Result<void> flush();
  /// Cuts the file back.
  Result<void> cut(std::int64_t bytes);
  /// Reads up to `count` bytes from `place` on: how many, fewer only at the end of the file.
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
