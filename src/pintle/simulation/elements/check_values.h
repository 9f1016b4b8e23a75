// Whether a function of time has a value throughout a run.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/simulation/elements/command.h"

namespace pintle {

/// Errors of a drive that has no value somewhere on [t0, t1] (in seconds): `drive-outside-table` if the run is longer
/// than its table, `drive-not-finite` if its formula is not finite at one of 10007 times.
Diagnostics check_values(const Drive& drive, double t0, double t1);

/// The same of a command. A formula that depends on the motion is not evaluated: that the run alone can tell.
Diagnostics check_values(const Command& command, double t0, double t1);

}  // namespace pintle
