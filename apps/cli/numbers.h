// Numbers on the command line: lists such as "0, -1, 0, 0, 0, 2", checked value by value.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace pintle::cli {

/// What an option expects: its number of values as `count` says in words, in the order of `names` ("vx,vy,vz").
struct NumberList {
  std::string_view option;
  std::string_view count;
  std::string_view names;
};

/// A text without the spaces around it.
std::string_view without_spaces(std::string_view text);

/// The numbers of a text, separated by commas; spaces around a number and a leading + are accepted. Throws CommandError
/// (usage), which names the option, the wrong value and what is expected, unless there are `expected` finite numbers.
std::vector<double> parse_numbers(const NumberList& list, std::size_t expected, std::string_view text);

/// The same, with the count in the type.
template <std::size_t N>
std::array<double, N> parse_numbers(const NumberList& list, std::string_view text) {
  const std::vector<double> values = parse_numbers(list, N, text);
  std::array<double, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = values[i];
  return result;
}

}  // namespace pintle::cli
