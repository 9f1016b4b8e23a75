#include <cmath>

#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/io/report/report_parts.h"
#include "pintle/math/quaternion.h"
#include "pintle/text/base64.h"
#include "pintle/text/json.h"

namespace pintle {
namespace {

constexpr std::size_t kPerBody = 7 + 6, kPerJoint = 6, kPerFrame = 3 + 6, kPerContact = 4 * 3 + 3;

void put(std::vector<float>& values, const Vec3<>& v) {
  values.insert(values.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
}

/// The values of an animation, frame after frame.
struct Motion {
  std::vector<double> t;
  std::vector<float> poses, twists, wrenches, momentum, center;
};

/// The contacts of an animation: those of frame i have indices first[i] up to first[i + 1].
struct MovingContacts {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> who;  // the bits of int32: first body, second body, 1 if it slides
  std::vector<float> points, normal_forces, friction, moments;
};

void put_contacts(MovingContacts& to, std::span<const ContactForceRecord> contacts, const Vec3<>& origin) {
  to.first.push_back(static_cast<std::uint32_t>(to.who.size() / 3));
  for (const ContactForceRecord& contact : contacts) {
    for (const int number : {contact.body_a, contact.body_b, contact.slides ? 1 : 0})
      to.who.push_back(static_cast<std::uint32_t>(number));
    put(to.points, contact.point - origin);
    put(to.normal_forces, contact.normal_force * contact.normal);
    put(to.friction, contact.friction);
    put(to.moments, contact.moment);
  }
}

Json json_of(MovingContacts& contacts) {
  if (contacts.who.empty()) return {};
  contacts.first.push_back(static_cast<std::uint32_t>(contacts.who.size() / 3));
  return {{"first", base64(contacts.first)},       {"who", base64(contacts.who)},
          {"points", base64(contacts.points)},     {"normal_forces", base64(contacts.normal_forces)},
          {"friction", base64(contacts.friction)}, {"moments", base64(contacts.moments)}};
}

/// The average number of contacts per row.
std::size_t usual_contacts(const RecordingOutline& outline) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < outline.kept_rows(); ++i) sum += outline.kept_contacts(i).size();
  return outline.kept_rows() == 0 ? 0 : (sum + outline.kept_rows() - 1) / outline.kept_rows();
}

/// Whether the mechanism has moving mass, and so a centre of mass and a momentum.
bool has_center(const Model& model) {
  return moving_mass(model) > 0.0;
}

/// Sets values to zero that are rounding errors of forces of this size.
Vec3<> without_rounding(const Vec3<>& v, double size) {
  const auto kept = [&](double x) { return std::abs(x) < 1e-13 * size ? 0.0 : x; };
  return {kept(v.x), kept(v.y), kept(v.z)};
}

/// The weight of all that moves and the contact forces [N]: the wrenches of free joints contain rounding errors of
/// these.
double size_of_loads(const Model& model, std::span<const ContactForceRecord> contacts) {
  double size = moving_mass(model) * norm(model.gravity());
  for (const ContactForceRecord& contact : contacts) size += norm(contact.force());
  return size;
}

void put_bodies(Motion& motion, const Model& model, const RowBodies& bodies, const Vec3<>& origin, double loads) {
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Place place = body_place(model, body);
    const Pose<> X_WB = pose_of(bodies.places(), place);
    put(motion.poses, X_WB.translation - origin);
    const Quaternion<> q = quaternion(X_WB.rotation);
    motion.poses.insert(motion.poses.end(), {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                                             static_cast<float>(q.w)});
    const Twist<> V = velocity_of(bodies.places(), place, Axes::local_world_aligned);
    put(motion.twists, V.linear);
    put(motion.twists, V.angular);
  }
  for (int joint = 0; joint < static_cast<int>(model.joints().size()); ++joint) {
    const ModelJoint& of = model.joints()[static_cast<std::size_t>(joint)];
    const ModelBody& child = model.bodies()[static_cast<std::size_t>(of.child_body)];
    const Place at{child.link, child.X_LB * of.X_CJ, of.child_body};
    const Wrench<> F =
        in_axes(reaction_of(model, bodies.reactions(), joint), pose_of(bodies.places(), at), Axes::local_world_aligned);
    put(motion.wrenches, without_rounding(F.force, loads));
    put(motion.wrenches, without_rounding(F.torque, loads));
  }
}

}  // namespace

std::vector<std::size_t> rows_shown(const RecordingOutline& outline, std::size_t max_rows) {
  const std::size_t kept = outline.kept_rows();
  const std::size_t stride =
      max_rows < 2 || kept <= max_rows ? (max_rows < 2 ? kept : 1) : (kept - 1 + max_rows - 2) / (max_rows - 1);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < kept; i += stride) rows.push_back(i);
  if (!rows.empty() && rows.back() + 1 != kept) rows.push_back(kept - 1);
  return rows;
}

bool find_at(RowBodies& bodies, const Model& model, const RecordingOutline& outline, std::size_t i) {
  const std::span<const double> row = outline.kept_row(i);
  const std::size_t nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  return bodies.find(row[0], row.subspan(1, nq), row.subspan(1 + nq, nv), row.subspan(1 + nq + nv, nv),
                     outline.kept_contacts(i));
}

std::string report_motion(const Scene& scene, const RecordingOutline& outline, std::size_t max_numbers) {
  const Model& model = scene.model();
  const std::size_t per_instant = kPerBody * model.bodies().size() + kPerJoint * model.joints().size() + kPerFrame +
                                  kPerContact * usual_contacts(outline);
  RowBodies bodies(scene);
  CentroidalWorkspace scratch(model);
  Motion motion;
  MovingContacts contacts;
  Vec3<> origin{0.0, 0.0, 0.0};
  for (const std::size_t i : rows_shown(outline, max_numbers / per_instant)) {
    if (!find_at(bodies, model, outline, i)) continue;
    if (motion.t.empty() && !model.bodies().empty())
      origin = pose_of(bodies.places(), body_place(model, 0)).translation;
    motion.t.push_back(outline.kept_row(i)[0]);
    put_bodies(motion, model, bodies, origin, size_of_loads(model, outline.kept_contacts(i)));
    put_contacts(contacts, outline.kept_contacts(i), origin);
    if (!has_center(model)) continue;
    const CentroidalMomentum whole = centroidal_momentum(model, bodies.places(), scratch);
    const Momentum<> about_origin = momentum_about(whole, {0.0, 0.0, 0.0});
    put(motion.momentum, about_origin.linear);
    put(motion.momentum, about_origin.angular);
    put(motion.center, whole.center - origin);
  }
  const auto or_null = [](const std::vector<float>& values) { return values.empty() ? Json() : Json(base64(values)); };
  const Json json{{"count", motion.t.size()},
                  {"origin", {origin.x, origin.y, origin.z}},
                  {"t", base64(motion.t)},
                  {"poses", base64(motion.poses)},
                  {"twists", base64(motion.twists)},
                  {"wrenches", base64(motion.wrenches)},
                  {"momentum", or_null(motion.momentum)},
                  {"com", or_null(motion.center)},
                  {"contacts", json_of(contacts)}};
  return json.dump();
}

}  // namespace pintle
