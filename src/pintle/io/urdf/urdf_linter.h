// UrdfLinter: the checks behind lint_urdf.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pintle/io/urdf/lint_urdf.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

class UrdfLinter {
 public:
  UrdfLinter(const UrdfRobot& robot, std::span<const UrdfMeshRoom> meshes);

  Diagnostics run();

 private:
  // lint_urdf.cpp: names and the tree
  void check_names();
  void find_ends();
  std::string meant(const UrdfJoint& joint, const Placed<std::string>& end, const char* which);
  void check_tree();
  void check_roots();
  void check_materials();
  void place_links();
  void count_from_the_tips();
  std::string nearest(const std::string& wanted, const std::vector<std::string>& names);
  const UrdfLink* find_link(const std::string& name) const;

  // lint_urdf_links.cpp: masses, positions and sizes
  void check_links();
  bool check_inertial(const UrdfLink& link, const UrdfInertial& inertial);
  void check_place(const UrdfLink& link, const UrdfInertial& inertial);
  void warn_inertial(const UrdfLink& link, const UrdfInertial& inertial);
  void weigh();
  Diagnostics impossible(const UrdfLink& link, const SpatialInertia<>& inertia) const;
  bool matters(const UrdfLink& link, double mass, double trace) const;
  bool check_mesh_sizes(const UrdfLink& link, double reach);
  void check_massless();
  std::optional<BodyRoom> room_of(const std::vector<UrdfBodyShape>& shapes) const;
  std::optional<BodyRoom> room_of(const UrdfGeometry& geometry) const;
  std::string place_that_fits(const UrdfLink& link, const Vec3<>& center, const BoundingBox& box) const;

  // lint_urdf_joints.cpp
  void check_joints();
  void check_turn(const std::string& owner, const UrdfPose& pose);
  void check_axis(const UrdfJoint& joint);
  void check_limit(const UrdfJoint& joint);
  void check_range(const UrdfJoint& joint);
  void check_degrees(const UrdfJoint& joint, const Placed<double>& limit, const char* which);
  void check_mimic(const UrdfJoint& joint);
  void check_mimic_circles();

  void add(Severity severity, const char* code, const Origin& origin, std::string what, std::string why,
           std::string fix);
  void error(const char* code, const Origin& origin, std::string what, std::string why, std::string fix) {
    add(Severity::error, code, origin, std::move(what), std::move(why), std::move(fix));
  }
  void warning(const char* code, const Origin& origin, std::string what, std::string why, std::string fix) {
    add(Severity::warning, code, origin, std::move(what), std::move(why), std::move(fix));
  }

  const UrdfRobot& robot_;
  std::span<const UrdfMeshRoom> meshes_;
  std::vector<std::string> link_names_, joint_names_;
  Diagnostics problems_{};
  std::map<std::string, const UrdfLink*> links_{};
  std::map<std::string, const UrdfJoint*> joints_{};
  /// The links at the ends of every joint; misspelt names are replaced by the nearest ones; empty if not known.
  std::map<const UrdfJoint*, std::string> parent_of_{}, child_of_{};
  std::map<std::string, const UrdfJoint*> carrier_{};  ///< the first joint that has the link as its child
  std::map<std::string, std::vector<const UrdfJoint*>>
      carried_{};  ///< the joints that have the link as parent and are carriers
  /// A link that is connected to a root; those in a cycle are not.
  struct LinkPlacement {
    Pose<> X_RL{};          ///< in the root, with all joints at zero
    std::string weld{};     ///< the first of the links that it is welded to; itself if it moves
    Pose<> X_FL{};          ///< in that first link
    int carried = 0;        ///< number of descendants
    bool has_mass = false;  ///< it or a descendant
  };
  std::map<std::string, LinkPlacement> placements_{};
  std::vector<std::string> outwards_{};  ///< link names, each after its parent's
  /// The total inertia of links that are welded together, by the first of them and in its frame.
  std::map<std::string, SpatialInertia<>> welded_{};
  std::set<std::string> circling_{};  ///< joints whose mimics form a cycle
  int searches_ = 0;
  bool lost_child_ = false;  ///< the child link of some joint is not known
};

/// "link 'forearm'"
std::string text_of(const UrdfLink& link);
/// "joint 'elbow'"
std::string text_of(const UrdfJoint& joint);
/// "did you mean 'elbow'?", or `otherwise` if the name is empty.
std::string did_you_mean(const std::string& name, const std::string& otherwise);
/// Whether a link has mass or inertia, or values that could not be read.
bool may_have_mass(const UrdfLink& link);
/// Whether a joint of that type moves.
bool moves(const UrdfJoint& joint);

}  // namespace pintle
