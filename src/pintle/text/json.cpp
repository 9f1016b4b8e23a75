#include "pintle/text/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pintle {

/// Converts to nlohmann-json's values and back.
struct Json::Nlohmann {
  using Value = nlohmann::ordered_json;

  static Value from(const Json& json) {
    switch (json.kind_) {
      case Kind::null:
        break;
      case Kind::boolean:
        return json.integer_ != 0;
      case Kind::integer:
        return json.integer_;
      case Kind::natural:
        return json.natural_;
      case Kind::number:
        return json.number_;
      case Kind::text:
        return json.text_;
      case Kind::array: {
        Value::array_t list;
        list.reserve(json.size());
        for (const Json& value : json.values_) list.push_back(from(value));
        return Value(std::move(list));
      }
      case Kind::object: {
        Value::object_t object;
        object.reserve(json.size());
        for (std::size_t i = 0; i < json.size(); ++i) object.Container::emplace_back(json.names_[i], from(json[i]));
        return Value(std::move(object));
      }
    }
    return nullptr;
  }

  static Json to(const Value& value) {
    switch (value.type()) {
      case Value::value_t::boolean:
        return value.get<bool>();
      case Value::value_t::number_integer:
        return value.get<std::int64_t>();
      case Value::value_t::number_unsigned:
        return value.get<std::uint64_t>();
      case Value::value_t::number_float:
        return value.get<double>();
      case Value::value_t::string:
        return value.get_ref<const std::string&>();
      case Value::value_t::array: {
        Json list = array();
        for (const Value& element : value) list.push_back(to(element));
        return list;
      }
      case Value::value_t::object: {
        Json json = object();
        for (const auto& [name, member] : value.items()) {
          json.names_.push_back(name);
          json.values_.push_back(to(member));
        }
        return json;
      }
      default:
        return nullptr;
    }
  }
};

Json::Json(std::initializer_list<Json> list) {
  const auto is_member = [](const Json& pair) { return pair.is_array() && pair.size() == 2 && pair[0].is_string(); };
  kind_ = std::all_of(list.begin(), list.end(), is_member) ? Kind::object : Kind::array;
  if (kind_ == Kind::array) {
    values_ = list;
    return;
  }
  for (const Json& member : list) {
    names_.push_back(member[0].text_);
    values_.push_back(member[1]);
  }
}

Json Json::array(std::initializer_list<Json> list) {
  Json json;
  json.kind_ = Kind::array;
  json.values_ = list;
  return json;
}

Json Json::object() {
  Json json;
  json.kind_ = Kind::object;
  return json;
}

double Json::as_number() const {
  switch (kind_) {
    case Kind::integer:
      return static_cast<double>(integer_);
    case Kind::natural:
      return static_cast<double>(natural_);
    case Kind::number:
      return number_;
    default:
      return 0.0;
  }
}

void Json::push_back(Json value) {
  if (is_null()) kind_ = Kind::array;
  values_.push_back(std::move(value));
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) kind_ = Kind::object;
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at != names_.end()) return values_[static_cast<std::size_t>(at - names_.begin())];
  names_.emplace_back(name);
  return values_.emplace_back();
}

const Json& Json::operator[](std::string_view name) const {
  static const Json none = nullptr;
  const auto at = std::find(names_.begin(), names_.end(), name);
  return at == names_.end() ? none : values_[static_cast<std::size_t>(at - names_.begin())];
}

bool Json::contains(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

void Json::erase(std::string_view name) {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return;
  values_.erase(values_.begin() + (at - names_.begin()));
  names_.erase(at);
}

void Json::update(const Json& object) {
  for (std::size_t i = 0; i < object.size(); ++i) (*this)[object.names_[i]] = object[i];
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) {
    const bool exact = kind_ != Kind::number && other.kind_ != Kind::number && kind_ == other.kind_;
    return exact ? natural_ == other.natural_ : as_number() == other.as_number();
  }
  if (kind_ != other.kind_ || size() != other.size() || text_ != other.text_) return false;
  if (kind_ == Kind::boolean) return integer_ == other.integer_;
  for (std::size_t i = 0; i < size(); ++i) {
    if (is_object() && !other.contains(names_[i])) return false;
    if (!(values_[i] == (is_object() ? other[names_[i]] : other[i]))) return false;
  }
  return true;
}

std::string Json::dump(int indent) const {
  return Nlohmann::from(*this).dump(indent, ' ', false, Nlohmann::Value::error_handler_t::replace);
}

std::optional<Json> Json::parse(std::string_view text, JsonMistake* mistake) {
  // "the text is cut" of "[json.exception.parse_error.101] parse error at line 3, column 1: the text is cut".
  const auto reason_of = [](const std::exception& error) {
    const std::string said = error.what();
    const std::size_t colon = said.find(": ");
    return colon == std::string::npos ? said : said.substr(colon + 2);
  };
  try {
    return Nlohmann::to(Nlohmann::Value::parse(text));
  } catch (const nlohmann::json::parse_error& error) {
    if (mistake != nullptr) *mistake = {error.byte, reason_of(error)};
  } catch (const nlohmann::json::exception& error) {
    if (mistake != nullptr) *mistake = {0, reason_of(error)};
  }
  return std::nullopt;
}

}  // namespace pintle
