// Counted: a user-defined scalar type that counts its operations. Shows what the scalar concept requires.
#pragma once

#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"

namespace test {

struct Counted {
  double value;

  Counted() = default;
  Counted(double v) : value(v) {}

  static inline long operations = 0;

  friend Counted operator+(Counted a, Counted b) { return counted(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return counted(a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return counted(a.value * b.value); }
  friend Counted operator/(Counted a, Counted b) { return counted(a.value / b.value); }
  friend Counted operator-(Counted a) { return Counted(-a.value); }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }

  friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
  friend bool operator<=(Counted a, Counted b) { return a.value <= b.value; }
  friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
  friend bool operator>=(Counted a, Counted b) { return a.value >= b.value; }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }

  friend Counted fma(Counted a, Counted b, Counted c) {
    ++operations;
    return counted(pintle::fma(a.value, b.value, c.value));
  }
  friend Counted select(bool condition, Counted a, Counted b) { return condition ? a : b; }
  friend Counted sqrt(Counted x) { return counted(pintle::sqrt(x.value)); }
  friend Counted abs(Counted x) { return Counted(pintle::abs(x.value)); }
  friend Counted copysign(Counted a, Counted b) { return Counted(pintle::copysign(a.value, b.value)); }
  friend pintle::SinCos<Counted> sincos(Counted x) {
    const pintle::SinCos<double> f = pintle::sincos(x.value);
    return {counted(f.sin), counted(f.cos)};
  }
  friend Counted exp(Counted x) { return counted(pintle::exp(x.value)); }
  friend Counted log(Counted x) { return counted(pintle::log(x.value)); }
  friend Counted pow(Counted x, Counted y) { return counted(pintle::pow(x.value, y.value)); }
  friend Counted atan2(Counted y, Counted x) { return counted(pintle::atan2(y.value, x.value)); }

 private:
  static Counted counted(double value) {
    ++operations;
    return Counted(value);
  }
};

}  // namespace test

template <>
struct pintle::ScalarTraits<test::Counted> {
  using Base = double;
  using Mask = bool;
};
