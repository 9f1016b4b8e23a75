// The template bodies, for number types of your own, for Pack (SIMD) and Dual (derivatives). Slower to compile than
// pintle.h.
#pragma once

#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/math/pack.h"
#include "pintle/math/scalar_concept.h"
#include "pintle/pintle.h"
#include "pintle/spatial/exp_log_impl.h"
#include "pintle/spatial/screw_impl.h"
