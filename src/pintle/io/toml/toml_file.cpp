#include "pintle/io/toml/toml_file.h"

#include <algorithm>

namespace pintle {
namespace {

constexpr std::size_t kMaxProblems = 100;

}  // namespace

void TomlFile::add(Diagnostic problem) {
  errors_ += problem.severity == Severity::error ? 1 : 0;
  if (problems_.size() < kMaxProblems) {
    problems_.push_back(std::move(problem));
  } else {
    ++left_out_;
  }
}

void TomlFile::add(const Diagnostics& problems) {
  for (const Diagnostic& problem : problems) add(problem);
}

void TomlFile::add(const Origin& origin, const char* code, std::string what, std::string why, std::string fix) {
  add(make_error(code, origin, std::move(what), std::move(why), std::move(fix)));
}

void TomlFile::drop_after(const Mark& mark) {
  problems_.resize(mark.kept);
  left_out_ = mark.left_out;
  errors_ = mark.errors;
}

Diagnostics TomlFile::take_problems() {
  std::stable_sort(problems_.begin(), problems_.end(), [this](const Diagnostic& a, const Diagnostic& b) {
    const bool a_here = a.origin.file == name_, b_here = b.origin.file == name_;
    if (a_here != b_here) return a_here;
    if (!a_here) return false;
    return a.origin.line != b.origin.line ? a.origin.line < b.origin.line : a.origin.column < b.origin.column;
  });
  if (left_out_ > 0) {
    problems_.push_back(
        make_note("scene-more", Origin(name_), std::to_string(left_out_) + " more problems are not listed"));
  }
  return std::move(problems_);
}

}  // namespace pintle
