#include "pintle/batch/model_batch.h"

#include <algorithm>
#include <cstdint>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/batch/model_pack_kernels.h"
#include "pintle/batch/pack_dynamics.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/energies.h"
#include "pintle/model/compiled/topology.h"

namespace pintle {
namespace {

/// The models, if they have the same topology.
std::vector<Model> checked(std::span<const Model> models) {
  require(!models.empty(), "ModelBatch", "models", "there must be at least one model");
  for (std::size_t i = 1; i < models.size(); ++i) {
    const std::string difference = difference_of_topology(models[0], models[i]);
    if (difference.empty()) continue;
    throw UsageError("ModelBatch: argument 'models': model " + std::to_string(i) +
                     " differs in topology from the first: " + difference +
                     ". Compile all models of a batch from one spec and change only parameters.");
  }
  return {models.begin(), models.end()};
}

/// Intersects `common` with the traits of a plan. Returns whether that removed any.
bool leave_common(const Plan& plan, std::vector<LinkTraits>& common) {
  const std::vector<LinkTraits> traits = plan.traits(), before = common;
  for (std::size_t i = 0; i < common.size(); ++i) {
    LinkTraits& link = common[i];
    const LinkTraits& other = traits[i];
    link = {link.revolute && other.revolute, link.bare && other.bare, link.common_normal && other.common_normal,
            link.base_parameters && other.base_parameters};
  }
  return common != before;
}

/// The traits common to all models. A link with fewer traits may reduce those of others, so the models are planned
/// until nothing changes.
std::vector<LinkTraits> common_traits(const std::vector<Model>& models) {
  std::vector<LinkTraits> common = models[0].plan().traits();
  for (const Model& model : models) leave_common(model.plan(), common);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Model& model : models) changed = leave_common(Plan(model.tree(), common), common) || changed;
  }
  return common;
}

}  // namespace

template <class T>
ModelBatch<T>::ModelBatch(std::span<const Model> models) : models_(checked(models)) {
  const std::vector<LinkTraits> traits = common_traits(models_);
  const LinkTree tree = models_[0].tree();
  lanes_ = pintle::size(batch_lanes<T>());
  plan_ = Plan(tree, traits);
  packs_ = (models_.size() + lanes_ - 1) / lanes_;
  constant_bytes_ = model_pack_kernels<T>().constant_bytes(plan_.view<T>());
  link_bytes_ = model_pack_kernels<T>().link_bytes(tree);
  passive_count_ = lanes_ * pintle::size(kPassiveParameters * tree.nv);
  constants_ = AlignedMemory(packs_ * constant_bytes_);
  links_ = AlignedMemory(packs_ * link_bytes_);
  passive_ = Buffer<T>(packs_ * passive_count_);
  standing_ = Buffer<T>(packs_ * lanes_);
  min_moving_mass_ = moving_mass(models_[0]);
  for (std::size_t pack = 0; pack < packs_; ++pack)
    for (int lane = 0; lane < batch_lanes<T>(); ++lane) put(traits, pack, lane);
}

template <class T>
void ModelBatch<T>::put(std::span<const LinkTraits> traits, std::size_t pack, int lane) {
  const Model& from = model(pack, lane);
  const ModelPackKernels<T>& kernels = model_pack_kernels<T>();
  kernels.put(Plan(from.tree(), traits).view<T>(), lane, constants_.data() + pack * constant_bytes_);
  kernels.put_links(from.tree(), lane, links_.data() + pack * link_bytes_);
  T* to = passive_.data() + pack * passive_count_ + lane;
  for (const ModelDof& dof : from.dofs()) {
    const JointPassive& passive = dof.passive;
    for (const double number : {passive.damping, passive.friction, passive.stiffness, passive.rest}) {
      *to = static_cast<T>(number);
      to += batch_lanes<T>();
    }
  }
  any_passive_ = any_passive_ || from.has_passive();
  standing_[pack * lanes_ + pintle::size(lane)] = static_cast<T>(standing_gravity_energy(from));
  min_moving_mass_ = std::min(min_moving_mass_, moving_mass(from));
  alone_bytes_ = std::max(alone_bytes_, planned_pack_kernels<T>().bytes(from.plan().view<T>()));
}

template <class T>
const Model& ModelBatch<T>::model(std::size_t pack, int lane) const {
  return models_[std::min(pack * lanes_ + pintle::size(lane), models_.size() - 1)];
}

template class ModelBatch<double>;
template class ModelBatch<float>;

}  // namespace pintle
