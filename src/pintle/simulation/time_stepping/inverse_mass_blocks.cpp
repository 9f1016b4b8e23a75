#include "pintle/simulation/time_stepping/inverse_mass_blocks.h"

#include "pintle/base/size.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

InverseMassBlocks::InverseMassBlocks(const Model& model, const Trees& trees)
    : model_(model),
      trees_(trees),
      first_(trees.count() + 1),
      response_(model),
      links_(model.links().size()),
      effort_(size(model.nv())),
      column_(effort_.size()) {
  for (std::size_t tree = 0; tree < trees.count(); ++tree)
    first_[tree + 1] = first_[tree] + trees.dofs(tree).size() * trees.dofs(tree).size();
  blocks_.resize(first_.back());
  if (trees.count() == 1) whole_.emplace(model);
  for (std::size_t tree = 0; tree < trees.count(); ++tree)
    if (trees.lone_body(tree) >= 0) find_lone_body(tree);
}

/// With the centre of mass c and the inertia I_c about it, a force f and a moment m at the origin give
/// w' = I_c^-1 (m - c x f) and a = f/mass - w' x c.
void InverseMassBlocks::find_lone_body(std::size_t tree) {
  const SpatialInertia<>& inertia = model_.links()[size(trees_.lone_body(tree))].inertia;
  const Vec3<> c = center_of_mass(inertia);
  const SymMat3<> I_c = inertia_about_center_of_mass(inertia);
  double* const block = blocks_.data() + first_[tree];
  for (std::size_t j = 0; j < 6; ++j) {
    const Vec3<> unit{j % 3 == 0 ? 1.0 : 0.0, j % 3 == 1 ? 1.0 : 0.0, j % 3 == 2 ? 1.0 : 0.0};
    const Vec3<> f = j < 3 ? unit : Vec3<>{0.0, 0.0, 0.0}, moment = j < 3 ? -cross(c, f) : unit;
    const Vec3<> w = solve(I_c, moment), a = f / inertia.mass - cross(w, c);
    const double column[6] = {a.x, a.y, a.z, w.x, w.y, w.z};
    for (std::size_t i = 0; i <= j; ++i) block[6 * i + j] = block[6 * j + i] = column[i];
  }
}

DynamicsReport InverseMassBlocks::find(std::span<const double> q, std::span<const unsigned char> prescribed,
                                       std::span<const unsigned char> needed) {
  bool any = false, any_prescribed = false;
  for (const unsigned char given : prescribed) any_prescribed = any_prescribed || given != 0;
  const auto is_constant = [&](std::size_t tree) { return trees_.lone_body(tree) >= 0 && !any_prescribed; };
  for (std::size_t tree = 0; tree < needed.size(); ++tree) any = any || (needed[tree] != 0 && !is_constant(tree));
  if (!any) return {};
  if (trees_.count() == 1 && !any_prescribed) return mass_matrix_inverse(model_, q, *whole_, blocks_);
  const DynamicsReport prepared = prepare_response(model_, q, response_, prescribed);
  if (!prepared.ok()) return prepared;
  for (std::size_t tree = 0; tree < needed.size(); ++tree)
    if (needed[tree] != 0 && !is_constant(tree)) find_columns(tree);
  return prepared;
}

void InverseMassBlocks::find_columns(std::size_t tree) {
  const std::span<const std::size_t> dofs = trees_.dofs(tree);
  const std::size_t n = dofs.size();
  for (std::size_t i = 0; i < links_.size(); ++i)
    links_[i] = trees_.of_link(static_cast<int>(i)) == static_cast<int>(tree) ? 1 : 0;
  double* const block = blocks_.data() + first_[tree];
  for (std::size_t j = 0; j < n; ++j) {
    effort_[dofs[j]] = 1.0;
    apply_mass_inverse(model_, response_, effort_, {}, links_, column_);
    effort_[dofs[j]] = 0.0;
    for (std::size_t i = 0; i <= j; ++i) block[i * n + j] = block[j * n + i] = column_[dofs[i]];
  }
}

}  // namespace pintle
