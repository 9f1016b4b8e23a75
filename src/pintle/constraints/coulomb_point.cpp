#include "pintle/constraints/coulomb_point.h"

#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {
namespace {

constexpr int kMaxHalvings = 200;

using Pair = std::array<double, 2>;
using Symmetric = std::array<double, 3>;  // xx, xy, yy

/// (S + shift I)^-1 r; the shortest such vector where S is singular and shift is zero.
Pair solve_shifted(const Symmetric& S, double shift, const Pair& r) {
  const double xx = S[0] + shift, yy = S[2] + shift, xy = S[1];
  const double determinant = fma(xx, yy, -(xy * xy));
  const double trace = xx + yy;
  if (determinant > 8 * kEpsilon<double> * trace * trace)
    return {fma(yy, r[0], -(xy * r[1])) / determinant, fma(xx, r[1], -(xy * r[0])) / determinant};
  if (!(trace > 0.0)) return {0.0, 0.0};
  // Rank one: S = trace e e'. S r = trace e (e.r), so S r / trace^2 is the shortest solution.
  const double square = trace * trace;
  return {fma(xx, r[0], xy * r[1]) / square, fma(xy, r[0], yy * r[1]) / square};
}

/// The shift s > 0 at which |t(s)| = limit(t(s)), where t(s) = (S + s I)^-1 r and |t| is above its limit at s = 0:
/// sliding means w_t = -s f_t. t(infinity) = 0 must be below `limit`.
template <class Limit>
Pair sliding_force(const Symmetric& S, const Pair& r, Limit&& limit) {
  const auto excess = [&](double s) {
    const Pair t = solve_shifted(S, s, r);
    return length(t) - limit(t);
  };
  const double unit = S[0] + S[2] > 0.0 ? S[0] + S[2] : 1.0;
  double low = 0.0, high = unit;
  for (int k = 0; k < kMaxHalvings && excess(high) > 0.0; ++k) {
    low = high;
    high *= 4.0;
  }
  double above = excess(low), below = excess(high);
  int side = 0;
  for (int k = 0; k < kMaxHalvings && high - low > kEpsilon<double> * high; ++k) {
    double s = fma(above, high - low, low * (above - below)) / (above - below);
    if (!(s > low && s < high) || k % 8 == 7) s = 0.5 * (low + high);
    const double value = excess(s);
    if (value > 0.0) {
      low = s;
      above = value;
      if (side == 1) below *= 0.5;
      side = 1;
    } else {
      high = s;
      below = value;
      if (value == 0.0) break;
      if (side == -1) above *= 0.5;
      side = -1;
    }
  }
  return solve_shifted(S, high, r);
}

Pair with_length(const Pair& x, double wanted) {
  const double size = length(x);
  return size > 0.0 ? Pair{x[0] * (wanted / size), x[1] * (wanted / size)} : x;
}

}  // namespace

TangentSolution solve_tangents(const Symmetric& tt, const Pair& c, double hold, double slide) {
  const Pair r{-c[0], -c[1]};
  const Pair stick = solve_shifted(tt, 0.0, r);
  if (length(stick) <= hold) return {stick, true};
  if (!(slide > 0.0)) return {{0.0, 0.0}, false};
  return {with_length(sliding_force(tt, r, [&](const Pair&) { return slide; }), slide), false};
}

CoulombSolution solve_point(const CoulombPoint& point, const ContactLaw& law) {
  const double nn = point.nn;
  const Pair& nt = point.nt;
  const Symmetric& tt = point.tt;
  const std::array<double, 3>& c = point.c;
  const double mu = law.kinetic_friction;
  CoulombSolution solution;
  if (law.slip[0] != 0.0 || law.slip[1] != 0.0) {
    const double g = fma(-mu, fma(nt[0], law.slip[0], nt[1] * law.slip[1]), nn);
    double fn = law.min_normal;
    if (fma(g, fn, c[0]) < 0.0) {
      if (!(g > 0.0)) solution.found = false;
      if (g > 0.0) fn = -c[0] / g;
    }
    solution.f = {fn, -mu * fn * law.slip[0], -mu * fn * law.slip[1]};
    solution.state = fn > law.min_normal ? ContactState::slides : ContactState::open;
    return solution;
  }
  {
    const double fn = law.min_normal;
    const TangentSolution t =
        solve_tangents(tt, {fma(nt[0], fn, c[1]), fma(nt[1], fn, c[2])}, law.static_friction * fn, mu * fn);
    const double w = fma(nn, fn, fma(nt[0], t.f[0], fma(nt[1], t.f[1], c[0])));
    if (w >= 0.0) {
      solution.f = {fn, t.f[0], t.f[1]};
      return solution;
    }
  }
  // The normal row eliminated: f_n = -(c_n + nt.f_t)/nn.
  const Symmetric S{fma(-nt[0], nt[0] / nn, tt[0]), fma(-nt[0], nt[1] / nn, tt[1]), fma(-nt[1], nt[1] / nn, tt[2])};
  const Pair r{fma(nt[0], c[0] / nn, -c[1]), fma(nt[1], c[0] / nn, -c[2])};
  const auto normal = [&](const Pair& t) { return -fma(nt[0], t[0], fma(nt[1], t[1], c[0])) / nn; };
  const Pair stick = solve_shifted(S, 0.0, r);
  const double held = normal(stick);
  if (held > law.min_normal && length(stick) <= law.static_friction * held) {
    solution.f = {held, stick[0], stick[1]};
    solution.state = ContactState::sticks;
    return solution;
  }
  solution.state = ContactState::slides;
  if (!(mu > 0.0)) {
    solution.f = {max(-c[0] / nn, law.min_normal), 0.0, 0.0};
    return solution;
  }
  const Pair t = sliding_force(S, r, [&](const Pair& at) { return mu * normal(at); });
  const double fn = max(normal(t), law.min_normal);
  const Pair exact = with_length(t, mu * fn);
  solution.f = {fn, exact[0], exact[1]};
  return solution;
}

}  // namespace pintle
