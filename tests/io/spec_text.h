// Every field of a SceneSpec as text, all digits of its numbers, so that two of them can be compared and a difference
// be read. Places in files are left out.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>
#include <type_traits>

#include "pintle/simulation/scene/scene_spec.h"

namespace test {

using namespace pintle;

class SpecText {
 public:
  std::string text() const { return out_.str(); }

  void add(const SceneSpec& s) {
    line("name", s.model.name);
    line("gravity", s.model.gravity);
    for (const BodySpec& b : s.model.bodies) line("body", b.name, b.inertia);
    for (const JointSpec& j : s.model.joints) {
      line("joint", j.name, j.kind, j.parent, j.child, j.X_PJ, j.X_CJ, j.axis, j.second_axis, j.pitch_m_per_rad,
           j.prescribed);
      for (const JointPassive& p : j.passive) line(" passive", p.armature, p.damping, p.friction, p.stiffness, p.rest);
      for (const JointLimits& l : j.limits) line(" limits", l.lower, l.upper, l.speed, l.effort);
    }
    for (const FrameSpec& f : s.model.frames) line("frame", f.name, f.body, f.X_BF);
    for (const CouplingSpec& c : s.model.couplings) line("coupling", c.joint, c.driver, c.ratio, c.offset);
    add_shapes(s);
    for (const InitialSpec& i : s.initial) {
      line("initial", i.joint, i.q, "v", i.v);
      if (i.velocity) line(" velocity", *i.velocity);
      if (i.angular_velocity) line(" angular velocity", *i.angular_velocity);
    }
    for (const JointLimitSpec& limit : s.joint_limits) line("stop", limit.joint, limit.restitution);
    add_elements(s);
    add_run(s.run);
  }

 private:
  void add_shapes(const SceneSpec& s) {
    // A body's shapes are in order; whose come first does not matter.
    std::vector<std::string> bodies{kWorld};
    for (const BodySpec& body : s.model.bodies) bodies.push_back(body.name);
    for (const std::string& body : bodies) {
      for (const BodyShape& b : s.shapes)
        if (b.body == body) {
          line("shape", b.body, b.shape, b.X_BS, b.color);
          for (const Hole& hole : b.holes) line(" hole", hole.shape, hole.X_SH);
        }
      for (const ContactShapeSpec& c : s.contact.shapes)
        if (c.body == body) line("touched", c.body, c.shape, c.X_BS, c.material, c.groups.belongs_to, c.groups.meets,
                                   c.surface_velocity.linear, c.surface_velocity.around);
    }
    for (const GroundPlane& p : s.planes) line("plane", p.X_WS, p.color);
    for (const SurfaceSpec& m : s.contact.surfaces) line("surface", m.material, m.surface);
    for (const SurfacePairSpec& p : s.contact.pairs) line("pair", p.first, p.second, p.surface);
    for (const ContactRuleSpec& r : s.contact.rules) line("rule", r.first, r.second, r.may_touch);
    line("contact", s.contact.law, s.contact.several, s.contact.single_point);
  }

  void add_elements(const SceneSpec& s) {
    for (const MotorSpec& m : s.motors)
      line("motor", m.name, m.joint, m.dof, m.effort, m.gear, m.rotor_inertia, m.effort_limit, m.sampling);
    for (const PrescribedMotionSpec& m : s.prescribed)
      line("motion", m.name, m.joint, m.dof, m.kind, m.drive, m.acceleration);
    for (const FeedbackSpec& f : s.feedbacks) {
      line("control", f.name, f.joint, f.dof, f.feed_forward, f.effort_limit, f.sampling);
      for (std::size_t i = 0; i < f.states.size(); ++i) line("state", f.states[i], f.gains[i]);
      for (const Command& reference : f.reference) line("reference", reference);
    }
    for (const ControllerSpec& c : s.controllers)
      line("controller", c.name, c.joint, c.dof, c.target, c.kp, c.ki, c.kd, c.feed_forward, c.integral_limit, c.gear,
           c.rotor_inertia, c.effort_limit, c.sampling);
    for (const JointSpringSpec& j : s.joint_springs)
      line("spring", j.name, j.joint, j.dof, j.stiffness, j.damping, j.rest, j.preload);
    for (const LineSpringSpec& l : s.line_springs)
      line("spring", l.name, l.first, l.second, l.stiffness, l.damping, l.rest_length, l.preload, l.tension_only);
    for (const BushingSpec& b : s.bushings)
      line("bushing", b.name, b.first, b.second, b.stiffness, b.damping, b.preload, b.rotational_stiffness,
           b.rotational_damping, b.rotational_preload);
    for (const BodyForceSpec& f : s.body_forces)
      line("force", f.name, f.at, f.force[0], f.force[1], f.force[2], f.torque[0], f.torque[1], f.torque[2], f.axes);
    for (const DragSpec& d : s.drags)
      line("drag", d.name, d.at, d.linear, d.quadratic, d.rotational_linear, d.rotational_quadratic, d.wind);
    for (const EventSpec& e : s.events) line("event", e.name, e.expression, e.direction, e.terminal);
    for (const SensorSpec& n : s.sensors)
      line("sensor", n.name, n.kind, n.place, n.reference, n.joint, n.axes, n.expression, n.unit);
  }

