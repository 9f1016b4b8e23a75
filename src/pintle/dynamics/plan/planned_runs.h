// Runs of links of one kind: the kind is known when the loop over a run is compiled.
#pragma once

#include "pintle/math/scalar.h"
#include "pintle/model/plan/plan.h"

namespace pintle::inline PINTLE_ISA {

/// Calls pass.template step<kind, base parameters>(i) for the links of a run, outwards or inwards; a pass that has no
/// step for a kind never gets it. A separate function: one with the loops of all kinds would run out of registers and
/// take minutes to compile. It copies the members of the pass one by one: whole passes would be copied in packs, which
/// stall on what was just stored.
template <PlanKind kKind, bool kBaseParameters, bool kOutwards, class Pass>
[[gnu::noinline]] inline void over_run(const PlanRun& run, const Pass& given) {
  Pass pass = given;
  if constexpr (!requires { pass.template step<kKind, kBaseParameters>(0); }) {
    return;
  } else if constexpr (kOutwards) {
    for (int i = run.first; i < run.first + run.count; ++i) pass.template step<kKind, kBaseParameters>(i);
  } else {
    for (int i = run.first + run.count - 1; i >= run.first; --i) pass.template step<kKind, kBaseParameters>(i);
  }
}

/// Whether links of a kind may be reduced to base parameters, and whether all are (PlanRun).
constexpr bool may_have_base_parameters(PlanKind kind) {
  return kind.joint == PlanJoint::prismatic ||
         (kind.joint == PlanJoint::revolute && kind.placement != PlanPlacement::posed);
}
constexpr bool has_base_parameters(PlanKind kind) {
  return kind.joint == PlanJoint::prismatic || (kind.joint == PlanJoint::revolute && kind.is_root());
}

template <PlanKind kKind, bool kOutwards, class Pass>
PINTLE_INLINE void over_kind(const PlanRun& run, const Pass& pass) {
  if constexpr (may_have_base_parameters(kKind) && !has_base_parameters(kKind)) {
    run.base_parameters ? over_run<kKind, true, kOutwards>(run, pass) : over_run<kKind, false, kOutwards>(run, pass);
  } else {
    over_run<kKind, has_base_parameters(kKind), kOutwards>(run, pass);
  }
}
template <PlanJoint kJoint, bool kOutwards, class Pass>
PINTLE_INLINE void over_placements(const PlanRun& run, const Pass& pass) {
  switch (run.kind.placement) {
    case PlanPlacement::root:
      return over_kind<PlanKind{kJoint, PlanPlacement::root}, kOutwards>(run, pass);
    case PlanPlacement::straight:
      return over_kind<PlanKind{kJoint, PlanPlacement::straight}, kOutwards>(run, pass);
    case PlanPlacement::turned:
      return over_kind<PlanKind{kJoint, PlanPlacement::turned}, kOutwards>(run, pass);
    case PlanPlacement::posed:
      if constexpr (kJoint != PlanJoint::prismatic)
        over_kind<PlanKind{kJoint, PlanPlacement::posed}, kOutwards>(run, pass);
      return;
    case PlanPlacement::any:
      return;
  }
}
template <bool kOutwards, class Pass>
PINTLE_INLINE void over_joints(const PlanRun& run, const Pass& pass) {
  switch (run.kind.joint) {
    case PlanJoint::revolute:
      return over_placements<PlanJoint::revolute, kOutwards>(run, pass);
    case PlanJoint::prismatic:
      return over_placements<PlanJoint::prismatic, kOutwards>(run, pass);
    case PlanJoint::screw:
      return over_placements<PlanJoint::screw, kOutwards>(run, pass);
    case PlanJoint::cylindrical:
      return over_placements<PlanJoint::cylindrical, kOutwards>(run, pass);
    case PlanJoint::spherical:
      return over_kind<PlanKind{PlanJoint::spherical}, kOutwards>(run, pass);
    case PlanJoint::free:
      return over_kind<PlanKind{PlanJoint::free, PlanPlacement::root}, kOutwards>(run, pass);
    case PlanJoint::general:
      return over_kind<PlanKind{PlanJoint::general}, kOutwards>(run, pass);
    case PlanJoint::lane_group:
      return;
  }
}

/// From the roots to the tips.
template <class B, class Pass>
PINTLE_INLINE void outwards(const PlanView<B>& plan, const Pass& pass) {
  for (int r = 0; r < plan.run_count; ++r) over_joints<true>(plan.runs[r], pass);
}
/// From the tips to the roots.
template <class B, class Pass>
PINTLE_INLINE void inwards(const PlanView<B>& plan, const Pass& pass) {
  for (int r = plan.run_count - 1; r >= 0; --r) over_joints<false>(plan.runs[r], pass);
}

}  // namespace pintle::inline PINTLE_ISA
