#include "pintle/simulation/hybrid/contact_candidates.h"

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"

namespace pintle {

ContactCandidates::ContactCandidates(const SceneSystem& system)
    : system_(system), near_pairs_(system.contacts(), system.all_pairs()), places_(system.model()) {
  // The motion columns of joints, which SceneSystem::place_links leaves unchanged while bodies fly.
  const MotionState neutral = neutral_state(system);
  const std::vector<double> zero(neutral.v.size());
  kinematics(system.model(), neutral.q, zero, zero, places_);
}

void ContactCandidates::collect(const MotionState& state, std::span<const FrictionMarks> rests) {
  const Contacts& contacts = system_.contacts();
  system_.place_links(instant(state), places_);
  candidates_.clear();
  for (std::size_t c = 0; c < contacts.active().size(); ++c) {
    const ActiveContact& active = contacts.active()[c];
    if (contacts.lies_flat(active, places_)) continue;  // points all around replace it
    const ContactPoint point = contacts.point_of(active, places_);
    if (has(active.pair, point.feature)) continue;  // two points of an edge that has tilted
    add(active, point, rests.empty() ? FrictionMarks{} : rests[c]);
  }
  for (const int pair : near_pairs_.at(places_)) {
    const ContactManifold manifold = contacts.touching(size(pair), places_);
    for (int k = 0; k < manifold.count; ++k) {
      const ContactPoint& point = manifold.points[size(k)];
      if (has(pair, point.feature)) continue;
      ActiveContact contact;
      contact.pair = pair;
      add(contact, point, {});
    }
  }
}

void ContactCandidates::add(const ActiveContact& contact, const ContactPoint& point, FrictionMarks rests) {
  ContactCandidate& candidate = candidates_.emplace_back();
  candidate.contact = contact;
  candidate.rests = rests;
  migrate(candidates_.size() - 1, point);
}

bool ContactCandidates::has(int pair, std::uint64_t feature) const {
  for (const ContactCandidate& other : candidates_)
    if (other.contact.pair == pair && other.contact.feature == feature) return true;
  return false;
}

const Surface& ContactCandidates::surface(std::size_t c) const {
  return system_.contacts().surface(size(candidates_[c].contact.pair));
}

void ContactCandidates::migrate(std::size_t c, const ContactPoint& point) {
  ContactCandidate& candidate = candidates_[c];
  candidate.contact.feature = point.feature;
  candidate.point = point;
  candidate.touch = system_.contacts().contact_frame_of(size(candidate.contact.pair), point, places_);
}

void ContactCandidates::read_speeds(const MotionState& state) {
  system_.place_links(instant(state), places_);
  speeds_.resize(candidates_.size());
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    speeds_[c] = contact_velocity(places_, candidates_[c].touch).linear.x;
}

double ContactCandidates::slowest(std::size_t c) const {
  const ContactCandidate& of = candidates_[c];
  return fma(kAtRest, of.approach, system_.contacts().slowest_speed(size(of.contact.pair), of.touch, places_));
}

double ContactCandidates::slowest_turn(std::size_t c) const {
  const ContactCandidate& of = candidates_[c];
  return system_.contacts().slowest_turn(size(of.contact.pair), of.touch, places_);
}

}  // namespace pintle
