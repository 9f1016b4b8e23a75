// Zeno truncation: rebounds too short to be distinguished from rest are left out, so that a ball comes to rest.
//
// At a speed u of separation and an acceleration -a, a rebound is u^2/(2 a) high and takes 2 u/a. Those that would
// follow, each with e times the speed of the one before, take 2 u/(a (1 - e)) in total.
#pragma once

#include <span>

#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// Marks the candidates that separate too little at a state and its accelerations: those that rebound as plastic;
/// others, and those that separate nevertheless, as kept. False: no new ones.
bool truncate_rebounds(const SceneSystem& system, const MotionState& state, std::span<const double> vdot,
                       ContactCandidates& candidates);

}  // namespace pintle
