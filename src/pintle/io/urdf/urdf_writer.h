// Shared by the writers of the parts of a URDF file. Internal to this layer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pintle/io/urdf/write_urdf.h"

namespace pintle {

/// `<name a="1" b="2"/>`, with its child elements.
class XmlText {
 public:
  explicit XmlText(std::string name) : name_(std::move(name)) {}

  XmlText& set(std::string_view key, const std::string& value);
  XmlText& set(std::string_view key, double number);
  XmlText& set(std::string_view key, const Vec3<>& v);
  void add(XmlText child) { children_.push_back(std::move(child)); }
  bool has_children() const { return !children_.empty(); }

  std::string text(int depth) const;

 private:
  std::string name_, attributes_;
  std::vector<XmlText> children_;
};

/// `<origin xyz rpy>`, unless it is the identity.
void add_origin(XmlText& element, const Pose<>& X);

/// A robot while it is written.
struct UrdfWriter {
  const SceneSpec& spec;
  WritePlace place;
  WrittenFiles files;
  XmlText robot{"robot"};
  std::map<std::string, Pose<>> moved{};        ///< poses of bodies in their links, if not the identity
  std::map<std::string, std::string> colors{};  ///< names of materials, by "#rrggbb"
  WriteLosses losses{};

  void lose(ElementStatus status, std::string what, std::string how) {
    losses.push_back({status, std::move(what), std::move(how)});
  }
  /// Converts a pose on a body to one on its link.
  Pose<> on_link(const std::string& body, const Pose<>& X) const;
};

void add_link(UrdfWriter& writer, const std::string& body, const SpatialInertia<>& inertia);
void add_joint(UrdfWriter& writer, const JointSpec& joint);
/// Records as losses what URDF cannot express.
void lose_the_rest(UrdfWriter& writer);

}  // namespace pintle
