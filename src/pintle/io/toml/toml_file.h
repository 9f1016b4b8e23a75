// TomlFile: the problems of a scene file. For the readers of this layer.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// A file being read, and its problems. Of very many problems only the first are kept.
class TomlFile {
 public:
  explicit TomlFile(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  const Diagnostics& problems() const { return problems_; }
  void add(Diagnostic problem);
  void add(const Diagnostics& problems);
  void add(const Origin& origin, const char* code, std::string what, std::string why, std::string fix);
  /// The number of errors among them.
  int errors() const { return errors_; }
  /// The number of problems so far; those added later can be removed.
  struct Mark {
    std::size_t kept = 0;
    int left_out = 0, errors = 0;
    bool operator==(const Mark&) const = default;
  };
  Mark mark() const { return {problems_.size(), left_out_, errors_}; }
  void drop_after(const Mark& mark);
  /// The problems in line order, followed by those of other files.
  Diagnostics take_problems();

 private:
  std::string name_;
  Diagnostics problems_;
  int left_out_ = 0, errors_ = 0;
};

}  // namespace pintle
