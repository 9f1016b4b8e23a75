// L D L' factors of symmetric 3x3 matrices, element by element.
#pragma once

#include "pintle/math/mat3.h"

namespace pintle::inline PINTLE_ISA {

/// The reciprocals of D and the entries of L of a symmetric 3x3 matrix L D L'.
template <class T>
struct Factors3 {
  T d0, d1, d2;
  T yx, zx, zy;
};

/// `margin` becomes the minimum of itself and of every pivot minus its rounding: negative where the matrix is nearly
/// singular.
template <class T>
PINTLE_INLINE Factors3<T> factor3(const SymMat3<T>& S, T& margin) {
  const T rounding(base_t<T>(16) * kEpsilon<T>);
  Factors3<T> F;
  F.d0 = T(1) / S.xx;
  F.yx = S.xy * F.d0;
  F.zx = S.xz * F.d0;
  const T yy = fma(-F.yx, S.xy, S.yy), yz = fma(-F.yx, S.xz, S.yz);
  F.d1 = T(1) / yy;
  F.zy = yz * F.d1;
  const T zz = fma(-F.zy, yz, fma(-F.zx, S.xz, S.zz));
  F.d2 = T(1) / zz;
  margin = min(S.xx, margin);
  margin = min(yy - rounding * S.yy, margin);
  margin = min(zz - rounding * S.zz, margin);
  return F;
}

template <class T>
PINTLE_INLINE Vec3<T> solve(const Factors3<T>& F, const Vec3<T>& b) {
  const T y = fma(-F.yx, b.x, b.y);
  const T z = fma(-F.zy, y, fma(-F.zx, b.x, b.z)) * F.d2;
  const T y1 = fma(-F.zy, z, y * F.d1);
  return {fma(-F.yx, y1, fma(-F.zx, z, b.x * F.d0)), y1, z};
}

}  // namespace pintle::inline PINTLE_ISA
