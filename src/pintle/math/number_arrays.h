// Functions over arrays, several elements at a time, with the same bits as one by one.
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

/// Whether all values are finite, tested one by one.
inline bool each_finite(std::span<const double> numbers) {
  for (const double x : numbers)
    if (!(x - x == 0.0)) return false;
  return true;
}

/// Sums of values: finite, unless a value is not, or the sum overflows.
template <class P>
struct NumberSums {
  P packs[2] = {P(0.0), P(0.0)};
  double rest = 0.0;

  PINTLE_INLINE void add(std::span<const double> numbers) {
    constexpr std::size_t kLanes = sizeof(P) / sizeof(double);
    const double* const at = numbers.data();
    std::size_t i = 0;
    for (; i + 2 * kLanes <= numbers.size(); i += 2 * kLanes) {
      packs[0] = packs[0] + pack_at(at + i);
      packs[1] = packs[1] + pack_at(at + i + kLanes);
    }
    for (; i < numbers.size(); ++i) rest += at[i];
  }
  PINTLE_INLINE static P pack_at(const double* numbers) {
    if constexpr (std::is_same_v<P, double>)
      return *numbers;
    else
      return load<P>(numbers);
  }
  PINTLE_INLINE bool finite() const {
    const P sum = packs[0] + packs[1];
    return all(sum - sum == P(0.0)) && rest - rest == 0.0;
  }
};

/// Whether all values in the arrays are finite. P is the type of the loads: packs would stall on values that were just
/// stored one by one.
template <class P = NativePack<double>, class... Arrays>
PINTLE_INLINE bool all_finite(const Arrays&... arrays) {
  NumberSums<P> sums;
  (sums.add(std::span<const double>(arrays)), ...);
  return sums.finite() || (each_finite(std::span<const double>(arrays)) && ...);
}

}  // namespace pintle::inline PINTLE_ISA
