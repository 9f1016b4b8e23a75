// Elementary functions over arrays against those of the C library, element by element. Items are function values.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "pintle/pintle.h"

namespace {

constexpr std::size_t kSize = 1024;

template <class T>
std::vector<T> inputs(double low, double high) {
  pintle::RandomStream stream(1);
  std::vector<T> x(kSize);
  for (T& value : x) value = static_cast<T>(stream.uniform(low, high));
  return x;
}

void count(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSize));
}

template <class T>
void sincos_pintle(benchmark::State& state) {
  const std::vector<T> x = inputs<T>(-10, 10);
  std::vector<T> s(kSize), c(kSize);
  for (auto _ : state) {
    pintle::sincos(x, s, c);
    benchmark::ClobberMemory();
  }
  count(state);
}

template <class T>
void sincos_libm(benchmark::State& state) {
  const std::vector<T> x = inputs<T>(-10, 10);
  std::vector<T> s(kSize), c(kSize);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kSize; ++i) {
      s[i] = std::sin(x[i]);
      c[i] = std::cos(x[i]);
    }
    benchmark::ClobberMemory();
  }
  count(state);
}

#define PINTLE_BENCH_FUNCTION(name)                                   \
  template <class T>                                                  \
  void name##_pintle(benchmark::State& state) {                       \
    const std::vector<T> x = inputs<T>(0.1, 10);                      \
    std::vector<T> y(kSize);                                          \
    for (auto _ : state) {                                            \
      pintle::name(std::span<const T>(x), y);                         \
      benchmark::ClobberMemory();                                     \
    }                                                                 \
    count(state);                                                     \
  }                                                                   \
  template <class T>                                                  \
  void name##_libm(benchmark::State& state) {                         \
    const std::vector<T> x = inputs<T>(0.1, 10);                      \
    std::vector<T> y(kSize);                                          \
    for (auto _ : state) {                                            \
      for (std::size_t i = 0; i < kSize; ++i) y[i] = std::name(x[i]); \
      benchmark::ClobberMemory();                                     \
    }                                                                 \
    count(state);                                                     \
  }                                                                   \
  BENCHMARK(name##_pintle<double>);                                   \
  BENCHMARK(name##_libm<double>);                                     \
  BENCHMARK(name##_pintle<float>);                                    \
  BENCHMARK(name##_libm<float>);

BENCHMARK(sincos_pintle<double>);
BENCHMARK(sincos_libm<double>);
BENCHMARK(sincos_pintle<float>);
BENCHMARK(sincos_libm<float>);
PINTLE_BENCH_FUNCTION(exp)
PINTLE_BENCH_FUNCTION(log)

}  // namespace
