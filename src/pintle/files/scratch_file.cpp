#include "pintle/files/scratch_file.h"

#include <unistd.h>

#include <cerrno>

#include "pintle/base/usage_error.h"
#include "pintle/files/file_writing.h"

namespace pintle {

Result<void> ScratchFile::open(const std::string& path) {
  close();
  path_ = path;
  std::string temporary;
  descriptor_ = open_beside(path, temporary);
  if (descriptor_ < 0) return write_problem(path, errno);
  ::unlink(temporary.c_str());
  return {};
}

Result<void> ScratchFile::append(std::string_view bytes) {
  require(is_open(), "ScratchFile::append", "bytes", "no file is open");
  const int error = write_all(descriptor_, bytes);
  if (error != 0) return write_problem(path_, error);
  return {};
}

Result<void> ScratchFile::read(std::int64_t place, char* bytes, std::size_t count) {
  require(is_open(), "ScratchFile::read", "bytes", "no file is open");
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, bytes, count, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return write_problem(path_, got < 0 ? errno : EIO);
    place += got;
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  return {};
}

void ScratchFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace pintle
