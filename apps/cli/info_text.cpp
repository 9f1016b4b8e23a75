#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "counted.h"
#include "info_report.h"
#include "material_pairs.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/io/report/mass_summary.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/text/utf8.h"
#include "scene_tree.h"

namespace pintle::cli {
namespace {

constexpr std::size_t kLabel = 14;

/// A label and its items, in lines that fit; nothing if there are no items.
std::string listed(const char* label, const std::vector<std::string>& parts, std::size_t width) {
  std::string text, line = fmt::format("{:<{}}", label, kLabel);
  bool empty = true;
  for (const std::string& part : parts) {
    if (!empty) line += ",";
    if (!empty && count_characters(line) + 1 + count_characters(part) + 1 > width) {
      text += line + "\n";
      line = std::string(kLabel, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + part;
    empty = false;
  }
  return parts.empty() ? "" : text + line + "\n";
}

/// The column widths of a numeric table: for 80 columns, or for more.
struct Widths {
  std::size_t name, mass, number;
  int digits;
};

Widths widths_of(const Model& model, int width) {
  std::size_t longest = 4;
  for (const ModelBody& body : model.bodies()) longest = std::max(longest, count_characters(body.name));
  if (width >= 112) return {std::min<std::size_t>(longest, 28), 12, 12, 6};
  return {std::min<std::size_t>(longest, 15), 10, 9, 3};
}

Vec3<> shown_vector(const Vec3<>& a, const ShownUnit& unit) {
  return {unit(a.x), unit(a.y), unit(a.z)};
}

std::string vector_cells(const Vec3<>& a, const Widths& widths) {
  const double scale = max(std::abs(a.x), max(std::abs(a.y), std::abs(a.z)));
  std::string cells;
  for (const double x : {a.x, a.y, a.z})
    cells += fmt::format("{:>{}}", short_number(x, scale, widths.digits), widths.number);
  return cells;
}

std::string mass_table(const Scene& scene, const MassSummary& total, int width, const UnitSystem& units) {
  const Model& model = scene.model();
  const ShownUnit mass = units.shown("kg"), length = units.shown("m"), inertia = units.shown("kg m^2");
  const Widths widths = widths_of(model, width);
  const std::size_t three = 3 * widths.number;
  std::string text = fmt::format("{:<{}}{:>{}}{:>{}}{:>{}}\n", "body", widths.name,
                                 units.labels("mass [kg]"), widths.mass, units.labels("centre of mass [m]"), three,
                                 units.labels("principal inertia [kg m^2]"), three);
  const auto row = [&](const std::string& name, const MassSummary& summary) {
    text += fmt::format("{:<{}}{:>{}}{}{}\n", shortened(name, widths.name), widths.name,
                        short_number(mass(summary.mass), 0.0, widths.digits + 1), widths.mass,
                        vector_cells(shown_vector(summary.center, length), widths),
                        vector_cells(shown_vector(summary.principal, inertia), widths));
  };
  std::size_t line = widths.name + widths.mass + 2 * three;
  std::string rule;
  for (; line > 0; --line) rule += "─";
  text += rule + "\n";
  for (const ModelBody& body : model.bodies()) row(body.name, mass_summary(body.inertia));
  text += rule + "\n";
  row("all", total);
  return text;
}

std::string totals_text(const Scene& scene, const MassSummary& total, std::size_t width, const UnitSystem& units) {
  const double moving = moving_mass(scene.model());
  const SymMat3<>& I = total.inertia;
  const ShownUnit length = units.shown("m"), of_inertia = units.shown("kg m^2");
  const double scale = of_inertia(max(I.xx, max(I.yy, I.zz)));
  const auto number = [&](double x) { return short_number(of_inertia(x), scale, 5); };
  std::vector<std::string> parts{quantity_text(units, total.mass, "kg")};
  if (moving < total.mass) parts.push_back(quantity_text(units, moving, "kg") + " of them move");
  const Vec3<> c = shown_vector(total.center, length);
  const double size = max(std::abs(c.x), max(std::abs(c.y), std::abs(c.z)));
  parts.push_back(fmt::format("centre of mass at the start ({}, {}, {}) {}", short_number(c.x, size),
                              short_number(c.y, size), short_number(c.z, size), length.unit));
  const std::vector<std::string> inertia{
      "xx " + number(I.xx), "yy " + number(I.yy), "zz " + number(I.zz),
      "xy " + number(I.xy), "xz " + number(I.xz), "yz " + number(I.yz) + " " + of_inertia.unit + " about it, in world axes"};
  return listed("all", parts, width) + listed("inertia", inertia, width);
}

/// The passive efforts of joints, as a table of those that have any.
std::string passive_table(const Model& model, const UnitSystem& units) {
  struct Quantity {
    const char *name, *rotational, *translational;
    double JointPassive::*member;
    bool used;
  };
  Quantity quantities[] = {{"damping", "N m s/rad", "N s/m", &JointPassive::damping, false},
                           {"friction", "N m", "N", &JointPassive::friction, false},
                           {"spring", "N m/rad", "N/m", &JointPassive::stiffness, false},
                           {"rotor inertia", "kg m^2", "kg", &JointPassive::armature, false}};
  bool any = false;
  for (const ModelDof& dof : model.dofs()) {
    for (Quantity& quantity : quantities) {
      quantity.used = quantity.used || dof.passive.*quantity.member != 0.0;
      any = any || quantity.used;
    }
  }
  if (!any) return "";
  constexpr std::size_t kName = 17;
  std::string text = fmt::format("{:<{}}", "joint", kName);
  for (const Quantity& quantity : quantities)
    if (quantity.used) text += fmt::format("{:>15}", quantity.name);
  text += "\n";
  for (const ModelDof& dof : model.dofs()) {
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(dof.joint)];
    const JointPart part = velocity_part(joint.kind, dof.index);
    const std::string name = joint.name + (facts(joint.kind).nv > 1 ? "." + std::string(part.name) : "");
    std::string cells;
    bool does = false;
    for (const Quantity& quantity : quantities) {
      const double value = dof.passive.*quantity.member;
      const char* const unit = part.unit == "rad/s" ? quantity.rotational : quantity.translational;
      const std::string cell = value == 0.0 ? "" : quantity_text(units, value, unit, 4);
      if (quantity.used) cells += fmt::format("{:>15}", cell);
      does = does || value != 0.0;
    }
    cells.erase(cells.find_last_not_of(' ') + 1);
    if (does) text += fmt::format("{:<{}}{}\n", shortened(name, kName), kName, cells);
  }
  return text + "\n";
}

/// The joints that do not start at zero and at rest.
std::vector<std::string> start_parts(const Scene& scene, const UnitSystem& units) {
  const Model& model = scene.model();
  std::vector<double> zero(static_cast<std::size_t>(model.nq()));
  neutral(model, zero);
  std::vector<std::string> parts;
  const auto add = [&](const std::vector<Column>& columns, std::span<const double> values,
                       std::span<const double> usual) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (values[i] == usual[i]) continue;
      parts.push_back(fmt::format("{} = {}", columns[i].name, quantity_text(units, values[i], columns[i].unit)));
    }
  };
  add(position_columns(model), scene.initial_q(), zero);
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  add(velocity_columns(model), scene.initial_v(), rest);
  return parts;
}

std::string run_line(const RunSpec& run) {
  std::string text(facts(run.method).name);
  if (facts(run.method).estimates_error && !run.fixed_step) {
    text += fmt::format(", tolerances {} relative, {} absolute", short_number(run.tolerances.relative),
                        short_number(run.tolerances.absolute));
  } else if (run.step > 0.0) {
    text += fmt::format(", step {} s", short_number(run.step));
  } else {
    text += ", step estimated";
  }
  return text;
}

std::vector<std::string> run_parts(const RunSpec& run) {
  std::vector<std::string> parts{run_line(run),
                                 fmt::format("{} s from t = {} s", short_number(run.duration), short_number(run.t0))};
  parts.push_back(run.row_every > 0 ? fmt::format("a row every {} steps", run.row_every)
                                    : fmt::format("about {} rows", run.rows));
  if (run.energy_balance) parts.emplace_back("energy balance");
  if (run.certificate) {
    parts.emplace_back("certificate");
    if (run.certificate_limit != kCertificateLimit) parts.back() += " to " + short_number(run.certificate_limit, 0.0, 3);
  }
  if (run.momentum_state) parts.emplace_back("in momentum state");
  return parts;
}

template <class Spec, class Text>
std::vector<std::string> texts(const std::vector<Spec>& specs, Text text) {
  std::vector<std::string> result;
  for (const Spec& spec : specs) result.push_back(text(spec));
  return result;
}

std::string elements_text(const Scene& scene, std::size_t width) {
  const SceneSpec& spec = scene.spec();
  std::vector<std::string> motors =
      texts(spec.motors, [](const MotorSpec& s) { return fmt::format("{} (effort of {})", s.name, s.joint); });
  for (const PrescribedMotionSpec& s : spec.prescribed)
    motors.push_back(fmt::format("{} ({} of {})", s.name, name(s.kind), s.joint));
  std::vector<std::string> springs =
      texts(spec.joint_springs, [](const JointSpringSpec& s) { return fmt::format("{} (on {})", s.name, s.joint); });
  for (const LineSpringSpec& s : spec.line_springs)
    springs.push_back(fmt::format("{} ({} to {})", s.name, s.first.on, s.second.on));
  std::string text = listed("couplings",
                            texts(spec.model.couplings,
                                  [](const CouplingSpec& s) {
                                    return fmt::format("{} = {} {}{}", s.joint, short_number(s.ratio), s.driver,
                                                       s.offset != 0.0 ? " + " + short_number(s.offset) : "");
                                  }),
                            width);
  text += listed("motors", motors, width);
  text += listed(
      "controllers",
      texts(spec.controllers, [](const ControllerSpec& s) { return fmt::format("{} (of {})", s.name, s.joint); }),
      width);
  text += listed(
      "controls",
      texts(spec.feedbacks,
            [](const FeedbackSpec& s) { return fmt::format("{} (of {}, {} states)", s.name, s.joint, s.states.size()); }),
      width);
  text += listed("springs", springs, width);
  text += listed("bushings",
                 texts(spec.bushings,
                       [](const BushingSpec& s) { return fmt::format("{} ({} to {})", s.name, s.first, s.second); }),
                 width);
  const auto on_body = [](const auto& s) { return fmt::format("{} (on {})", s.name, s.at.on); };
  text += listed("forces", texts(spec.body_forces, on_body), width);
  text += listed("drags", texts(spec.drags, on_body), width);
  text += listed("events",
                 texts(spec.events,
                       [](const EventSpec& s) {
                         return fmt::format("{}: {} = 0{}", s.name, s.expression, s.terminal ? " (ends the run)" : "");
                       }),
                 width);
  text += listed("frames",
                 texts(spec.model.frames, [](const FrameSpec& s) { return fmt::format("{} on {}", s.name, s.body); }),
                 width);
  return text + listed("sensors",
                       texts(spec.sensors,
                             [](const SensorSpec& s) { return fmt::format("{} ({})", s.name, facts(s.kind).name); }),
                       width);
}

/// The collision shapes, and the contact parameters of their materials.
std::string contact_text(const Scene& scene, std::size_t width, const UnitSystem& units) {
  const ContactSpec& contact = scene.spec().contact;
  if (contact.shapes.empty()) return "";
  std::vector<std::string> shapes, materials;
  for (const ContactShapeSpec& s : contact.shapes) {
    const std::string kind = pintle::name(s.shape);
    const std::string filled = s.holes > 0 ? " with " + counted(s.holes, "hole", "holes") + " filled" : "";
    const double speed = norm(s.surface_velocity.linear) + norm(s.surface_velocity.around);
    shapes.push_back(fmt::format("{} ({}{}{}{}{})", s.body, kind == "hull" ? "hull of a mesh" : kind, filled,
                                 s.material.empty() ? "" : ", ", s.material,
                                 speed > 0.0 ? ", surface at " + short_number(speed) + " m/s" : ""));
  }
  for (const MaterialPair& pair : material_pairs(scene)) {
    const auto named = [](const std::string& material) { return material.empty() ? "none" : material; };
    const Surface& s = pair.surface;
    std::string text = pair.first == pair.second ? named(pair.first) + " with itself"
                                                 : named(pair.first) + " with " + named(pair.second);
    text += fmt::format(": e {}, friction {}", short_number(s.restitution), short_number(s.friction));
    if (s.static_friction != s.friction) text += fmt::format(" (static {})", short_number(s.static_friction));
    if (s.rolling_friction > 0.0) text += ", rolling " + quantity_text(units, s.rolling_friction, "m");
    if (s.spinning_friction > 0.0) text += ", spinning " + quantity_text(units, s.spinning_friction, "m");
    materials.push_back(text + " (" + pair.rule + ")");
  }
  std::vector<std::string> laws{contact.single_point ? "single point" : std::string(name(contact.law))};
  if (!contact.single_point) laws.push_back("several points: " + std::string(name(contact.several)));
  return listed("touch", shapes, width) + listed("surfaces", materials, width) + listed("impacts", laws, width);
}

}  // namespace

