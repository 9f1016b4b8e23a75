#include "pintle/math/array_functions.h"

#include "pintle/base/kernel_choice.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/array_kernels.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(MathKernels, math_kernels)

namespace {

template <class T>
const ArrayKernels<T>& kernels() {
  if constexpr (sizeof(T) == sizeof(double)) {
    return chosen_math_kernels().f64;
  } else {
    return chosen_math_kernels().f32;
  }
}

template <class T>
void sincos_checked(std::span<const T> x, std::span<T> sine, std::span<T> cosine) {
  require_size("sincos", "sine", sine.size(), x.size());
  require_size("sincos", "cosine", cosine.size(), x.size());
  kernels<T>().sincos(x.data(), sine.data(), cosine.data(), x.size());
}

template <class T>
void map_checked(const char* function, void (*kernel)(const T*, T*, std::size_t), std::span<const T> x,
                 std::span<T> y) {
  require_size(function, "y", y.size(), x.size());
  kernel(x.data(), y.data(), x.size());
}

template <class T>
void map_checked(const char* function, const char* second, const char* result,
                 void (*kernel)(const T*, const T*, T*, std::size_t), std::span<const T> a, std::span<const T> b,
                 std::span<T> c) {
  require_size(function, second, b.size(), a.size());
  require_size(function, result, c.size(), a.size());
  kernel(a.data(), b.data(), c.data(), a.size());
}

}  // namespace

void sincos(std::span<const double> x, std::span<double> sine, std::span<double> cosine) {
  sincos_checked(x, sine, cosine);
}
void sincos(std::span<const float> x, std::span<float> sine, std::span<float> cosine) {
  sincos_checked(x, sine, cosine);
}
void exp(std::span<const double> x, std::span<double> y) {
  map_checked("exp", kernels<double>().exp, x, y);
}
void exp(std::span<const float> x, std::span<float> y) {
  map_checked("exp", kernels<float>().exp, x, y);
}
void log(std::span<const double> x, std::span<double> y) {
  map_checked("log", kernels<double>().log, x, y);
}
void log(std::span<const float> x, std::span<float> y) {
  map_checked("log", kernels<float>().log, x, y);
}
void pow(std::span<const double> x, std::span<const double> y, std::span<double> z) {
  map_checked("pow", "y", "z", kernels<double>().pow, x, y, z);
}
void pow(std::span<const float> x, std::span<const float> y, std::span<float> z) {
  map_checked("pow", "y", "z", kernels<float>().pow, x, y, z);
}
void atan2(std::span<const double> y, std::span<const double> x, std::span<double> angle) {
  map_checked("atan2", "x", "angle", kernels<double>().atan2, y, x, angle);
}
void atan2(std::span<const float> y, std::span<const float> x, std::span<float> angle) {
  map_checked("atan2", "x", "angle", kernels<float>().atan2, y, x, angle);
}

}  // namespace pintle
