#include "pintle/simulation/hybrid/scene_hash.h"

#include <type_traits>

#include "pintle/base/hash.h"
#include "pintle/base/random.h"
#include "pintle/model/compiled/configuration.h"

namespace pintle {
namespace {

/// Hashes the parts of a spec, whatever they are.
class SpecHash {
 public:
  template <class... Parts>
  void add(const Parts&... parts) {
    (add_one(parts), ...);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add_one(Number number) { hash_.add(number); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add_one(Enum value) { hash_.add(static_cast<std::uint64_t>(value)); }
  void add_one(const std::string& text) { hash_.add(std::string_view(text)); }
  void add_one(std::string_view text) { hash_.add(text); }

  template <class List>
  requires requires(const List& list) { list.size(), list.begin(), list.end(); }
  void add_one(const List& list) {
    hash_.add(list.size());
    for (const auto& part : list) add_one(part);
  }

  void add_one(const Vec3<>& a) { add(a.x, a.y, a.z); }
  void add_one(const Pose<>& X) {
    const Mat3<>& R = X.rotation;
    add(X.translation, R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz);
  }
  void add_one(const SpatialInertia<>& I) {
    const SymMat3<>& J = I.inertia;
    add(I.mass, I.first_moment, J.xx, J.yy, J.zz, J.xy, J.xz, J.yz);
  }

  void add_one(const Drive& drive) {
    add(drive.kind(), drive.expression().text(), drive.first_time(), drive.last_time(), drive.outside());
    for (const SplinePiece& piece : drive.pieces())
      add(piece.begin, piece.values[0], piece.values[1], piece.values[2], piece.values[3]);
    if (drive.kind() == Drive::Kind::constant) add(drive_value(drive, 0.0));
  }
  void add_one(const Command& command) { add(command.by_expression(), command.expression().text(), command.drive()); }
  void add_one(const Sampling& sampling) { add(sampling.period, sampling.offset, sampling.delay); }
  void add_one(const PlaceSpec& place) { add(place.on, place.point); }

  void add_one(const BodySpec& body) { add(body.name, body.inertia); }
  void add_one(const FrameSpec& frame) { add(frame.name, frame.body, frame.X_BF); }
  void add_one(const CouplingSpec& coupling) { add(coupling.joint, coupling.driver, coupling.ratio, coupling.offset); }
  void add_one(const JointPassive& p) { add(p.armature, p.damping, p.friction, p.stiffness, p.rest); }
  void add_one(const JointLimits& limits) { add(limits.lower, limits.upper, limits.speed, limits.effort); }
  void add_one(const JointSpec& j) {
    add(j.name, j.kind, j.parent, j.child, j.X_PJ, j.X_CJ, j.axis, j.second_axis, j.pitch_m_per_rad, j.passive,
        j.limits, j.prescribed);
  }

  void add_one(const InitialSpec& initial) {
    add(initial.joint, initial.q, initial.v);
    if (initial.has_world_velocity())
      add(initial.velocity.value_or(Vec3<>{0, 0, 0}), initial.angular_velocity.value_or(Vec3<>{0, 0, 0}));
  }
  void add_one(const JointLimitSpec& limit) { add(limit.joint, limit.restitution); }
  void add_one(const MotorSpec& m) {
    add(m.name, m.joint, m.dof, m.effort, m.gear, m.rotor_inertia, m.effort_limit, m.sampling);
  }
  void add_one(const PrescribedMotionSpec& m) { add(m.name, m.joint, m.dof, m.kind, m.drive, m.acceleration); }
  void add_one(const ControllerSpec& c) {
    add(c.name, c.joint, c.dof, c.target, c.kp, c.ki, c.kd, c.feed_forward, c.integral_limit, c.gear, c.rotor_inertia,
        c.effort_limit, c.sampling);
  }
  void add_one(const FeedbackSpec& f) {
    add(f.name, f.joint, f.dof, f.states, f.reference, f.gains, f.feed_forward, f.gear, f.effort_limit, f.sampling);
  }
  void add_one(const JointSpringSpec& s) { add(s.name, s.joint, s.dof, s.stiffness, s.damping, s.rest, s.preload); }
  void add_one(const LineSpringSpec& s) {
    add(s.name, s.first, s.second, s.stiffness, s.damping, s.rest_length, s.preload, s.tension_only);
  }
  void add_one(const BushingSpec& b) {
    add(b.name, b.first, b.second, b.stiffness, b.damping, b.preload, b.rotational_stiffness, b.rotational_damping,
        b.rotational_preload);
  }
  void add_one(const BodyForceSpec& f) { add(f.name, f.at, f.force, f.torque, f.axes); }
  void add_one(const DragSpec& d) {
    add(d.name, d.at, d.linear, d.quadratic, d.rotational_linear, d.rotational_quadratic, d.wind);
  }
  void add_one(const EventSpec& e) { add(e.name, e.expression, e.direction, e.terminal); }
  void add_one(const RunSpec& run) {
    add(run.t0, run.method, run.step, run.fixed_step, run.tolerances.relative, run.tolerances.absolute,
        run.smallest_step, run.largest_step, run.energy_balance, run.certificate, run.certificate_limit,
        run.min_rebound_time, run.contact);
  }

  void add_one(const Surface& s) {
    add(s.restitution, s.friction, s.static_friction, s.rolling_friction, s.spinning_friction);
  }
  void add_one(const SurfaceSpec& s) { add(s.material, s.surface); }
  void add_one(const SurfacePairSpec& p) { add(p.first, p.second, p.surface); }
  void add_one(const ContactRuleSpec& r) { add(r.first, r.second, r.may_touch); }
  void add_one(const HalfSpace&) {}
  void add_one(const Sphere& s) { add(s.radius); }
  void add_one(const Ellipsoid& s) { add(s.semi_axes); }
  void add_one(const Box& s) { add(s.size); }
  void add_one(const Cylinder& s) { add(s.radius, s.length); }
  void add_one(const Capsule& s) { add(s.radius, s.length); }
  void add_one(const Cone& s) { add(s.radius, s.height); }
  void add_one(const ConvexHull& s) { add(s.vertices); }
  void add_one(const SurfaceMesh& s) { add(s.vertices, s.triangles); }
  void add_one(const HeightField& s) { add(s.nx, s.ny, s.spacing, s.heights); }
  void add_one(const Bowl& s) { add(s.radius, s.depth); }
  void add_one(const ContactShapeSpec& s) {
    add(s.body, s.X_BS, s.material, s.groups.belongs_to, s.groups.meets, s.shape.index());
    std::visit([this](const auto& shape) { add_one(shape); }, s.shape);
    if (s.surface_velocity.moves()) add(s.surface_velocity.linear, s.surface_velocity.around);
  }
  void add_one(const ContactSpec& c) { add(c.shapes, c.surfaces, c.pairs, c.rules, c.law, c.several, c.single_point); }

  StateHash hash_;
};

void add_spec(SpecHash& hash, const SceneSpec& s) {
  hash.add(s.model.gravity, s.model.bodies, s.model.joints, s.model.frames, s.model.couplings);
  hash.add(s.initial, s.joint_limits, s.motors, s.prescribed, s.controllers, s.joint_springs, s.line_springs,
           s.bushings, s.body_forces, s.drags, s.events, s.run);
  if (!s.feedbacks.empty()) hash.add(s.feedbacks);
  if (!s.contact.shapes.empty()) hash.add(s.contact);
}

/// The forces of the elements at a few states, in floats.
void add_deeds(SpecHash& hash, SceneSystem& system) {
  const Scene& scene = system.scene();
  RandomStream stream(0, 0);
  MotionState probe = neutral_state(system);
  const DofModes modes = system.modes();
  system.set_modes(DofModes(modes.hold.size()));
  for (int k = 0; k < 3; ++k) {
    probe.t = scene.run().t0 + 0.37 * k;
    random_configuration(scene.model(), stream, probe.q);
    for (double& speed : probe.v) speed = stream.uniform(-1.0, 1.0);
    for (double& number : probe.auxiliary) number = stream.uniform(-1.0, 1.0);
    const bool has_value = system.applied({probe.t, probe.q, probe.v, probe.auxiliary});
    hash.add(has_value);
    if (!has_value) continue;
    for (const double effort : system.tau()) hash.add(static_cast<float>(effort));
    for (const Wrench<>& wrench : system.external())
      for (const double part : to_array(wrench)) hash.add(static_cast<float>(part));
  }
  system.set_modes(modes);
}

}  // namespace

std::uint64_t scene_hash(SceneSystem& system) {
  SpecHash hash;
  add_spec(hash, system.scene().spec());
  for (ForceElement* const element : system.elements())
    hash.add(element->name(), element->state_count(), element->memory().size(), element->switch_count());
  add_deeds(hash, system);
  return hash.value();
}

}  // namespace pintle
