// What must hold for any input of a reader, for all fuzz targets. A property that does not hold ends the program, which
// is what libFuzzer and the replay of the corpus look for.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "pintle/base/result.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);

namespace pintle::fuzz {

/// The texts of the files that problems may be in, by name.
using Texts = std::map<std::string, std::string>;

/// Whether places of problems are expected: binary files have no lines.
enum class Places : unsigned char { lines, none };

inline void require(bool holds, std::string_view law, std::string_view about = {}) {
  if (holds) return;
  const std::string text = "\nthis does not hold: " + std::string(law) + "\n" + std::string(about) + "\n";
  std::fputs(text.c_str(), stderr);
  std::abort();
}

/// The number of bytes of a line, counted from 1; -1 when there is no such line. Behind a final newline there is one
/// more, empty line: that is where something is missing at the end.
inline long length_of_line(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return -1;
    text.remove_prefix(end + 1);
  }
  return static_cast<long>(text.substr(0, text.find('\n')).size());
}

/// A problem says what is wrong and how to repair it, and its place is one of the file. Columns may be unknown (0).
inline void require_good(const Diagnostic& problem, const Texts& texts, Places places = Places::lines) {
  const Origin& origin = problem.origin;
  const auto file = texts.find(origin.file);
  const std::string_view text = file == texts.end() ? std::string_view() : std::string_view(file->second);
  const auto law = [&](bool holds, std::string_view said) {
    if (!holds) require(false, said, format(problem, text));
  };
  law(!problem.code.empty(), "a problem has a code");
  law(!problem.what.empty(), "a problem says what is wrong");
  law(problem.severity == Severity::note || !problem.fix.empty(), "a problem says how to repair it");
  law(file != texts.end(), "a problem names a file that was read");
  law(origin.line >= (places == Places::lines ? 1 : 0), "a problem has a line");
  law(origin.column >= 0, "a column is not negative");
  if (origin.line == 0) return;
  const long length = length_of_line(text, origin.line);
  law(length >= 0, "a problem is on a line of its file");
  law(origin.column <= length + 1, "a problem is within its line");
}

/// Shown on a terminal a problem does not command it.
inline void require_harmless(const Diagnostic& problem, const Texts& texts) {
  const auto file = texts.find(problem.origin.file);
  for (const char c : format(problem, file == texts.end() ? std::string_view() : std::string_view(file->second)))
    require(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20,
            "a problem is shown without control codes");
}

/// A failure has at least one error; all problems are good ones.
inline void require_good(const Diagnostics& problems, bool ok, const Texts& texts, Places places = Places::lines) {
  require(ok != has_errors(problems), "a failure has an error, a success has none");
  for (const Diagnostic& problem : problems) require_good(problem, texts, places);
  if (!problems.empty()) require_harmless(problems[0], texts);  // the first alone: this takes time
}

}  // namespace pintle::fuzz
