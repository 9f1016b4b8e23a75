// Elementary functions over arrays, several lanes at a time, by the kernels of the instruction set in use (base/isa.h).
// Every element has exactly the bits of the scalar function in the same bit family. Outputs may alias inputs.
#pragma once

#include <span>

namespace pintle {

/// sine[i] = sin(x[i]), cosine[i] = cos(x[i]), x in radians. All arrays have the same size, else UsageError; likewise
/// below.
void sincos(std::span<const double> x, std::span<double> sine, std::span<double> cosine);
void sincos(std::span<const float> x, std::span<float> sine, std::span<float> cosine);

/// y[i] = exp(x[i])
void exp(std::span<const double> x, std::span<double> y);
void exp(std::span<const float> x, std::span<float> y);

/// y[i] = log(x[i]), the natural logarithm
void log(std::span<const double> x, std::span<double> y);
void log(std::span<const float> x, std::span<float> y);

/// z[i] = x[i] to the power y[i]
void pow(std::span<const double> x, std::span<const double> y, std::span<double> z);
void pow(std::span<const float> x, std::span<const float> y, std::span<float> z);

/// angle[i] = the angle of the point (x[i], y[i]) in (-pi, pi]
void atan2(std::span<const double> y, std::span<const double> x, std::span<double> angle);
void atan2(std::span<const float> y, std::span<const float> x, std::span<float> angle);

}  // namespace pintle
