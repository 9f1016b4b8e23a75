// The data of a Model. For the files of this layer that make one; all other code uses the Model.
#pragma once

#include <atomic>
#include <vector>

#include "pintle/model/compiled/model.h"
#include "pintle/model/plan/plan.h"

namespace pintle {

struct ModelData : ModelSummary {
  std::atomic<int> users = 1;
  std::string name;
  Vec3<> gravity{};
  std::vector<ModelBody> bodies;
  std::vector<ModelJoint> joints;
  std::vector<ModelFrame> frames;
  std::vector<ModelCoupling> couplings;
  std::vector<ModelDof> dofs;
  std::vector<Link> links;
  std::vector<double> armature;
  std::vector<IndependentJoint> independent_joints;
  std::vector<int> joints_outwards;
  std::vector<int> dof_parents;
  std::vector<int> dof_depths;
  std::vector<int> dof_runs;
  int branch_row = 0;  // DofBranches::row
  std::vector<CoordinateSource> q_sources;
  std::vector<CoordinateSource> v_sources;
  Plan plan;
};

}  // namespace pintle
