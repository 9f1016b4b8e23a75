// The double and float instances of the templates that spatial's public headers only declare; compiled once per
// instruction set.
#include "pintle/math/elementary_impl.h"
#include "pintle/spatial/exp_log_impl.h"
#include "pintle/spatial/screw_impl.h"

namespace pintle::inline PINTLE_ISA {

PINTLE_EXP_LOG_INSTANCES(, double)
PINTLE_EXP_LOG_INSTANCES(, float)
PINTLE_SCREW_INSTANCES(, double)
PINTLE_SCREW_INSTANCES(, float)

}  // namespace pintle::inline PINTLE_ISA
