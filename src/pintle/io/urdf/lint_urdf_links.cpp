#include <algorithm>
#include <cmath>

#include "pintle/io/urdf/urdf_linter.h"
#include "pintle/io/urdf/urdf_scene.h"
#include "pintle/math/number_text.h"
#include "pintle/spatial/check_inertia.h"

namespace pintle {
namespace {

bool is_whole(const UrdfInertial& inertial) {
  return inertial.mass.given && inertial.ixx.given && inertial.ixy.given && inertial.ixz.given && inertial.iyy.given &&
         inertial.iyz.given && inertial.izz.given;
}

/// The solid of a geometry; empty for a mesh.
std::optional<Shape> solid_of(const UrdfGeometry& geometry) {
  switch (geometry.shape) {
    case UrdfShape::box:
      return Box{geometry.size.value};
    case UrdfShape::sphere:
      return Sphere{geometry.radius.value};
    case UrdfShape::cylinder:
      return Cylinder{geometry.radius.value, geometry.length.value};
    case UrdfShape::capsule:
      return Capsule{geometry.radius.value, geometry.length.value};
    case UrdfShape::mesh:
      break;
  }
  return std::nullopt;
}

SymMat3<> inertia_of(const UrdfInertial& inertial) {
  return {inertial.ixx.value, inertial.ixy.value, inertial.ixz.value,
          inertial.iyy.value, inertial.iyz.value, inertial.izz.value};
}

/// The diagonal entry that most likely causes a problem of the principal moments: the largest, or the smallest.
const Placed<double>& diagonal_entry(const UrdfInertial& inertial, bool largest) {
  const Placed<double>* entry = &inertial.ixx;
  for (const Placed<double>* const other : {&inertial.iyy, &inertial.izz})
    if (largest ? other->value > entry->value : other->value < entry->value) entry = other;
  return *entry;
}

/// The bounding box, along the axes of L, of a box with the pose X_LS.
BoundingBox placed_box(const Pose<>& X_LS, const BoundingBox& box) {
  const Vec3<> center = transform_point(X_LS, 0.5 * (box.min + box.max)), half = 0.5 * (box.max - box.min);
  const Mat3<>& R = X_LS.rotation;
  const auto reach = [&](int i) { return dot(Vec3<>{abs(row(R, i).x), abs(row(R, i).y), abs(row(R, i).z)}, half); };
  const Vec3<> size{reach(0), reach(1), reach(2)};
  return {center - size, center + size};
}

double distance(const Vec3<>& p, const BoundingBox& box) {
  const auto beyond = [](double x, double low, double high) { return x < low ? low - x : x > high ? x - high : 0.0; };
  return norm(
      Vec3<>{beyond(p.x, box.min.x, box.max.x), beyond(p.y, box.min.y, box.max.y), beyond(p.z, box.min.z, box.max.z)});
}

double diagonal_of(const BoundingBox& box) {
  return norm(box.max - box.min);
}

std::string numbers_text(const Vec3<>& v) {
  return number_text(v.x) + " " + number_text(v.y) + " " + number_text(v.z);
}

/// The only diagonal entry that makes an inertia possible if its decimal point is moved, with its suggested value:
/// "izz=\"0.0017\""; empty if there is none, or more than one.
std::string misplaced_point(const SymMat3<>& I) {
  constexpr const char* kNames[] = {"ixx", "", "", "iyy", "", "izz"};
  std::string found;
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{5}}) {
    std::string values;
    for (const double factor : {1e-3, 1e-2, 0.1, 10.0, 100.0, 1e3}) {
      std::array<double, 6> entries = to_array(I);
      entries[i] *= factor;
      if (has_errors(check_inertia({1.0, {0.0, 0.0, 0.0}, sym_mat3_from_array(entries)}))) continue;
      values += (values.empty() ? std::string(kNames[i]) + "=\"" : " or \"") + number_text(entries[i]) + "\"";
    }
    if (!values.empty() && !found.empty()) return {};
    if (!values.empty()) found = values;
  }
  return found;
}

}  // namespace

