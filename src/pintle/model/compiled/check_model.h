// All problems of a spec, and a model to continue with.
#pragma once

#include <optional>

#include "pintle/model/compiled/model.h"

namespace pintle {

struct ModelCheck {
  Diagnostics problems;
  /// The model. When there are errors, a substitute for it (valid_spec.h), if one can be made.
  std::optional<Model> model{};
  bool tree_unknown = false;  ///< the tree of the substitute differs from that of the spec
};

/// Returns all problems of a spec. When some of its masses are unknown, each body is checked on its own (check_spec.h).
ModelCheck check_model(const ModelSpec& spec, bool masses_unknown = false);

}  // namespace pintle
