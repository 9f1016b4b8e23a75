#include "pintle/io/urdf/read_urdf.h"

#include <algorithm>

#include "pintle/io/sources/scene_files.h"
#include "pintle/io/urdf/urdf_elements.h"
#include "pintle/io/urdf/urdf_reader.h"

namespace pintle {
namespace {

/// Detects a file that still has to be processed by xacro: the first place that shows it.
class XacroFinder {
 public:
  explicit XacroFinder(const XmlDocument& document) : document_(document) {}

  /// Whether it is such a file; `origin` and `sign` then say where, and by what.
  bool find(const XmlElement& element) {
    if (element.name.starts_with("xacro:")) return found(document_.origin_of(element), "<" + element.name + ">");
    for (const XmlAttribute& attribute : element.attributes) {
      for (const char* const begin : {"${", "$("}) {
        const std::size_t at = attribute.value.find(begin);
        if (at != std::string::npos) return found(document_.value_origin_of(attribute, at), begin);
      }
    }
    // Other programs have their own templates.
    if (!why_ignored(element.name).empty()) return false;
    return std::any_of(element.children.begin(), element.children.end(),
                       [this](const XmlElement& child) { return find(child); });
  }

  Origin origin{};
  std::string sign{};

 private:
  bool found(Origin where, std::string what) {
    origin = std::move(where);
    sign = std::move(what);
    return true;
  }

  const XmlDocument& document_;
};

/// Why a file is not URDF at all; empty if it is, even with errors.
Diagnostics wrong_kind(const XmlDocument& document) {
  const std::string& root = document.root.name;
  XacroFinder xacro(document);
  if (root == "robot" && xacro.find(document.root)) {
    std::string to = document.file.substr(document.file.rfind('/') + 1);
    const std::string from = to;
    if (to.ends_with(".xacro")) to.resize(to.size() - 6);
    if (to == from) to = "robot.urdf";
    if (!to.ends_with(".urdf")) to += ".urdf";
    return {make_error("urdf-xacro", xacro.origin, "the file is a xacro template: it has " + xacro.sign,
                       "a template is a program that prints a URDF; xacro runs it (with ROS, or: pip install xacro)",
                       "run: xacro " + from + " > " + to)};
  }
  if (root == "robot") return {};
  std::string fix = "name a URDF file: its root element is <robot>";
  if (root == "sdf") fix = "this is an SDF file: convert it to URDF";
  if (root == "mujoco" || root == "mujocoinclude") fix = "this is an MJCF file (MuJoCo): convert it to URDF";
  return {make_error("urdf-root", document.origin_of(document.root), "the root element is <" + root + ">",
                     "a URDF describes one <robot>", fix)};
}

}  // namespace

UrdfReading read_urdf_text(std::string_view text, const std::string& file, const XmlLimits& limits) {
  UrdfReading reading;
  reading.robot.file = file;
  Result<XmlDocument> document = parse_xml(text, file, limits);
  reading.problems = document ? wrong_kind(*document) : document.diagnostics();
  if (!reading.problems.empty()) return reading;
  reading.is_xml = true;
  UrdfReader reader(*document);
  reading.robot = reader.read();
  reading.problems = reader.take_problems();
  reading.losses = loss_report(*document, urdf_owner);
  return reading;
}

UrdfReading read_urdf(const std::string& path, const XmlLimits& limits) {
  const Result<std::string> text = read_whole_file(path, limits.bytes);
  if (text) return read_urdf_text(*text, path, limits);
  UrdfReading reading;
  reading.robot.file = path;
  reading.problems = text.diagnostics();
  return reading;
}

}  // namespace pintle