std::string info_text(const Scene& scene, const std::string& name, int width, const UnitSystem& units) {
  const Model& model = scene.model();
  const std::size_t room = static_cast<std::size_t>(std::max(width, 60));
  const MassSummary total = mass_summary(model, scene.initial_q());
  std::size_t fixed = 0;
  for (const ModelJoint& joint : model.joints()) fixed += facts(joint.kind).nv == 0 ? 1 : 0;
  std::string text = fmt::format(
      "{}: {}, {}{}, {} (nq {}, nv {})\n\n", model.name().empty() ? name : model.name(),
      counted(model.bodies().size(), "body", "bodies"), counted(model.joints().size(), "joint", "joints"),
      fixed > 0 ? fmt::format(" ({} fixed)", fixed) : "", counted(model.nv(), "dof", "dofs"), model.nq(), model.nv());
  text += scene_tree(scene, width, units) + "\n" + mass_table(scene, total, width, units) + "\n" +
          passive_table(model, units);
  text += totals_text(scene, total, room, units);
  const ShownUnit acceleration = units.shown("m/s^2");
  const Vec3<> g = shown_vector(model.gravity(), acceleration);
  text += listed("gravity",
                 {fmt::format("({}, {}, {}) {}", short_number(g.x), short_number(g.y), short_number(g.z),
                              acceleration.unit)}, room);
  text += elements_text(scene, room) + contact_text(scene, room, units);
  text += listed("start", start_parts(scene, units), room);
  return text + listed("run", run_parts(scene.run()), room);
}

}  // namespace pintle::cli
