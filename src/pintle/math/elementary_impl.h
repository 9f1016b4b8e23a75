// Bodies of all elementary functions, for kernels that use them on packs or want them inlined.
#pragma once

#include "pintle/math/atan_impl.h"
#include "pintle/math/exp_log_impl.h"
#include "pintle/math/pow_impl.h"
#include "pintle/math/round_impl.h"
#include "pintle/math/sincos_impl.h"