void UrdfLinter::check_links() {
  double reach = 0.0;
  for (const UrdfJoint& joint : robot_.joints) reach = std::max(reach, norm(joint.pose.xyz.value));
  weigh();
  for (const UrdfLink& link : robot_.links) {
    for (const std::vector<UrdfBodyShape>* const shapes : {&link.visuals, &link.collisions})
      for (const UrdfBodyShape& shape : *shapes) check_turn(text_of(link), shape.pose);
    if (link.inertial) check_turn(text_of(link), link.inertial->pose);
    const bool sizes_fit = check_mesh_sizes(link, reach);
    if (!link.inertial || !is_whole(*link.inertial)) continue;
    // What the size of a mesh explains needs no second warning.
    if (check_inertial(link, *link.inertial) && sizes_fit) warn_inertial(link, *link.inertial);
    if (sizes_fit) check_place(link, *link.inertial);
  }
}

// ---- masses

/// Whether the inertia is physically possible, and has a mass.
bool UrdfLinter::check_inertial(const UrdfLink& link, const UrdfInertial& inertial) {
  const double mass = inertial.mass.value;
  const SymMat3<> I = inertia_of(inertial);
  const SpatialInertia<> about_center{mass, {0.0, 0.0, 0.0}, I};
  const Diagnostics alone = check_inertia(about_center), problems = impossible(link, about_center);
  for (Diagnostic problem : problems) {
    problem.what = text_of(link) + ": " + problem.what;
    if (problem.code == "inertia-mass") {
      problem.origin = inertial.mass.origin;
    } else {
      problem.origin = diagonal_entry(inertial, alone[0].code == "inertia-triangle").origin;
      const std::string point = misplaced_point(I);
      problem.fix = point.empty() ? "check the six numbers, their signs and their units"
                                  : "was the decimal point misplaced? " + point + " would fix it";
      if (mass > 0.0) problem.fix += "; --fix-inertia writes the nearest physically consistent inertia";
    }
    problems_.push_back(std::move(problem));
  }
  if (!problems.empty()) return false;
  const double largest = std::max({I.xx, I.yy, I.zz});
  if (mass == 0.0 && largest > 0.0)
    warning("inertia-without-mass", inertial.mass.origin, text_of(link) + " has an inertia but no mass",
            "a body with rotational inertia has a mass", "give its mass in kg");
  return mass > 0.0;
}

/// Compares mass and inertia with the extent of the shapes, collision and visual ones together.
void UrdfLinter::warn_inertial(const UrdfLink& link, const UrdfInertial& inertial) {
  std::optional<BodyRoom> room = room_of(link.collisions);
  const std::optional<BodyRoom> seen = room_of(link.visuals);
  if (room && seen) {
    const bool is_less = seen->volume > 0.0 && (room->volume == 0.0 || seen->volume < room->volume);
    room = BodyRoom{is_less ? seen->volume : room->volume, enclosing(room->box, seen->box)};
  } else if (seen) {
    room = seen;
  }
  if (!room) return;
  const double mass = inertial.mass.value, size = diagonal_of(room->box);
  if (!matters(link, mass, std::max(trace(inertia_of(inertial)), mass * size * size / 6.0))) return;
  for (Diagnostic unknown : inertia_warnings(mass, inertia_of(inertial), *room)) {
    unknown.what = text_of(link) + ": " + unknown.what;
    unknown.origin = unknown.code == "inertia-density" ? inertial.mass.origin : inertial.ixx.origin;
    problems_.push_back(std::move(unknown));
  }
}

void UrdfLinter::weigh() {
  for (const auto& [name, placement] : placements_) {
    const UrdfLink& link = *links_.at(name);
    if (!link.inertial || !is_whole(*link.inertial)) continue;
    const SpatialInertia<> I{link.inertial->mass.value, {0.0, 0.0, 0.0}, inertia_of(*link.inertial)};
    SpatialInertia<>& whole = welded_.try_emplace(placement.weld, zero_inertia<double>()).first->second;
    whole = whole + placement.X_FL * (pose_of(link.inertial->pose) * I);
  }
}

/// Why an inertia about the centre of mass of a link is impossible, given all links that it is welded to.
Diagnostics UrdfLinter::impossible(const UrdfLink& link, const SpatialInertia<>& inertia) const {
  const auto placement = placements_.find(link.name.value);
  const auto whole = placement == placements_.end() ? welded_.end() : welded_.find(placement->second.weld);
  return whole == welded_.end() ? check_inertia(inertia) : check_welded_inertia(inertia, whole->second);
}

