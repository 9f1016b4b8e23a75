#include "pintle/simulation/elements/effort_motor.h"

#include <utility>

#include "pintle/simulation/elements/actuator.h"

namespace pintle {
namespace {

class EffortMotor final : public Actuator {
 public:
  EffortMotor(const MotorSpec& spec, const JointCoordinate& coordinate, double start)
      : Actuator(spec.name, coordinate, spec.gear, spec.effort_limit, spec.sampling, start, 0), effort_(spec.effort) {}

 private:
  double wanted(const Instant& at) const override { return evaluate(effort_, at.t, at.q, at.qd); }

  Command effort_;
};

}  // namespace

Result<ForceElementPointer> make_effort_motor(const Model& model, const MotorSpec& spec, double start) {
  ElementChecker check("motor", spec.name, spec.origin);
  const JointCoordinate coordinate = check.coordinate(model, spec.joint, spec.dof);
  if (spec.effort.uses_position())
    check.needs_position(model, coordinate, "its effort depends on q", spec.effort.position_origin());
  check_actuator(check, spec.gear, spec.rotor_inertia, spec.effort_limit, spec.sampling);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new EffortMotor(spec, coordinate, start));
}

}  // namespace pintle
