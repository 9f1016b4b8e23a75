// Many states of one model at a time, several side by side in SIMD lanes, on any number of threads (docs/kernels.md).
// Every result is bitwise that of the functions of one state (up to rounding where those put links in lanes: arms and
// other chains). Batches have no external wrenches and no refinement.
#pragma once

#include "pintle/batch/batch_dynamics.h"
#include "pintle/batch/batch_kinematics.h"
#include "pintle/batch/batch_workspace.h"
