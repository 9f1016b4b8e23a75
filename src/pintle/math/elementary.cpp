#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {

PINTLE_ELEMENTARY_INSTANCES(, double)
PINTLE_ELEMENTARY_INSTANCES(, float)

}  // namespace pintle::inline PINTLE_ISA
