// All of Pintle that has to do with motion in time: pintle/pintle.h, and the layers `constraints` and `simulation`.
#pragma once

#include "pintle/constraints/box_solver.h"
#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/constraints/delassus.h"
#include "pintle/constraints/rows.h"
#include "pintle/constraints/stop_impulses.h"
#include "pintle/constraints/stop_side.h"
#include "pintle/pintle.h"
#include "pintle/simulation/check_smooth.h"
#include "pintle/simulation/drive.h"
#include "pintle/simulation/event_function.h"
#include "pintle/simulation/expression.h"
#include "pintle/simulation/force_element.h"
#include "pintle/simulation/motion.h"
#include "pintle/simulation/stepper.h"
