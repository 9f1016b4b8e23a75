#include <cmath>
#include <utility>

#include "pintle/model/spec/spec_place.h"
#include "pintle/simulation/contact/contact_setup.h"

namespace pintle {
namespace {

class ContactCompiler {
 public:
  ContactCompiler(const Model& model, const ContactSpec& spec) : model_(model), spec_(spec) {}

  Result<ContactSetup> compile() {
    for (const SurfaceSpec& surface : spec_.surfaces) check_surface(surface.surface, surface.origin);
    for (const SurfacePairSpec& pair : spec_.pairs) {
      check_surface(pair.surface, pair.origin);
      check_material(pair.first, pair.origin);
      check_material(pair.second, pair.origin);
    }
    for (std::size_t k = 0; k < spec_.shapes.size(); ++k) add_part(k);
    for (const ContactRuleSpec& rule : spec_.rules) read_rule(rule);
    if (has_errors(problems_)) return problems_;
    find_pairs();
    if (has_errors(problems_)) return problems_;
    return {std::move(setup_), problems_};
  }

 private:
  void add(const Origin& origin, const char* code, std::string what, std::string why, std::string fix) {
    problems_.push_back(make_error(code, origin, std::move(what), std::move(why), std::move(fix)));
  }

  void check_surface(const Surface& surface, const Origin& origin) {
    if (!(surface.restitution >= 0.0 && surface.restitution <= 1.0))
      add(origin, "contact-restitution", "the restitution is not between 0 and 1",
          "a body cannot rebound faster than it approached", "give a number from 0 (no rebound) to 1 (no loss)");
    if (!(surface.friction >= 0.0) || !std::isfinite(surface.friction))
      add(origin, "contact-friction", "the friction is negative or not a number",
          "it is the ratio of the tangential to the normal force", "give a number of at least 0");
    else if (!(surface.static_friction >= surface.friction) || !std::isfinite(surface.static_friction))
      add(origin, "contact-friction", "the static friction is less than the kinetic friction",
          "sticking contacts bear at least as much friction as sliding ones",
          "make it at least as large as the kinetic friction");
    for (const double length : {surface.rolling_friction, surface.spinning_friction})
      if (!(length >= 0.0) || !std::isfinite(length))
        add(origin, "contact-friction", "the rolling or spinning friction is negative or not a number",
            "it is the ratio of a moment to the normal force, a length", "give a length of at least 0 m");
  }

  void check_material(const std::string& name, const Origin& origin) {
    if (name.empty()) return;
    std::vector<std::string> names;
    for (const SurfaceSpec& surface : spec_.surfaces) {
      if (surface.material == name) return;
      names.push_back(surface.material);
    }
    Diagnostic problem = unknown_name("material", name, "a contact", names);
    problem.origin = origin;
    problems_.push_back(std::move(problem));
  }

  /// The index of a body, -1 for the world; -2 with a problem if there is none.
  int body_named(const std::string& name, const Origin& origin) {
    if (name == kWorld) return -1;
    std::vector<std::string> names;
    for (std::size_t b = 0; b < model_.bodies().size(); ++b) {
      if (model_.bodies()[b].name == name) return static_cast<int>(b);
      names.push_back(model_.bodies()[b].name);
    }
    Diagnostic problem = unknown_name("body", name, "a contact", names);
    problem.origin = origin;
    problems_.push_back(std::move(problem));
    return -2;
  }

  void add_part(std::size_t number) {
    const ContactShapeSpec& shape = spec_.shapes[number];
    check_material(shape.material, shape.origin);
    for (Diagnostic problem : check(shape.shape)) {
      if (problem.origin.line == 0) problem.origin = shape.origin;
      problems_.push_back(std::move(problem));
    }
    const int body = body_named(shape.body, shape.origin);
    if (body == -2 || has_errors(problems_)) return;
    ContactPart part{static_cast<int>(number), 0, body, -1, shape.X_BS, 0.0};
    for (const ContactPart& before : setup_.parts) part.number += before.body == body ? 1 : 0;
    if (body >= 0) {
      const ModelBody& of = model_.bodies()[static_cast<std::size_t>(body)];
      part.link = of.link;
      part.X_LS = of.X_LB * shape.X_BS;
    }
    const SurfaceVelocity& surface = shape.surface_velocity;
    part.surface_velocity = {part.X_LS.rotation * surface.linear, part.X_LS.rotation * surface.around};
    const BoundingBox box = bounding_box(shape.shape);
    const double diagonal = norm(box.max - box.min);
    part.extent = std::isfinite(diagonal) ? diagonal : 0.0;
    setup_.parts.push_back(part);
  }

  void read_rule(const ContactRuleSpec& rule) {
    const int first = body_named(rule.first, rule.origin), second = body_named(rule.second, rule.origin);
    if (first == -2 || second == -2) return;
    rules_.push_back({first, second, rule.may_touch});
  }

  const ContactShape& shape_of(const ContactPart& part) const {
    return spec_.shapes[static_cast<std::size_t>(part.spec)].shape;
  }

