// Trees: the parts of a mechanism that no joint and no coupling connects. M^-1 has a block for each.
#pragma once

#include <span>
#include <vector>

#include "pintle/model/compiled/model.h"

namespace pintle {

class Trees {
 public:
  explicit Trees(const Model& model);

  std::size_t count() const { return first_dof_.empty() ? 0 : first_dof_.size() - 1; }
  /// The tree of a link; -1 for the world.
  int of_link(int link) const { return link < 0 ? -1 : of_link_[static_cast<std::size_t>(link)]; }
  int of_dof(std::size_t dof) const { return of_dof_[dof]; }
  /// The independent dofs of a tree, in rising order.
  std::span<const std::size_t> dofs(std::size_t tree) const {
    return std::span(dofs_).subspan(first_dof_[tree], first_dof_[tree + 1] - first_dof_[tree]);
  }
  /// The place of a dof among those of its tree.
  std::size_t place(std::size_t dof) const { return place_[dof]; }
  /// The link of a tree that is one body on a free joint without armature, whose inertia in its own axes is constant;
  /// -1 for all others.
  int lone_body(std::size_t tree) const { return lone_body_[tree]; }

 private:
  std::vector<int> of_link_, of_dof_, lone_body_;
  std::vector<std::size_t> dofs_, first_dof_, place_;
};

}  // namespace pintle
