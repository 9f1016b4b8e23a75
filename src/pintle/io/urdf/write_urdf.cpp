#include "pintle/io/urdf/write_urdf.h"

#include <algorithm>

#include "pintle/io/urdf/urdf_writer.h"
#include "pintle/text/exact_numbers.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

/// Escapes a text for an XML attribute.
std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : valid_utf8(text)) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      result += c;
    }
  }
  return result;
}

bool is_identity(const Pose<>& X) {
  return same_numbers(X.rotation, identity3<double>()) && same_numbers(X.translation, {0, 0, 0});
}

/// Whether the robot is attached to the world as one without a link "world" is when it is read.
bool is_plain_base(const SceneSpec& spec) {
  const JointSpec* root = nullptr;
  for (const JointSpec& joint : spec.model.joints) {
    if (joint.parent != kWorld) continue;
    if (root != nullptr) return false;
    root = &joint;
  }
  const auto on_world = [](const auto& shape) { return shape.body == kWorld; };
  const bool bare = std::none_of(spec.shapes.begin(), spec.shapes.end(), on_world) &&
                    std::none_of(spec.model.frames.begin(), spec.model.frames.end(), on_world);
  return root != nullptr && bare && root->name == "root_joint" && root->kind == JointKind::fixed &&
         is_identity(root->X_PJ) && is_identity(root->X_CJ);
}

void note_moved(UrdfWriter& writer) {
  for (const JointSpec& joint : writer.spec.model.joints) {
    if (is_identity(joint.X_CJ)) continue;
    writer.moved.emplace(joint.child, inverse(joint.X_CJ));
    writer.lose(ElementStatus::approximated, "body '" + joint.child + "'", "the origin of its link is at its joint");
  }
}

void note_colors(UrdfWriter& writer) {
  for (const BodyShape& shape : writer.spec.shapes) {
    if (shape.color.size() != 7 || writer.colors.contains(shape.color)) continue;
    const std::string name = "color_" + shape.color.substr(1);
    writer.colors.emplace(shape.color, name);
    std::string rgba;
    for (std::size_t i = 1; i < 7; i += 2) {
      const int byte = std::stoi(shape.color.substr(i, 2), nullptr, 16);
      rgba += exact_text(shortest_within(byte / 255.0, 0.4 / 255.0)) + " ";
    }
    XmlText material("material"), color("color");
    material.set("name", name);
    material.add(std::move(color.set("rgba", rgba + "1")));
    writer.robot.add(std::move(material));
  }
}

/// Writes frames as massless links.
void add_frames(UrdfWriter& writer) {
  for (const FrameSpec& frame : writer.spec.model.frames) {
    add_link(writer, frame.name, zero_inertia());
    JointSpec joint;
    joint.name = frame.name + "_joint";
    joint.parent = frame.body;
    joint.child = frame.name;
    joint.X_PJ = frame.X_BF;
    add_joint(writer, joint);
    writer.lose(ElementStatus::approximated, "frame '" + frame.name + "'", "a massless link, fixed there");
  }
}

}  // namespace

XmlText& XmlText::set(std::string_view key, const std::string& value) {
  attributes_ += " " + std::string(key) + "=\"" + xml_text(value) + "\"";
  return *this;
}

XmlText& XmlText::set(std::string_view key, double number) {
  return set(key, exact_text(number));
}

XmlText& XmlText::set(std::string_view key, const Vec3<>& v) {
  return set(key, exact_text(v.x) + " " + exact_text(v.y) + " " + exact_text(v.z));
}

std::string XmlText::text(int depth) const {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  std::string text = indent + "<" + name_ + attributes_;
  if (children_.empty()) return text + "/>\n";
  text += ">\n";
  for (const XmlText& child : children_) text += child.text(depth + 1);
  return text + indent + "</" + name_ + ">\n";
}

void add_origin(XmlText& element, const Pose<>& X) {
  if (is_identity(X)) return;
  XmlText origin("origin");
  origin.set("xyz", X.translation);
  if (!same_numbers(X.rotation, identity3<double>())) origin.set("rpy", rpy_of(X.rotation).rpy);
  element.add(std::move(origin));
}

Pose<> UrdfWriter::on_link(const std::string& body, const Pose<>& X) const {
  const auto found = moved.find(body);
  return found == moved.end() ? X : found->second * X;
}

WrittenUrdf write_urdf(const SceneSpec& spec, const WritePlace& place) {
  UrdfWriter writer{spec, place, WrittenFiles(place)};
  const ModelSpec& model = spec.model;
  writer.robot.set("name", model.name.empty() ? "robot" : model.name);
  const bool has_screw = std::any_of(model.joints.begin(), model.joints.end(),
                                     [](const JointSpec& joint) { return joint.kind == JointKind::screw; });
  if (has_screw) writer.robot.set("xmlns:pintle", "https://pintle.example.org/urdf");
  note_moved(writer);
  note_colors(writer);
  const bool plain = is_plain_base(spec);
  if (!plain) add_link(writer, kWorld, zero_inertia());
  for (const BodySpec& body : model.bodies) add_link(writer, body.name, body.inertia);
  for (const JointSpec& joint : model.joints)
    if (!plain || joint.parent != kWorld) add_joint(writer, joint);
  add_frames(writer);
  lose_the_rest(writer);
  return {"<?xml version=\"1.0\"?>\n" + writer.robot.text(0), writer.files.take(), std::move(writer.losses)};
}

}  // namespace pintle
