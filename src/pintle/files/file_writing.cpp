#include "pintle/files/file_writing.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace pintle {
namespace {

struct CodeAndFix {
  const char* code;
  const char* fix;
};

CodeAndFix code_and_fix(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {"write-full", "free some space, or write somewhere else"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {"write-denied", "choose a folder that you have permission to write to"};
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

/// During its lifetime a failed write of this thread raises no signal.
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

}  // namespace

Diagnostic write_problem(const std::string& path, int error, const char* deed) {
  const auto [code, fix] = code_and_fix(error);
  return make_error(code, {path}, "cannot " + std::string(deed) + " '" + path + "'",
                    std::generic_category().message(error), fix);
}

int write_all(int descriptor, std::string_view bytes, std::int64_t place) {
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

int open_beside(const std::string& target, std::string& path) {
  static std::atomic<unsigned> count{0};
  constexpr std::size_t kLongestPart = 200;  // of the target's own name: the new file's name must be valid too
  const std::size_t name = target.rfind('/') + 1;
  const std::string stem =
      target.substr(0, name) + target.substr(name, kLongestPart) + "." + std::to_string(::getpid());
  for (int attempt = 0;; ++attempt) {
    path = stem + "-" + std::to_string(count++) + std::string(kTemporaryEnd);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST || attempt == 100) return descriptor;
  }
}

}  // namespace pintle
