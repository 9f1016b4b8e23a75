// Evaluates an expression for any number type: double, float, Pack, Dual, Dual of Dual. A lane of a pack equals the
// scalar result, bit for bit; derivatives come from duals.
#pragma once

#include "pintle/base/usage_error.h"
#include "pintle/expression/expression.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/hyperbolic_impl.h"
#include "pintle/math/scalar_concept.h"

namespace pintle::inline PINTLE_ISA::expressions {

/// The number of operands of an operation.
constexpr int operands(Expression::Operation operation) {
  using Op = Expression::Operation;
  return operation <= Op::variable ? 0 : operation <= Op::step ? 1 : operation <= Op::max ? 2 : 3;
}

/// The smaller and the larger of two values; unlike pintle::min and max, NaN if either is NaN. Where a = b, derivatives
/// are those for a > b: next_switch says that a - b = 0 is on that side.
template <class T>
PINTLE_INLINE T smaller(const T& a, const T& b) {
  return select(a < b, a, select(a == a, b, a));
}
template <class T>
PINTLE_INLINE T larger(const T& a, const T& b) {
  return select(a < b, b, select(b == b, a, b));
}

/// x^c for a constant c. Unlike pow of two duals it has every derivative where x is zero and c is 0, 1, 2, ...
template <PlainNumber T>
inline T power_of(const T& x, base_t<T> c) {
  using B = base_t<T>;
  return c == B(0) ? T(B(1)) : c == B(1) ? x : c == B(2) ? x * x : pow(x, T(c));
}
template <class T, int N>
inline Dual<T, N> power_of(const Dual<T, N>& x, base_t<T> c) {
  using B = base_t<T>;
  return chain(x, power_of(x.value, c), c == B(0) ? T(B(0)) : T(c) * power_of(x.value, c - B(1)));
}

/// The real cube root: one step of Newton's iteration makes up for the rounding of the exponent.
template <PlainNumber T>
inline T cube_root(const T& x) {
  using B = base_t<T>;
  const T size = abs(x), root = pow(size, T(B(1) / B(3))), square = root * root;
  const T refined = fma(fma(-square, root, size), T(B(1)) / (T(B(3)) * square), root);
  return copysign(select((size > T(B(0))) & (size < kInfinity<T>), refined, root), x);
}
template <class T, int N>
inline Dual<T, N> cube_root(const Dual<T, N>& x) {
  const T root = cube_root(x.value);
  return chain(x, root, T(base_t<T>(1)) / (T(base_t<T>(3)) * root * root));
}

/// 1, 0 or -1.
template <class T>
inline T sign_of(const T& x) {
  using B = base_t<T>;
  return select(x < T(B(0)), T(B(-1)), select(x > T(B(0)), T(B(1)), select(x == x, T(B(0)), x)));
}

/// The result of an operation on its operands a[0], a[1], ...
template <class T>
inline T apply(const Expression::Instruction& instruction, const T* a, const T* variables) {
  using Op = Expression::Operation;
  using B = base_t<T>;
  switch (instruction.operation) {
    case Op::constant:
      break;
    case Op::variable:
      return variables[instruction.index];
    case Op::negate:
      return -a[0];
    case Op::power_constant:
      return power_of(a[0], static_cast<B>(instruction.number));
    case Op::sin:
      return sin(a[0]);
    case Op::cos:
      return cos(a[0]);
    case Op::tan:
      return tan(a[0]);
    case Op::asin:
      return asin(a[0]);
    case Op::acos:
      return acos(a[0]);
    case Op::atan:
      return atan(a[0]);
    case Op::sinh:
      return sinh(a[0]);
    case Op::cosh:
      return cosh(a[0]);
    case Op::tanh:
      return tanh(a[0]);
    case Op::exp:
      return exp(a[0]);
    case Op::log:
      return log(a[0]);
    case Op::sqrt:
      return sqrt(a[0]);
    case Op::cbrt:
      return cube_root(a[0]);
    case Op::abs:
      return select(a[0] < T(B(0)), -a[0], a[0] + T(B(0)));  // at both zeros as above them
    case Op::sign:
      return sign_of(a[0]);
    case Op::step:
      return select(a[0] < T(B(0)), T(B(0)), select(a[0] == a[0], T(B(1)), a[0]));
    case Op::add:
      return a[0] + a[1];
    case Op::subtract:
      return a[0] - a[1];
    case Op::multiply:
      return a[0] * a[1];
    case Op::divide:
      return a[0] / a[1];
    case Op::power:
      return pow(a[0], a[1]);
    case Op::atan2:
      return atan2(a[0], a[1]);
    case Op::hypot:
      return sqrt(fma(a[0], a[0], a[1] * a[1]));
    case Op::min:
      return smaller(a[0], a[1]);
    case Op::max:
      return larger(a[0], a[1]);
    case Op::clamp:
      return smaller(larger(a[0], a[1]), a[2]);
  }
  return T(static_cast<B>(instruction.number));
}

/// Runs a program; calls `visit(instruction, a)` for each instruction and its operands first.
template <class T, class Visit>
inline T run(std::span<const Expression::Instruction> program, const T* variables, Visit visit) {
  T stack[Expression::kMaxStack];
  stack[0] = T(base_t<T>(0));
  T* top = stack;
  for (const Expression::Instruction& instruction : program) {
    top -= operands(instruction.operation);
    visit(instruction, top);
    *top = apply<T>(instruction, top, variables);
    ++top;
  }
  return stack[0];
}

}  // namespace pintle::inline PINTLE_ISA::expressions

namespace pintle::inline PINTLE_ISA {

/// The value of an expression, given the values of its variables, for any number type. Constants are rounded to its
/// base type. Allocates nothing; UsageError unless there is one value per variable.
template <Scalar T>
inline T evaluate_expression(const Expression& expression, std::span<const T> values) {
  require_size("evaluate_expression", "values", values.size(), expression.variables().size());
  return expressions::run<T>(expression.program(), values.data(), [](const Expression::Instruction&, const T*) {});
}

}  // namespace pintle::inline PINTLE_ISA
