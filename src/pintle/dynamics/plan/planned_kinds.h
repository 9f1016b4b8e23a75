// Compile-time properties of the kinds of links of a plan.
#pragma once

#include "pintle/model/plan/plan.h"

namespace pintle::inline PINTLE_ISA {

constexpr bool is_hinge(PlanKind kind) {
  return kind == PlanKind::root_hinge || kind == PlanKind::hinge || kind == PlanKind::turned_hinge ||
         kind == PlanKind::posed_hinge;
}
constexpr bool is_slider(PlanKind kind) {
  return kind == PlanKind::root_slider || kind == PlanKind::slider || kind == PlanKind::turned_slider;
}
constexpr bool is_screw(PlanKind kind) {
  return kind == PlanKind::root_screw || kind == PlanKind::screw || kind == PlanKind::turned_screw ||
         kind == PlanKind::posed_screw;
}
constexpr bool is_cylinder(PlanKind kind) {
  return kind == PlanKind::root_cylinder || kind == PlanKind::cylinder || kind == PlanKind::turned_cylinder ||
         kind == PlanKind::posed_cylinder;
}
/// A single-axis joint on the world.
constexpr bool is_root(PlanKind kind) {
  return kind == PlanKind::root_hinge || kind == PlanKind::root_slider || kind == PlanKind::root_screw ||
         kind == PlanKind::root_cylinder;
}
/// A single-axis joint whose common normal with the parent's axis is not at the parent's frame.
constexpr bool is_turned(PlanKind kind) {
  return kind == PlanKind::turned_hinge || kind == PlanKind::turned_slider || kind == PlanKind::turned_screw ||
         kind == PlanKind::turned_cylinder;
}
/// A single-axis joint whose common normal is ill-conditioned.
constexpr bool is_posed(PlanKind kind) {
  return kind == PlanKind::posed_hinge || kind == PlanKind::posed_screw || kind == PlanKind::posed_cylinder;
}

}  // namespace pintle::inline PINTLE_ISA
