// Similar limbs of one state side by side in SIMD lanes: a lane does what the kernels do link by link, in the same
// order, so that the bits are the same. The trunk goes link by link, first outwards and last inwards.
#pragma once

#include "pintle/dynamics/plan/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Whether a register has a lane for each limb.
template <class T>
inline constexpr bool kHasLimbs = std::is_same_v<T, double>&& PINTLE_VECTOR_BYTES >= kLimbLanes * 8;

// ---- numbers of a state

/// Those of the links of a pack.
PINTLE_INLINE LimbNumber gathered(const double* numbers, const int (&at)[kLimbLanes]) {
  return LimbNumber(LimbNumber::Native{numbers[at[0]], numbers[at[1]], numbers[at[2]], numbers[at[3]]});
}
PINTLE_INLINE void scatter(LimbNumber x, const LimbPack& pack, double* numbers) {
  for (int lane = 0; lane < kLimbLanes; ++lane)
    if (pack.links[lane] >= 0) numbers[pack.v[lane]] = x[lane];
}

/// The numbers of a struct of packs, lane after lane; of one of doubles, one after the other.
template <class Struct>
PINTLE_INLINE double* numbers_of(Struct& s) {
  return reinterpret_cast<double*>(&s);
}
template <class Struct>
PINTLE_INLINE const double* numbers_of(const Struct& s) {
  return reinterpret_cast<const double*>(&s);
}

// ---- passes

template <class Pass>
PINTLE_INLINE void limbs_outwards(const PlanLimbs& limbs, const Pass& pass) {
  for (int r = 0; r < limbs.run_count; ++r) over_kinds<true>(limbs.runs[r], pass);
}
template <class Pass>
PINTLE_INLINE void limbs_inwards(const PlanLimbs& limbs, const Pass& pass) {
  for (int r = limbs.run_count - 1; r >= 0; --r) over_kinds<false>(limbs.runs[r], pass);
}
template <class Pass>
PINTLE_INLINE void trunk_outwards(const PlanLimbs& limbs, const Pass& pass) {
  for (int r = 0; r < limbs.trunk_count; ++r) over_kinds<true>(limbs.trunk[r], pass);
}
/// Calls add(link) for the innermost links of the limbs, when it is their turn.
template <class Pass, class Add>
PINTLE_INLINE void trunk_inwards(const PlanLimbs& limbs, const Pass& pass, const Add& add) {
  for (int r = limbs.trunk_count - 1; r >= 0; --r) {
    const PlanRun& run = limbs.trunk[r];
    if (run.kind == PlanKind::limb) {
      for (int i = run.first + run.count - 1; i >= run.first; --i) add(limbs.roots[i]);
    } else {
      over_kinds<false>(run, pass);
    }
  }
}

// ---- outwards: what carries a pack

/// Numbers of a PlannedLink, from the first one on.
struct LinkNumbers {
  int first, count;
};
inline constexpr LinkNumbers kMotion = {0, 12}, kAcceleration = {6, 6};

/// Puts what the carriers have into all lanes.
inline void carry(const PlanLimbs& limbs, const LinkNumbers& which, const PlannedMemory<double>& at) {
  for (int c = 0; c < limbs.carrier_count; ++c) {
    const double* const from = numbers_of(at.links[limbs.carriers[c]]);
    double* const to = numbers_of(at.limbs.links[limbs.count + c]);
    for (int k = which.first; k < which.first + which.count; ++k) store(LimbNumber(from[k]), to + k * kLimbLanes);
  }
}

/// What the links have that carry those of a pack, lane by lane.
inline void bring_together(const LimbPack& pack, const LinkNumbers& which, const LimbMemory& at,
                           PlannedLink<LimbNumber>& room) {
  const double* from[kLimbLanes];
  for (int lane = 0; lane < kLimbLanes; ++lane)
    from[lane] = numbers_of(at.links[pack.parent[lane]]) + pack.parent_lane[lane];
  double* const to = numbers_of(room);
  const int first = which.first * kLimbLanes, end = first + which.count * kLimbLanes;
  for (int k = first; k < end; k += kLimbLanes)
    store(LimbNumber(LimbNumber::Native{from[0][k], from[1][k], from[2][k], from[3][k]}), to + k);
}

/// What carries pack k.
template <PlanKind kKind>
PINTLE_INLINE const PlannedLink<LimbNumber>* limb_parent(const PlanLimbs& limbs, int k, const LinkNumbers& which,
                                                         const LimbMemory& at) {
  if constexpr (kKind == PlanKind::root_hinge) {
    return nullptr;
  } else {
    const LimbPack& pack = limbs.packs[k];
    if (pack.only_parent >= 0) return at.links + pack.only_parent;
    PlannedLink<LimbNumber>& room = at.links[limbs.count + limbs.carrier_count];
    bring_together(pack, which, at, room);
    return &room;
  }
}

template <PlanKind kKind>
PINTLE_INLINE Hinge<LimbNumber, kKind, LimbNumber> limb_hinge(const PlanLimbs& limbs, int k, const LimbMemory& at) {
  const auto* const numbers = reinterpret_cast<const PlanNumbers<LimbNumber>*>(limbs.numbers);
  return {{numbers[k]}, {load<LimbNumber>(at.cosines + k * kLimbLanes), load<LimbNumber>(at.sines + k * kLimbLanes)}};
}

/// V, A and F of every pack, as PlannedMotionPass finds them.
template <bool kVdot>
struct LimbMotionPass {
  const PlanLimbs& limbs;
  const double* v;
  const double* vdot;
  LimbMemory at;

