#include "pintle/simulation/contact/check_ignored_ground.h"

#include <algorithm>
#include <string>
#include <vector>

#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {
namespace {

/// Displacements of a dof [rad or m] from 3 mm on to a hundred metres, each half as long again as the one before.
constexpr double kShortestMove = 3e-3, kLongestMove = 100.0, kFactor = 1.5;

/// Moves single dofs of a mechanism and looks whether pairs of shapes overlap.
class Reach {
 public:
  Reach(const Model& model, const Contacts& contacts, std::span<const double> q)
      : model_(model),
        contacts_(contacts),
        q_(q),
        moved_(q.begin(), q.end()),
        move_(static_cast<std::size_t>(model.nv())),
        still_(move_.size()),
        lower_(move_.size()),
        upper_(move_.size()),
        places_(model) {
    position_ranges(model, lower_, upper_);
  }

  /// Whether the shapes of a pair can overlap when the joint of a link moves.
  bool overlap(std::size_t pair, int link) {
    for (const IndependentJoint& joint : model_.independent_joints()) {
      if (model_.joints()[static_cast<std::size_t>(joint.joint)].link != link) continue;
      const int nq = facts(joint.kind).nq, nv = facts(joint.kind).nv;
      for (int i = 0; i < nv; ++i) {
        const double at = nq == nv ? q_[static_cast<std::size_t>(joint.q + i)] : 0.0;
        if (overlaps_along(pair, static_cast<std::size_t>(joint.v + i), at)) return true;
      }
    }
    return false;
  }

 private:
  bool overlaps_along(std::size_t pair, std::size_t dof, double at) {
    if (overlaps_at(pair, dof, 0.0)) return true;
    for (double move = kShortestMove; move < kLongestMove; move *= kFactor) {
      if (overlaps_at(pair, dof, std::min(move, upper_[dof] - at))) return true;
      if (overlaps_at(pair, dof, std::max(-move, lower_[dof] - at))) return true;
    }
    return false;
  }

  bool overlaps_at(std::size_t pair, std::size_t dof, double move) {
    move_[dof] = move;
    integrate(model_, q_, move_, moved_);
    move_[dof] = 0.0;
    kinematics(model_, moved_, still_, still_, places_);
    return -contacts_.gap(pair, places_).distance > contacts_.tolerance(pair, places_);
  }

  const Model& model_;
  const Contacts& contacts_;
  std::span<const double> q_;
  std::vector<double> moved_, move_, still_, lower_, upper_;
  KinematicsWorkspace places_;
};

}  // namespace

Diagnostics check_ignored_ground(const Model& model, const ContactSetup& setup, const ContactSpec& spec,
                                 std::span<const double> q) {
  Diagnostics problems;
  if (setup.ignored.empty()) return problems;
  const ContactSetup ignored{setup.parts, setup.ignored, {}};
  const Contacts contacts(model, ignored, spec);
  Reach reach(model, contacts, q);
  std::vector<int> told;
  for (std::size_t k = 0; k < ignored.pairs.size(); ++k) {
    const ContactPart& a = ignored.parts[static_cast<std::size_t>(ignored.pairs[k].a)];
    const ContactPart& b = ignored.parts[static_cast<std::size_t>(ignored.pairs[k].b)];
    const ContactPart& moving = a.link < 0 ? b : a;
    if (std::find(told.begin(), told.end(), moving.body) != told.end() || !reach.overlap(k, moving.link)) continue;
    told.push_back(moving.body);
    const std::string& name = model.bodies()[static_cast<std::size_t>(moving.body)].name;
    problems.push_back(make_warning(
        "contact-ground-ignored", spec.shapes[static_cast<std::size_t>(moving.spec)].origin,
        "'" + name + "' can reach the ground and will pass through it",
        "bodies that a joint connects do not touch each other, and its joint connects it to the world",
        "let the two touch by a rule, or exclude them by one if that is meant (docs/formats/scene.md, contact rules)"));
  }
  return problems;
}

}  // namespace pintle
