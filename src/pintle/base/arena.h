// Memory aligned to 64 bytes, a cache line and the widest register: AlignedMemory owns it, an Arena allocates arrays
// from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pintle/base/buffer.h"
#include "pintle/base/isa.h"

namespace pintle {

/// A number of bytes; a copy has an address of its own.
class AlignedMemory {
 public:
  static constexpr std::size_t kAlignment = 64;

  AlignedMemory() = default;
  explicit AlignedMemory(std::size_t bytes) : bytes_(bytes == 0 ? 0 : bytes + kAlignment) {}

  std::byte* data() { return bytes_.data() + offset(); }
  const std::byte* data() const { return bytes_.data() + offset(); }
  std::size_t size() const { return bytes_.empty() ? 0 : bytes_.size() - kAlignment; }

 private:
  std::size_t offset() const {
    return (kAlignment - reinterpret_cast<std::uintptr_t>(bytes_.data()) % kAlignment) % kAlignment;
  }

  Buffer<std::byte> bytes_;
};

}  // namespace pintle

namespace pintle::inline PINTLE_ISA {

/// Allocates arrays, each at a multiple of 64 bytes from the start of its memory. Without memory it counts the bytes
/// requested.
class Arena {
 public:
  PINTLE_INLINE explicit Arena(std::byte* memory = nullptr) : memory_(memory) {}

  template <class T>
  PINTLE_INLINE T* take(std::size_t count) {
    std::byte* const at = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (count * sizeof(T) + 63) / 64 * 64;
    return reinterpret_cast<T*>(at);
  }
  template <class T>
  PINTLE_INLINE T* take(int count) {
    return take<T>(static_cast<std::size_t>(count));
  }
  PINTLE_INLINE std::size_t used() const { return used_; }

 private:
  std::byte* memory_;
  std::size_t used_ = 0;
};

}  // namespace pintle::inline PINTLE_ISA