  template <PlanKind kKind, bool kSlender>
  requires(is_hinge(kKind)) PINTLE_INLINE void step(int k) {
    const LimbPack& pack = limbs.packs[k];
    const Hinge<LimbNumber, kKind, LimbNumber> across = limb_hinge<kKind>(limbs, k, at);
    const PlannedLink<LimbNumber>* const parent = limb_parent<kKind>(limbs, k, kMotion, at);
    PlannedLink<LimbNumber>& here = at.links[k];
    Twist<LimbNumber> V, A;
    move_on_joint<kKind>(across, parent, gathered(v, pack.v), V, A);
    if constexpr (kVdot) A.angular.z = A.angular.z + gathered(vdot, pack.v);
    here.V = V;
    here.A = A;
    here.F = needed_wrench<kSlender>(across.link, V, A);
  }
};

// ---- inwards: what hangs on a pack

/// Adds `count` numbers of what hangs on the links of a pack to those at `sum`; the first in a lane replaces them where
/// `replaces`.
inline void add_inlets(const PlanLimbs& limbs, const LimbPack& pack, int first, int count, bool replaces,
                       const LimbMemory& at, double* sum) {
  for (int i = pack.first_inlet; i < pack.first_inlet + pack.inlet_count; ++i) {
    const LimbInlet& inlet = limbs.inlets[i];
    const double* const from = numbers_of(at.sums[inlet.child]) + first * kLimbLanes + inlet.child_lane;
    double* const to = sum + inlet.lane;
    if (replaces && inlet.first) {
      for (int k = 0; k < count * kLimbLanes; k += kLimbLanes) to[k] = from[k];
    } else {
      for (int k = 0; k < count * kLimbLanes; k += kLimbLanes) to[k] = to[k] + from[k];
    }
  }
}

inline constexpr int kSumNumbers = sizeof(PlannedSum<double>) / sizeof(double), kWrenchNumbers = 6;

/// What hangs on the links of a pack.
PINTLE_INLINE const PlannedSum<LimbNumber>& sum_of_children(const PlanLimbs& limbs, const LimbPack& pack,
                                                            const LimbMemory& at) {
  PlannedSum<LimbNumber>&empty = at.sums[limbs.count], &room = at.sums[limbs.count + 1];
  if (pack.children == LimbChildren::none) return empty;
  if (pack.children == LimbChildren::straight) return at.sums[pack.child];
  const double *const zeros = numbers_of(empty), *const from = numbers_of(at.sums[pack.child]);
  double* const to = numbers_of(room);
  const auto has_child = load<LimbNumber>(pack.has_child.lanes) != LimbNumber(0.0);
  for (int k = 0; k < kSumNumbers * kLimbLanes; k += kLimbLanes)
    store(select(has_child, load<LimbNumber>(from + k), load<LimbNumber>(zeros + k)), to + k);
  if (pack.children == LimbChildren::scattered) add_inlets(limbs, pack, 0, kSumNumbers, true, at, to);
  return room;
}

/// F of a pack and of what hangs on its links.
PINTLE_INLINE Wrench<LimbNumber> with_children(const PlanLimbs& limbs, const LimbPack& pack,
                                               const Wrench<LimbNumber>& F, const LimbMemory& at) {
  if (pack.children == LimbChildren::none) return F;
  if (pack.children == LimbChildren::straight) return F + at.sums[pack.child].p;
  Wrench<LimbNumber>& room = at.sums[limbs.count + 1].p;
  room = F;
  if (pack.children == LimbChildren::scattered) {
    add_inlets(limbs, pack, kSumNumbers - kWrenchNumbers, kWrenchNumbers, false, at, numbers_of(room));
    return room;
  }
  const auto has_child = load<LimbNumber>(pack.has_child.lanes) != LimbNumber(0.0);
  const Wrench<LimbNumber> sum = F + at.sums[pack.child].p;
  const auto where = [&](const Vec3<LimbNumber>& a, const Vec3<LimbNumber>& b) {
    return Vec3<LimbNumber>{select(has_child, a.x, b.x), select(has_child, a.y, b.y), select(has_child, a.z, b.z)};
  };
  return {where(sum.force, F.force), where(sum.torque, F.torque)};
}

/// Adds what the trunk sees of a limb to the sum of the link that carries it.
inline void add_limb(const PlanLink<double>& root, const PlannedMemory<double>& at) {
  const double* const from = numbers_of(at.limbs.sums[root.hinge / kLimbLanes]) + root.hinge % kLimbLanes;
  double* const to = numbers_of(at.sums[root.parent_sum]);
  if (root.first_in_sum) {
#pragma GCC unroll 27
    for (int k = 0; k < kSumNumbers; ++k) to[k] = from[k * kLimbLanes];
  } else {
#pragma GCC unroll 27
    for (int k = 0; k < kSumNumbers; ++k) to[k] = to[k] + from[k * kLimbLanes];
  }
}

/// The wrench that the trunk sees of a limb.
inline Wrench<double> wrench_of_limb(const PlanLink<double>& root, const PlannedMemory<double>& at) {
  const double* const p = numbers_of(at.limbs.sums[root.hinge / kLimbLanes].p) + root.hinge % kLimbLanes;
  return {{p[0], p[kLimbLanes], p[2 * kLimbLanes]}, {p[3 * kLimbLanes], p[4 * kLimbLanes], p[5 * kLimbLanes]}};
}

}  // namespace pintle::inline PINTLE_ISA
