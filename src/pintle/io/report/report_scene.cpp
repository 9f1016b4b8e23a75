#include <array>
#include <map>

#include "pintle/io/report/holed_surface.h"
#include "pintle/io/report/report_parts.h"
#include "pintle/math/quaternion.h"
#include "pintle/model/links/joint_motion.h"
#include "pintle/text/base64.h"
#include "pintle/text/json.h"

namespace pintle {
namespace {

Json quaternion_json(const Mat3<>& R) {
  const Quaternion<> q = quaternion(R);
  return Json::array({q.x, q.y, q.z, q.w});
}

void add_pose(Json& json, const Pose<>& X) {
  json["p"] = Json(X.translation);
  json["q"] = quaternion_json(X.rotation);
}

std::uint32_t index_of(int i) {
  return static_cast<std::uint32_t>(i);
}

Json mesh_json(const TriangleMesh& mesh) {
  std::vector<float> vertices;
  for (const Vec3<>& v : mesh.vertices)
    vertices.insert(vertices.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
  std::vector<std::uint32_t> triangles;
  for (const auto& t : mesh.triangles)
    triangles.insert(triangles.end(), {index_of(t[0]), index_of(t[1]), index_of(t[2])});
  return {{"vertices", base64(vertices)}, {"triangles", base64(triangles)}};
}

// The dimensions of a shape.
void add_sizes(Json& json, const Box& box, Json&) {
  json["size"] = Json(box.size);
}
void add_sizes(Json& json, const Sphere& sphere, Json&) {
  json["radius"] = sphere.radius;
}
void add_sizes(Json& json, const Ellipsoid& ellipsoid, Json&) {
  json["semi_axes"] = Json(ellipsoid.semi_axes);
}
void add_sizes(Json& json, const Cylinder& cylinder, Json&) {
  json.update({{"radius", cylinder.radius}, {"length", cylinder.length}});
}
void add_sizes(Json& json, const Capsule& capsule, Json&) {
  json.update({{"radius", capsule.radius}, {"length", capsule.length}});
}
void add_sizes(Json& json, const Cone& cone, Json&) {
  json.update({{"radius", cone.radius}, {"height", cone.height}});
}
void add_sizes(Json& json, const TriangleMesh& mesh, Json& meshes) {
  json["mesh"] = meshes.size();
  meshes.push_back(mesh_json(mesh));
}

Json shape_json(const BodyShape& of, Json& meshes) {
  const bool is_cut = !of.holes.empty();
  Json json{{"kind", is_cut ? "mesh" : name(of.shape)}};
  if (is_cut) {
    add_sizes(json, holed_surface(of.shape, of.holes), meshes);
  } else {
    std::visit([&](const auto& shape) { add_sizes(json, shape, meshes); }, of.shape);
  }
  add_pose(json, of.X_BS);
  json["color"] = of.color.empty() ? Json() : Json(of.color);
  return json;
}

/// The triangles of a mesh that have one colour, by colour: "" for none.
std::map<std::string, TriangleMesh> parts_by_color(const TriangleMesh& mesh, const std::vector<MeshColor>& colors) {
  std::map<std::string, TriangleMesh> parts;
  std::map<std::string, std::vector<int>> numbers;  // of the vertices in each part; -1: not there
  std::size_t next = 0;
  std::string color;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (; next < colors.size() && static_cast<std::size_t>(colors[next].first) <= i; ++next) color = colors[next].color;
    TriangleMesh& part = parts[color];
    std::vector<int>& number = numbers[color];
    number.resize(mesh.vertices.size(), -1);
    std::array<int, 3> triangle = mesh.triangles[i];
    for (int& corner : triangle) {
      int& own = number[static_cast<std::size_t>(corner)];
      if (own < 0) {
        own = static_cast<int>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[static_cast<std::size_t>(corner)]);
      }
      corner = own;
    }
    part.triangles.push_back(triangle);
  }
  return parts;
}

/// A shape; a mesh of several colours as several.
void add_shape(Json& shapes, const BodyShape& of, Json& meshes) {
  const TriangleMesh* const mesh = std::get_if<TriangleMesh>(&of.shape);
  if (mesh == nullptr || of.mesh.colors.empty()) {
    shapes.push_back(shape_json(of, meshes));
    return;
  }
  for (auto& [color, triangles] : parts_by_color(*mesh, of.mesh.colors))
    shapes.push_back(shape_json({of.body, triangles, of.X_BS, color.empty() ? of.color : color, {}, {}, {}}, meshes));
}

Json bodies_json(const Scene& scene, Json& meshes) {
  const Model& model = scene.model();
  Json bodies = Json::array();
  for (const ModelBody& body : model.bodies()) {
    const double mass = body.inertia.mass;
    const Vec3<> com = mass > 0.0 ? body.inertia.first_moment / mass : Vec3<>{0.0, 0.0, 0.0};
    const SymMat3<> I = inertia_about_center_of_mass(body.inertia);
    bodies.push_back({{"name", body.name},
                      {"parent", model.joints()[static_cast<std::size_t>(body.joint)].parent_body},
                      {"mass", mass},
                      {"com", Json(com)},
                      {"inertia", {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}},
                      {"shapes", Json::array()}});
  }
  for (const BodyShape& shape : scene.spec().shapes) {
    if (shape.body != kWorld)
      add_shape(bodies[static_cast<std::size_t>(model.body(shape.body))]["shapes"], shape, meshes);
  }
  return bodies;
}

Json ground_json(const SceneSpec& spec, Json& meshes) {
  Json ground = Json::array();
  for (const GroundPlane& plane : spec.planes) {
    ground.push_back({{"kind", "plane"}});
    add_pose(ground.back(), plane.X_WS);
    ground.back()["color"] = plane.color.empty() ? Json() : Json(plane.color);
  }
  for (const BodyShape& shape : spec.shapes)
    if (shape.body == kWorld) add_shape(ground, shape, meshes);
  return ground;
}

/// A motion column of a joint as an axis through a point, on the body in whose frame it is given.
Json axis_json(const Twist<>& S, const Vec3<>& point, int body) {
  const double turn = norm(S.angular), length = turn > 0.0 ? turn : norm(S.linear);
  const Vec3<> axis = (turn > 0.0 ? S.angular : S.linear) / length;
  const double pitch = turn > 0.0 ? dot(S.linear - cross(point, S.angular), axis) / turn : 0.0;
  return {{"kind", turn > 0.0 ? (pitch != 0.0 ? "screw" : "revolute") : "prismatic"},
          {"body", body},
          {"p", Json(point)},
          {"axis", Json(axis)},
          {"pitch", turn > 0.0 ? Json(pitch) : Json()}};
}

Json axes_json(const Model& model, const KinematicsWorkspace& places, const ModelJoint& joint) {
  Json axes = Json::array();
  if (joint.link < 0) return axes;
  const Link& link = model.links()[static_cast<std::size_t>(joint.link)];
  if (link.nv > 2 && !columns_vary(link.kind)) return axes;
  const ConstTreeMotion<double> motion = places.motion.view();
  const Pose<> X_CL = inverse(model.bodies()[static_cast<std::size_t>(joint.child_body)].X_LB);
  for (int k = 0; k < link.nv; ++k) {
    const Twist<> S = X_CL * motion.S[link.v + k];
    const bool on_child = !columns_vary(link.kind) || k == link.nv - 1;
    if (on_child) {
      axes.push_back(axis_json(S, joint.X_CJ.translation, joint.child_body));
      continue;
    }
    const Place child = body_place(model, joint.child_body);
    const Pose<> X_PC = joint.parent_body < 0
                            ? pose_of(places, child)
                            : relative_pose(model, places, child, body_place(model, joint.parent_body));
    axes.push_back(axis_json(X_PC * S, joint.X_PJ.translation, joint.parent_body));
  }
  return axes;
}

Json joints_json(const Model& model, const KinematicsWorkspace& places) {
  Json joints = Json::array();
  for (const ModelJoint& joint : model.joints()) {
    Json json{{"name", joint.name},
              {"type", facts(joint.kind).name},
              {"parent", joint.parent_body},
              {"child", joint.child_body}};
    add_pose(json, joint.X_CJ);
    json["axes"] = axes_json(model, places, joint);
    json["lower"] = Json::array();
    json["upper"] = Json::array();
    for (int k = 0; k < facts(joint.kind).nv; ++k) {
      const JointLimits& limits = model.dofs()[static_cast<std::size_t>(joint.v + k)].limits;
      json["lower"].push_back(limits.lower);
      json["upper"].push_back(limits.upper);
    }
    joints.push_back(std::move(json));
  }
  return joints;
}

Json place_json(const Model& model, const PlaceSpec& spec) {
  const Place place = place_named(model, spec.on);
  const Vec3<> in_link = transform_point(place.X_LF, spec.point);
  const Pose<> X_LB = place.body < 0 ? identity_pose<double>() : body_place(model, place.body).X_LF;
  return {{"body", place.body}, {"p", Json(inverse_transform_point(X_LB, in_link))}};
}

}  // namespace

std::string report_scene(const Scene& scene, const RowBodies& at_start, std::string_view about) {
  const Model& model = scene.model();
  Json meshes = Json::array(), frames = Json::array(), springs = Json::array();
  Json bodies = bodies_json(scene, meshes), ground = ground_json(scene.spec(), meshes);
  for (const ModelFrame& frame : model.frames()) {
    frames.push_back({{"name", frame.name}, {"body", frame.body}});
    add_pose(frames.back(), frame.X_BF);
  }
  for (const LineSpringSpec& spring : scene.spec().line_springs) {
    springs.push_back(
        {{"name", spring.name}, {"a", place_json(model, spring.first)}, {"b", place_json(model, spring.second)}});
  }
  const Json json{{"name", model.name()},
                  {"about", about},
                  {"gravity", Json(model.gravity())},
                  {"bodies", std::move(bodies)},
                  {"ground", std::move(ground)},
                  {"joints", joints_json(model, at_start.places())},
                  {"frames", std::move(frames)},
                  {"springs", std::move(springs)},
                  {"meshes", std::move(meshes)}};
  return json.dump();
}

}  // namespace pintle
