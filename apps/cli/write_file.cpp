#include "write_file.h"

#include <fmt/core.h>

#include <string>

#include "exit_code.h"
#include "pintle/io/atomic_file.h"

namespace pintle::cli {
namespace {

void heed(const Result<void>& done) {
  if (done) return;
  const Diagnostic& problem = done.diagnostics().front();
  throw CommandError(ExitCode::io, fmt::format("{}: {}", problem.what, problem.why));
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view text) {
  if (path.has_parent_path()) heed(make_folders(path.parent_path().string()));
  heed(write_whole_file(path.string(), text));
}

}  // namespace pintle::cli
