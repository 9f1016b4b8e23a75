// The checks that force elements share: names, dofs, places and values, each problem with its cause and fix.
#pragma once

#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/model/compiled/place.h"
#include "pintle/simulation/elements/bound_command.h"
#include "pintle/simulation/elements/joint_coordinate.h"
#include "pintle/simulation/elements/place_spec.h"

namespace pintle {

/// Collects the problems of one element. Lookups that fail add a problem and return something harmless.
class ElementChecker {
 public:
  /// `kind` is the user's word for it: "motor". An element without a name is a problem.
  ElementChecker(const char* kind, const std::string& name, const Origin& origin);

  bool ok() const { return problems_.empty(); }
  const Diagnostics& problems() const { return problems_; }

  /// A problem of this element: "motor 'lift'" + what.
  void add(const char* code, std::string what, std::string why, std::string fix);
  /// The same at an origin of its own, if that is known.
  void add_at(const Origin& origin, const char* code, std::string what, std::string why, std::string fix);

  /// The value must be finite, and not negative or not zero or both.
  void finite(const char* what, double value);
  void finite(const char* what, const Vec3<>& value);
  void not_negative(const char* what, double value);
  void not_negative(const char* what, const Vec3<>& value);
  /// A limit: above zero, infinite where there is none.
  void limit(const char* what, double value);

  /// A name that does not exist, with the nearest existing one.
  void unknown(const char* kind, const std::string& name, const std::vector<std::string>& known);
  /// Whether a joint of some kind has that dof.
  bool dof(const std::string& joint, JointKind kind, int dof);

  /// The dof of a joint.
  JointCoordinate coordinate(const Model& model, const std::string& joint, int number);
  /// A problem for dofs of spherical and free joints: `why` says what needs a position, `where` is its origin.
  void needs_position(const Model& model, const JointCoordinate& coordinate, const char* why, const Origin& where = {});

  /// A command with its names looked up.
  BoundCommand command(const Command& command, const Model& model, const FormulaNames& known);

  /// A place on a body or a frame; the world only if it is allowed.
  Place place(const Model& model, const PlaceSpec& spec, bool world_allowed);
  /// A problem if two places are fixed to each other.
  void apart(const Place& a, const Place& b);

 private:
  std::string user_;
  Origin origin_;
  Diagnostics problems_;
};

}  // namespace pintle
