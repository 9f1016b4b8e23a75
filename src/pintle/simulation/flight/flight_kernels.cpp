// Compiled once per instruction set.
#include "pintle/math/elementary_impl.h"
#include "pintle/simulation/flight/free_flight_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

constexpr FlightKernels kKernels = {.step = flight_step_kernel, .steps = flight_steps_kernel};

}  // namespace

const FlightKernels& flight_kernels();
const FlightKernels& flight_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
