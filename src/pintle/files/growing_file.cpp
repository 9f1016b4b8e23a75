#include "pintle/files/growing_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "pintle/base/usage_error.h"
#include "pintle/files/file_writing.h"

namespace pintle {
Result<void> GrowingFile::open(const std::string& path, int flags) {
  close();
  path_ = path;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0666);
  if (descriptor_ < 0) return write_problem(path, errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return {};
  Diagnostic problem = write_problem(path, errno);
  if (errno == EWOULDBLOCK) {
    problem.code = "write-busy";
    problem.why = "another run is writing it";
    problem.fix = "wait for that run, or choose another folder";
  }
  close();
  return problem;
}

Result<void> GrowingFile::claim(const std::string& path) {
  return open(path, O_CREAT);
}

Result<void> GrowingFile::create(const std::string& path) {
  if (!is_open() || path != path_)
    if (Result<void> opened = claim(path); !opened) return opened;
  return cut(0);
}

Result<void> GrowingFile::reopen(const std::string& path) {
  if (Result<void> opened = open(path, 0); !opened) return opened;
  struct stat there {};
  if (::fstat(descriptor_, &there) != 0) return write_problem(path_, errno);
  size_ = static_cast<std::int64_t>(there.st_size);
  if (::lseek(descriptor_, 0, SEEK_END) < 0) return write_problem(path_, errno);
  return {};
}

Result<void> GrowingFile::append(std::string_view bytes) {
  require(is_open(), "GrowingFile::append", "bytes", "no file is open");
  buffer_ += bytes;
  size_ += static_cast<std::int64_t>(bytes.size());
  if (buffer_.size() < kBufferBytes) return {};
  const int error = write_all(descriptor_, buffer_);
  buffer_.clear();
  if (error != 0) return write_problem(path_, error);
  return {};
}

Result<void> GrowingFile::flush() {
  require(is_open(), "GrowingFile::flush", "file", "no file is open");
  int error = write_all(descriptor_, buffer_);
  buffer_.clear();
  if (error == 0 && ::fdatasync(descriptor_) != 0) error = errno;
  if (error != 0) return write_problem(path_, error);
  return {};
}

Result<void> GrowingFile::cut(std::int64_t bytes) {
  require(is_open() && bytes >= 0, "GrowingFile::cut", "bytes", "no file is open, or the length is negative");
  buffer_.clear();
  const off_t length = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_, length) != 0 || ::lseek(descriptor_, length, SEEK_SET) < 0)
    return write_problem(path_, errno);
  size_ = bytes;
  return {};
}

Result<std::size_t> GrowingFile::read(std::int64_t place, char* bytes, std::size_t count) const {
  require(is_open(), "GrowingFile::read", "bytes", "no file is open");
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(descriptor_, bytes + done, count - done, static_cast<off_t>(place) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return write_problem(path_, errno, "read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void GrowingFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  buffer_.clear();
  size_ = 0;
}

}  // namespace pintle
