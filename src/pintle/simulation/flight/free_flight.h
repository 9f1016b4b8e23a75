// FreeFlight: steps of bodies in free flight between impacts, without the general recursion, and a time-of-impact lower
// bound.
#pragma once

#include <span>
#include <vector>

#include "pintle/simulation/contact/contacts.h"
#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/flight/flight_body.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// The bodies of a model in which every link has its own free joint on the world and only its weight acts. Their RK4 in
/// closed form rotates them as the general one does, up to rounding, and moves their centres of mass on parabolas,
/// without its error. Their energy bounds their angular speed: so most steps need no search for events.
class FreeFlight {
 public:
  FreeFlight() = default;
  /// Bodies of a model that may fly (`can_fly`), with the pairs that can touch. `contacts` must outlive this object;
  /// `all_pairs`: pairs that are far apart are examined too.
  FreeFlight(const Model& model, const Contacts& contacts, bool all_pairs = false);

  /// Whether every link of a model has its own free joint on the world without rotors, springs, dampers, friction and
  /// limits, and has an inertia.
  static bool can_fly(const Model& model);

  bool any() const { return !bodies_.empty(); }

  /// The accelerations at a state, and the total wrench of all weights about the world's origin. [eq. free-flight]
  Wrench<> accelerations(std::span<const double> q, std::span<const double> v, std::span<double> vdot) const;

  /// Poses and velocities as `kinematics` finds them, up to rounding, and accelerations if vdot are given; everything
  /// else is unchanged.
  void place(std::span<const double> q, std::span<const double> v, KinematicsWorkspace& places,
             std::span<const double> vdot = {}) const;

  /// One step of RK4 of length h [s] in place, with the impulse of all weights about the world's origin if wanted.
  /// False, and nothing is changed, if a body rotates too far within the step.
  bool step(double h, std::span<double> q, std::span<double> v, Wrench<>* weight_impulse) const;
  /// As many of these steps as can be made (FlightKernels::steps).
  std::int64_t steps(const FlightSteps& steps, double& t, std::span<double> q, std::span<double> v,
                     Wrench<>* weight_impulse) const;

  /// The contact rows of these bodies, without time derivatives, and A = J M^-1 J': what contact_rows and
  /// contact_delassus find, up to rounding, without a recursion. `rows` is large enough for them, A has their size.
  /// [eq. free-impact]
  void assemble_contacts(std::span<const ContactFrame> touches, const KinematicsWorkspace& places,
                         ContactRowsWorkspace& rows, std::span<double> A) const;

  /// For how long [s] from a state on no pair touches.
  struct ClearTime {
    double certain;                  ///< from distances and maximum approach speeds
    double likely;                   ///< what `clear_step` may confirm along the path, if that is longer
    double touch = __builtin_inf();  ///< an impact is likely by then
  };
  /// At most `longest`, or with many pairs `longest_of_many`; 0 if there is no bound. [eq. clear-flight]
  ClearTime time_of_impact_bound(std::span<const double> q, std::span<const double> v, double longest,
                                 double longest_of_many = __builtin_inf());

  /// Whether it is certain that no pair touches within a time h [s], in one or many steps, from the state of the last
  /// `time_of_impact_bound` to a configuration. Also works for pairs that are near each other or have just separated,
  /// but only for a plane and a body. Not for longer than `likely`.  [eq. clear-flight]
  bool clear_step(double h, std::span<const double> q_to) const;

 private:
  /// A shape of a body, or of the world.
  struct Part {
    int body = -1;  // -1: the world
    const ContactShape* shape = nullptr;
    Pose<> X_LS{};       // in the link's frame, or the world's
    double reach = 0.0;  // [m] of a body's: maximum distance from the centre of mass
    BoundingBox box{};   // of the world's
  };
  struct Pair {
    Part a, b;           // b is a body's
    bool plane = false;  // a is a half-space of the world
    double size = 0.0;   // [m] of both
  };
  /// Position and velocity of a body, in world axes.
  struct BodyMotion {
    Mat3<> R_WL{};
    Vec3<> origin{}, center{}, velocity{}, gravity{};
    Vec3<> w{};            // [rad/s] in the link's axes
    double turning = 0.0;  // [rad/s] maximum
    double bending = 0.0;  // [1/s^2] maximum acceleration of a point over its distance from the centre of mass
  };
  /// The height of a body above a plane.
  struct Height {
    double start = 0.0;   // [m] of its lowest point
    double ball = 0.0;    // [m] of the lowest point of its bounding ball around the centre of mass
    double rise = 0.0;    // [m/s] of that ball
    double weight = 0.0;  // [m/s^2] acceleration due to gravity, away from the plane
    double turns = 0.0;   // [m/s^2] maximum acceleration of its points due to rotation

    /// Maximum acceleration of a point away from the plane, with the rotational part multiplied by `times`.
    double max_minus_gravity(double times = 1.0) const {
      const double minus_gravity = times * turns + weight;
      return minus_gravity > 0.0 ? minus_gravity : 0.0;
    }
    bool stays_above_until(double t, double end, double spare, double times = 1.0) const;
  };

  BodyMotion motion_of(std::size_t body, std::span<const double> q, std::span<const double> v) const;
  BoundingBox swept_box(const Part& part, double time) const;
  Height height_of(const Pair& pair, const BodyMotion& motion) const;
  ClearTime clear_of_plane(const Pair& pair, const BodyMotion& motion, const Height& height, double longest) const;
  ClearTime likely_above_plane(const Pair& pair, const BodyMotion& motion, const Height& height, double spare,
                               double longest) const;
  double clear_of_box(const Pair& pair, const BodyMotion& motion, double longest) const;
  double clear_of_body(const Pair& pair, const BodyMotion& a, const BodyMotion& b, double longest) const;

  const FlightKernels* kernels_ = nullptr;
  std::vector<FlightBody> bodies_;
  std::vector<Part> parts_;
  std::vector<Pair> pairs_;
  std::vector<BodyMotion> motions_;
  std::vector<Height> heights_;  // per pair, at the last `time_of_impact_bound`
  NearPairs near_pairs_;
  std::vector<BoundingBox> boxes_;
};

}  // namespace pintle
