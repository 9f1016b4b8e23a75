// Compiled once per instruction set.
#include "pintle/math/array_kernels.h"

#include "pintle/math/elementary_impl.h"
#include "pintle/math/pack.h"

namespace pintle::inline PINTLE_ISA {
namespace {

/// Calls whole(i) for every full pack and rest(i, count) for what remains.
template <class T, class Whole, class Rest>
PINTLE_INLINE void over_packs(std::size_t size, Whole whole, Rest rest) {
  constexpr std::size_t kLanes = NativePack<T>::kLanes;
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) whole(i);
  if (i < size) rest(i, size - i);
}

/// The first lanes from memory, the others 1: harmless to every function here.
template <class T>
PINTLE_INLINE NativePack<T> load_some(const T* from, std::size_t count) {
  NativePack<T> x(T(1));
  for (std::size_t i = 0; i < count; ++i) x.set(static_cast<int>(i), from[i]);
  return x;
}

template <class T>
PINTLE_INLINE void store_some(NativePack<T> x, T* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = x[static_cast<int>(i)];
}

template <class T, class F>
PINTLE_INLINE void map(const T* x, T* y, std::size_t size, F f) {
  using P = NativePack<T>;
  over_packs<T>(
      size, [&](std::size_t i) { store(f(load<P>(x + i)), y + i); },
      [&](std::size_t i, std::size_t count) { store_some<T>(f(load_some(x + i, count)), y + i, count); });
}

template <class T, class F>
PINTLE_INLINE void map(const T* x, const T* y, T* z, std::size_t size, F f) {
  using P = NativePack<T>;
  over_packs<T>(
      size, [&](std::size_t i) { store(f(load<P>(x + i), load<P>(y + i)), z + i); },
      [&](std::size_t i, std::size_t count) {
        store_some<T>(f(load_some(x + i, count), load_some(y + i, count)), z + i, count);
      });
}

template <class T>
void sincos_array(const T* x, T* sine, T* cosine, std::size_t size) {
  using P = NativePack<T>;
  over_packs<T>(
      size,
      [&](std::size_t i) {
        const SinCos<P> f = sincos(load<P>(x + i));
        store(f.sin, sine + i);
        store(f.cos, cosine + i);
      },
      [&](std::size_t i, std::size_t count) {
        const SinCos<P> f = sincos(load_some(x + i, count));
        store_some<T>(f.sin, sine + i, count);
        store_some<T>(f.cos, cosine + i, count);
      });
}

template <class T>
void exp_array(const T* x, T* y, std::size_t size) {
  map(x, y, size, [](NativePack<T> a) { return exp(a); });
}

template <class T>
void log_array(const T* x, T* y, std::size_t size) {
  map(x, y, size, [](NativePack<T> a) { return log(a); });
}

template <class T>
void pow_array(const T* x, const T* y, T* z, std::size_t size) {
  map(x, y, z, size, [](NativePack<T> a, NativePack<T> b) { return pow(a, b); });
}

template <class T>
void atan2_array(const T* y, const T* x, T* angle, std::size_t size) {
  map(y, x, angle, size, [](NativePack<T> a, NativePack<T> b) { return atan2(a, b); });
}

template <class T>
constexpr ArrayKernels<T> kKernels = {sincos_array<T>, exp_array<T>, log_array<T>, pow_array<T>, atan2_array<T>};

constexpr MathKernels kMathKernels = {kKernels<double>, kKernels<float>};

}  // namespace

const MathKernels& math_kernels();

const MathKernels& math_kernels() {
  return kMathKernels;
}

}  // namespace pintle::inline PINTLE_ISA
