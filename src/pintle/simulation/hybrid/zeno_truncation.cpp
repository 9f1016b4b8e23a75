#include "pintle/simulation/hybrid/zeno_truncation.h"

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/edge_features.h"

namespace pintle {
namespace {

// A rebound no higher than so many times the resolution of the distance is left out. The instants of its ends are known
// to about resolution/speed each, so its duration to one part in 4 times this; the errors of successive rebounds add
// up.
constexpr double kMinRebound = 4096.0;
constexpr double kMinEdgeRebound = 4.0;  // the same if another point of an edge separates

/// Whether a rebound rises above so many resolutions [m] and takes longer than the minimum rebound time [s].
bool rises(double u, double a, double lowest, double resolution, double min_rebound_time) {
  return u * u > 2.0 * lowest * resolution * a && 2.0 * u > min_rebound_time * a;
}

/// Whether another point of the same edge leaves its face higher than rounding: then the end tips, and no point of it
/// is kept closed because of its own short rebound.
bool edge_tips(const ContactCandidates& candidates, std::size_t candidate, double resolution, double min_rebound_time) {
  const ActiveContact& of = candidates[candidate].contact;
  if (!has_edge_point(of.feature)) return false;
  for (std::size_t c = 0; c < candidates.count(); ++c) {
    const ActiveContact& other = candidates[c].contact;
    if (other.pair != of.pair || !same_edge(other.feature, of.feature)) continue;
    const ContactFrameMotion motion = contact_frame_motion(candidates.places(), candidates[c].touch);
    const double u = motion.speed.x, a = -motion.speed_rate.x;
    if (u > candidates.slowest(c) && rises(u, a, kMinEdgeRebound, resolution, min_rebound_time)) return true;
  }
  return false;
}

}  // namespace

bool truncate_rebounds(const SceneSystem& system, const MotionState& state, std::span<const double> vdot,
                       ContactCandidates& candidates) {
  system.place_links(instant(state), vdot, candidates.places());
  const double min_rebound_time = system.scene().run().min_rebound_time;
  bool any = false;
  for (std::size_t c = 0; c < candidates.count(); ++c) {
    ContactCandidate& candidate = candidates[c];
    const ContactFrameMotion motion = contact_frame_motion(candidates.places(), candidate.touch);
    const double u = motion.speed.x, a = -motion.speed_rate.x;
    if (candidate.kept || !(u > 0.0) || !(a > 0.0)) continue;
    const double resolution = system.contacts().resolution(size(candidate.contact.pair), candidates.places());
    if (rises(u, a, kMinRebound, resolution, min_rebound_time)) continue;
    if (!(u > candidates.slowest(c))) continue;
    if (edge_tips(candidates, c, resolution, min_rebound_time)) continue;
    bool& mark = candidate.impulse[0] > 0.0 && !candidate.plastic ? candidate.plastic : candidate.kept;
    mark = any = true;
    const double part = candidate.approach > 0.0 ? min(u / candidate.approach, 1.0) : 0.0;
    candidate.contact.rest_delay = part < 1.0 ? 2.0 * u / (a * (1.0 - part)) : 0.0;
  }
  return any;
}

}  // namespace pintle