/// Whether a mass or an inertia (its trace) is a significant part of all that is welded together.
bool UrdfLinter::matters(const UrdfLink& link, double mass, double trace_of_inertia) const {
  constexpr double kTrifle = 0.05;
  const auto placement = placements_.find(link.name.value);
  const auto whole = placement == placements_.end() ? welded_.end() : welded_.find(placement->second.weld);
  if (whole == welded_.end() || !(whole->second.mass > 0.0)) return true;
  return mass > kTrifle * whole->second.mass ||
         trace_of_inertia > kTrifle * trace(inertia_about_center_of_mass(whole->second));
}

bool may_have_mass(const UrdfLink& link) {
  if (!link.inertial) return false;
  const UrdfInertial& inertial = *link.inertial;
  const bool nothing =
      inertial.mass.value == 0.0 && inertial.ixx.value == 0.0 && inertial.iyy.value == 0.0 && inertial.izz.value == 0.0;
  return !nothing || !is_whole(inertial);
}

/// Finds the first joint on every outward path that moves but carries no mass. A mimic joint moves with the one it
/// follows.
void UrdfLinter::check_massless() {
  std::set<std::string> reported;  // and its descendants
  for (const std::string& child : outwards_) {
    const auto carrier = carrier_.find(child);
    if (carrier == carrier_.end() || placements_.at(child).has_mass) continue;
    const UrdfJoint& joint = *carrier->second;
    const bool is_reported = reported.count(parent_of_.at(&joint)) > 0, is_bare = moves(joint) && !joint.mimic;
    if (is_reported || is_bare) reported.insert(child);
    if (is_reported || !is_bare) continue;
    const int more = placements_.at(child).carried;
    error("urdf-massless", joint.child.origin,
          text_of(joint) + " moves link '" + child + "'" +
              (more == 0 ? ", which has no mass" : " and " + std::to_string(more) + " more, none of which has a mass"),
          "any force would accelerate it infinitely", "give the link an <inertial>, or write type=\"fixed\"");
  }
}

// ---- sizes and positions

std::optional<BodyRoom> UrdfLinter::room_of(const UrdfGeometry& geometry) const {
  if (const std::optional<Shape> solid = solid_of(geometry)) return BodyRoom{volume(*solid), bounding_box(*solid)};
  const auto mesh = std::find_if(meshes_.begin(), meshes_.end(),
                                 [&](const UrdfMeshRoom& one) { return one.file == geometry.file.value; });
  if (mesh == meshes_.end()) return std::nullopt;
  const Vec3<>& s = geometry.scale.value;
  const Vec3<> a = componentwise_product(s, mesh->room.box.min), b = componentwise_product(s, mesh->room.box.max);
  return BodyRoom{abs(s.x * s.y * s.z) * mesh->room.volume, enclosing({a, a}, {b, b})};
}

/// The extent of all shapes together; empty if one of them is not known.
std::optional<BodyRoom> UrdfLinter::room_of(const std::vector<UrdfBodyShape>& shapes) const {
  std::optional<BodyRoom> all;
  bool has_volume = true;
  for (const UrdfBodyShape& shape : shapes) {
    const std::optional<BodyRoom> room = room_of(shape.geometry);
    if (!room) return std::nullopt;
    const BoundingBox box = placed_box(pose_of(shape.pose), room->box);
    has_volume = has_volume && room->volume > 0.0;
    all = all ? BodyRoom{all->volume + room->volume, enclosing(all->box, box)} : BodyRoom{room->volume, box};
  }
  if (all && !has_volume) all->volume = 0.0;
  return all;
}

