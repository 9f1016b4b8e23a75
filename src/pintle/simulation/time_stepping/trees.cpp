#include "pintle/simulation/time_stepping/trees.h"

#include "pintle/base/disjoint_sets.h"
#include "pintle/base/size.h"

namespace pintle {

Trees::Trees(const Model& model) {
  const std::span<const Link> links = model.links();
  DisjointSets connected;
  connected.reset(links.size());
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent >= 0) connected.connect(i, size(links[i].parent));
  for (const ModelCoupling& coupling : model.couplings())
    connected.connect(size(model.joints()[size(coupling.joint)].link), size(model.joints()[size(coupling.driver)].link));
  std::vector<int> number(links.size(), -1), links_of;
  of_link_.resize(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    int& tree = number[connected.smallest(i)];
    if (tree < 0) {
      tree = static_cast<int>(links_of.size());
      links_of.push_back(0);
    }
    of_link_[i] = tree;
    ++links_of[size(tree)];
  }
  const std::size_t nv = size(model.nv());
  of_dof_.resize(nv);
  place_.resize(nv);
  first_dof_.resize(links_of.size() + 1);
  for (std::size_t i = 0; i < nv; ++i) {
    of_dof_[i] = of_link(model.joints()[size(model.joint_of_dof(static_cast<int>(i)))].link);
    place_[i] = first_dof_[size(of_dof_[i]) + 1]++;
  }
  for (std::size_t tree = 0; tree < links_of.size(); ++tree) first_dof_[tree + 1] += first_dof_[tree];
  dofs_.resize(nv);
  for (std::size_t i = 0; i < nv; ++i) dofs_[first_dof_[size(of_dof_[i])] + place_[i]] = i;
  lone_body_.assign(links_of.size(), -1);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].kind != JointKind::free || links[i].parent >= 0 || links_of[size(of_link_[i])] != 1) continue;
    bool plain = true;
    for (int k = links[i].v; k < links[i].v + links[i].nv; ++k) plain = plain && model.tree().armature[k] == 0.0;
    if (plain) lone_body_[size(of_link_[i])] = static_cast<int>(i);
  }
}

}  // namespace pintle
