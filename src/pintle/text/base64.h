// Base64: bytes as text (RFC 4648).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pintle {

/// Bytes as letters, with padding.
std::string base64(std::string_view bytes);

/// Doubles as base64 of their bits, little-endian.
std::string base64(std::span<const double> numbers);
std::string base64(std::span<const float> numbers);
std::string base64(std::span<const std::uint32_t> numbers);

/// Decodes a base64 text with its padding; returns false when it is invalid.
bool base64_bytes(std::string_view text, std::string& bytes);

}  // namespace pintle
