// The list of problems that the readers of an expression add to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// The position of a byte of `text`, which begins at `origin`; `origin` itself when its column is unknown.
Origin origin_in(std::string_view text, const Origin& origin, std::size_t place);

/// The problems of an expression: at most one per position, and no more than a person wants to read at once.
class ExpressionProblems {
 public:
  ExpressionProblems(std::string_view text, const Origin& origin);

  void add(std::size_t place, const char* code, std::string what, std::string why, std::string fix);

  /// Adds nothing from now on: later problems would only be consequences.
  void close() { closed_ = true; }
  bool closed() const { return closed_; }
  bool empty() const { return found_.empty(); }

  /// All of them in the order of the text.
  Diagnostics sorted() const;

 private:
  struct Problem {
    std::size_t place;
    Diagnostic diagnostic;
  };
  std::string_view text_;
  const Origin& origin_;
  std::vector<Problem> found_;
  bool closed_ = false;
};

}  // namespace pintle