  void add_run(const RunSpec& r) {
    line("run", r.t0, r.duration, r.method, r.step, r.fixed_step, r.tolerances.relative, r.tolerances.absolute,
         r.smallest_step, r.largest_step, r.rows, r.row_every, r.energy_balance, r.certificate, r.contact_forces,
         r.certificate_limit, r.min_rebound_time, r.momentum_state, r.momentum_point);
  }

  template <class... Parts>
  void line(const char* what, const Parts&... parts) {
    out_ << what;
    (put(parts), ...);
    out_ << "\n";
  }

  template <class Number>
  requires std::is_floating_point_v<Number>
  void put(Number x) {
    char text[40];
    std::snprintf(text, sizeof text, " %.17g", x == 0.0 ? 0.0 : x);
    out_ << text;
  }
  template <class Whole>
  requires std::is_integral_v<Whole> || std::is_enum_v<Whole>
  void put(Whole x) { out_ << " " << static_cast<long long>(x); }
  void put(const std::string& text) { out_ << " '" << text << "'"; }
  void put(const char* text) { out_ << " " << text; }
  void put(const Vec3<>& v) { put(v.x), put(v.y), put(v.z); }
  void put(const Pose<>& X) {
    for (int i = 0; i < 3; ++i) put(row(X.rotation, i));
    put(X.translation);
  }
  void put(const SpatialInertia<>& I) {
    put(I.mass), put(I.first_moment);
    for (const double x : {I.inertia.xx, I.inertia.xy, I.inertia.xz, I.inertia.yy, I.inertia.yz, I.inertia.zz}) put(x);
  }
  void put(const Surface& s) {
    put(s.restitution), put(s.friction), put(s.static_friction), put(s.rolling_friction), put(s.spinning_friction);
  }
  void put(const std::vector<double>& list) {
    for (const double x : list) put(x);
  }
  void put(const std::vector<Vec3<>>& list) {
    for (const Vec3<>& v : list) put(v);
  }
  template <class... Shapes>
  void put(const std::variant<Shapes...>& shape) {
    out_ << " #" << shape.index();
    std::visit([this](const auto& one) { this->put(one); }, shape);
  }
  void put(const Box& s) { put(s.size); }
  void put(const Sphere& s) { put(s.radius); }
  void put(const Ellipsoid& s) { put(s.semi_axes); }
  void put(const Cylinder& s) { put(s.radius), put(s.length); }
  void put(const Capsule& s) { put(s.radius), put(s.length); }
  void put(const Cone& s) { put(s.radius), put(s.height); }
  void put(const Bowl& s) { put(s.radius), put(s.depth); }
  void put(const HalfSpace&) {}
  void put(const HeightField& s) { put(s.nx), put(s.ny), put(s.spacing), put(s.heights); }
  void put(const ConvexHull& s) { put(s.vertices); }
  void put(const SurfaceMesh& s) { put_triangles(s); }
  void put(const TriangleMesh& s) { put_triangles(s); }
  template <class Mesh>
  void put_triangles(const Mesh& mesh) {
    put(mesh.vertices);
    for (const auto& [a, b, c] : mesh.triangles) put(a), put(b), put(c);
  }
  void put(const Drive& drive) {
    put(drive.kind()), put(std::string(drive.expression().text())), put(drive.first_time()), put(drive.last_time());
    put(drive.outside());
    for (const SplinePiece& piece : drive.pieces()) {
      put(piece.begin);
      for (const double x : piece.values) put(x);
    }
    if (drive.kind() == Drive::Kind::constant) put(drive_value(drive, 0.0));
  }
  void put(const Command& command) {
    put(command.by_expression()), put(std::string(command.expression().text())), put(command.drive());
  }
  void put(const Sampling& s) { put(s.period), put(s.offset), put(s.delay); }
  void put(const PlaceSpec& place) { put(place.on), put(place.point); }

  std::ostringstream out_;
};

inline std::string spec_text(const SceneSpec& spec) {
  SpecText text;
  text.add(spec);
  return text.text();
}

}  // namespace test
