// RandomStream: random numbers identified by (seed, run, position), the same for any number of threads and on any
// machine.
#pragma once

#include <cstdint>

namespace pintle {

/// A stream of random 64-bit words. Word i of the stream (seed, run) is word i mod 4 of Philox4x64-10 (Salmon et al.,
/// "Parallel random numbers: as easy as 1, 2, 3", 2011) with the key (seed, run) and the counter (i div 4, 0, 0, 0). So
/// streams of different seed or run are independent, there is no hidden state besides the position, and a run can be
/// resumed from its position. Not for security.
class RandomStream {
 public:
  /// The stream of one run, at position 0.
  explicit RandomStream(std::uint64_t seed, std::uint64_t run = 0);

  /// The next word.
  std::uint64_t bits();

  /// Uniform in [0, 1): the upper 53 bits of the next word, times 2^-53.
  double uniform();

  /// Uniform in [a, b), and a when a == b; uses one word. Throws UsageError unless a <= b and b - a is finite.
  double uniform(double a, double b);

  /// An integer in [0, n), all equally likely; uses one word, rarely more. Throws UsageError when n is 0.
  std::uint64_t below(std::uint64_t n);

  /// Skips the next n words, in constant time.
  void discard(std::uint64_t n);

  /// The number of words used or skipped so far (modulo 2^64): with seed and run the whole state of the stream.
  std::uint64_t position() const { return position_; }

  /// Goes to a position, forwards or backwards, in constant time.
  void seek(std::uint64_t position);

  /// The seed this stream was made with.
  std::uint64_t seed() const { return seed_; }

  /// The run this stream was made with.
  std::uint64_t run() const { return run_; }

 private:
  void load_block();

  std::uint64_t seed_;
  std::uint64_t run_;
  std::uint64_t position_ = 0;
  std::uint64_t block_[4] = {};  // the block of position_, once its first word was used
};

}  // namespace pintle
