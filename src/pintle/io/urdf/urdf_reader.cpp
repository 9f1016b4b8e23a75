#include "pintle/io/urdf/urdf_reader.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "pintle/base/nearest_name.h"
#include "pintle/io/urdf/urdf_elements.h"
#include "pintle/text/number_list.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

constexpr std::size_t kMaxReadProblems = 100;

std::string tag(const XmlElement& element) {
  return "<" + element.name + ">";
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace

// ---- problems

void UrdfReader::add(Severity severity, const char* code, const Origin& origin, std::string what, std::string why,
                     std::string fix) {
  failures_ += severity == Severity::error ? 1 : 0;
  if (problems_.size() >= kMaxReadProblems && severity != Severity::error) ++left_out_;
  if (problems_.size() >= kMaxReadProblems && severity != Severity::error) return;
  if (problems_.size() >= 2 * kMaxReadProblems) {
    ++left_out_;
    return;
  }
  problems_.push_back(make_error(code, origin, owner_ + std::move(what), std::move(why), std::move(fix)));
  problems_.back().severity = severity == Severity::error && seen_ ? Severity::warning : severity;
}

Diagnostics UrdfReader::take_problems() {
  std::stable_sort(problems_.begin(), problems_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(a.origin.line, a.origin.column) < std::tuple(b.origin.line, b.origin.column);
  });
  if (left_out_ > 0) {
    problems_.push_back(make_note("urdf-more", Origin(document_.file, 1, 1),
                                  std::to_string(left_out_) + " more problems are not listed"));
  }
  return std::move(problems_);
}

// ---- content of an element

XmlElement* UrdfReader::only(XmlElement& element, std::string_view child) {
  XmlElement* first = nullptr;
  for (XmlElement& one : element.children) {
    if (one.name != child) continue;
    if (first == nullptr) {
      first = &one;
      continue;
    }
    one.how = "only the first one is used, of line " + std::to_string(first->line);
    add(Severity::warning, "urdf-twice", at(one), tag(element) + " has a second " + tag(one),
        "only the first one is used, of line " + std::to_string(first->line), "remove one of them");
  }
  if (first != nullptr) first->status = ElementStatus::read;
  return first;
}

XmlElement* UrdfReader::required(XmlElement& element, std::string_view child, const char* example) {
  XmlElement* const found = only(element, child);
  if (found == nullptr)
    add("urdf-missing", at(element), tag(element) + " has no <" + std::string(child) + ">", "it has no default",
        std::string("add ") + example);
  return found;
}

XmlAttribute* UrdfReader::attribute(XmlElement& element, std::string_view name, bool is_required) {
  XmlAttribute* const found = element.find(name);
  if (found != nullptr) {
    found->status = ElementStatus::read;
  } else if (is_required) {
    std::vector<std::string> unknown;
    const UrdfElement* const known = find_urdf_element(element.name);
    for (const XmlAttribute& other : element.attributes)
      if (known == nullptr ||
          std::find(known->attributes.begin(), known->attributes.end(), other.name) == known->attributes.end())
        unknown.push_back(other.name);
    const std::string nearest = nearest_name(name, unknown);
    add("urdf-missing", at(element), tag(element) + " has no attribute " + quoted(name), "it has no default",
        nearest.empty() ? "add " + std::string(name) + "=\"...\""
                        : "write " + quoted(name) + " where it says " + quoted(nearest));
  }
  return found;
}

Placed<std::string> UrdfReader::text(XmlElement& element, std::string_view name, bool is_required) {
  XmlAttribute* const found = attribute(element, name, is_required);
  if (found == nullptr) return {{}, at(element), false};
  const Origin origin = document_.value_origin_of(*found);
  if (found->value.empty() && is_required)
    add("urdf-missing", origin, "the attribute " + quoted(name) + " of " + tag(element) + " is empty", "",
        "write a text between the quotes");
  return {found->value, origin, true};
}

