// key_elsewhere: the tables in which a key belongs that stands in the wrong one, for messages.
#pragma once

#include <string>
#include <string_view>

#include "pintle/io/toml/scene_keys.h"
#include "pintle/io/toml/toml_value.h"

namespace pintle {

/// A key of other tables; `tables` is empty if there is none.
struct KeyElsewhere {
  std::string_view name;  ///< its own name, where other programs call it otherwise
  std::string tables;     ///< "[[body]] and shape = {...}"
};

/// Where a key with such a value belongs that the table `here` does not have: tables within it first, then those that
/// it is in, then others.
KeyElsewhere key_elsewhere(const SceneTable& here, std::string_view key, const TomlValue& value);

}  // namespace pintle