/// The other frame in which the centre of mass would lie in the box of its shapes, as a fix; empty if none.
std::string UrdfLinter::place_that_fits(const UrdfLink& link, const Vec3<>& center, const BoundingBox& box) const {
  const auto carrier = carrier_.find(link.name.value);
  const auto placement = placements_.find(link.name.value);
  const double near = 0.25 * diagonal_of(box);
  if (carrier != carrier_.end()) {
    const Vec3<> moved = transform_point(inverse(pose_of(carrier->second->pose)), center);
    if (distance(moved, box) <= near)
      return "it would fit if it were given in the frame of link '" + parent_of_.at(carrier->second) +
             "'; in its own frame it is xyz=\"" + numbers_text(moved) + "\" then";
  }
  if (placement != placements_.end()) {
    const Vec3<> moved = transform_point(inverse(placement->second.X_RL), center);
    if (distance(moved, box) <= near)
      return "it would fit if it were given in the frame of the whole robot; in its own frame it is xyz=\"" +
             numbers_text(moved) + "\" then";
  }
  return {};
}

void UrdfLinter::check_place(const UrdfLink& link, const UrdfInertial& inertial) {
  if (!(inertial.mass.value > 0.0) || !matters(link, inertial.mass.value, 0.0)) return;
  const Vec3<> center = inertial.pose.xyz.value;
  const std::optional<BodyRoom> solid = room_of(link.collisions), seen = room_of(link.visuals);
  const auto is_far = [&](const std::optional<BodyRoom>& room, double lengths) {
    return room && distance(center, room->box) > lengths * diagonal_of(room->box);
  };
  const bool from_solid = is_far(solid, 1.0), from_seen = is_far(seen, 1.0);
  // One set of shapes may cover only a part of the link: a foot far from its knee. Of two sets the one that fits the
  // mass is used.
  constexpr double kFar = 5.0;
  const bool far_from_all = solid && seen ? from_solid && from_seen : is_far(solid, kFar) || is_far(seen, kFar);
  if (far_from_all) {
    const BoundingBox& box = solid ? solid->box : seen->box;
    const std::string fix = place_that_fits(link, center, box);
    warning("urdf-inertia-place", inertial.pose.xyz.origin,
            text_of(link) + ": its centre of mass is " + rough_text(distance(center, box)) +
                " m away from its shapes, which measure " + rough_text(diagonal_of(box)) + " m",
            "a centre of mass is usually within the shapes of its link",
            fix.empty() ? "check <origin> of <inertial>: it is in the frame of the link, in metres" : fix);
  } else if (is_far(solid, kFar) || is_far(seen, kFar)) {
    const UrdfBodyShape& shape = from_solid ? link.collisions[0] : link.visuals[0];
    const BoundingBox& box = from_solid ? solid->box : seen->box;
    warning("urdf-shape-place", shape.pose.xyz.origin,
            text_of(link) + ": its " + (from_solid ? "collision" : "visual") + " shapes are " +
                rough_text(distance(center, box)) + " m away from its centre of mass, and measure " +
                rough_text(diagonal_of(box)) + " m",
            std::string("its ") + (from_solid ? "visual" : "collision") + " shapes are near the centre of mass",
            "check <origin> of the shape: it is in the frame of the link, in metres");
  }
}

/// Whether all mesh sizes are plausible: none as large as a house next to joints a hand apart, or as small as a grain.
bool UrdfLinter::check_mesh_sizes(const UrdfLink& link, double reach) {
  const std::size_t before = problems_.size();
  for (const std::vector<UrdfBodyShape>* const shapes : {&link.visuals, &link.collisions}) {
    for (const UrdfBodyShape& shape : *shapes) {
      if (shape.geometry.shape != UrdfShape::mesh) continue;
      const std::optional<BodyRoom> room = room_of(shape.geometry);
      if (!room) continue;
      const double size = diagonal_of(room->box);
      const Origin& place = shape.geometry.scale.given ? shape.geometry.scale.origin : shape.geometry.file.origin;
      const bool is_large = size > 100.0 * std::max(reach, 0.1), is_small = size < 1e-3 * std::min(reach, 1.0);
      if (!is_large && !is_small) continue;
      const Vec3<> repaired = (is_large ? 1e-3 : 1e3) * shape.geometry.scale.value;
      warning("urdf-mesh-size", place,
              text_of(link) + ": its mesh measures " + rough_text(size) + " m" + (is_large ? ": millimetres?" : ""),
              "the joints of the robot are at most " + rough_text(reach) + " m apart",
              "if " + std::string(is_large ? "the file is in millimetres" : "it was scaled twice") + " write scale=\"" +
                  numbers_text(repaired) + "\"");
    }
  }
  return problems_.size() == before;
}

}  // namespace pintle
