#include "pintle/files/atomic_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "pintle/base/usage_error.h"
#include "pintle/files/file_writing.h"

namespace pintle {
namespace {

std::string folder_of_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// Makes new names durable. If a folder cannot be flushed, the file is complete nevertheless.
void flush_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// The process that a temporary file belongs to, by its name; 0 for other files.
pid_t process_of(const std::string& name) {
  if (!name.ends_with(kTemporaryEnd)) return 0;
  const std::size_t end = name.size() - kTemporaryEnd.size(), dash = name.rfind('-', end);
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
          "only bytes that are already written can be overwritten");
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
  failure_ = {write_problem(path_, error)};
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
      problems.push_back(write_problem(file.path, errno));
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

Result<void> make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return write_problem(path, error.value(), "create the folder");
  if (!std::filesystem::is_directory(path, error)) return write_problem(path, ENOTDIR, "create the folder");
  return {};
}

}  // namespace pintle
