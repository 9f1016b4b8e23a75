// UrdfReader: converts the elements of a URDF document to plain data and marks each as read. For read_urdf.cpp.
#pragma once

#include <string>
#include <string_view>

#include "pintle/io/urdf/urdf_robot.h"
#include "pintle/io/xml/xml_document.h"

namespace pintle {

class UrdfReader {
 public:
  explicit UrdfReader(XmlDocument& document) : document_(document) {}

  UrdfRobot read();
  /// In line order; of very many problems only the first.
  Diagnostics take_problems();

 private:
  // The content of an element. Asking for something marks it as read.
  XmlElement* only(XmlElement& element, std::string_view child);
  XmlElement* required(XmlElement& element, std::string_view child, const char* example);
  Placed<std::string> text(XmlElement& element, std::string_view attribute, bool is_required);
  Placed<double> number(XmlElement& element, std::string_view attribute, double otherwise, bool is_required = false);
  std::vector<double> numbers(const XmlElement& element, const XmlAttribute& attribute, std::size_t count);
  Placed<Vec3<>> vector(XmlElement& element, std::string_view attribute, const Vec3<>& otherwise, bool is_required);
  XmlAttribute* attribute(XmlElement& element, std::string_view name, bool is_required);

  UrdfLink read_link(XmlElement& element);
  UrdfInertial read_inertial(XmlElement& element);
  UrdfBodyShape read_body_shape(XmlElement& element);
  UrdfGeometry read_geometry(XmlElement& element);
  UrdfMaterial read_material(XmlElement& element);
  UrdfPose read_pose(XmlElement& element);
  UrdfJoint read_joint(XmlElement& element);
  Placed<UrdfJointType> read_type(XmlElement& element);
  void read_joint_parts(XmlElement& element, UrdfJoint& joint);
  UrdfScrew read_screw(XmlElement& element);
  template <class Shape>
  void keep(std::vector<Shape>& shapes, Shape shape, XmlElement& element, int errors_before);

  /// Records what is not supported, and warns of names that are close to known ones.
  void look_at_the_rest(XmlElement& element);

  void add(Severity severity, const char* code, const Origin& origin, std::string what, std::string why,
           std::string fix);
  void add(const char* code, const Origin& origin, std::string what, std::string why, std::string fix) {
    add(Severity::error, code, origin, std::move(what), std::move(why), std::move(fix));
  }
  Origin at(const XmlElement& element) const { return document_.origin_of(element); }

  XmlDocument& document_;
  std::string owner_{};  ///< "link 'forearm': ", the element being read
  bool seen_ = false;    ///< inside visual elements nothing is an error
  int failures_ = 0;     ///< errors, including those downgraded in visual elements
  int left_out_ = 0;
  Diagnostics problems_{};
};

}  // namespace pintle
