// Errors that only the start of a run reveals.
#pragma once

#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// Sets a scene to its start and evaluates its motion there, without a step: empty if the run can begin. Otherwise one
/// error with the code `start-OUTCOME` (run_report.h): a force that has no value there, a joint with no inertia to move
/// in this configuration, a certificate worse than its limit. The origin is that of the joint or element that caused
/// it, as far as it is known.
Diagnostics check_start(const Scene& scene);

}  // namespace pintle
