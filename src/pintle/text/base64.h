// Base64: bytes as text (RFC 4648).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pintle {

/// Bytes as letters, with padding.
std::string base64(std::string_view bytes);

/// Numbers as base64 of their bits, little-endian.
std::string base64(std::span<const double> numbers);
std::string base64(std::span<const float> numbers);
std::string base64(std::span<const std::uint32_t> numbers);

/// The bytes of a base64 text with its padding; false when it is none.
bool base64_bytes(std::string_view text, std::string& bytes);

}  // namespace pintle
