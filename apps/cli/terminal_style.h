// Terminal output: width, and colours where wanted.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace pintle::cli {

/// Whether a stream is a terminal.
bool is_terminal(std::FILE* stream);

/// The width of the terminal behind a stream; 80 if there is none.
int terminal_width(std::FILE* stream);

/// Adds colours to texts if the stream is a terminal that supports them and NO_COLOR (no-color.org) is not set.
class Colors {
 public:
  explicit Colors(std::FILE* stream);

  std::string strong(std::string_view text) const { return around("1", text); }
  std::string faint(std::string_view text) const { return around("2", text); }
  std::string good(std::string_view text) const { return around("32", text); }
  std::string bad(std::string_view text) const { return around("31", text); }
  std::string doubtful(std::string_view text) const { return around("33", text); }
  std::string alarming(std::string_view text) const { return around("1;31", text); }
  std::string singular(std::string_view text) const { return around("33", text); }
  std::string line(std::string_view text) const { return around("36", text); }

  /// A text whose sparklines (runs of ▁▂▃▄▅▆▇█) are coloured.
  std::string sparklines(std::string_view text) const;

  bool wanted() const { return wanted_; }

 private:
  std::string around(const char* code, std::string_view text) const;

  bool wanted_;
};

}  // namespace pintle::cli
