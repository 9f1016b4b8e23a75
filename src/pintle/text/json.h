// Json: a JSON value, to be built, written and read. Only json.cpp includes nlohmann-json: its header takes longer to
// compile than most files that use it.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pintle/math/vec3.h"

namespace pintle {

/// The problem of a text that is not JSON.
struct JsonMistake {
  std::size_t byte = 0;  ///< from 1; 0 when unknown
  std::string reason{};
};

/// A value; the members of an object keep their order. Braces make an object from pairs that begin with a string,
/// {{"a", 1}, {"b", 2}}, and an array of anything else.
class Json {
 public:
  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : kind_(Kind::boolean), integer_(value ? 1 : 0) {}
  template <std::signed_integral T>
  Json(T value) : kind_(Kind::integer), integer_(value) {}
  template <std::unsigned_integral T>
  Json(T value) : kind_(Kind::natural), natural_(value) {}
  Json(double value) : kind_(Kind::number), number_(value) {}
  Json(const char* text) : kind_(Kind::text), text_(text) {}
  Json(std::string_view text) : kind_(Kind::text), text_(text) {}
  Json(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
  Json(const Vec3<>& v) : Json(array({v.x, v.y, v.z})) {}
  template <class T, std::size_t N>
  Json(const std::array<T, N>& values) : Json(std::span<const T>(values)) {}
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const auto& value : values) push_back(value);
  }
  template <class T>
  Json(std::span<T> values) : Json(array()) {
    for (const auto& value : values) push_back(value);
  }
  Json(std::initializer_list<Json> list);

  static Json array(std::initializer_list<Json> list = {});
  static Json object();

  bool is_null() const { return kind_ == Kind::null; }
  bool is_number() const { return kind_ == Kind::integer || kind_ == Kind::natural || kind_ == Kind::number; }
  bool is_string() const { return kind_ == Kind::text; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }

  /// The value as one type; zero, false or empty when it has another type.
  double as_number() const;
  template <std::integral T>
  T as() const {
    return static_cast<T>(as_number());
  }
  bool as_bool() const { return kind_ == Kind::boolean && integer_ != 0; }
  const std::string& as_string() const { return text_; }

  /// The size of an array or an object.
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  template <std::integral T>
  Json& operator[](T i) {
    return values_[static_cast<std::size_t>(i)];
  }
  template <std::integral T>
  const Json& operator[](T i) const {
    return values_[static_cast<std::size_t>(i)];
  }
  const std::vector<Json>& values() const { return values_; }
  std::vector<Json>::const_iterator begin() const { return values_.begin(); }
  std::vector<Json>::const_iterator end() const { return values_.end(); }

  /// Appends an element; null becomes an array.
  void push_back(Json value);
  Json& back() { return values_.back(); }
  void resize(std::size_t count) { values_.resize(count); }

  /// A member of an object, added when it does not exist; null becomes an object.
  Json& operator[](std::string_view name);
  /// Null when it does not exist.
  const Json& operator[](std::string_view name) const;
  Json& operator[](const char* name) { return (*this)[std::string_view(name)]; }
  const Json& operator[](const char* name) const { return (*this)[std::string_view(name)]; }
  bool contains(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_; }
  void erase(std::string_view name);
  /// Adds or replaces the members of another object.
  void update(const Json& object);

  /// Compares numbers by value, objects regardless of the order of their members.
  bool operator==(const Json& other) const;

  /// The text of the value: in one line, or `indent` spaces for each level. Invalid UTF-8 is replaced, numbers have
  /// enough digits to be read back exactly, and those that are not finite become null.
  std::string dump(int indent = -1) const;

  /// Empty when a text is not JSON; then `mistake` describes the problem.
  static std::optional<Json> parse(std::string_view text, JsonMistake* mistake = nullptr);

 private:
  enum class Kind : unsigned char { null, boolean, integer, natural, number, text, array, object };
  struct Nlohmann;

  Kind kind_ = Kind::null;
  union {
    std::int64_t integer_ = 0;
    std::uint64_t natural_;
    double number_;
  };
  std::string text_;
  std::vector<Json> values_;
  std::vector<std::string> names_;  // of the values of an object
};

}  // namespace pintle
