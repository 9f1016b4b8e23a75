// CRC-32 of ZIP archives (IEEE 802.3, polynomial 0xedb88320 reflected).
#pragma once

#include <cstdint>
#include <string_view>

namespace pintle {

/// Continues the CRC of the preceding bytes; 0 at the beginning. crc32("123456789") = 0xcbf43926.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace pintle
