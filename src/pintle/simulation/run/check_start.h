// What only the start of a run shows.
#pragma once

#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// Puts a scene at its start and looks at its motion there, without a step: empty when the run can begin. Otherwise one
/// error with the code `start-OUTCOME` (run_report.h): a force that has no value there, a joint with no inertia to move
/// in this configuration, a certificate worse than its limit. The place is that of the joint or element behind it, as
/// far as it is known.
Diagnostics check_start(const Scene& scene);

}  // namespace pintle
