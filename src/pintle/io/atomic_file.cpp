#include "pintle/io/atomic_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

struct Words {
  const char* code;
  const char* fix;
};

Words words_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {"write-full", "make room, or write somewhere else"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {"write-denied", "choose a folder that you may write to"};
    case EISDIR:
      return {"write-folder", "give the name of a file"};
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return {"write-path", "check the folder and the name"};
    case EPIPE:
      return {"write-pipe", ""};
    default:
      return {"write-failed", ""};
  }
}

Diagnostic problem_of(const std::string& path, int error, const char* deed = "write") {
  const Words words = words_of(error);
  Diagnostic problem;
  problem.code = words.code;
  problem.origin = {path};
  problem.what = "cannot " + std::string(deed) + " '" + path + "'";
  problem.why = std::generic_category().message(error);
  problem.fix = words.fix;
  return problem;
}

/// While it lives, a failed write of this thread raises no signal.
class NoWriteSignals {
 public:
  NoWriteSignals() {
    sigset_t pending;
    sigemptyset(&ours_);
    sigpending(&pending);
    for (const int number : {SIGPIPE, SIGXFSZ})
      if (sigismember(&pending, number) == 0) sigaddset(&ours_, number);
    pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  NoWriteSignals(const NoWriteSignals&) = delete;
  NoWriteSignals& operator=(const NoWriteSignals&) = delete;
  ~NoWriteSignals() {
    const int error = errno;
    const timespec at_once{};
    while (sigtimedwait(&ours_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }

 private:
  sigset_t ours_, before_;
};

/// Appends, or writes at a place when it is not negative. 0, or the error.
int write_all(int descriptor, std::string_view bytes, std::int64_t place = -1) {
  const NoWriteSignals quiet;
  while (!bytes.empty()) {
    const ssize_t written = place < 0 ? ::write(descriptor, bytes.data(), bytes.size())
                                      : ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    if (place >= 0) place += written;
  }
  return 0;
}

/// A new file beside `target`: its descriptor, or -1 with errno; `path` becomes its name.
int open_beside(const std::string& target, std::string& path) {
  static std::atomic<unsigned> count{0};
  constexpr std::size_t kLongestPart = 200;  // of the target's own name: that of the new file must be a name too
  const std::size_t name = target.rfind('/') + 1;
  const std::string stem =
      target.substr(0, name) + target.substr(name, kLongestPart) + "." + std::to_string(::getpid());
  for (int attempt = 0;; ++attempt) {
    path = stem + "-" + std::to_string(count++) + ".tmp";
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST || attempt == 100) return descriptor;
  }
}

/// Makes the new name last. Where a folder cannot be flushed the file is whole all the same.
void flush_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::string with_links_followed(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string target = real;
  std::free(real);
  return target;
}

}  // namespace

Result<void> AtomicFile::open(const std::string& path) {
  discard();
  opened_ = true;
  path_ = target_ = path;
  size_ = 0;
  failure_.clear();
  if (path.empty() || path.find('\0') != std::string::npos) return fail(ENOENT);
  struct stat there {};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (path.back() == '/' || (exists && S_ISDIR(there.st_mode))) return fail(EISDIR);
  if (exists && !S_ISREG(there.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return descriptor_ < 0 ? fail(errno) : Result<void>();
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) return fail(errno);
  if (exists) target_ = with_links_followed(path);
  descriptor_ = open_beside(target_, temporary_);
  if (descriptor_ < 0) {
    temporary_.clear();
    return fail(errno);
  }
  if (exists && ::fchmod(descriptor_, there.st_mode & 0777) != 0) return fail(errno);
  return {};
}

Result<void> AtomicFile::write(std::string_view bytes) {
  require(opened_, "AtomicFile::write", "bytes", "no file is open");
  if (!failure_.empty()) return failure_;
  size_ += static_cast<std::int64_t>(bytes.size());
  if (buffer_.size() + bytes.size() <= kBufferBytes) {
    buffer_ += bytes;
    return {};
  }
  if (Result<void> flushed = flush(); !flushed) return flushed;
  if (bytes.size() <= kBufferBytes) {
    buffer_ += bytes;
    return {};
  }
  const int error = write_all(descriptor_, bytes);
  return error == 0 ? Result<void>() : fail(error);
}

Result<void> AtomicFile::write_at(std::int64_t place, std::string_view bytes) {
  require(opened_, "AtomicFile::write_at", "bytes", "no file is open");
  require(place >= 0 && place + static_cast<std::int64_t>(bytes.size()) <= size_, "AtomicFile::write_at", "place",
          "only bytes that were written before can be written over");
  if (!failure_.empty()) return failure_;
  if (Result<void> flushed = flush(); !flushed) return flushed;
  const int error = write_all(descriptor_, bytes, place);
  return error == 0 ? Result<void>() : fail(error);
}

Result<void> AtomicFile::flush() {
  const int error = write_all(descriptor_, buffer_);
  buffer_.clear();
  return error == 0 ? Result<void>() : fail(error);
}

Result<void> AtomicFile::commit() {
  require(opened_, "AtomicFile::commit", "file", "no file is open");
  if (!failure_.empty()) {
    opened_ = false;
    return failure_;
  }
  if (Result<void> flushed = flush(); !flushed) return flushed;
  const bool renames = !temporary_.empty();
  if (renames && ::fsync(descriptor_) != 0) return fail(errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return fail(errno);
  if (renames && ::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(errno);
  if (renames) flush_folder_of(target_);
  temporary_.clear();
  opened_ = false;
  return {};
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  descriptor_ = -1;
  temporary_.clear();
  buffer_.clear();
  opened_ = false;
}

Result<void> AtomicFile::fail(int error) {
  discard();
  opened_ = true;
  failure_ = {problem_of(path_, error)};
  return failure_;
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes) {
  AtomicFile file;
  if (Result<void> opened = file.open(path); !opened) return opened;
  if (Result<void> written = file.write(bytes); !written) return written;
  return file.commit();
}

Result<void> make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return problem_of(path, error.value(), "create the folder");
  if (!std::filesystem::is_directory(path, error)) return problem_of(path, ENOTDIR, "create the folder");
  return {};
}

Result<void> ScratchFile::open(const std::string& path) {
  close();
  path_ = path;
  std::string temporary;
  descriptor_ = open_beside(path, temporary);
  if (descriptor_ < 0) return problem_of(path, errno);
  ::unlink(temporary.c_str());
  return {};
}

Result<void> ScratchFile::append(std::string_view bytes) {
  require(is_open(), "ScratchFile::append", "bytes", "no file is open");
  const int error = write_all(descriptor_, bytes);
  if (error != 0) return problem_of(path_, error);
  return {};
}

Result<void> ScratchFile::read(std::int64_t place, char* bytes, std::size_t count) {
  require(is_open(), "ScratchFile::read", "bytes", "no file is open");
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, bytes, count, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return problem_of(path_, got < 0 ? errno : EIO);
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
