#include <algorithm>
#include <cmath>

#include "pintle/io/scene/scene_writer.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/text/exact_numbers.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

constexpr DofUnitNames kTurning{"rad", "rad/s", "rad/s^2", "N m", "N m/rad", "N m s/rad", "kg m^2", "N m/rad/s"};
constexpr DofUnitNames kSliding{"m", "m/s", "m/s^2", "N", "N/m", "N s/m", "kg", "N/m/s"};

/// One kind of parameter of the dofs of a joint.
template <class Numbers>
struct WrittenNumber {
  const char* key;
  double Numbers::*member;
  std::string_view DofUnitNames::*unit;
};
constexpr WrittenNumber<JointLimits> kLimits[] = {{"lower", &JointLimits::lower, &DofUnitNames::position},
                                                  {"upper", &JointLimits::upper, &DofUnitNames::position},
                                                  {"speed_limit", &JointLimits::speed, &DofUnitNames::speed},
                                                  {"effort_limit", &JointLimits::effort, &DofUnitNames::effort}};
constexpr WrittenNumber<JointPassive> kPassive[] = {{"damping", &JointPassive::damping, &DofUnitNames::damping},
                                                    {"friction", &JointPassive::friction, &DofUnitNames::effort},
                                                    {"stiffness", &JointPassive::stiffness, &DofUnitNames::stiffness},
                                                    {"rest", &JointPassive::rest, &DofUnitNames::position},
                                                    {"armature", &JointPassive::armature, &DofUnitNames::inertia}};

class JointWriter {
 public:
  JointWriter(SceneWriter& writer, const JointSpec& joint) : writer_(writer), joint_(joint) {}

  TomlLines write() {
    lines_.text("type", std::string(facts(joint_.kind).name));
    lines_.text_unless("name", joint_.name, joint_.child);
    lines_.text_unless("parent", joint_.parent, kWorld);
    add_pose(lines_, joint_.X_PJ);
    add_pose(lines_, joint_.X_CJ, "child_");
    const JointSpec usual;
    if (axis_count(joint_.kind) > 0) lines_.vector_unless("axis", joint_.axis, usual.axis);
    if (axis_count(joint_.kind) > 1) lines_.vector_unless("second_axis", joint_.second_axis, usual.second_axis);
    if (has_pitch(joint_.kind)) write_pitch();
    for (const auto& number : kLimits) write_numbers(number, joint_.limits);
    for (const JointLimitSpec& limit : writer_.spec.joint_limits)
      if (limit.joint == joint_.name) lines_.number("restitution", limit.restitution);
    const std::size_t before = lines_.size();
    for (const auto& number : kPassive) write_numbers(number, joint_.passive);
    // Keeps the parameters explicit when read back.
    if (!joint_.passive.empty() && lines_.size() == before)
      lines_.numbers("damping", std::vector<double>(static_cast<std::size_t>(facts(joint_.kind).nv), 0.0));
    const bool floats = lines_.size() == 1 && joint_.kind == JointKind::free;
    return floats ? TomlLines() : lines_;
  }

 private:
  /// Writes the lead if it needs few digits, because screws are specified by lead.
  void write_pitch() {
    constexpr int kFew = 6;
    const double lead = joint_.pitch_m_per_rad * (2.0 * kPi<double>);
    const double plain = shortest_within(lead, 1e-15 * std::abs(lead));
    const std::string text = exact_text(plain) + " m/rev";
    const Result<Quantity> read = read_quantity(text);
    if (read && read->value == joint_.pitch_m_per_rad && exact_text(plain).size() <= kFew + 2) {
      lines_.text("lead", text);
    } else {
      lines_.number("pitch", joint_.pitch_m_per_rad, "m/rad");
    }
  }

  template <class Numbers>
  void write_numbers(const WrittenNumber<Numbers>& number, const std::vector<Numbers>& dofs) {
    const double usual = Numbers{}.*number.member;
    const auto value = [&](const Numbers& one) { return one.*number.member; };
    if (std::all_of(dofs.begin(), dofs.end(), [&](const Numbers& one) { return value(one) == usual; })) return;
    if (std::any_of(dofs.begin(), dofs.end(), [&](const Numbers& one) { return !std::isfinite(value(one)); })) {
      writer_.lose(ElementStatus::ignored, std::string("'") + number.key + "' of joint '" + joint_.name + "'",
                   "a scene file gives it for all dofs of a joint or for none");
      return;
    }
    const int nv = facts(joint_.kind).nv;
    if (nv == 1) {
      lines_.number(number.key, value(dofs[0]), unit_names_of(joint_.kind, 0).*number.unit);
      return;
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(nv); ++i)
      values.push_back(value(dofs[std::min(i, dofs.size() - 1)]));
    lines_.numbers(number.key, values);
  }

  SceneWriter& writer_;
  const JointSpec& joint_;
  TomlLines lines_;
};

}  // namespace

DofUnitNames unit_names_of(JointKind kind, int dof) {
  return velocity_part(kind, dof).unit == "rad/s" ? kTurning : kSliding;
}

TomlLines joint_lines(SceneWriter& writer, const JointSpec& joint) {
  return JointWriter(writer, joint).write();
}

TomlLines initial_lines(const InitialSpec& initial, JointKind kind) {
  TomlLines lines;
  const auto add = [&](const char* key, const std::vector<double>& numbers, std::string_view unit) {
    if (numbers.size() == 1) {
      lines.number(key, numbers[0], unit);
    } else if (!numbers.empty()) {
      lines.numbers(key, numbers);
    }
  };
  const DofUnitNames units = facts(kind).nv == 0 ? kSliding : unit_names_of(kind, 0);
  add("q", initial.q, units.position);
  add("v", initial.v, units.speed);
  if (initial.velocity) lines.vector("velocity", *initial.velocity);
  if (initial.angular_velocity) lines.vector("angular_velocity", *initial.angular_velocity);
  return lines;
}

}  // namespace pintle
