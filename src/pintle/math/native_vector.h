// The compiler's SIMD vectors, and the two operations that its vector extension lacks: fused multiply-add and square
// root.
//
// A loop over the lanes would suffice if the compiler always compiled it to one instruction. clang does. g++ does so
// only by its vectoriser, which must stay off: it fuses multiplications and additions even under -ffp-contract=off
// (tests/determinism found that; docs/decisions/0002-bits.md). So g++ is given the instruction by name.
#pragma once

#include "pintle/math/scalar.h"

namespace pintle::inline PINTLE_ISA {

/// The compiler's vector of N elements.
template <class T, int N>
struct NativeVector {
  typedef T Type __attribute__((vector_size(N * sizeof(T))));
};

/// f of both halves of vectors that are wider than a register.
template <class T, int N, class F, class... Vectors>
PINTLE_INLINE auto by_halves(F f, Vectors... whole) {
  using Half = typename NativeVector<T, N / 2>::Type;
  struct Halves {
    Half low, high;
  };
  const auto split = [](auto vector) { return __builtin_bit_cast(Halves, vector); };
  return __builtin_bit_cast(typename NativeVector<T, N>::Type,
                            (Halves{f(split(whole).low...), f(split(whole).high...)}));
}

template <class T, int N>
PINTLE_INLINE auto native_fma(typename NativeVector<T, N>::Type a, typename NativeVector<T, N>::Type b,
                              typename NativeVector<T, N>::Type c) {
#if defined(__x86_64__) && PINTLE_HAS_FMA && !defined(__clang__)
  constexpr bool is_double = std::is_same_v<T, double>;
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes == 16 && is_double) {
    return __builtin_ia32_vfmaddpd(a, b, c);
  } else if constexpr (bytes == 16) {
    return __builtin_ia32_vfmaddps(a, b, c);
  } else if constexpr (bytes == 32 && is_double) {
    return __builtin_ia32_vfmaddpd256(a, b, c);
  } else if constexpr (bytes == 32) {
    return __builtin_ia32_vfmaddps256(a, b, c);
#ifdef __AVX512F__
  } else if constexpr (bytes == 64 && is_double) {
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4);  // all lanes, current rounding
  } else if constexpr (bytes == 64) {
    return __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4);
#endif
  } else if constexpr (bytes > 16) {
    return by_halves<T, N>([](auto... half) { return native_fma<T, N / 2>(half...); }, a, b, c);
  } else
#endif
  {
    for (int i = 0; i < N; ++i) c[i] = fma(T(a[i]), T(b[i]), T(c[i]));
    return c;
  }
}

template <class T, int N>
PINTLE_INLINE auto native_sqrt(typename NativeVector<T, N>::Type x) {
#if defined(__x86_64__) && !defined(__clang__)
  constexpr bool is_double = std::is_same_v<T, double>;
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes == 16 && is_double) {
    return __builtin_ia32_sqrtpd(x);
  } else if constexpr (bytes == 16) {
    return __builtin_ia32_sqrtps(x);
#ifdef __AVX__
  } else if constexpr (bytes == 32 && is_double) {
    return __builtin_ia32_sqrtpd256(x);
  } else if constexpr (bytes == 32) {
    return __builtin_ia32_sqrtps256(x);
#endif
#ifdef __AVX512F__
  } else if constexpr (bytes == 64 && is_double) {
    return __builtin_ia32_sqrtpd512_mask(x, x, -1, 4);
  } else if constexpr (bytes == 64) {
    return __builtin_ia32_sqrtps512_mask(x, x, -1, 4);
#endif
  } else if constexpr (bytes > 16) {
    return by_halves<T, N>([](auto half) { return native_sqrt<T, N / 2>(half); }, x);
  } else
#endif
  {
    for (int i = 0; i < N; ++i) x[i] = sqrt(T(x[i]));
    return x;
  }
}

}  // namespace pintle::inline PINTLE_ISA
