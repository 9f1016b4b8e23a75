#include "write_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "exit_code.h"

namespace pintle::cli {
namespace {

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error) {
  const std::string reason = std::generic_category().message(error);
  throw CommandError(ExitCode::io, fmt::format("cannot {} '{}': {}", action, path.string(), reason));
}

/// A file beside its destination that vanishes unless it is renamed to it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& destination) : destination_(destination), path_(destination) {
    path_ += fmt::format(".{}.tmp", ::getpid());
    ::unlink(path_.c_str());  // left by an ended process of the same number
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("write", destination_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written >= 0) {
        text.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        fail("write", destination_, errno);
      }
    }
  }

  void rename_to_destination() {
    if (::fsync(descriptor_) != 0) fail("write", destination_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail("write", destination_, errno);
    if (::rename(path_.c_str(), destination_.c_str()) != 0) fail("write", destination_, errno);
    renamed_ = true;
  }

 private:
  std::filesystem::path destination_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail("create the folder", path.parent_path(), error.value());
  TemporaryFile file(path);
  file.write(text);
  file.rename_to_destination();
}

}  // namespace pintle::cli
