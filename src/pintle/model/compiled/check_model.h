// All that is wrong with a spec, and a model to go on with.
#pragma once

#include <optional>

#include "pintle/model/compiled/model.h"

namespace pintle {

struct ModelCheck {
  Diagnostics problems;
  /// The model; where there are errors, one that stands in for it (valid_spec.h), if there is any.
  std::optional<Model> model{};
  bool tree_unknown = false;  ///< in the stand-in, something hangs elsewhere
};

/// Finds all problems of a spec. Where some of its masses are not known, every body is judged alone (check_spec.h).
ModelCheck check_model(const ModelSpec& spec, bool masses_unknown = false);

}  // namespace pintle
