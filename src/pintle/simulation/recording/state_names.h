// StateNames: the names of coordinates and velocities in formulas. docs/formats/expressions.md lists them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/diagnostic.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// What a name stands for: the time, or a value among the independent coordinates or velocities.
struct StateVariable {
  enum class Kind : unsigned char { time, coordinate, velocity };
  Kind kind = Kind::time;
  CoordinateSource value{-1, 1.0, 0.0};
  /// Its time derivative: a coordinate's among the velocities, a velocity's among the accelerations. Source -1: it is
  /// none of these (coordinates of spherical and free joints).
  CoordinateSource rate{-1, 1.0, 0.0};
};

/// A value of some q or v, or the time.
double value_of(const StateVariable& variable, double t, std::span<const double> q, std::span<const double> v);

/// A joint's name as it is written in formulas.
std::string name_in_formulas(std::string_view joint);

/// The variables that a model offers to formulas: `t`, and for each joint
///
///     q.<joint>, v.<joint>                    coordinate and velocity of a joint with one dof
///     q1.<joint>, q2.<joint>, v1.<joint> ...  of any joint, counted from 1; coordinates only where they are
///                                             scalars, so not of spherical and free joints
///     q.<joint>.<part>, v.<joint>.<part>      of a joint with several, as columns of a recording: v.base.wx
///
/// Coupled joints have theirs too. In a joint's name, every byte that the language does not allow in a name is written
/// `_`, and a part that begins with a digit gets a `_` in front: v.left_arm_1 for "left arm-1", q._2nd for "2nd". If
/// two joints get the same name, using it is an error.
class StateNames {
 public:
  explicit StateNames(const Model& model);

  const std::vector<std::string>& names() const { return names_; }
  const StateVariable& variable(std::size_t i) const { return variables_[i]; }
  /// The index of a name, -1 if there is none.
  int find(std::string_view name) const;

  bool is_ambiguous(std::size_t i) const { return !others_[i].empty(); }
  /// The error of using a name that two joints get.
  Diagnostic ambiguous(std::size_t i, const Origin& origin) const;

 private:
  void add(const std::string& name, const std::string& joint, const StateVariable& variable);
  void add_joint(const Model& model, const ModelJoint& joint);

  std::vector<std::string> names_, joints_, others_;
  std::vector<StateVariable> variables_;
  std::map<std::string, int, std::less<>> index_;
};

}  // namespace pintle
