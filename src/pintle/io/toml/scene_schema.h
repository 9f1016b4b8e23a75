// The schema of scene files, for editors and for readers; both generated from scene_keys.h.
#pragma once

#include <string>

namespace pintle {

/// A JSON Schema (draft 7) of scene files: docs/formats/scene.schema.json. Editors that support TOML (taplo) use it to
/// complete and explain keys.
std::string scene_schema();

/// The key tables of docs/formats/scene.md.
std::string scene_reference();

}  // namespace pintle
