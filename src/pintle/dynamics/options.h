// Options of the dynamics functions: what acts besides the commanded efforts.
#pragma once

#include <span>

#include "pintle/model/links/link.h"
#include "pintle/spatial/wrench.h"

namespace pintle {

/// Options of forward, inverse and hybrid dynamics, of reactions and of the certificate.
struct DynamicsOptions {
  /// Dampers, springs and Coulomb friction of sliding joints (passive_efforts.h). False: none of them.
  bool passive = true;
  /// False excludes the Coulomb friction of sliding joints from the passive efforts, for callers who add it themselves
  /// as an effort of known sign.
  bool friction = true;
  /// Forward and hybrid dynamics only: one step of iterative refinement with the residual efforts of inverse dynamics.
  /// For mechanisms with extreme mass ratios; costs about 50 % more.
  bool refine = false;
  /// By the plain recursion, whose intermediate results stay in the workspace (articulated_body). Two to four times
  /// slower than the fast kernels.
  bool keep_recursion = false;
  /// External wrenches on the bodies, each in its body's frame: one per body of the model (add_external fills such an
  /// array), or none.
  std::span<const Wrench<>> external{};
  /// Motion of the frame that carries the roots; null: at rest.
  const RootMotion* root = nullptr;

  RootMotion root_motion() const { return root == nullptr ? RootMotion() : *root; }
  bool root_rests() const { return root == nullptr || is_at_rest(*root); }
};

}  // namespace pintle
