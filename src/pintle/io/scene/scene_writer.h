// Shared by the writers of the parts of a scene file. Internal to this layer.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/scene/write_scene.h"
#include "pintle/io/toml/toml_lines.h"

namespace pintle {

/// A scene while it is written.
struct SceneWriter {
  const SceneSpec& spec;
  WrittenFiles files;
  bool has_contacts = false;  ///< the written scene has a ground, or a table `contact`
  std::string text{};
  WriteLosses losses{};

  /// A table with its header, after an empty line.
  void add_table(const std::string& header, const TomlLines& lines);
  void lose(ElementStatus status, std::string what, std::string how) {
    losses.push_back({status, std::move(what), std::move(how)});
  }
};

/// A shape of a body or of the world: visible, collidable or both.
struct WrittenShape {
  const BodyShape* seen = nullptr;
  const ContactShapeSpec* touched = nullptr;

  const Pose<>& pose() const { return seen != nullptr ? seen->X_BS : touched->X_BS; }
};

/// The shapes of a body; a shape that is both visible and collidable is listed once.
std::vector<WrittenShape> shapes_of(const SceneSpec& spec, const std::string& body);

/// `box = { size = [...] }` and so on.
void add_solid(SceneWriter& writer, TomlLines& lines, const WrittenShape& shape);
/// Adds `subtract`, if there are holes.
void add_holes(SceneWriter& writer, TomlLines& lines, std::span<const Hole> holes);

/// `surface_velocity` or `belt`.
void add_surface_velocity(SceneWriter& writer, TomlLines& lines, const ContactShapeSpec& shape);

/// `at` and `rotation`, with a prefix.
void add_pose(TomlLines& lines, const Pose<>& pose, const std::string& prefix = {});

void write_materials(SceneWriter& writer);
void write_grounds(SceneWriter& writer);
void write_contact(SceneWriter& writer);
void write_bodies(SceneWriter& writer);
TomlLines joint_lines(SceneWriter& writer, const JointSpec& joint);
TomlLines initial_lines(const InitialSpec& initial, JointKind kind);
void write_elements(SceneWriter& writer);
void write_witnesses(SceneWriter& writer);
void write_run(SceneWriter& writer);

/// The units of the values of a dof.
struct DofUnitNames {
  std::string_view position, speed, acceleration, effort, stiffness, damping, inertia, integral;
};
DofUnitNames unit_names_of(JointKind kind, int dof);

}  // namespace pintle
