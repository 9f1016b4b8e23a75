// The template definitions, for custom scalar types, for Pack (SIMD) and Dual (derivatives). Slower to compile than
// pintle.h.
#pragma once

#include "pintle/dynamics/recursions/coriolis_matrix_impl.h"
#include "pintle/dynamics/recursions/forward_dynamics_impl.h"
#include "pintle/dynamics/recursions/inverse_dynamics_impl.h"
#include "pintle/dynamics/recursions/mass_matrix_impl.h"
#include "pintle/dynamics/recursions/passive_efforts_impl.h"
#include "pintle/expression/expression_impl.h"
#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/hyperbolic_impl.h"
#include "pintle/math/pack.h"
#include "pintle/math/scalar_concept.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/links/joint_coordinates.h"
#include "pintle/pintle.h"
#include "pintle/simulation/integrators/free_body_impl.h"
#include "pintle/spatial/exp_log_impl.h"
#include "pintle/spatial/screw_impl.h"
