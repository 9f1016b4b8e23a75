#include "pintle/simulation/elements/joint_spring.h"

#include "pintle/simulation/elements/element_checker.h"

namespace pintle {
namespace {

class JointSpring final : public ForceElement {
 public:
  JointSpring(const JointSpringSpec& spec, const JointCoordinate& coordinate) : spec_(spec), coordinate_(coordinate) {}

  std::string_view name() const override { return spec_.name; }

  ForcePower apply(const Model&, const ForceInput& in, const ForceOutput& out) override {
    const double damper = -spec_.damping * speed(coordinate_, in.v);
    add_effort(coordinate_, spec_.preload - spec_.stiffness * stretch(in) + damper, out.tau);
    return {.power = damper * speed(coordinate_, in.v)};
  }

  double energy(const Model&, const ForceInput& in) const override {
    const double s = stretch(in);
    return s * (0.5 * spec_.stiffness * s - spec_.preload);
  }

 private:
  double stretch(const ForceInput& in) const { return position(coordinate_, in.q) - spec_.rest; }

  JointSpringSpec spec_;
  JointCoordinate coordinate_;
};

}  // namespace

Result<ForceElementPointer> make_joint_spring(const Model& model, const JointSpringSpec& spec) {
  ElementChecker check("joint spring", spec.name, spec.origin);
  const JointCoordinate coordinate = check.coordinate(model, spec.joint, spec.dof);
  check.needs_position(model, coordinate, "the deflection of a spring is a position");
  check.not_negative("stiffness", spec.stiffness);
  check.not_negative("damping", spec.damping);
  check.finite("rest", spec.rest);
  check.finite("preload", spec.preload);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new JointSpring(spec, coordinate));
}

}  // namespace pintle
