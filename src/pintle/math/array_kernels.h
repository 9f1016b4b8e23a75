// The kernels behind array_functions.h: one table of functions per instruction set.
#pragma once

#include <cstddef>

namespace pintle {

template <class T>
struct ArrayKernels {
  void (*sincos)(const T* x, T* sine, T* cosine, std::size_t size);
  void (*exp)(const T* x, T* y, std::size_t size);
  void (*log)(const T* x, T* y, std::size_t size);
  void (*pow)(const T* x, const T* y, T* z, std::size_t size);
  void (*atan2)(const T* y, const T* x, T* angle, std::size_t size);
};

struct MathKernels {
  ArrayKernels<double> f64;
  ArrayKernels<float> f32;
};

}  // namespace pintle
