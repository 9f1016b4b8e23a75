#include "pintle/io/atomic_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;
constexpr std::string_view kTemporary = ".tmp";

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
    path = stem + "-" + std::to_string(count++) + std::string(kTemporary);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST || attempt == 100) return descriptor;
  }
}

std::string folder_of_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// Makes new names last. Where a folder cannot be flushed the file is whole all the same.
void flush_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// The process that a temporary file belongs to, by its name; 0 when it is none.
pid_t process_of(const std::string& name) {
  if (!name.ends_with(kTemporary)) return 0;
  const std::size_t end = name.size() - kTemporary.size(), dash = name.rfind('-', end);
  const std::size_t dot = dash == std::string::npos ? dash : name.rfind('.', dash);
  if (dot == std::string::npos || dot == 0) return 0;
  pid_t process = 0;
  unsigned count = 0;
  const std::from_chars_result first = std::from_chars(name.data() + dot + 1, name.data() + dash, process);
  const std::from_chars_result second = std::from_chars(name.data() + dash + 1, name.data() + end, count);
  const bool whole = first.ptr == name.data() + dash && second.ptr == name.data() + end;
  return whole && first.ec == std::errc() && second.ec == std::errc() && process > 0 ? process : 0;
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

Result<void> AtomicFile::commit(FileGroup* group) {
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
  if (renames && group != nullptr) {
    group->waiting_.push_back({path_, std::move(temporary_), target_});
    temporary_.clear();
    opened_ = false;
    return {};
  }
  if (renames && ::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(errno);
  if (renames) flush_folder(folder_of_path(target_));
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

Result<void> write_whole_file(const std::string& path, std::string_view bytes, FileGroup* group) {
  AtomicFile file;
  if (Result<void> opened = file.open(path); !opened) return opened;
  if (Result<void> written = file.write(bytes); !written) return written;
  return file.commit(group);
}

Result<void> FileGroup::commit() {
  Diagnostics problems;
  std::string folder;
  for (Waiting& file : waiting_) {
    if (::rename(file.temporary.c_str(), file.target.c_str()) != 0) {
      problems.push_back(problem_of(file.path, errno));
      break;
    }
    file.temporary.clear();
    const std::string next = folder_of_path(file.target);
    if (next != folder && !folder.empty()) flush_folder(folder);
    folder = next;
  }
  if (!folder.empty()) flush_folder(folder);
  discard();
  if (!problems.empty()) return problems;
  return {};
}

void FileGroup::discard() {
  for (const Waiting& file : waiting_)
    if (!file.temporary.empty()) ::unlink(file.temporary.c_str());
  waiting_.clear();
}

void remove_temporary_files(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error)) {
    const pid_t process = process_of(at->path().filename().string());
    if (process == 0 || ::kill(process, 0) == 0 || errno != ESRCH) continue;
    std::error_code ignored;
    fs::remove(at->path(), ignored);
  }
}

// ---- GrowingFile

Result<void> GrowingFile::open(const std::string& path, int flags) {
  close();
  path_ = path;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0666);
  if (descriptor_ < 0) return problem_of(path, errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return {};
  Diagnostic problem = problem_of(path, errno);
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
  if (::fstat(descriptor_, &there) != 0) return problem_of(path_, errno);
  size_ = static_cast<std::int64_t>(there.st_size);
  if (::lseek(descriptor_, 0, SEEK_END) < 0) return problem_of(path_, errno);
  return {};
}

Result<void> GrowingFile::append(std::string_view bytes) {
  require(is_open(), "GrowingFile::append", "bytes", "no file is open");
  buffer_ += bytes;
  size_ += static_cast<std::int64_t>(bytes.size());
  if (buffer_.size() < kBufferBytes) return {};
  const int error = write_all(descriptor_, buffer_);
  buffer_.clear();
  if (error != 0) return problem_of(path_, error);
  return {};
}

Result<void> GrowingFile::flush() {
  require(is_open(), "GrowingFile::flush", "file", "no file is open");
  int error = write_all(descriptor_, buffer_);
  buffer_.clear();
  if (error == 0 && ::fdatasync(descriptor_) != 0) error = errno;
  if (error != 0) return problem_of(path_, error);
  return {};
}

Result<void> GrowingFile::cut(std::int64_t bytes) {
  require(is_open() && bytes >= 0, "GrowingFile::cut", "bytes", "no file is open, or the length is negative");
  buffer_.clear();
  const off_t length = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_, length) != 0 || ::lseek(descriptor_, length, SEEK_SET) < 0)
    return problem_of(path_, errno);
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
    if (got < 0) return problem_of(path_, errno, "read");
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
