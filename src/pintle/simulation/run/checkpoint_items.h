// The fields of records as items of a checkpoint: one description of a record both writes and reads it.
//
//     template <class Items>
//     void describe(Items& items, Spring& spring) {
//       items.section("spring");
//       items.item(spring.count, spring.broken, spring.kind);     // one item of integers, bools, enumerations
//       items.item(spring.length, spring.axis, spring.memory);    // one of doubles
//     }
//     ItemWriter writer;  describe(writer, spring);
//     ItemReader reader;  describe(reader, spring);
//
// An item has the values of its fields in their order. A field is a number, a bool, an enumeration (LastValue says how
// far it goes), a signed char for a sign (-1, 0, 1), a Vec3, or an array or a tuple of fields.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pintle/math/vec3.h"
#include "pintle/simulation/run/checkpoint.h"

namespace pintle {

/// `LastValue<E>::value` is the last value of an enumeration that begins with 0.
template <class Enum>
struct LastValue;

template <class Field>
inline constexpr bool is_number_field = std::is_arithmetic_v<Field> || std::is_enum_v<Field>;

/// Calls visit(number) for each value of a field.
template <class Field, class Visit>
void for_each_number(Field&& field, const Visit& visit) {
  using Plain = std::remove_cvref_t<Field>;
  if constexpr (is_number_field<Plain>) {
    visit(field);
  } else if constexpr (std::is_same_v<Plain, Vec3<>>) {
    visit(field.x);
    visit(field.y);
    visit(field.z);
  } else if constexpr (requires { std::tuple_size<Plain>::value; }) {
    std::apply([&](auto&... parts) { (for_each_number(parts, visit), ...); }, field);
  } else {
    for (auto& part : field) for_each_number(part, visit);
  }
}

/// Whether the values of a field are integers.
template <class Field>
constexpr bool is_whole_field() {
  using Plain = std::remove_cvref_t<Field>;
  if constexpr (is_number_field<Plain>) {
    return !std::is_floating_point_v<Plain>;
  } else if constexpr (std::is_same_v<Plain, Vec3<>>) {
    return false;
  } else {
    return is_whole_field<decltype(*std::begin(std::declval<Plain&>()))>();
  }
}

/// Whether an item of such fields consists of integers, else of doubles.
template <class... Fields>
constexpr bool is_whole_item() {
  constexpr bool whole = (is_whole_field<Fields>() && ...);
  static_assert(whole || !(is_whole_field<Fields>() || ...), "the fields of one item are of one sort");
  return whole;
}

template <class... Fields>
using ItemNumber = std::conditional_t<is_whole_item<Fields...>(), std::int64_t, double>;

class ItemWriter {
 public:
  explicit ItemWriter(CheckpointWriter& writer) : writer_(writer) {}

  void section(std::string_view name) { writer_.section(name); }

  template <class... Fields>
  void item(const Fields&... fields) {
    using Number = ItemNumber<Fields...>;
    std::vector<Number> numbers;
    (for_each_number(fields, [&](auto number) { numbers.push_back(static_cast<Number>(number)); }), ...);
    writer_.write(std::span<const Number>(numbers));
  }

  /// An item of as many values as there are.
  void all(const std::vector<std::int64_t>& numbers) { writer_.write(std::span<const std::int64_t>(numbers)); }
  void all(const std::string& text) { writer_.write(std::string_view(text)); }

  /// Any number of records in two items: the integers of all, and the doubles of all. `whole` and `doubles` give the
  /// fields of one record as a tuple of references.
  template <class Record, class Whole, class Doubles>
  void records(std::vector<Record>& list, const Whole& whole, const Doubles& doubles) {
    std::vector<std::int64_t> n;
    std::vector<double> x;
    for (Record& record : list) {
      for_each_number(whole(record), [&](auto number) { n.push_back(static_cast<std::int64_t>(number)); });
      for_each_number(doubles(record), [&](double number) { x.push_back(number); });
    }
    writer_.write(std::span<const std::int64_t>(n)).write(std::span<const double>(x));
  }

 private:
  CheckpointWriter& writer_;
};

/// Reads into fields that have their sizes already. If the reader finds no such item, nothing is written.
class ItemReader {
 public:
  explicit ItemReader(CheckpointReader& reader) : reader_(reader) {}

  void section(std::string_view name) { reader_.section(name); }

  template <class... Fields>
  void item(Fields&... fields) {
    std::size_t count = 0;
    (for_each_number(fields, [&](const auto&) { ++count; }), ...);
    std::vector<ItemNumber<Fields...>> numbers(count);
    reader_.read(std::span(numbers));
    if (!reader_.ok()) return;
    const auto* next = numbers.data();
    (for_each_number(fields, [&](auto& field) { set(field, *next++); }), ...);
  }

  void all(std::vector<std::int64_t>& numbers) { reader_.read_all(numbers); }
  void all(std::string& text) { reader_.read_all(text); }

  template <class Record, class Whole, class Doubles>
  void records(std::vector<Record>& list, const Whole& whole, const Doubles& doubles) {
    std::vector<std::int64_t> n;
    std::vector<double> x;
    reader_.read_all(n).read_all(x);
    if (!reader_.ok()) return;
    Record record;
    std::size_t whole_count = 0, double_count = 0;
    for_each_number(whole(record), [&](const auto&) { ++whole_count; });
    for_each_number(doubles(record), [&](const auto&) { ++double_count; });
    const std::size_t count = n.size() / whole_count;
    if (n.size() != count * whole_count || x.size() != count * double_count) {
      known_ = false;
      return;
    }
    list.assign(count, Record{});
    const std::int64_t* next_whole = n.data();
    const double* next_double = x.data();
    for (Record& each : list) {
      for_each_number(whole(each), [&](auto& field) { set(field, *next_whole++); });
      for_each_number(doubles(each), [&](double& field) { field = *next_double++; });
    }
  }

  /// Whether all integers so far were values that their fields can have.
  bool known() const { return known_; }

 private:
  void set(double& field, double number) { field = number; }

  template <class Field>
  void set(Field& field, std::int64_t number) {
    const auto within = [&](std::int64_t min_value, std::int64_t max_value) {
      if (number < min_value || number > max_value) known_ = false;
    };
    if constexpr (std::is_enum_v<Field>) within(0, static_cast<std::int64_t>(LastValue<Field>::value));
    if constexpr (std::is_same_v<Field, signed char>) within(-1, 1);
    if constexpr (std::is_same_v<Field, int>) within(-0x80000000LL, 0x7fffffffLL);
    field = static_cast<Field>(number);
  }

  CheckpointReader& reader_;
  bool known_ = true;
};

}  // namespace pintle
