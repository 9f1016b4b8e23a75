// ZipWriter: a ZIP archive of stored (not compressed) files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/files/atomic_file.h"

namespace pintle {

/// Writes an archive file by file, of any number and size: it writes Zip64 records where 32 bits are too few. Names are
/// UTF-8. All files carry the date 1980-01-01, so that equal contents are equal bytes.
class ZipWriter {
 public:
  /// Sizes and offsets from `zip64_from` bytes on are written as Zip64; tests use less than the default.
  explicit ZipWriter(std::int64_t zip64_from = 0xffffffff) : zip64_from_(zip64_from) {}

  Result<void> open(const std::string& path);
  /// Begins a file of `bytes` bytes.
  Result<void> begin_file(const std::string& name, std::int64_t bytes);
  Result<void> write(std::string_view bytes);
  /// Throws UsageError unless exactly the announced number of bytes was written.
  Result<void> end_file();
  /// Completes the archive; the file appears, or waits in a group.
  Result<void> commit(FileGroup* group = nullptr);
  void discard();

 private:
  struct Entry {
    std::string name;
    std::int64_t place, bytes, written;
    std::uint32_t crc;
  };
  std::string header(const Entry& entry, bool central) const;

  std::int64_t zip64_from_;
  AtomicFile file_;
  std::vector<Entry> entries_;
  bool in_file_ = false;
};

}  // namespace pintle
