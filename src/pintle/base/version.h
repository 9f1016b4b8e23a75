// The version of the library: semantic versioning (README, "Versions").
#pragma once

namespace pintle {

inline constexpr const char* kVersion = "0.1.0";
inline constexpr int kVersionMajor = 0;
inline constexpr int kVersionMinor = 1;
inline constexpr int kVersionPatch = 0;

}  // namespace pintle
