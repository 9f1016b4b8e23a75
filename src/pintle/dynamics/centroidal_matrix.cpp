#include "pintle/dynamics/centroidal_matrix.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/centroidal.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kernels/kernels.h"

namespace pintle {
CentroidalMatrixWorkspace::CentroidalMatrixWorkspace(const Model& model)
    : sizes(model),
      joints(model),
      A_G(model.has_couplings() ? 6 * model.dofs().size() : 0),
      memory(dynamics_kernels_in_use().centroidal_bytes(model.tree())) {}

LockedBodies centroidal_momentum_matrix(const Model& model, std::span<const double> q, CentroidalMatrixWorkspace& work,
                                        std::span<double> A_G) {
  constexpr const char* kName = "centroidal_momentum_matrix";
  require_size(kName, "q", q.size(), size(model.nq()));
  require_size(kName, "A_G", A_G.size(), 6 * size(model.nv()));
  require_fit(kName, work.sizes, model);
  require(!model.links().empty(), kName, "model", "no body can move, so there is no centre of mass");
  const bool coupled = model.has_couplings();
  LockedBodies whole{};
  dynamics_kernels_in_use().centroidal_matrix(model.tree(), joint_configuration(model, q, work.joints.q),
                                              work.memory.data(), coupled ? work.A_G.data() : A_G.data(), whole.mass,
                                              whole.center, whole.inertia);
  require_moving_mass(kName, whole.mass);
  if (coupled) independent_columns(model, work.A_G, A_G);
  return whole;
}

}  // namespace pintle