std::vector<double> UrdfReader::numbers(const XmlElement& element, const XmlAttribute& given, std::size_t count) {
  NumberList list = read_number_list(given.value);
  const std::string which = quoted(given.name) + " of " + tag(element);
  if (list.wrong_length > 0) {
    const std::string word = given.value.substr(list.wrong_at, list.wrong_length);
    const Origin origin = document_.value_origin_of(given, list.wrong_at);
    if (list.not_finite) {
      add("urdf-number", origin, which + " is " + quoted(word), "nothing can be computed with it",
          "give a finite number");
    } else {
      const bool comma = word.find(',') != std::string::npos || word.find(';') != std::string::npos;
      add("urdf-number", origin, which + " has " + quoted(word) + ", which is not a number", "",
          comma ? "numbers have a decimal point, and spaces between them" : "write a number such as 0.25 or 2.5e-3");
    }
    return {};
  }
  if (list.numbers.size() == count) return std::move(list.numbers);
  add("urdf-count", document_.value_origin_of(given),
      which + " has " + std::to_string(list.numbers.size()) + (list.numbers.size() == 1 ? " number" : " numbers"),
      std::to_string(count) + (count == 1 ? " is" : " are") + " expected",
      count == 1 ? "give one number" : "give them with spaces between");
  return {};
}

Placed<double> UrdfReader::number(XmlElement& element, std::string_view name, double otherwise, bool is_required) {
  XmlAttribute* const found = attribute(element, name, is_required);
  if (found == nullptr) return {otherwise, at(element), false};
  const std::vector<double> values = numbers(element, *found, 1);
  return {values.empty() ? otherwise : values[0], document_.value_origin_of(*found), !values.empty()};
}

Placed<Vec3<>> UrdfReader::vector(XmlElement& element, std::string_view name, const Vec3<>& otherwise,
                                  bool is_required) {
  XmlAttribute* const found = attribute(element, name, is_required);
  if (found == nullptr) return {otherwise, at(element), false};
  const std::vector<double> v = numbers(element, *found, 3);
  return {v.empty() ? otherwise : Vec3<>{v[0], v[1], v[2]}, document_.value_origin_of(*found), !v.empty()};
}

// ---- the robot

UrdfRobot UrdfReader::read() {
  XmlElement& root = document_.root;
  root.status = ElementStatus::read;
  UrdfRobot robot;
  robot.file = document_.file;
  robot.origin = at(root);
  robot.name = text(root, "name", false);
  if (!robot.name.given)
    add(Severity::warning, "urdf-missing", robot.origin, "<robot> has no attribute 'name'", "other programs require it",
        "add name=\"...\"");
  if (XmlAttribute* const version = root.find("version")) version->status = ElementStatus::idle;
  const auto count_of = [&](std::string_view name) {
    const auto is_it = [&](const XmlElement& child) { return child.name == name; };
    return static_cast<std::size_t>(std::count_if(root.children.begin(), root.children.end(), is_it));
  };
  robot.links.reserve(count_of("link"));  // they are large: avoids moving them as the vector grows
  robot.joints.reserve(count_of("joint"));
  for (XmlElement& child : root.children) {
    owner_ = urdf_owner(child);
    if (!owner_.empty()) owner_ += ": ";
    if (child.name == "link") robot.links.push_back(read_link(child));
    if (child.name == "joint") robot.joints.push_back(read_joint(child));
    if (child.name == "material") {
      seen_ = true;
      const int before = failures_;
      keep(robot.materials, read_material(child), child, before);
      seen_ = false;
    }
  }
  owner_.clear();
  if (robot.links.empty())
    add("urdf-missing", robot.origin, "<robot> has no <link>", "nothing could move", "name a file with a whole robot");
  look_at_the_rest(root);
  return robot;
}

template <class Shape>
void UrdfReader::keep(std::vector<Shape>& shapes, Shape shape, XmlElement& element, int errors_before) {
  if (failures_ == errors_before) {
    shapes.push_back(std::move(shape));
    return;
  }
  element.status = ElementStatus::ignored;
  element.how = "it has an error";
}

