#include "pintle/simulation/elements/body_force.h"

#include <cmath>

#include "pintle/simulation/elements/element_checker.h"
#include "pintle/simulation/elements/element_places.h"

namespace pintle {
namespace {

Vec3<> at_time(const std::array<Drive, 3>& drives, double t) {
  return {drive_value(drives[0], t), drive_value(drives[1], t), drive_value(drives[2], t)};
}

class BodyForce final : public ForceElement {
 public:
  BodyForce(const Model& model, const BodyForceSpec& spec, const Place& at) : spec_(spec), at_(model, at) {}

  std::string_view name() const override { return spec_.name; }
  bool needs_places() const override { return true; }

  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override {
    const Axes axes = spec_.axes == ForceAxes::world ? Axes::local_world_aligned : Axes::local;
    const Wrench<> given{at_time(spec_.force, in.t), at_time(spec_.torque, in.t)};
    const Wrench<> F = from_axes(given, pose_of(places_of(in), at_), axes);
    for (const double x : to_array(F))
      if (!std::isfinite(x)) return {.ok = false};
    add_at(model, at_, F, out);
    return {.power = dot(F, velocity_of(*in.kinematics, at_, Axes::local))};
  }

 private:
  BodyForceSpec spec_;
  ElementPlace at_;
};

}  // namespace

Result<ForceElementPointer> make_body_force(const Model& model, const BodyForceSpec& spec) {
  ElementChecker check("force", spec.name, spec.origin);
  const Place at = check.place(model, spec.at, false);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new BodyForce(model, spec, at));
}

std::array<Drive, 3> constant_drives(const Vec3<>& value) {
  return {constant_drive(value.x), constant_drive(value.y), constant_drive(value.z)};
}

}  // namespace pintle
