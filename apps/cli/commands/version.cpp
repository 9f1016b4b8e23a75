#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>

#include "commands/commands.h"
#include "pintle/base/isa.h"
#include "pintle/base/version.h"

namespace pintle::cli {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string version_text() {
  const Isa isa = active_isa();
  return fmt::format(
      "pintle {}\n"
      "compiler         {}\n"
      "instruction set  {}\n"
      "bit family       {}",
      kVersion, compiler(), name(isa), bit_family(isa));
}

}  // namespace

void add_version_flag(CLI::App& app) {
  app.set_version_flag("--version", version_text, "Print version, compiler, instruction set and bit family, and exit");
}

}  // namespace pintle::cli
