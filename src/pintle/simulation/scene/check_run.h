// The checks of a run's settings.
#pragma once

#include "pintle/simulation/scene/scene_spec.h"

namespace pintle {

/// Every problem of the settings of a run: values out of range, a method that cannot do what the scene asks.
Diagnostics check_run(const SceneSpec& spec);

}  // namespace pintle
