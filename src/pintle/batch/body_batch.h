// BodyBatch: many free bodies in momentum state (free_body.h) that fly over a plane and bounce on it, in SIMD lanes.
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

/// The contact shape of a body: the Minkowski sum of a ball, a box and a disc normal to z, centred at a place. Axes are
/// those of the body.
struct BatchShape {
  Vec3<> place{};       ///< from the body's point b [m]
  double ball = 0.0;    ///< its radius [m]
  double disc = 0.0;    ///< its radius [m]
  Vec3<> half_sides{};  ///< of the box [m]
};

BatchShape batch_sphere(double radius);
BatchShape batch_box(const Vec3<>& half_sides);
BatchShape batch_cylinder(double radius, double length);  ///< along z
BatchShape batch_capsule(double radius, double length);   ///< along z; `length` is that of its cylindrical part

struct BatchBody {
  FreeBody<> body;
  BatchShape shape{};
};

/// A fixed plane: the points with normal . x = place.
struct BatchGround {
  Vec3<> normal{0, 0, 1};
  double place = 0.0;  ///< [m]
  double restitution = 0.0, friction = 0.0;
  ImpactLaw law = ImpactLaw::single_point;
};

/// A body that stopped at the start of a step.
struct StoppedBody {
  std::size_t body;
  std::int64_t steps;  ///< steps completed
  bool finite;         ///< true: too many impacts in one step, as when it comes to rest; false: not finite
};

/// RK4 steps with quaternions as plain components (rk4-quaternion), each body under its weight alone. A body that would
/// be below the plane at the end of a step leaves its lane. It is then treated alone: the time of impact is found, the
/// nearest point gets its impulse (point_impact.h), and the rest of the step is integrated; then it returns to a lane.
/// Centres of mass follow parabolas.
///
/// States are in double or in float. In float, impacts are computed in double, from the state at the start of a step to
/// that at its end, which is then rounded: an impact is as accurate as in double, and a body is below the plane by at
/// most the rounding of its position, 2^-24 of its distance from the origin. The cost of float is the rounding of
/// position and momentum, by that much, in every step of flight.
///
/// The motion of a body is bitwise the same in any lane, beside any others and on any number of threads. No step
/// allocates.
template <class T = double>
class BodyBatch {
 public:
  /// With a pool, which must live longer, the bodies are shared among its threads. Throws UsageError for a mass, a
  /// friction or a restitution out of range and for a normal of zero length.
  BodyBatch(std::span<const BatchBody> bodies, const Vec3<>& gravity, ThreadPool* threads = nullptr);
  BodyBatch(std::span<const BatchBody> bodies, const Vec3<>& gravity, const BatchGround& ground,
            ThreadPool* threads = nullptr);

  std::size_t size() const { return bodies_.size(); }

  /// Makes `count` steps of length h [s] of every body, in place. Gives those that stopped before, in their order;
  /// valid until the next call. One state per body, else UsageError.  [eq. rk4-quaternion] [eq. single-point]
  std::span<const StoppedBody> step(double h, std::int64_t count, std::span<FreeBodyState<T>> states);

  /// Number of impacts in the last call.
  std::int64_t impacts() const { return impacts_; }

 private:
  struct Call;
  class Lanes;

  FlightMotion<double> motion_of(std::size_t body, const FreeBodyState<T>& state) const;
  FreeBodyState<T> state_of(std::size_t body, const FlightMotion<double>& motion) const;
  bool pass_impacts(std::size_t body, double h, FlightMotion<double> motion, FlightMotion<double>& end,
                    std::int64_t& impacts) const;
  double fly_to_touch(const FlightParameters<double>& body, double h, double level, double gap_from, double gap,
                      FlightMotion<double>& motion) const;
  bool impact(const FlightParameters<double>& body, FlightMotion<double>& motion) const;

  std::vector<FlightParameters<double>> bodies_;
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
