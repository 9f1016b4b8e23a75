#include "pintle/spatial/principal_inertia.h"

#include <algorithm>
#include <cmath>

namespace pintle {

double largest_entry(const SymMat3<>& I) {
  double largest = 0.0;
  for (const double entry : to_array(I)) largest = std::max(largest, abs(entry));
  return largest;
}

PrincipalInertia principal_inertia(const SymMat3<>& I) {
  // Scaling by a power of two avoids overflow of squares and changes no digit.
  const double largest = largest_entry(I);
  const int exponent = largest > 0.0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
  const auto scaled = [&](double entry) { return std::ldexp(entry, -exponent); };
  const double xy = scaled(I.xy), xz = scaled(I.xz), yz = scaled(I.yz);
  const Matrix<double, 3, 3> A{{{scaled(I.xx), xy, xz}, {xy, scaled(I.yy), yz}, {xz, yz, scaled(I.zz)}}};
  const SymmetricEigen<double, 3> E = symmetric_eigen(A);
  const auto& V = E.vectors.m;
  const auto moment = [&](int i) { return std::ldexp(E.values[i], exponent); };
  return {{moment(0), moment(1), moment(2)},
          {V[0][0], V[0][1], V[0][2], V[1][0], V[1][1], V[1][2], V[2][0], V[2][1], V[2][2]}};
}

}  // namespace pintle
