// Poses and motions of the links of a chain, side by side. All axes are those of the root's joint; links have their own
// origins, so that nothing depends on the length of the chain or on its distance from the world's origin.
#pragma once

#include "pintle/dynamics/plan/chain_memory.h"
#include "pintle/math/elementary.h"

namespace pintle::inline PINTLE_ISA {

/// The axes of one link: lanes are the components, the last is unused.
struct ChainAxes {
  ChainScalar x, y, z;
};

/// Rx(alpha) Rz(q) of the link in a lane of a pack, after the axes of its parent.
PINTLE_INLINE ChainAxes rotated(const ChainAxes& R, const ChainParameters<ChainScalar>& link, const ChainLinks& here,
                                int lane) {
  const auto in_all = [lane](const ChainScalar& x) { return ChainScalar(lanes_at(x)[lane]); };
  const ChainScalar cos_alpha = in_all(link.cos_alpha), sin_alpha = in_all(link.sin_alpha), cos = in_all(here.cos),
                    sin = in_all(here.sin);
  const ChainScalar y = fma(sin_alpha, R.z, cos_alpha * R.y);
  return {fma(sin, y, cos * R.x), fma(cos, y, -(sin * R.x)), fma(cos_alpha, R.z, -(sin_alpha * R.y))};
}

/// Sines and cosines of all angles, as many at a time as a register has lanes.
PINTLE_INLINE void compute_chain_sines_cosines(const PlanChain& chain, const double* q, const ChainMemory& at) {
  constexpr int kNative = NativePack<double>::kLanes;
  using P = Pack<double, (kNative < kChainLanes ? kNative : kChainLanes)>;
  for (int k = 0; k < chain.count; ++k) {
    ChainLinks& here = at.links[k];
    const ChainScalar angles = of_links(q, k, chain.links) + parameters_of(chain, k).offset;
    for (int lane = 0; lane < kChainLanes; lane += P::kLanes) {
      const SinCos<P> f = sincos(load<P>(lanes_at(angles) + lane));
      store(f.sin, lanes_at(here.sin) + lane);
      store(f.cos, lanes_at(here.cos) + lane);
    }
  }
}

/// The axes of the links of a pack, one after the other from those of the link before, and then side by side.
PINTLE_INLINE void find_axes(const ChainParameters<ChainScalar>& link, ChainLinks& here, ChainAxes& last) {
  ChainAxes a = rotated(last, link, here, 0), b = rotated(a, link, here, 1), c = rotated(b, link, here, 2),
            d = last = rotated(c, link, here, 3);
  transpose(a.x, b.x, c.x, d.x);
  transpose(a.y, b.y, c.y, d.y);
  transpose(a.z, b.z, c.z, d.z);
  here.x = {a.x, b.x, c.x};
  here.y = {a.y, b.y, c.y};
  here.z = {a.z, b.z, c.z};
}

/// x a' + a x' + z b' + b z' with a = I_xx x / 2 + I_xy y + I_xz z and b = I_zz z / 2 + I_yz y: I in the common axes.
PINTLE_INLINE SymMat3<ChainScalar> aligned_inertia(const ChainParameters<ChainScalar>& I, const ChainLinks& here) {
  const Vec3<ChainScalar>&x = here.x, &y = here.y, &z = here.z;
  const ChainScalar half(0.5);
  const Vec3<ChainScalar> a = fma(half * I.xx, x, fma(I.xy, y, I.xz * z)), b = fma(half * I.zz, z, I.yz * y);
  const auto entry = [&](auto i, auto j) { return fma(x.*i, a.*j, fma(x.*j, a.*i, fma(z.*i, b.*j, z.*j * b.*i))); };
  const auto twice = [&](auto i) {
    const ChainScalar once = fma(x.*i, a.*i, z.*i * b.*i);
    return once + once;
  };
  using V = Vec3<ChainScalar>;
  return {twice(&V::x), entry(&V::x, &V::y), entry(&V::x, &V::z), twice(&V::y), entry(&V::y, &V::z), twice(&V::z)};
}

/// Axes, d, h and I of all links.
PINTLE_INLINE void place_chain(const PlanChain& chain, const double* q, const ChainMemory& at) {
  compute_chain_sines_cosines(chain, q, at);
  const ChainScalar zero(0.0), one(ChainScalar::Native{1.0, 0.0, 0.0, 0.0});
  ChainAxes last{one, lanes_of<4, 0, 4, 4>(one, zero), lanes_of<4, 4, 0, 4>(one, zero)};
  Vec3<ChainScalar> x_in{zero, zero, zero};
  for (int k = 0; k < chain.count; ++k) {
    ChainLinks& here = at.links[k];
    const ChainParameters<ChainScalar>& link = parameters_of(chain, k);
    find_axes(link, here, last);
    here.d = fma(link.d, here.z, link.a * of_parents(here.x, x_in));
    x_in = each([](ChainScalar a) { return everywhere<kChainLanes - 1>(a); }, here.x);
    here.h = fma(link.hx, here.x, link.hy * here.y);
    here.I = aligned_inertia(link, here);
  }
}

/// wdot x + w x w x, as a matrix: the acceleration of a point due to rotation.
PINTLE_INLINE Mat3<ChainScalar> acceleration_of_rotation(const Vec3<ChainScalar>& w, const Vec3<ChainScalar>& wdot) {
  const ChainScalar xx = w.x * w.x, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {fma(-w.y, w.y, -zz), xy - wdot.z, xz + wdot.y,  //
          xy + wdot.z,         -(xx + zz),  yz - wdot.x,  //
          xz - wdot.y,         yz + wdot.x, fma(-w.y, w.y, -xx)};
}

/// The motion that the root's joint starts from, in its axes: that of the world at the root's origin.
struct ChainStart {
  Vec3<> w, wdot;  ///< angular velocity and acceleration
  Vec3<> a;        ///< acceleration of the origin, minus gravity
};

/// F of all links about their own origins: w, wdot and the acceleration a of the origin, minus gravity, are summed
/// outwards. Without vdot (kVdot false) F is due to gravity and velocities alone.  [eq. rnea]
template <bool kVdot>
PINTLE_INLINE void move_chain(const PlanChain& chain, const ChainStart& start, const double* v, const double* vdot,
                              const ChainMemory& at) {
  const ChainScalar zero(0.0);
  const Vec3<ChainScalar> nil{zero, zero, zero};
  Vec3<ChainScalar> w_in = everywhere(start.w), wdot_in = everywhere(start.wdot), a_in = everywhere(start.a);
  for (int k = 0; k < chain.count; ++k) {
    ChainLinks& here = at.links[k];
    const Vec3<ChainScalar> z = here.z, h = here.h;
    const Vec3<ChainScalar> relative = of_links(v, k, chain.links) * z;
    const Vec3<ChainScalar> w = sums_outwards(relative, w_in);
    Vec3<ChainScalar> gained = cross(w, relative);
    if constexpr (kVdot) gained = fma(of_links(vdot, k, chain.links), z, gained);
    const Vec3<ChainScalar> wdot = sums_outwards(gained, wdot_in);
    const Mat3<ChainScalar> W = acceleration_of_rotation(w, wdot);
    const Vec3<ChainScalar> a_first = a_in;
    const Vec3<ChainScalar> a_next =
        sums_outwards(W * of_children(here.d, k + 1 < chain.count ? at.links[k + 1].d : nil), a_in);
    here.F = {W * h, here.I * wdot + cross(w, here.I * w) + cross(h, of_parents(a_next, a_first))};
  }
}

/// Subtracts external wrenches, each in its link's axes, from F.  [eq. rnea]
inline void subtract_external(const PlanChain& chain, const Wrench<double>* external, const ChainMemory& at) {
  for (int k = 0; k < chain.count; ++k) {
    ChainLinks& here = at.links[k];
    const auto of_lanes = [&](Vec3<> Wrench<>::*part) {
      const auto in_lane = [&](int lane) {
        const int i = k * kChainLanes + lane;
        return i < chain.links ? external[i].*part : Vec3<>{0.0, 0.0, 0.0};
      };
      const Vec3<> a = in_lane(0), b = in_lane(1), c = in_lane(2), d = in_lane(3);
      const ChainScalar x(ChainScalar::Native{a.x, b.x, c.x, d.x}), y(ChainScalar::Native{a.y, b.y, c.y, d.y}),
          z(ChainScalar::Native{a.z, b.z, c.z, d.z});
      return fma(x, here.x, fma(y, here.y, z * here.z));
    };
    here.F -= Wrench<ChainScalar>{of_lanes(&Wrench<>::force), of_lanes(&Wrench<>::torque)};
  }
}

}  // namespace pintle::inline PINTLE_ISA
