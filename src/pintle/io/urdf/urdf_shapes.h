// The visual and collision shapes of a robot's links. For urdf_scene.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pintle/io/urdf/urdf_scene.h"

namespace pintle {

class UrdfShapes {
 public:
  UrdfShapes(const UrdfRobot& robot, const UrdfSceneSettings& settings, MeshFiles& files, LossReport& losses,
             SceneSpec& spec);

  /// Adds the shapes of a link to those of a body; X_BL is the pose of the link in the body.
  void add(const UrdfLink& link, const std::string& body, const Pose<>& X_BL);

  /// Warnings of mesh files that were not found: one for each package, with the places searched.
  Diagnostics missing_files() const;

  /// The sizes of the meshes that were read.
  std::vector<UrdfMeshRoom> mesh_rooms() const;

 private:
  struct Mesh {
    std::optional<TriangleMesh> triangles{};
    std::string why{};   ///< why there are none
    std::string file{};  ///< where it is
    std::vector<MeshColor> colors{};
    std::string colorless{};  ///< why some of its colours are missing
  };

  void note_materials();
  std::string color_of(const UrdfBodyShape& visual);
  std::optional<Shape> solid_of(const UrdfGeometry& geometry, std::string& why);
  MeshSource source_of(const UrdfGeometry& geometry) const;
  const Mesh& mesh_of(const Placed<std::string>& file);
  void add_seen(const std::string& body, Shape shape, const Pose<>& X_BS, const std::string& color,
                const UrdfGeometry& geometry);
  void add_contact(const UrdfBodyShape& collision, const std::string& body, const Pose<>& X_BS, const Shape& shape);

  const UrdfRobot& robot_;
  const UrdfSceneSettings& settings_;
  MeshFiles& files_;
  LossReport& losses_;
  SceneSpec& spec_;
  std::map<std::string, const UrdfMaterial*> materials_;
  std::map<std::string, Mesh> meshes_;
  /// Files that were not found, by their package.
  struct Missing {
    Diagnostic first;
    int count = 0;
  };
  std::map<std::string, Missing> missing_;
  std::size_t bytes_ = 0, triangles_ = 0;
};

}  // namespace pintle
