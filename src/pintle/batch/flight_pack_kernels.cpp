// Compiled once per instruction set.
#include "pintle/batch/flight_pack_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

template <class T>
std::int64_t steps(const FlightField& field, const T* bodies, double h, std::int64_t count, T* motion, T* before,
                   unsigned* touched) {
  using Lanes = NativePack<T>;
  const auto* const body = reinterpret_cast<const FlightParameters<Lanes>*>(bodies);
  auto* const now = reinterpret_cast<FlightMotion<Lanes>*>(motion);
  auto* const start = reinterpret_cast<FlightMotion<Lanes>*>(before);
  return field.principal ? flight_steps<true>(field, body, h, count, now, start, *touched)
                         : flight_steps<false>(field, body, h, count, now, start, *touched);
}

void step(const FlightField& field, const FlightParameters<double>& body, double h, FlightMotion<double>& motion) {
  if (field.principal) {
    fly_on<true>(field, body, h, motion);
  } else {
    fly_on<false>(field, body, h, motion);
  }
}

template <class T>
constexpr FlightPacks<T> kPacks = {.width = NativePack<T>::kLanes, .steps = steps<T>};

constexpr FlightPackKernels kKernels = {
    .doubles = kPacks<double>, .floats = kPacks<float>, .step = step, .gap = gap_to_plane<double>};

}  // namespace

const FlightPackKernels& flight_pack_kernels();
const FlightPackKernels& flight_pack_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
