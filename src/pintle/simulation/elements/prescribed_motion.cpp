#include "pintle/simulation/elements/prescribed_motion.h"

#include <utility>

#include "pintle/simulation/elements/check_smooth.h"
#include "pintle/simulation/elements/element_checker.h"

namespace pintle {
namespace {

void check_uncoupled(const Model& model, int joint, ElementChecker& check) {
  const int driver = joint < 0 ? -1 : driver_of(model, joint);
  if (driver < 0) return;
  const std::string& name = model.joints()[static_cast<std::size_t>(driver)].name;
  check.add("motion-coupled",
            ": joint '" + model.joints()[static_cast<std::size_t>(joint)].name + "' is driven by '" + name + "'",
            "a coupling already determines its position", "prescribe the motion of '" + name + "'");
}

void check_drive(const Drive& drive, double t0, double t1, ElementChecker& check) {
  const Result<void> smooth = check_smooth(drive, t0, t1);
  for (const Diagnostic& problem : smooth.diagnostics())
    check.add_at(problem.origin, problem.code.c_str(), ": " + problem.what, problem.why, problem.fix);
}

PrescribedMotion prescribed_motion(const Model& model, const PrescribedMotionSpec& spec, double t0, double t1,
                                   ElementChecker& check) {
  const JointCoordinate coordinate = check.coordinate(model, spec.joint, spec.dof);
  check_uncoupled(model, coordinate.joint, check);
  if (spec.kind == MotionKind::position) {
    check.needs_position(model, coordinate, "a position is prescribed");
  } else if (spec.kind == MotionKind::acceleration && spec.acceleration.uses_position()) {
    check.needs_position(model, coordinate, "its acceleration depends on q", spec.acceleration.position_origin());
  }
  if (spec.kind != MotionKind::acceleration) check_drive(spec.drive, t0, t1, check);
  PrescribedMotion motion;
  motion.name = spec.name;
  motion.joint = coordinate.joint;
  motion.dof = coordinate.v.source;
  motion.q = coordinate.q.source;
  motion.kind = spec.kind;
  motion.drive = spec.drive;
  motion.acceleration = spec.acceleration;
  return motion;
}

}  // namespace

const char* name(MotionKind kind) {
  static constexpr const char* kNames[] = {"position", "velocity", "acceleration"};
  return kNames[static_cast<int>(kind)];
}

CoordinateMotion evaluate(const PrescribedMotion& motion, double t, double q, double v) {
  if (motion.kind == MotionKind::acceleration) return {q, v, evaluate(motion.acceleration, t, q, v)};
  const DriveValue given = evaluate(motion.drive, t);
  if (motion.kind == MotionKind::velocity) return {q, given.value, given.rate};
  return {given.value, given.rate, given.second};
}

Result<std::vector<PrescribedMotion>> prescribed_motions(const Model& model,
                                                         std::span<const PrescribedMotionSpec> specs, double t0,
                                                         double t1) {
  std::vector<PrescribedMotion> motions;
  Diagnostics problems;
  for (const PrescribedMotionSpec& spec : specs) {
    ElementChecker check("motion", spec.name, spec.origin);
    PrescribedMotion motion = prescribed_motion(model, spec, t0, t1, check);
    for (const PrescribedMotion& other : motions) {
      if (motion.dof < 0 || driver_of(model, motion.joint) >= 0 || other.dof != motion.dof) continue;
      check.add("motion-double",
                ": dof " + std::to_string(spec.dof) + " of joint '" + spec.joint + "' already has the motion '" +
                    other.name + "'",
                "a dof has at most one prescribed motion", "remove one");
    }
    motions.push_back(std::move(motion));
    for (const Diagnostic& problem : check.problems()) problems.push_back(problem);
  }
  if (!problems.empty()) return problems;
  return motions;
}

}  // namespace pintle
