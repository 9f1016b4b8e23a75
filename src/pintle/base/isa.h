// Instruction sets: the namespace in which inline code of a translation unit lives, and the run-time choice.
//
// Why a namespace per instruction set: the same inline template compiled in two objects with different -m flags is one
// symbol, and the linker keeps whichever comes first. So every inline function of Pintle lives in an inline namespace
// named after the instruction set it was compiled for (docs/decisions/0003-isa-namespaces.md). Plain aggregates (Vec3,
// Twist, ...) have no functions, so they live in `pintle` itself and may cross between objects.
//
// PINTLE_HAS_FMA: whether `fma` is fused, the mark of the bit family (docs/notation.md, "Bits"). It goes with the
// namespace: -mfma without -mavx2 stays in the baseline and does not fuse.
//
// The library's own kernels use `kernels_*`, everybody else `inline_*`: a user's object compiled with other
// floating-point flags can then never replace a function of the engine.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__FMA__)
#ifdef PINTLE_KERNELS
#define PINTLE_ISA kernels_avx512
#else
#define PINTLE_ISA inline_avx512
#endif
#define PINTLE_VECTOR_BYTES 64
#define PINTLE_HAS_FMA 1
#elif defined(__AVX2__) && defined(__FMA__)
#ifdef PINTLE_KERNELS
#define PINTLE_ISA kernels_avx2
#else
#define PINTLE_ISA inline_avx2
#endif
#define PINTLE_VECTOR_BYTES 32
#define PINTLE_HAS_FMA 1
#else
#ifdef PINTLE_KERNELS
#define PINTLE_ISA kernels_baseline
#else
#define PINTLE_ISA inline_baseline
#endif
#define PINTLE_VECTOR_BYTES 16
#ifdef __ARM_FEATURE_FMA
#define PINTLE_HAS_FMA 1
#else
#define PINTLE_HAS_FMA 0
#endif
#endif

// Small helpers of hot loops are always inlined, so that no copy is left over; builds without optimisation and those
// under sanitizers keep their functions apart, which debuggers and coverage need and which compiles many times faster.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PINTLE_INLINE [[gnu::always_inline]] inline
#else
#define PINTLE_INLINE inline
#endif

namespace pintle {

/// The instruction sets the library's kernels are built for, by increasing vector width.
enum class Isa : unsigned char { baseline, avx2, avx512 };

/// The instruction sets that this processor, its operating system and this build support.
struct IsaSupport {
  bool baseline = true;  ///< false in builds with kernels of wider instruction sets only
  bool avx2 = false;     ///< AVX2 and FMA
  bool avx512 = false;   ///< AVX-512 F, DQ and VL, and all of `avx2`
};

/// The instruction set that all kernels of this process use: `choose_isa` of the environment variable `PINTLE_ISA` and
/// of what this processor supports. Chosen at the first call and fixed from then on. Throws like `choose_isa`.
Isa active_isa();

/// The rule behind `active_isa`: the set named by `wanted` (the value of `PINTLE_ISA`), or, where `wanted` is null or
/// empty, the widest one in `support`. Throws UsageError when `wanted` names no instruction set, or one that is not in
/// `support`, and when there is none in `support`.
Isa choose_isa(const char* wanted, IsaSupport support);

/// Whether this processor (and this build) can run the kernels of `isa`.
bool available(Isa isa);

/// "baseline", "avx2" or "avx512".
const char* name(Isa isa);

/// The bit family of an instruction set: "fma" or "no-fma". Within a family results are bitwise equal.
const char* bit_family(Isa isa);

}  // namespace pintle