  int parent_link(int link) const { return link < 0 ? -2 : model_.links()[static_cast<std::size_t>(link)].parent; }

  /// A rule about two parts; null if there is none.
  const PairRule* rule_of(const ContactPart& a, const ContactPart& b) const {
    for (const PairRule& rule : rules_)
      if ((rule.first == a.body && rule.second == b.body) || (rule.first == b.body && rule.second == a.body))
        return &rule;
    return nullptr;
  }

  bool may_touch(const ContactPart& a, const ContactPart& b) const {
    const ContactShapeSpec& of_a = spec_.shapes[static_cast<std::size_t>(a.spec)];
    const ContactShapeSpec& of_b = spec_.shapes[static_cast<std::size_t>(b.spec)];
    if (a.link == b.link) return false;
    if (const PairRule* const rule = rule_of(a, b)) return rule->may_touch;
    const ContactGroups &ga = of_a.groups, &gb = of_b.groups;
    return (ga.belongs_to & gb.meets) != 0 && (gb.belongs_to & ga.meets) != 0;
  }

  /// Whether two parts that could touch do not because a joint connects them, which no rule overrides.
  bool are_connected(const ContactPart& a, const ContactPart& b) const {
    return rule_of(a, b) == nullptr && (is_child(a, b) || is_child(b, a));
  }

  /// Half-spaces, meshes and height fields pass through each other; a bowl that would let something pass is a problem.
  bool have_query(const ContactPart& a, const ContactPart& b) {
    const ContactShapeSpec& of_a = spec_.shapes[static_cast<std::size_t>(a.spec)];
    const ContactShapeSpec& of_b = spec_.shapes[static_cast<std::size_t>(b.spec)];
    if (can_touch(of_a.shape, of_b.shape)) return true;
    const bool bowl = std::holds_alternative<Bowl>(of_a.shape) || std::holds_alternative<Bowl>(of_b.shape);
    if (!bowl) return false;
    const NoQuery none = no_query(of_a.shape, of_b.shape);
    const bool first = std::holds_alternative<Bowl>(of_a.shape);
    add(first ? of_b.origin : of_a.origin, "contact-pair",
        "the " + std::string(name((first ? of_b : of_a).shape)) + " of '" + (first ? of_b : of_a).body +
            "' cannot collide with the bowl",
        none.why, none.fix + "; or exclude the pair by a rule");
    return false;
  }

  /// Connected by a joint; a floating body is not a child of the world.
  bool is_child(const ContactPart& child, const ContactPart& parent) const {
    return child.link >= 0 && parent_link(child.link) == parent.link &&
           model_.links()[static_cast<std::size_t>(child.link)].nv < 6;
  }

  void find_pairs() {
    for (std::size_t a = 0; a < setup_.parts.size(); ++a) {
      for (std::size_t b = a + 1; b < setup_.parts.size(); ++b) {
        const ContactPart &of_a = setup_.parts[a], &of_b = setup_.parts[b];
        if (!may_touch(of_a, of_b)) continue;
        const bool connected = are_connected(of_a, of_b), grounded = of_a.link < 0 || of_b.link < 0;
        if (connected ? !grounded || !can_touch(shape_of(of_a), shape_of(of_b)) : !have_query(of_a, of_b)) continue;
        const auto& material = [&](std::size_t part) -> const std::string& {
          return spec_.shapes[static_cast<std::size_t>(setup_.parts[part].spec)].material;
        };
        (connected ? setup_.ignored : setup_.pairs)
            .push_back({static_cast<int>(a), static_cast<int>(b), surface_between(spec_, material(a), material(b))});
      }
    }
  }

  const Model& model_;
  const ContactSpec& spec_;
  ContactSetup setup_;
  std::vector<PairRule> rules_;  // of bodies
  Diagnostics problems_;
};

const Surface* surface_of(const ContactSpec& spec, const std::string& material) {
  for (const SurfaceSpec& surface : spec.surfaces)
    if (surface.material == material) return &surface.surface;
  return nullptr;
}

}  // namespace

Surface surface_between(const ContactSpec& spec, const std::string& first, const std::string& second) {
  for (const SurfacePairSpec& pair : spec.pairs) {
    if ((pair.first == first && pair.second == second) || (pair.first == second && pair.second == first))
      return pair.surface;
  }
  const Surface* const a = surface_of(spec, first);
  const Surface* const b = surface_of(spec, second);
  if (a == nullptr || b == nullptr) return {};
  if (a == b) return *a;
  return {std::sqrt(a->restitution * b->restitution), std::sqrt(a->friction * b->friction),
          std::sqrt(a->static_friction * b->static_friction), std::sqrt(a->rolling_friction * b->rolling_friction),
          std::sqrt(a->spinning_friction * b->spinning_friction)};
}

Result<ContactSetup> compile_contacts(const Model& model, const ContactSpec& spec) {
  return ContactCompiler(model, spec).compile();
}

}  // namespace pintle
