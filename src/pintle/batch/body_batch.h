// BodyBatch: many free bodies in momentum state (free_body.h) that fly over a plane and bounce on it, side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/base/arena.h"
#include "pintle/base/buffer.h"
#include "pintle/batch/flight_pack.h"
#include "pintle/constraints/point_impact.h"
#include "pintle/simulation/integrators/free_body.h"

namespace pintle {

class ThreadPool;

/// What of a body can touch a plane: all sums of a point of a ball, one of a box and one of a disc across z, about a
/// place. Axes are those of the body.
struct BatchShape {
  Vec3<> place{};       ///< from the body's point b [m]
  double ball = 0.0;    ///< its radius [m]
  double disc = 0.0;    ///< its radius [m]
  Vec3<> half_sides{};  ///< of the box [m]
};

BatchShape batch_sphere(double radius);
BatchShape batch_box(const Vec3<>& half_sides);
BatchShape batch_cylinder(double radius, double length);  ///< along z
BatchShape batch_capsule(double radius, double length);   ///< along z; `length` of its straight part

struct BatchBody {
  FreeBody<> body;
  BatchShape shape{};
};

/// A plane that does not move: the points with normal . x = place.
struct BatchGround {
  Vec3<> normal{0, 0, 1};
  double place = 0.0;  ///< [m]
  double restitution = 0.0, friction = 0.0;
  ImpactLaw law = ImpactLaw::single_point;
};

/// A body that stands at the start of a step which it did not make.
struct StoppedBody {
  std::size_t body;
  std::int64_t steps;  ///< that it made
  bool finite;  ///< true: it bounces too often in one step, as what comes to rest does; else its numbers are none
};

/// Steps of RK4 as seed 004 makes them, each body under its weight alone. Those that would be below the plane at the
/// end of a step leave their lane: alone, the instant of the touch is found, the nearest point gets its impulse
/// (point_impact.h), and the rest of the step is flown; then they are put back. Centres of mass go along parabolas.
///
/// States are in double or in float. In float all that happens at the plane is done in double, from the numbers at the
/// start of a step to those at its end, which are then rounded: an impact is as exact as in double, and a body is found
/// below the plane by no more than the rounding of its place, 2^-24 of its distance from the origin. What float costs
/// is the rounding of every step in flight: that much of place and momentum, each time.
///
/// A body moves by the same bits in whatever lane, beside whatever others and on any number of threads. No step
/// allocates.
template <class T = double>
class BodyBatch {
 public:
  /// With a pool, which must live longer, the bodies are shared among its threads. Throws UsageError for a mass, a
  /// friction or a restitution out of range and for a normal without length.
  BodyBatch(std::span<const BatchBody> bodies, const Vec3<>& gravity, ThreadPool* threads = nullptr);
  BodyBatch(std::span<const BatchBody> bodies, const Vec3<>& gravity, const BatchGround& ground,
            ThreadPool* threads = nullptr);

  std::size_t size() const { return bodies_.size(); }

  /// Makes `count` steps of length h [s] of every body, in place. Gives those that stopped before, in their order;
  /// valid until the next call. One state per body, else UsageError.  [eq. rk4-quaternion] [eq. single-point]
  std::span<const StoppedBody> step(double h, std::int64_t count, std::span<FreeBodyState<T>> states);

  /// Impulses that the plane gave in the last call.
  std::int64_t impacts() const { return impacts_; }

 private:
  struct Call;
  class Lanes;

  FlightMotion<double> motion_of(std::size_t body, const FreeBodyState<T>& state) const;
  FreeBodyState<T> state_of(std::size_t body, const FlightMotion<double>& motion) const;
  bool pass_impacts(std::size_t body, double h, FlightMotion<double> motion, FlightMotion<double>& end,
                    std::int64_t& impacts) const;
  double fly_to_touch(const FlightNumbers<double>& body, double h, double level, double gap_from, double gap,
                      FlightMotion<double>& motion) const;
  bool impact(const FlightNumbers<double>& body, FlightMotion<double>& motion) const;

  std::vector<FlightNumbers<double>> bodies_;
  std::vector<Vec3<>> centers_;  // c from b
  FlightField field_;
  BatchGround ground_;
  ThreadPool* pool_;
  std::size_t parts_;
  AlignedMemory memory_;
  Buffer<StoppedBody> stopped_;
  Buffer<std::size_t> stopped_counts_;  // per part
  Buffer<std::int64_t> impact_counts_;  // per part
  std::int64_t impacts_ = 0;
};

extern template class BodyBatch<double>;
extern template class BodyBatch<float>;

}  // namespace pintle
