#include "pintle/simulation/contact/check_overlaps.h"

#include <string>
#include <vector>

#include "pintle/math/number_text.h"
#include "pintle/simulation/contact/near_pairs.h"

namespace pintle {
namespace {

/// The deepest overlap of two bodies.
struct Overlap {
  int body_a, body_b;  // -1: the world
  int pair;
  double depth;  // [m]
};

std::string name_of(const Model& model, int body) {
  return body < 0 ? "the ground" : "'" + model.bodies()[static_cast<std::size_t>(body)].name + "'";
}

std::vector<Overlap> overlaps_of(const Contacts& contacts, const KinematicsWorkspace& places) {
  NearPairs near(contacts, false);
  std::vector<Overlap> overlaps;
  for (const int number : near.at(places)) {
    const auto pair = static_cast<std::size_t>(number);
    const double depth = -contacts.gap(pair, places).distance;
    if (!(depth > contacts.tolerance(pair, places))) continue;
    const ContactPair& of = contacts.setup().pairs[pair];
    const int a = contacts.setup().parts[static_cast<std::size_t>(of.a)].body;
    const int b = contacts.setup().parts[static_cast<std::size_t>(of.b)].body;
    bool known = false;
    for (Overlap& other : overlaps) {
      if (other.body_a != a || other.body_b != b) continue;
      known = true;
      if (depth > other.depth) other = {a, b, number, depth};
    }
    if (!known) overlaps.push_back({a, b, number, depth});
  }
  return overlaps;
}

}  // namespace

Diagnostics check_overlaps(const Model& model, const ContactSetup& setup, const ContactSpec& spec,
                           std::span<const double> q) {
  Diagnostics problems;
  if (setup.pairs.empty()) return problems;
  const Contacts contacts(model, setup, spec);
  KinematicsWorkspace places(model);
  const std::vector<double> still(static_cast<std::size_t>(model.nv()));
  kinematics(model, q, still, still, places);
  for (const Overlap& overlap : overlaps_of(contacts, places)) {
    const ContactPair& of = setup.pairs[static_cast<std::size_t>(overlap.pair)];
    const auto shape_of = [&](int part) -> const ContactShapeSpec& {
      return spec.shapes[static_cast<std::size_t>(setup.parts[static_cast<std::size_t>(part)].spec)];
    };
    const Origin& origin = shape_of(of.b).origin;
    const std::string depth = number_text(overlap.depth) + " m";
    const std::string what = name_of(model, overlap.body_a) + " and " + name_of(model, overlap.body_b) +
                             " overlap by " + depth + " at the start";
    std::string why = "they are moved apart before the first step, at the cost of energy that nothing explains";
    std::string fix = "start them " + depth + " farther apart, or exclude the pair by a rule";
    if (shape_of(of.a).holes > 0 || shape_of(of.b).holes > 0) {
      why += "; holes of shapes count as filled in contact";
      fix += "; make the walls around a hole of several shapes if bodies are to enter it";
    }
    problems.push_back(make_warning("contact-overlap", origin, what, std::move(why), std::move(fix)));
  }
  return problems;
}

}  // namespace pintle
