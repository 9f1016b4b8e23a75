#include "pintle/io/urdf/urdf_writer.h"
#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

/// `<geometry>` of a shape; false, with a loss, if URDF has no such shape.
class GeometryText {
 public:
  GeometryText(UrdfWriter& writer, const std::string& body, const MeshSource& source)
      : writer_(writer), body_(body), source_(source) {}

  template <class AnyShape>
  bool add_to(XmlText& element, const AnyShape& shape, const char* kind) {
    const bool has_words = std::visit([this](const auto& one) { return this->write(one); }, shape);
    if (!has_words) {
      writer_.lose(ElementStatus::ignored, std::string("a ") + name(shape) + " on '" + body_ + "' (" + kind + ")",
                   "URDF has boxes, spheres, cylinders, capsules and meshes only");
      return false;
    }
    XmlText geometry("geometry");
    geometry.add(std::move(shape_));
    element.add(std::move(geometry));
    return true;
  }

 private:
  bool write(const Box& box) { return take(XmlText("box").set("size", box.size)); }
  bool write(const Sphere& sphere) { return take(XmlText("sphere").set("radius", sphere.radius)); }
  bool write(const Cylinder& one) {
    return take(XmlText("cylinder").set("radius", one.radius).set("length", one.length));
  }
  bool write(const Capsule& one) {
    return take(XmlText("capsule").set("radius", one.radius).set("length", one.length));
  }
  bool write(const TriangleMesh& mesh) { return write_mesh(mesh); }
  bool write(const ConvexHull& hull) { return write_mesh(hull); }
  bool write(const SurfaceMesh& mesh) { return write_mesh(mesh); }
  template <class Other>
  bool write(const Other&) {
    return false;
  }

  /// A file is referred to where it is; a mesh without a file gets one.
  template <class Mesh>
  bool write_mesh(const Mesh& mesh) {
    const bool own = source_.file.empty();
    const WrittenFiles::Name file = own ? writer_.files.mesh(mesh, source_, body_)
                                        : WrittenFiles::Name{relative_name(source_.file, writer_.place), 1.0};
    XmlText element("mesh");
    element.set("filename", file.file);
    if (!own && !same_numbers(source_.scale, {1, 1, 1})) element.set("scale", source_.scale);
    return take(element);
  }

  bool take(const XmlText& shape) {
    shape_ = shape;
    return true;
  }

  UrdfWriter& writer_;
  const std::string& body_;
  const MeshSource& source_;
  XmlText shape_{"box"};
};

void add_inertial(UrdfWriter& writer, XmlText& link, const std::string& body, const SpatialInertia<>& inertia) {
  if (same_numbers(inertia, zero_inertia())) return;
  const auto moved = writer.moved.find(body);
  const CentralInertia central = central_inertia(moved == writer.moved.end() ? inertia : moved->second * inertia);
  const SymMat3<>& I = central.inertia;
  XmlText inertial("inertial");
  add_origin(inertial, {identity3<double>(), central.center});
  inertial.add(XmlText(XmlText("mass").set("value", central.mass)));
  inertial.add(XmlText(XmlText("inertia")
                           .set("ixx", I.xx)
                           .set("ixy", I.xy)
                           .set("ixz", I.xz)
                           .set("iyy", I.yy)
                           .set("iyz", I.yz)
                           .set("izz", I.zz)));
  link.add(std::move(inertial));
}

void add_shapes(UrdfWriter& writer, XmlText& link, const std::string& body) {
  for (const BodyShape& shape : writer.spec.shapes) {
    if (shape.body != body) continue;
    XmlText visual("visual");
    add_origin(visual, writer.on_link(body, shape.X_BS));
    if (!GeometryText(writer, body, shape.mesh).add_to(visual, shape.shape, "seen")) continue;
    if (!shape.holes.empty()) {
      writer.lose(ElementStatus::approximated,
                  std::string("the holes of a ") + name(shape.shape) + " on '" + body + "'",
                  "URDF has no holes: the shape is written without them, mass and inertia are those with them");
    }
    const auto color = writer.colors.find(shape.color);
    if (color != writer.colors.end()) visual.add(XmlText(XmlText("material").set("name", color->second)));
    link.add(std::move(visual));
  }
  for (const ContactShapeSpec& shape : writer.spec.contact.shapes) {
    if (shape.body != body || std::holds_alternative<HalfSpace>(shape.shape))
      continue;  // planes are reported at the end
    XmlText collision("collision");
    add_origin(collision, writer.on_link(body, shape.X_BS));
    if (GeometryText(writer, body, shape.mesh).add_to(collision, shape.shape, "touched"))
      link.add(std::move(collision));
  }
}

}  // namespace

void add_link(UrdfWriter& writer, const std::string& body, const SpatialInertia<>& inertia) {
  XmlText link("link");
  link.set("name", body);
  add_inertial(writer, link, body, inertia);
  add_shapes(writer, link, body);
  writer.robot.add(std::move(link));
}

}  // namespace pintle
