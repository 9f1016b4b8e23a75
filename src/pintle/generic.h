// The template bodies, for number types of your own, for Pack (SIMD) and Dual (derivatives). Slower to compile than
// pintle.h.
#pragma once

#include "pintle/dynamics/coriolis_matrix_impl.h"
#include "pintle/dynamics/forward_dynamics_impl.h"
#include "pintle/dynamics/inverse_dynamics_impl.h"
#include "pintle/dynamics/mass_matrix_impl.h"
#include "pintle/dynamics/passive_efforts_impl.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/hyperbolic_impl.h"
#include "pintle/math/pack.h"
#include "pintle/math/scalar_concept.h"
#include "pintle/model/configuration_impl.h"
#include "pintle/model/joint_coordinates.h"
#include "pintle/pintle.h"
#include "pintle/simulation/expression_impl.h"
#include "pintle/simulation/free_body_impl.h"
#include "pintle/spatial/exp_log_impl.h"
#include "pintle/spatial/screw_impl.h"
