// Pack<T, N>: N values in the lanes of one SIMD register, an ordinary scalar to every algorithm.
//
// Built on the vector extension of g++ and clang, so a lane computes exactly what a scalar would. A Pack and all its
// functions live in the namespace of their instruction set and never cross into an object built for another.
#pragma once

#include <utility>

#include "pintle/math/native_vector.h"

namespace pintle::inline PINTLE_ISA {

/// The integer of the same size as a floating-point lane.
template <class T>
using lane_int_t = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// N Boolean lanes, all bits of a lane set or none: the result of comparing two packs.
template <class T, int N>
struct Mask {
  using Native = typename NativeVector<lane_int_t<T>, N>::Type;
  Native lanes;

  PINTLE_INLINE bool operator[](int lane) const { return lanes[lane] != 0; }

  PINTLE_INLINE friend Mask operator&(Mask a, Mask b) { return {a.lanes & b.lanes}; }
  PINTLE_INLINE friend Mask operator|(Mask a, Mask b) { return {a.lanes | b.lanes}; }
  PINTLE_INLINE friend Mask operator!(Mask a) { return {~a.lanes}; }
  PINTLE_INLINE friend Mask operator&&(Mask a, Mask b) { return {a.lanes & b.lanes}; }
  PINTLE_INLINE friend Mask operator||(Mask a, Mask b) { return {a.lanes | b.lanes}; }
};

/// N values of type T (float or double), one per lane.
template <class T, int N>
struct Pack {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "a lane is a float or a double");
  static_assert(N >= 2 && N <= 16 && (N & (N - 1)) == 0, "the number of lanes is 2, 4, 8 or 16");
  using Native = typename NativeVector<T, N>::Type;
  static constexpr int kLanes = N;

  Native lanes;

  Pack() = default;
  PINTLE_INLINE explicit Pack(Native native) : lanes(native) {}
  /// Every lane holds `value`. (value - 0 keeps the sign of a zero, value + 0 would not.)
  PINTLE_INLINE Pack(T value) : lanes(value - Native{}) {}

  PINTLE_INLINE T operator[](int lane) const { return lanes[lane]; }
  PINTLE_INLINE void set(int lane, T value) { lanes[lane] = value; }

  PINTLE_INLINE friend Pack operator+(Pack a, Pack b) { return Pack(a.lanes + b.lanes); }
  PINTLE_INLINE friend Pack operator-(Pack a, Pack b) { return Pack(a.lanes - b.lanes); }
  PINTLE_INLINE friend Pack operator*(Pack a, Pack b) { return Pack(a.lanes * b.lanes); }
  PINTLE_INLINE friend Pack operator/(Pack a, Pack b) { return Pack(a.lanes / b.lanes); }
  PINTLE_INLINE friend Pack operator-(Pack a) { return Pack(-a.lanes); }
  PINTLE_INLINE Pack& operator+=(Pack b) { return *this = *this + b; }
  PINTLE_INLINE Pack& operator-=(Pack b) { return *this = *this - b; }
  PINTLE_INLINE Pack& operator*=(Pack b) { return *this = *this * b; }
  PINTLE_INLINE Pack& operator/=(Pack b) { return *this = *this / b; }

  PINTLE_INLINE friend Mask<T, N> operator<(Pack a, Pack b) { return {a.lanes < b.lanes}; }
  PINTLE_INLINE friend Mask<T, N> operator<=(Pack a, Pack b) { return {a.lanes <= b.lanes}; }
  PINTLE_INLINE friend Mask<T, N> operator>(Pack a, Pack b) { return {a.lanes > b.lanes}; }
  PINTLE_INLINE friend Mask<T, N> operator>=(Pack a, Pack b) { return {a.lanes >= b.lanes}; }
  PINTLE_INLINE friend Mask<T, N> operator==(Pack a, Pack b) { return {a.lanes == b.lanes}; }
  PINTLE_INLINE friend Mask<T, N> operator!=(Pack a, Pack b) { return {a.lanes != b.lanes}; }
};

/// The pack that fills one register of the instruction set this is compiled for: 2/4/8 doubles, 4/8/16 floats.
template <class T>
using NativePack = Pack<T, PINTLE_VECTOR_BYTES / static_cast<int>(sizeof(T))>;

/// Loads a pack from `from` on; no alignment needed.
template <class P, class T>
PINTLE_INLINE P load(const T* from) {
  P x;
  __builtin_memcpy(&x.lanes, from, sizeof x.lanes);
  return x;
}

template <class T, int N>
PINTLE_INLINE void store(Pack<T, N> x, T* to) {
  __builtin_memcpy(to, &x.lanes, sizeof x.lanes);
}

