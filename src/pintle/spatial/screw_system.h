// Screw systems: the motions and the forces that a set of screws spans, and their reciprocal systems.
#pragma once

#include <array>
#include <span>

#include "pintle/spatial/screw.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// How ranks are determined. Metres and radians are compared through a characteristic `length` [m] of the mechanism; a
/// singular value counts as zero below `tolerance` times the largest.
struct RankOptions {
  double length = 1.0;
  double tolerance = 1e-10;
};

/// A linear space of twists: basis[0] ... basis[rank - 1], orthonormal once lengths are divided by RankOptions::length.
struct TwistSystem {
  int rank = 0;
  std::array<Twist<>, 6> basis{};
};

/// A linear space of wrenches, likewise.
struct WrenchSystem {
  int rank = 0;
  std::array<Wrench<>, 6> basis{};
};

/// The space spanned by some twists: the dof of a chain of joints. Throws UsageError for options that are not
/// positive.
TwistSystem span_of(std::span<const Twist<>> twists, const RankOptions& options = {});

/// The space spanned by some wrenches: the constraint forces of a set of constraints.
WrenchSystem span_of(std::span<const Wrench<>> wrenches, const RankOptions& options = {});

/// The wrenches that do no work on any motion of the system: the constraints of a joint with this dof. Its rank is six
/// less that of the system (a basis supplied by the caller need not be independent).  [eq. reciprocal]
WrenchSystem reciprocal(const TwistSystem& system, const RankOptions& options = {});

/// The motions on which no wrench of the system does work: the dof these constraints leave.
TwistSystem reciprocal(const WrenchSystem& system, const RankOptions& options = {});

/// Ball's principal screws of inertia of a body: an impulsive wrench on such a screw starts the body moving on that
/// very screw. `rank` mutually conjugate screws of unit magnitude.
struct PrincipalScrewsOfInertia {
  int rank = 0;
  std::array<Screw<>, 6> screws{};
};

/// The principal screws of inertia of a body whose motion is restricted to the given system. For a free body (rank 6)
/// they lie on the principal axes of inertia with pitches of plus and minus the radius of gyration. The inertia must be
/// positive definite on the system (else UsageError).  [eq. principal-screws]
PrincipalScrewsOfInertia principal_screws_of_inertia(const SpatialInertia<>& I, const TwistSystem& system);

/// The same for a free body.
PrincipalScrewsOfInertia principal_screws_of_inertia(const SpatialInertia<>& I);

}  // namespace pintle
