// External wrenches on any point of any body or frame.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// Adds a wrench that acts on a place, about the place's origin (Axes::world: about the world's), to the external
/// wrenches: one per body of the model, each in its body's frame, as DynamicsOptions::external expects them. The poses
/// are those of the last `kinematics`. Throws UsageError for a place on the world.  [eq. coadjoint]
void add_external(const Model& model, const KinematicsWorkspace& work, const Place& place, const Wrench<>& F, Axes axes,
                  std::span<Wrench<>> external);

/// The wrenches on the links, each in its link's frame, from those on the bodies; empty if those are. `room` has one
/// entry per link. Wrenches on bodies welded to the world have no effect and are left out. Throws UsageError on a size
/// mismatch.
std::span<const Wrench<>> on_links(const Model& model, std::span<const Wrench<>> external, std::span<Wrench<>> room);

/// The same in the frames of the model's plan; null if there are none. The caller checks the sizes.
const Wrench<>* on_plan(const Model& model, std::span<const Wrench<>> external, std::span<Wrench<>> room);

}  // namespace pintle
