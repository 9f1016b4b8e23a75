// AtomicFile: a file that is written completely or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

/// Files that appear together: each waits under its temporary name, complete and flushed to the disk, until `commit`
/// renames all of them. Renaming needs no disk space, so a full disk leaves all files unchanged.
class FileGroup {
 public:
  FileGroup() = default;
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;
  ~FileGroup() { discard(); }

  /// Renames the files in the order in which they were added. Reports the same problems as AtomicFile.
  Result<void> commit();

  /// Removes the pending files.
  void discard();

 private:
  friend class AtomicFile;
  struct Waiting {
    std::string path, temporary, target;
  };
  std::vector<Waiting> waiting_;
};

/// Writes a file under a temporary name beside its target ("run.csv.4711-0.tmp"); `commit` flushes it to the disk and
/// renames it. Until then, and after any failure, the target is unchanged; after a failure or without a commit the
/// temporary file is removed. An existing target keeps its permissions, and a symbolic link stays a link. What cannot
/// be renamed (a device, a pipe) is written directly.
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
/// A failure is sticky: later calls report it again. No signal is raised for a pipe without reader or a file that is
/// too large, whatever the process does with SIGPIPE and SIGXFSZ.
class AtomicFile {
 public:
  AtomicFile() = default;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() { discard(); }

  /// Begins a new file; one that was begun and not committed is discarded.
  Result<void> open(const std::string& path);

  /// Appends. Throws UsageError when no file is open; so do `write_at` and `commit`.
  Result<void> write(std::string_view bytes);

  /// Overwrites bytes that were written before.
  Result<void> write_at(std::int64_t place, std::string_view bytes);

  /// Flushes and renames; with a group the file waits there to be renamed.
  Result<void> commit(FileGroup* group = nullptr);

  /// Discards the file, as if it had not been opened.
  void discard();

  /// Bytes written so far.
  std::int64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  Result<void> flush();
  Result<void> fail(int error);

  std::string path_;       // as the user named it
  std::string target_;     // with symbolic links resolved
  std::string temporary_;  // empty when the target is written directly
  std::string buffer_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
  bool opened_ = false;
  Diagnostics failure_;
};

/// Writes a whole file at once, as AtomicFile does.
Result<void> write_whole_file(const std::string& path, std::string_view bytes, FileGroup* group = nullptr);

/// Creates a folder and its missing parents. Reports the same problems as AtomicFile.
Result<void> make_folders(const std::string& path);

/// Removes temporary files of AtomicFile that killed processes left in a folder.
void remove_temporary_files(const std::string& folder);

}  // namespace pintle
