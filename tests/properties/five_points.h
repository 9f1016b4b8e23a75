// Derivatives by differences of fourth order.
#pragma once

#include "properties/dynamics_of.h"

namespace test {

/// A step so short that no dof moves by more than 1e-3, nor all of them together by much more: h^4 / 30 of the
/// fifth derivative is lost, some 1e-14 of what is differentiated, and eps / h to rounding.
inline double short_step(std::span<const double> v) {
  double sum = 1.0;
  for (const double x : v) sum += abs(x);
  return 1e-3 / sum;
}

/// df/dt at t = 0 of numbers f(t), from f(+-h) and f(+-2h).
template <class F>
Numbers rate_of(const F& f, double h) {
  const Numbers a = f(h), b = f(-h), c = f(2.0 * h), d = f(-2.0 * h);
  Numbers rate(a.size());
  for (std::size_t i = 0; i < rate.size(); ++i) rate[i] = (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * h);
  return rate;
}

}  // namespace test
