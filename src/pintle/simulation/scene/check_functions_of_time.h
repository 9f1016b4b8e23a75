// Whether what a scene gives as functions of time has values throughout its run.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

/// What a run would die of on its way: efforts, targets and forces whose table ends before the run does, or whose formula
/// of time has no value (check_values). Errors; warnings if a terminal event may end the run before. Prescribed motions
/// are checked where they are made.
Diagnostics check_functions_of_time(const SceneSpec& spec);

}  // namespace pintle