/// The pack of f(0), f(1), ...: assembled in registers. Lanes that are set one by one go through memory.
template <class P, class F>
PINTLE_INLINE P lane_by_lane(const F& f) {
  return [&]<int... kLane>(std::integer_sequence<int, kLane...>) {
    return P(typename P::Native{f(kLane)...});
  }
  (std::make_integer_sequence<int, P::kLanes>());
}

template <class T, int N>
PINTLE_INLINE Pack<T, N> fma(Pack<T, N> a, Same<Pack<T, N>> b, Same<Pack<T, N>> c) {
#if PINTLE_HAS_FMA
  return Pack<T, N>(native_fma<T, N>(a.lanes, b.lanes, c.lanes));
#else
  return a * b + c;
#endif
}

template <class T, int N>
PINTLE_INLINE Pack<T, N> sqrt(Pack<T, N> x) {
  return Pack<T, N>(native_sqrt<T, N>(x.lanes));
}

template <class T, int N>
PINTLE_INLINE Pack<T, N> select(Mask<T, N> condition, const Pack<T, N>& a, const Same<Pack<T, N>>& b) {
  return Pack<T, N>(condition.lanes ? a.lanes : b.lanes);
}

/// The bit patterns of the lanes, as integers of the same size.
template <class T, int N>
PINTLE_INLINE typename Mask<T, N>::Native to_bits(Pack<T, N> x) {
  return reinterpret_cast<typename Mask<T, N>::Native>(x.lanes);
}
PINTLE_INLINE std::int64_t to_bits(double x) {
  return __builtin_bit_cast(std::int64_t, x);
}
PINTLE_INLINE std::int32_t to_bits(float x) {
  return __builtin_bit_cast(std::int32_t, x);
}

/// The value with the given bit pattern.
template <class T, class Bits>
PINTLE_INLINE T from_bits(Bits bits) {
  if constexpr (std::is_arithmetic_v<T>) {
    return __builtin_bit_cast(T, bits);
  } else {
    return T(reinterpret_cast<typename T::Native>(bits));
  }
}

template <class T, int N>
PINTLE_INLINE Pack<T, N> abs(Pack<T, N> x) {
  constexpr lane_int_t<T> kSignBit = lane_int_t<T>(1) << (8 * sizeof(T) - 1);
  return from_bits<Pack<T, N>>(to_bits(x) & ~kSignBit);
}

template <class T, int N>
PINTLE_INLINE Pack<T, N> copysign(Pack<T, N> magnitude, Same<Pack<T, N>> sign) {
  constexpr lane_int_t<T> kSignBit = lane_int_t<T>(1) << (8 * sizeof(T) - 1);
  return from_bits<Pack<T, N>>((to_bits(magnitude) & ~kSignBit) | (to_bits(sign) & kSignBit));
}

/// One bit per lane, lane 0 lowest. One instruction for a mask that fills a register of this instruction set.
template <class T, int N>
PINTLE_INLINE unsigned lane_bits(Mask<T, N> condition) {
  using Floats = typename NativeVector<T, N>::Type;
#ifdef __SSE2__
  if constexpr (std::is_same_v<T, double> && N == 2)
    return static_cast<unsigned>(__builtin_ia32_movmskpd(reinterpret_cast<Floats>(condition.lanes)));
  if constexpr (std::is_same_v<T, float> && N == 4)
    return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<Floats>(condition.lanes)));
#endif
#ifdef __AVX__
  if constexpr (std::is_same_v<T, double> && N == 4)
    return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<Floats>(condition.lanes)));
  if constexpr (std::is_same_v<T, float> && N == 8)
    return static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<Floats>(condition.lanes)));
#endif
#ifdef __AVX512DQ__
  if constexpr (std::is_same_v<T, double> && N == 8)
    return __builtin_ia32_cvtq2mask512(reinterpret_cast<typename NativeVector<long long, N>::Type>(condition.lanes));
  if constexpr (std::is_same_v<T, float> && N == 16) return __builtin_ia32_cvtd2mask512(condition.lanes);
#endif
  unsigned bits = 0;
  for (int i = 0; i < N; ++i) bits |= static_cast<unsigned>(condition.lanes[i] != 0) << i;
  return bits;
}

template <class T, int N>
PINTLE_INLINE bool any(Mask<T, N> condition) {
  return lane_bits(condition) != 0;
}

template <class T, int N>
PINTLE_INLINE bool all(Mask<T, N> condition) {
  return lane_bits(condition) == (1u << N) - 1;
}

template <class T, int N>
PINTLE_INLINE bool none(Mask<T, N> condition) {
  return !any(condition);
}

}  // namespace pintle::inline PINTLE_ISA

namespace pintle {

template <class T, int N>
struct ScalarTraits<PINTLE_ISA::Pack<T, N>> {
  using Base = T;
  using Mask = PINTLE_ISA::Mask<T, N>;
};

}  // namespace pintle
