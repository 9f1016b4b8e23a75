// Arrays of numbers, several at a time, which changes no bit.
#pragma once

#include <span>
#include <type_traits>

#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {

/// to[i] = f(from[i]...) for i = 0 ... count - 1; of double and float in packs.
template <class T, class F, class... From>
PINTLE_INLINE void map_numbers(int count, T* to, F f, const From*... from) {
  int i = 0;
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    using P = NativePack<T>;
    for (; i + P::kLanes <= count; i += P::kLanes) store(f(load<P>(from + i)...), to + i);
  }
  for (; i < count; ++i) to[i] = f(from[i]...);
}

template <class T>
PINTLE_INLINE void copy_numbers(const T* from, int count, T* to) {
  map_numbers(
      count, to, [](const auto& x) { return x; }, from);
}

/// Whether no number is infinite or NaN: x - x is zero, all bits, of every other.
class Finite {
 public:
  void see(NativePack<double> x) { differences_ = differences_ | to_bits(x - x); }
  void see(double x) { difference_ = difference_ | to_bits(x - x); }
  bool all() const {
    auto sum = difference_;
    for (int lane = 0; lane < NativePack<double>::kLanes; ++lane) sum = sum | differences_[lane];
    return sum == 0;
  }

 private:
  decltype(to_bits(NativePack<double>())) differences_{};
  decltype(to_bits(0.0)) difference_ = 0;
};

PINTLE_INLINE bool all_finite(std::span<const double> numbers) {
  Finite finite;
  int i = 0;
  const int count = static_cast<int>(numbers.size());
  constexpr int kLanes = NativePack<double>::kLanes;
  for (; i + kLanes <= count; i += kLanes) finite.see(load<NativePack<double>>(numbers.data() + i));
  for (; i < count; ++i) finite.see(numbers[static_cast<std::size_t>(i)]);
  return finite.all();
}

/// Copies numbers, as many as there is room for; gives whether all are finite.
PINTLE_INLINE bool copy_finite(const double* from, std::span<double> to) {
  Finite finite;
  const auto seen = [&](const auto& x) {
    finite.see(x);
    return x;
  };
  map_numbers(static_cast<int>(to.size()), to.data(), seen, from);
  return finite.all();
}

}  // namespace pintle::inline PINTLE_ISA
