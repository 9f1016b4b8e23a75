// What scene files may contain, for editors and for people; both made of scene_keys.h.
#pragma once

#include <string>

namespace pintle {

/// A JSON Schema (draft 7) of scene files: docs/formats/scene.schema.json. Editors that know TOML (taplo) complete keys
/// with it and show what they mean.
std::string scene_schema();

/// The tables of keys of docs/formats/scene.md.
std::string scene_reference();

}  // namespace pintle
