// The kernels built once per instruction set: the same bits within a bit family, and those of the plain functions.
#include <doctest/doctest.h>

#include <vector>

#include "pintle/base/isa.h"
#include "pintle/base/random.h"
#include "pintle/math/array_functions.h"
#include "pintle/math/array_kernels.h"
#include "pintle/math/elementary.h"

namespace pintle {
namespace kernels_baseline {
const MathKernels& math_kernels();
}
#if defined(__x86_64__)
namespace kernels_avx2 {
const MathKernels& math_kernels();
}
namespace kernels_avx512 {
const MathKernels& math_kernels();
}
#endif
}  // namespace pintle

using namespace pintle;

namespace {

constexpr std::size_t kSize = 1003;  // no multiple of any number of lanes

template <class T>
const ArrayKernels<T>& of_type(const MathKernels& kernels) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return kernels.f64;
  } else {
    return kernels.f32;
  }
}

/// Everything the kernels compute on fixed inputs, one after the other.
template <class T>
std::vector<T> everything(const ArrayKernels<T>& kernels) {
  RandomStream stream(5);
  std::vector<T> x(kSize), y(kSize), a(kSize), b(kSize), all;
  for (T& value : x) value = static_cast<T>(stream.uniform(0.01, 50.0));
  for (T& value : y) value = static_cast<T>(stream.uniform(-5.0, 5.0));
  x[7] = T(1e30);  // beyond the fast reduction, in the middle of a pack
  const auto keep = [&](const std::vector<T>& v) { all.insert(all.end(), v.begin(), v.end()); };
  kernels.sincos(x.data(), a.data(), b.data(), kSize);
  keep(a);
  keep(b);
  x[7] = T(7);
  kernels.exp(y.data(), a.data(), kSize);
  keep(a);
  kernels.log(x.data(), a.data(), kSize);
  keep(a);
  kernels.pow(x.data(), y.data(), a.data(), kSize);
  keep(a);
  kernels.atan2(y.data(), x.data(), a.data(), kSize);
  keep(a);
  return all;
}

/// The same by the plain functions, of the bit family this file is compiled for.
template <class T>
const ArrayKernels<T> kPlain = {[](const T* x, T* s, T* c, std::size_t n) {
                                  for (std::size_t i = 0; i < n; ++i) {
                                    const SinCos<T> f = pintle::sincos(x[i]);
                                    s[i] = f.sin;
                                    c[i] = f.cos;
                                  }
                                },
                                [](const T* x, T* y, std::size_t n) {
                                  for (std::size_t i = 0; i < n; ++i) y[i] = pintle::exp(x[i]);
                                },
                                [](const T* x, T* y, std::size_t n) {
                                  for (std::size_t i = 0; i < n; ++i) y[i] = pintle::log(x[i]);
                                },
                                [](const T* x, const T* y, T* z, std::size_t n) {
                                  for (std::size_t i = 0; i < n; ++i) z[i] = pintle::pow(x[i], y[i]);
                                },
                                [](const T* y, const T* x, T* angle, std::size_t n) {
                                  for (std::size_t i = 0; i < n; ++i) angle[i] = pintle::atan2(y[i], x[i]);
                                }};

}  // namespace

TEST_CASE_TEMPLATE("kernels: the baseline gives the bits of the plain functions", T, double, float) {
  CHECK(everything(of_type<T>(kernels_baseline::math_kernels())) == everything(kPlain<T>));
}

#if defined(__x86_64__)
TEST_CASE_TEMPLATE("kernels: both bit families agree to a few ulp and differ somewhere", T, double, float) {
  if (!available(Isa::avx2)) {
    MESSAGE("not compared: this processor has no AVX2");
    return;
  }
  const std::vector<T> a = everything(of_type<T>(kernels_baseline::math_kernels()));
  const std::vector<T> b = everything(of_type<T>(kernels_avx2::math_kernels()));
  CHECK(a != b);
  // Both are within 1.5 ulp of the truth (2 for float's sincos).
  const double bound = 4.0 * static_cast<double>(kEpsilon<T>);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(static_cast<double>(a[i]) == doctest::Approx(static_cast<double>(b[i])).epsilon(bound));
  }
}

TEST_CASE_TEMPLATE("kernels: AVX-512 gives the bits of AVX2", T, double, float) {
  if (!available(Isa::avx512)) {
    MESSAGE("not compared: this processor has no AVX-512");
    return;
  }
  CHECK(everything(of_type<T>(kernels_avx512::math_kernels())) == everything(of_type<T>(kernels_avx2::math_kernels())));
}

TEST_CASE("kernels: the public functions use the instruction set in use") {
  const MathKernels& expected = active_isa() == Isa::avx512 ? kernels_avx512::math_kernels()
                                : active_isa() == Isa::avx2 ? kernels_avx2::math_kernels()
                                                            : kernels_baseline::math_kernels();
  RandomStream stream(6);
  std::vector<double> x(kSize), a(kSize), b(kSize);
  for (double& value : x) value = stream.uniform(-5.0, 5.0);
  exp(x, a);
  expected.f64.exp(x.data(), b.data(), kSize);
  CHECK(a == b);
}
#endif