UrdfLink UrdfReader::read_link(XmlElement& element) {
  element.status = ElementStatus::read;
  UrdfLink link;
  link.origin = at(element);
  link.name = text(element, "name", true);
  if (XmlElement* const inertial = only(element, "inertial")) link.inertial = read_inertial(*inertial);
  for (XmlElement& child : element.children) {
    const int before = failures_;
    seen_ = child.name == "visual";
    if (seen_) keep(link.visuals, read_body_shape(child), child, before);
    if (child.name == "collision") keep(link.collisions, read_body_shape(child), child, before);
    seen_ = false;
  }
  return link;
}

UrdfInertial UrdfReader::read_inertial(XmlElement& element) {
  UrdfInertial inertial;
  inertial.origin = at(element);
  inertial.pose = read_pose(element);
  if (XmlElement* const mass = required(element, "mass", "<mass value=\"1.0\"/>, in kg"))
    inertial.mass = number(*mass, "value", 0.0, true);
  inertial.inertia_origin = inertial.origin;
  XmlElement* const inertia =
      required(element, "inertia", "<inertia ixx=\"...\" iyy=\"...\" izz=\"...\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>");
  if (inertia == nullptr) return inertial;
  inertial.inertia_origin = at(*inertia);
  inertial.ixx = number(*inertia, "ixx", 0.0, true);
  inertial.ixy = number(*inertia, "ixy", 0.0, true);
  inertial.ixz = number(*inertia, "ixz", 0.0, true);
  inertial.iyy = number(*inertia, "iyy", 0.0, true);
  inertial.iyz = number(*inertia, "iyz", 0.0, true);
  inertial.izz = number(*inertia, "izz", 0.0, true);
  return inertial;
}

UrdfPose UrdfReader::read_pose(XmlElement& element) {
  UrdfPose pose;
  XmlElement* const origin = only(element, "origin");
  pose.origin = at(origin == nullptr ? element : *origin);
  pose.xyz.origin = pose.rpy.origin = pose.quaternion.origin = pose.origin;
  if (origin == nullptr) return pose;
  pose.xyz = vector(*origin, "xyz", {0.0, 0.0, 0.0}, false);
  pose.rpy = vector(*origin, "rpy", {0.0, 0.0, 0.0}, false);
  XmlAttribute* const turn = attribute(*origin, "quat_xyzw", false);
  if (turn == nullptr) return pose;
  pose.quaternion.origin = document_.value_origin_of(*turn);
  pose.quaternion.given = true;
  pose.quaternion.value = {0.0, 0.0, 0.0, 1.0};
  const std::vector<double> q = numbers(*origin, *turn, 4);
  if (q.empty()) return pose;
  pose.quaternion.value = {q[0], q[1], q[2], q[3]};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(std::abs(length - 1.0) <= 1e-3))
    add("urdf-range", pose.quaternion.origin, "'quat_xyzw' is not of length 1", "only such quaternions are rotations",
        "divide the four numbers by their length");
  if (pose.rpy.given)
    add("urdf-twice", pose.rpy.origin, "<origin> has both 'rpy' and 'quat_xyzw'", "they say the same thing",
        "leave one of them out");
  return pose;
}

// ---- shapes

UrdfBodyShape UrdfReader::read_body_shape(XmlElement& element) {
  element.status = ElementStatus::read;
  UrdfBodyShape shape;
  shape.origin = at(element);
  shape.name = text(element, "name", false);
  shape.pose = read_pose(element);
  XmlElement* const geometry =
      required(element, "geometry", "<geometry><box size=\"0.1 0.1 0.1\"/></geometry>, say, or remove the element");
  if (geometry != nullptr) shape.geometry = read_geometry(*geometry);
  if (element.name != "visual") return shape;
  XmlElement* const material = only(element, "material");
  if (material == nullptr) return shape;
  const int before = failures_;
  UrdfMaterial read = read_material(*material);
  if (failures_ == before) {
    shape.material = std::move(read);
  } else {
    material->status = ElementStatus::ignored;
    material->how = "it has an error";
    failures_ = before;  // it is visible even without its colour
  }
  return shape;
}

