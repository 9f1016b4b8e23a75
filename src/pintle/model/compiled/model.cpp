#include "pintle/model/compiled/model.h"

#include <utility>
#include <vector>

#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"
#include "pintle/model/compiled/model_data.h"

namespace pintle {
namespace {

template <class Elements>
int find(const Elements& elements, std::string_view name, const char* function, const char* kind) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].name == name) return static_cast<int>(i);
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  const std::string nearest = nearest_name(name, names);
  const std::string hint = nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
  throw UsageError(std::string(function) + ": there is no " + kind + " '" + std::string(name) + "'" + hint);
}

}  // namespace

Model::Model(ModelData* data) : data_(data), summary_(data) {}

Model::Model(const Model& other) : data_(other.data_), summary_(other.summary_) {
  ++data_->users;
}

Model& Model::operator=(const Model& other) {
  Model copy(other);
  std::swap(data_, copy.data_);
  std::swap(summary_, copy.summary_);
  return *this;
}

Model::~Model() {
  if (--data_->users == 0) delete data_;
}

const std::string& Model::name() const {
  return data_->name;
}
const Vec3<>& Model::gravity() const {
  return data_->gravity;
}

std::span<const ModelBody> Model::bodies() const {
  return data_->bodies;
}
std::span<const ModelJoint> Model::joints() const {
  return data_->joints;
}
std::span<const ModelFrame> Model::frames() const {
  return data_->frames;
}
std::span<const ModelCoupling> Model::couplings() const {
  return data_->couplings;
}
std::span<const ModelDof> Model::dofs() const {
  return data_->dofs;
}
std::span<const Link> Model::links() const {
  return data_->links;
}
std::span<const IndependentJoint> Model::independent_joints() const {
  return data_->independent_joints;
}
std::span<const int> Model::dof_parents() const {
  return data_->dof_parents;
}
DofBranches Model::dof_branches() const {
  const ModelData& d = *data_;
  return {d.nv, d.branch_row, d.dof_parents.data(), d.dof_depths.data(), d.dof_runs.data()};
}
std::span<const int> Model::joints_outwards() const {
  return data_->joints_outwards;
}
std::span<const CoordinateSource> Model::q_sources() const {
  return data_->q_sources;
}
std::span<const CoordinateSource> Model::v_sources() const {
  return data_->v_sources;
}

int Model::joint_nq() const {
  return static_cast<int>(data_->q_sources.size());
}
int Model::joint_nv() const {
  return static_cast<int>(data_->v_sources.size());
}

int Model::joint_of_dof(int v) const {
  require(v >= 0 && v < nv(), "Model::joint_of_dof", "v", "there is no such dof");
  std::size_t at = 0;
  while (at + 1 < data_->independent_joints.size() && data_->independent_joints[at + 1].v <= v) ++at;
  return data_->independent_joints[at].joint;
}

int Model::body(std::string_view name) const {
  return find(data_->bodies, name, "Model::body", "body");
}
int Model::joint(std::string_view name) const {
  return find(data_->joints, name, "Model::joint", "joint");
}
int Model::frame(std::string_view name) const {
  return find(data_->frames, name, "Model::frame", "frame");
}

const Plan& Model::plan() const {
  return data_->plan;
}

LinkTree Model::tree() const {
  return {.links = data_->links.data(),
          .count = static_cast<int>(data_->links.size()),
          .nq = joint_nq(),
          .nv = joint_nv(),
          .armature = data_->armature.data(),
          .gravity = data_->gravity};
}

}  // namespace pintle
