// AtomicFile: a file that is there whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

/// Files that appear together: each waits under its temporary name, complete and flushed to the disk, until `commit`
/// renames all of them. Nothing needs room any more then, so that a disk that is full leaves all files as they were.
class FileGroup {
 public:
  FileGroup() = default;
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;
  ~FileGroup() { discard(); }

  /// Renames the files in the order in which they came. Problems as those of AtomicFile.
  Result<void> commit();

  /// Removes the files that wait.
  void discard();

 private:
  friend class AtomicFile;
  struct Waiting {
    std::string path, temporary, target;
  };
  std::vector<Waiting> waiting_;
};

/// Writes a file under a temporary name beside its target ("run.csv.4711-0.tmp"); `commit` flushes it to the disk and
/// renames it. Until then, and after any failure, the target is what it was before; the temporary file is gone after a
/// failure or without a commit. A target that exists keeps its permissions, and a symbolic link stays a link. What
/// cannot be renamed (a device, a pipe) is written directly.
///
/// Every failure is one problem with the path as its origin and the system's reason as its `why`:
///
/// | code           | meaning                                                      |
/// |----------------|--------------------------------------------------------------|
/// | `write-full`   | no room: the disk, a quota, the largest size of a file       |
/// | `write-denied` | the folder or the file may not be written                    |
/// | `write-folder` | the target is a folder                                       |
/// | `write-path`   | there is no such folder, or the name is none                 |
/// | `write-pipe`   | nobody reads the pipe any more                               |
/// | `write-failed` | anything else, such as a disk that fails                     |
///
/// A failure stays: later calls report it again. No signal is raised for a pipe without reader or a file that is too
/// large, whatever the process does with SIGPIPE and SIGXFSZ.
class AtomicFile {
 public:
  AtomicFile() = default;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() { discard(); }

  /// Begins a new file; one that was begun and not committed is discarded.
  Result<void> open(const std::string& path);

  /// Appends. UsageError when nothing is open; so do `write_at` and `commit`.
  Result<void> write(std::string_view bytes);

  /// Writes over bytes that were written before.
  Result<void> write_at(std::int64_t place, std::string_view bytes);

  /// Flushes and renames; with a group the file only waits there to be renamed.
  Result<void> commit(FileGroup* group = nullptr);

  /// Forgets the file, as if it had not been begun.
  void discard();

  /// Bytes written so far.
  std::int64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  Result<void> flush();
  Result<void> fail(int error);

  std::string path_;       // as the user named it
  std::string target_;     // with links followed
  std::string temporary_;  // empty when it is written directly
  std::string buffer_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
  bool opened_ = false;
  Diagnostics failure_;
};

/// Writes a whole file at once, as AtomicFile does.
Result<void> write_whole_file(const std::string& path, std::string_view bytes, FileGroup* group = nullptr);

/// Makes a folder and those it is in, where they are missing. Problems as those of AtomicFile.
Result<void> make_folders(const std::string& path);

/// Removes from a folder what AtomicFile left under temporary names in processes that were killed.
void remove_temporary_files(const std::string& folder);

}  // namespace pintle
