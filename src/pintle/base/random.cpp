#include "pintle/base/random.h"

#include <Random123/philox.h>

#include <cmath>

#include "pintle/base/usage_error.h"

namespace pintle {

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t run) : seed_(seed), run_(run) {}

void RandomStream::load_block() {
  const r123::Philox4x64::ctr_type counter = {{position_ / 4, 0, 0, 0}};
  const r123::Philox4x64::key_type key = {{seed_, run_}};
  const r123::Philox4x64::ctr_type block = r123::Philox4x64()(counter, key);
  for (unsigned i = 0; i < 4; ++i) block_[i] = block[i];
}

std::uint64_t RandomStream::bits() {
  if (position_ % 4 == 0) load_block();
  return block_[position_++ % 4];
}

double RandomStream::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

double RandomStream::uniform(double a, double b) {
  require(a <= b && std::isfinite(b - a), "RandomStream::uniform", "b",
          "must be at least a; a, b and b - a must be finite");
  const double x = a + (b - a) * uniform();
  // Rounding can reach b.
  return x < b || a == b ? x : std::nextafter(b, a);
}

std::uint64_t RandomStream::below(std::uint64_t n) {
  require(n > 0, "RandomStream::below", "n", "must be at least 1");
  // Rejects the lowest 2^64 mod n words, so that all results are equally likely.
  const std::uint64_t left_over = (0 - n) % n;
  std::uint64_t word = bits();
  while (word < left_over) word = bits();
  return word % n;
}

void RandomStream::discard(std::uint64_t n) {
  seek(position_ + n);
}

void RandomStream::seek(std::uint64_t position) {
  position_ = position;
  if (position_ % 4 != 0) load_block();
}

}  // namespace pintle
