// Compiled once per instruction set.
#include "pintle/dynamics/kernels/planned_kernels_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

/// Copies values in packs of N, or of fewer, that cover all: the last pack may overlap the one before it. `seen`
/// collects the bits of x - x, which is zero for every finite x.
template <int N>
PINTLE_INLINE void keep_values(const double* from, std::size_t count, double* to, std::int64_t& seen) {
  if constexpr (N == 1) {
    if (count == 0) return;
    seen |= to_bits(*from - *from);
    *to = *from;
  } else {
    if (count < N) return keep_values<N / 2>(from, count, to, seen);
    using P = Pack<double, N>;
    typename Mask<double, N>::Native bits{};
    const auto keep = [&](std::size_t i) {
      const P x = load<P>(from + i);
      bits |= to_bits(x - x);
      store(x, to + i);
    };
    for (std::size_t i = 0; i + N < count; i += N) keep(i);
    keep(count - N);
    seen |= static_cast<std::int64_t>(lane_bits(Mask<double, N>{bits != 0}));
  }
}

bool keep(const double* q, std::size_t nq, const double* v, const double* x, std::size_t nv, double* to) {
  constexpr int kLanes = NativePack<double>::kLanes;
  std::int64_t seen = 0;
  keep_values<kLanes>(q, nq, to, seen);
  keep_values<kLanes>(v, nv, to + nq, seen);
  keep_values<kLanes>(x, nv, to + nq + nv, seen);
  return seen == 0;
}

constexpr PlannedKernelTable kKernels = {kPlannedKernelsOf<double>, keep};

}  // namespace

const PlannedKernelTable& planned_kernels();
const PlannedKernelTable& planned_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
