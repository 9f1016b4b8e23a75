#include "pintle/simulation/time_stepping/step_contacts.h"

#include <algorithm>

#include "pintle/base/size.h"

namespace pintle {

StepContacts::StepContacts(const Model& model, const Trees& trees, const Contacts& contacts, bool all_pairs)
    : model_(model), trees_(trees), contacts_of_(contacts), near_(contacts, all_pairs) {}

void StepContacts::find(const KinematicsWorkspace& places, double time, std::span<const ActiveContact> was,
                        std::span<const unsigned char> movable) {
  contacts_.clear();
  J_.clear();
  by_pair_.resize(was.size());
  for (std::size_t i = 0; i < was.size(); ++i) by_pair_[i] = i;
  std::sort(by_pair_.begin(), by_pair_.end(),
            [&](std::size_t a, std::size_t b) { return was[a].pair != was[b].pair ? was[a].pair < was[b].pair : a < b; });
  for (const int pair : near_.within_reach(places, time)) {
    const ContactManifold manifold = contacts_of_.within_reach(size(pair), places, time);
    for (int k = 0; k < manifold.count; ++k) add(pair, manifold.points[size(k)], places, was, movable);
  }
}

void StepContacts::add(int pair, const ContactPoint& point, const KinematicsWorkspace& places,
                       std::span<const ActiveContact> was, std::span<const unsigned char> movable) {
  StepContact next;
  next.frame = contacts_of_.contact_frame_of(size(pair), point, places);
  const auto moves = [&](int tree) { return tree >= 0 && movable[size(tree)] != 0 ? tree : -1; };
  const int a = moves(trees_.of_link(next.frame.link_a)), b = moves(trees_.of_link(next.frame.link_b));
  if (a < 0 && b < 0) return;
  next.gap = point.distance;
  next.tolerance = contacts_of_.tolerance(size(pair), places);
  const auto first = std::lower_bound(by_pair_.begin(), by_pair_.end(), pair,
                                      [&](std::size_t i, int of) { return was[i].pair < of; });
  for (auto at = first; at != by_pair_.end() && was[*at].pair == pair; ++at) {
    if (was[*at].feature != point.feature) continue;
    next.contact = was[*at];
    next.was_active = true;
  }
  next.contact.pair = pair;
  next.contact.feature = point.feature;
  if (next.frame.surfaces_move) {
    const Vec3<> speed = surface_velocity_of_b(next.frame) - surface_velocity_of_a(next.frame);
    next.surface_speed = {speed.y, speed.z};
  }
  const auto add_rows = [&](std::size_t side, int tree, const Place& place, double sign) {
    const std::size_t columns = trees_.dofs(size(tree)).size();
    if (next.trees[side] != tree) {
      next.trees[side] = tree;
      next.first[side] = J_.size();
      J_.resize(J_.size() + next.rows() * columns, 0.0);
    }
    add_tree_rows(model_, trees_, places, place, sign, next.frame, columns, J_.data() + next.first[side]);
  };
  if (b >= 0) add_rows(0, b, {next.frame.link_b, next.frame.X_BC}, 1.0);
  if (a >= 0) add_rows(b >= 0 && a != b ? 1 : 0, a, {next.frame.link_a, next.frame.X_AC}, -1.0);
  contacts_.push_back(next);
}

}  // namespace pintle
