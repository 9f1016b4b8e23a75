#include "pintle/simulation/elements/drag.h"

#include "pintle/simulation/elements/element_checker.h"
#include "pintle/simulation/elements/element_places.h"

namespace pintle {
namespace {

class Drag final : public ForceElement {
 public:
  Drag(const Model& model, const DragSpec& spec, const Place& at) : spec_(spec), at_(model, at) {}

  std::string_view name() const override { return spec_.name; }
  bool needs_places() const override { return true; }

  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override {
    const Twist<> V = velocity_of(places_of(in), at_, Axes::local);
    const Vec3<> u = V.linear - transpose_times(pose_of(*in.kinematics, at_).rotation, spec_.wind);
    const Vec3<>& w = V.angular;
    const Wrench<> F{-(spec_.linear + spec_.quadratic * norm(u)) * u,
                     -(spec_.rotational_linear + spec_.rotational_quadratic * norm(w)) * w};
    add_at(model, at_, F, out);
    return {.power = dot(F, V)};
  }

 private:
  DragSpec spec_;
  ElementPlace at_;
};

}  // namespace

Result<ForceElementPointer> make_drag(const Model& model, const DragSpec& spec) {
  ElementChecker check("drag", spec.name, spec.origin);
  const Place at = check.place(model, spec.at, false);
  check.not_negative("linear drag", spec.linear);
  check.not_negative("quadratic drag", spec.quadratic);
  check.not_negative("rotational linear drag", spec.rotational_linear);
  check.not_negative("rotational quadratic drag", spec.rotational_quadratic);
  check.finite("wind", spec.wind);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new Drag(model, spec, at));
}

}  // namespace pintle
