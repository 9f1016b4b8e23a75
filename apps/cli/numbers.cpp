#include "numbers.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "exit_code.h"

namespace pintle::cli {
namespace {

struct Parsed {
  double value = 0.0;
  std::string_view problem{};  ///< empty when the text is a finite number
};

Parsed parse_number(std::string_view text) {
  const std::string_view not_a_number = "expected a number";
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return {.problem = not_a_number};
  }
  Parsed result;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result.value);
  if (error == std::errc::invalid_argument || stop != end) return {.problem = not_a_number};
  if (error == std::errc::result_out_of_range) return {.problem = "beyond the range of a double"};
  if (!std::isfinite(result.value)) return {.problem = "expected a finite number"};
  return result;
}

[[noreturn]] void fail(const NumberList& list, const std::string& what) {
  throw CommandError(ExitCode::usage, fmt::format("{}: {}; give {} {} {}", list.option, what, list.count,
                                                  list.count == "one" ? "number" : "numbers", list.names));
}

}  // namespace

std::string_view without_spaces(std::string_view text) {
  const std::string_view spaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::vector<double> parse_numbers(const NumberList& list, std::size_t expected, std::string_view text) {
  if (without_spaces(text).empty()) fail(list, "nothing is given");
  std::vector<double> values;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = without_spaces(text.substr(0, comma));
    const std::size_t position = values.size() + 1;
    if (word.empty()) fail(list, fmt::format("value {} is empty, expected a number", position));
    const Parsed number = parse_number(word);
    if (!number.problem.empty()) fail(list, fmt::format("value {} is '{}', {}", position, word, number.problem));
    values.push_back(number.value);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  if (values.size() != expected)
    fail(list, fmt::format("found {} value{}, expected {}", values.size(), values.size() == 1 ? "" : "s", expected));
  return values;
}

}  // namespace pintle::cli
