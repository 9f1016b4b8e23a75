#include "pintle/simulation/elements/effort_motor.h"

#include <utility>

#include "pintle/simulation/elements/actuator.h"
#include "pintle/simulation/elements/bound_command.h"

namespace pintle {
namespace {

class EffortMotor final : public Actuator {
 public:
  EffortMotor(const MotorSpec& spec, const JointCoordinate& coordinate, BoundCommand effort, double start)
      : Actuator(spec.name, coordinate, spec.gear, spec.effort_limit, spec.sampling, start, 0),
        effort_(std::move(effort)) {}

  bool needs_places() const override { return effort_.needs_places(); }
  bool counts_events() const override { return effort_.counts_events(); }

 private:
  double wanted(const Instant& at) override { return effort_.value(at.in, at.q, at.qd); }

  BoundCommand effort_;
};

}  // namespace

Result<ForceElementPointer> make_effort_motor(const Model& model, const MotorSpec& spec, double start,
                                              const FormulaNames& known) {
  ElementChecker check("motor", spec.name, spec.origin);
  const JointCoordinate coordinate = check.coordinate(model, spec.joint, spec.dof);
  if (spec.effort.uses_position())
    check.needs_position(model, coordinate, "its effort depends on q", spec.effort.position_origin());
  check_actuator(check, spec.gear, spec.rotor_inertia, spec.effort_limit, spec.sampling);
  BoundCommand effort = check.command(spec.effort, model, known);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new EffortMotor(spec, coordinate, std::move(effort), start));
}

}  // namespace pintle