UrdfGeometry UrdfReader::read_geometry(XmlElement& element) {
  UrdfGeometry geometry;
  geometry.origin = at(element);
  const UrdfElement& known = *find_urdf_element("geometry");
  XmlElement* shape = nullptr;
  for (XmlElement& child : element.children) {
    const auto word = std::find(known.children.begin(), known.children.end(), child.name);
    if (word == known.children.end()) continue;
    if (shape == nullptr) {
      shape = &child;
      geometry.shape = static_cast<UrdfShape>(word - known.children.begin());
      continue;
    }
    child.how = "a geometry is one shape";
    add(Severity::warning, "urdf-twice", at(child), "<geometry> has a second shape", "only the first one is used",
        "give each its own <visual> or <collision>");
  }
  if (shape == nullptr) {
    add("urdf-missing", geometry.origin, "<geometry> has no shape",
        "it is one of box, sphere, cylinder, capsule and mesh", "add <box size=\"0.1 0.1 0.1\"/>, say");
    return geometry;
  }
  shape->status = ElementStatus::read;
  geometry.origin = at(*shape);
  const auto positive = [&](const Placed<double>& value, const char* what) {
    if (value.given && !(value.value > 0.0))
      add("urdf-range", value.origin, quoted(what) + " of " + tag(*shape) + " is not above zero", "a solid has a size",
          "give a length in metres");
  };
  if (geometry.shape == UrdfShape::box) {
    geometry.size = vector(*shape, "size", {1.0, 1.0, 1.0}, true);
    const Vec3<>& s = geometry.size.value;
    if (!(s.x > 0.0 && s.y > 0.0 && s.z > 0.0))
      add("urdf-range", geometry.size.origin, "'size' of <box> is not above zero", "a solid has a size",
          "give three lengths in metres");
  } else if (geometry.shape == UrdfShape::mesh) {
    geometry.file = text(*shape, "filename", true);
    geometry.scale = vector(*shape, "scale", {1.0, 1.0, 1.0}, false);
  } else {
    geometry.radius = number(*shape, "radius", 1.0, true);
    positive(geometry.radius, "radius");
    if (geometry.shape == UrdfShape::sphere) return geometry;
    geometry.length = number(*shape, "length", 1.0, true);
    positive(geometry.length, "length");
  }
  return geometry;
}

UrdfMaterial UrdfReader::read_material(XmlElement& element) {
  element.status = ElementStatus::read;
  UrdfMaterial material;
  material.origin = at(element);
  material.name = text(element, "name", false);
  material.rgba.origin = material.texture.origin = material.origin;
  if (XmlElement* const color = only(element, "color")) {
    material.rgba.origin = at(*color);
    if (XmlAttribute* const rgba = attribute(*color, "rgba", true)) {
      material.rgba.origin = document_.value_origin_of(*rgba);
      const std::vector<double> parts = numbers(*color, *rgba, 4);
      if (!parts.empty()) {
        material.rgba.value = {parts[0], parts[1], parts[2], parts[3]};
        material.rgba.given = true;
        const bool in_range = std::all_of(parts.begin(), parts.end(), [](double x) { return x >= 0.0 && x <= 1.0; });
        if (!in_range)
          add(Severity::warning, "urdf-range", material.rgba.origin, "'rgba' is not between 0 and 1",
              "red, green, blue and opacity run from 0 to 1", "divide values that run to 255 by 255");
      }
    }
  }
  if (XmlElement* const texture = only(element, "texture")) material.texture = text(*texture, "filename", false);
  return material;
}

}  // namespace pintle
