#include "pintle/model/spec/welded_inertias.h"

#include <map>
#include <string>

namespace pintle {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// The body that another one is welded to, and its pose on it.
struct Weld {
  std::size_t parent = kNone;
  Pose<> X_PC = identity_pose<double>();
};

std::vector<Weld> find_welds(const ModelSpec& spec) {
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) number.emplace(spec.bodies[i].name, i);
  std::vector<Weld> welds(spec.bodies.size());
  for (const JointSpec& joint : spec.joints) {
    const auto parent = number.find(joint.parent), child = number.find(joint.child);
    if (joint.kind != JointKind::fixed || parent == number.end() || child == number.end()) continue;
    welds[child->second] = {parent->second, joint.X_PJ * inverse(joint.X_CJ)};
  }
  return welds;
}

}  // namespace

std::vector<SpatialInertia<>> welded_inertias(const ModelSpec& spec) {
  const std::vector<Weld> welds = find_welds(spec);
  std::vector<std::size_t> innermost(welds.size());
  std::vector<SpatialInertia<>> whole(welds.size(), zero_inertia<double>());
  for (std::size_t i = 0; i < welds.size(); ++i) {
    Pose<> X_FB = identity_pose<double>();
    std::size_t first = i;
    for (std::size_t steps = 0; welds[first].parent != kNone && steps < welds.size(); ++steps) {
      X_FB = welds[first].X_PC * X_FB;
      first = welds[first].parent;
    }
    const bool is_circle = welds[first].parent != kNone;
    innermost[i] = is_circle ? i : first;
    whole[innermost[i]] = whole[innermost[i]] + (is_circle ? identity_pose<double>() : X_FB) * spec.bodies[i].inertia;
  }
  std::vector<SpatialInertia<>> of_bodies;
  for (const std::size_t first : innermost) of_bodies.push_back(whole[first]);
  return of_bodies;
}

}  // namespace pintle
