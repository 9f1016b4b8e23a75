// Many states of one model at a time, several side by side in the lanes of the processor, on as many threads as one
// likes (docs/speed.md). Every state gets the bits that the functions of one state give it (to rounding where one state
// has its links in lanes: arms and other chains); external wrenches and refinement are theirs alone.
#pragma once

#include "pintle/batch/batch_dynamics.h"
#include "pintle/batch/batch_kinematics.h"
#include "pintle/batch/batch_workspace.h"
