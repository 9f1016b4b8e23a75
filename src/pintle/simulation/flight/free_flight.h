// FreeFlight: bodies that fly on their own between impacts, stepped without the general recursion, and for how long
// nothing can touch.
#pragma once

#include <span>
#include <vector>

#include "pintle/simulation/contact/contacts.h"
#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/flight/flight_body.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// The bodies of a model of which every link has its own free joint on the world and nothing but its weight acts. Their
/// RK4 in closed form turns them as the general one up to rounding and moves their centres of mass on parabolas,
/// without its error. They turn no faster than their energy allows: so most steps need no search for events.
class FreeFlight {
 public:
  FreeFlight() = default;
  /// Bodies of a model that may fly (`can_fly`), with the pairs that can touch. `contacts` must outlive it;
  /// `all_pairs`: those far from each other are looked at too.
  FreeFlight(const Model& model, const Contacts& contacts, bool all_pairs = false);

  /// Whether every link of a model has its own free joint on the world without rotors, springs, dampers, friction and
  /// limits, and has an inertia.
  static bool can_fly(const Model& model);

  bool any() const { return !bodies_.empty(); }

  /// The accelerations at a state, and what all weights do about the world's origin. [eq. free-flight]
  Wrench<> accelerations(std::span<const double> q, std::span<const double> v, std::span<double> vdot) const;

  /// What `kinematics` finds of places and velocities, up to rounding, and of accelerations where vdot are given; all
  /// else is left as it is.
  void place(std::span<const double> q, std::span<const double> v, KinematicsWorkspace& places,
             std::span<const double> vdot = {}) const;

  /// One step of RK4 of length h [s] in place, with the impulse of all weights about the world's origin where asked
  /// for. False, and nothing is changed, where a body turns too far within the step.
  bool step(double h, std::span<double> q, std::span<double> v, Wrench<>* weight_impulse) const;
  /// As many of these steps as can be made (FlightKernels::steps).
  std::int64_t steps(const FlightSteps& steps, double& t, std::span<double> q, std::span<double> v,
                     Wrench<>* weight_impulse) const;

  /// The rows, without rates, of points in which these bodies touch, and A = J M^-1 J': what contact_rows and
  /// contact_delassus find, up to rounding, without a recursion. `rows` has room for them, A is as large as they need.
  /// [eq. free-impact]
  void answer_touches(std::span<const ContactFrame> touches, const KinematicsWorkspace& places,
                      ContactRowsWorkspace& rows, std::span<double> A) const;

  /// For how long [s] from a state on no pair touches.
  struct ClearTime {
    double certain;                  ///< by how far they are apart and how fast they may near each other
    double likely;                   ///< what `clear_step` may find of the way, where that is longer
    double touch = __builtin_inf();  ///< by then something is likely to touch
  };
  /// At most `longest`, or where there are many pairs `longest_of_many`; 0 where nothing can be said.
  /// [eq. clear-flight]
  ClearTime time_of_impact_bound(std::span<const double> q, std::span<const double> v, double longest,
                                 double longest_of_many = __builtin_inf());

  /// Whether it is certain that no pair touches on the way of a time h [s], in one or many steps, from the state of the
  /// last `time_of_impact_bound` to a configuration. Finds it also of pairs that are near each other or have just
  /// parted, of a plane and a body only. Not for longer than was found likely.  [eq. clear-flight]
  bool clear_step(double h, std::span<const double> q_to) const;

 private:
  /// A shape of a body, or of the world.
  struct Part {
    int body = -1;  // -1: the world
    const ContactShape* shape = nullptr;
    Pose<> X_LS{};       // in the link's frame, or the world's
    double reach = 0.0;  // [m] of a body's: how far it is from the centre of mass at most
    BoundingBox box{};   // of the world's
  };
  struct Pair {
    Part a, b;           // b is a body's
    bool plane = false;  // a is a half-space of the world
    double size = 0.0;   // [m] of both
  };
  /// Where a body is and how it moves, in world axes.
  struct Course {
    Mat3<> R_WL{};
    Vec3<> origin{}, center{}, velocity{}, gravity{};
    Vec3<> w{};            // [rad/s] in the link's axes
    double turning = 0.0;  // [rad/s] at most
    double bending = 0.0;  // [1/s^2] the acceleration of a point by its distance from the centre of mass, at most
  };
  /// Of a body above a plane.
  struct Height {
    double start = 0.0;   // [m] of its lowest point
    double ball = 0.0;    // [m] of the lowest point of the ball around its centre of mass that holds it
    double rise = 0.0;    // [m/s] of that ball
    double weight = 0.0;  // [m/s^2] what its weight does, away from the plane
    double turns = 0.0;   // [m/s^2] the acceleration of its points by its turning, at most

    /// The acceleration of a point away from the plane at most, or with so many times that of turning.
    double max_minus_gravity(double times = 1.0) const {
      const double minus_gravity = times * turns + weight;
      return minus_gravity > 0.0 ? minus_gravity : 0.0;
    }
    bool stays_above_until(double t, double end, double spare, double times = 1.0) const;
  };

  Course course_of(std::size_t body, std::span<const double> q, std::span<const double> v) const;
  BoundingBox box_of_way(const Part& part, double time) const;
  Height height_of(const Pair& pair, const Course& course) const;
  ClearTime clear_of_plane(const Pair& pair, const Course& course, const Height& height, double longest) const;
  ClearTime likely_above_plane(const Pair& pair, const Course& course, const Height& height, double spare,
                               double longest) const;
  double clear_of_box(const Pair& pair, const Course& course, double longest) const;
  double clear_of_body(const Pair& pair, const Course& a, const Course& b, double longest) const;

  const FlightKernels* kernels_ = nullptr;
  std::vector<FlightBody> bodies_;
  std::vector<Part> parts_;
  std::vector<Pair> pairs_;
  std::vector<Course> time_histories_;
  std::vector<Height> heights_;  // per pair, at the last `time_of_impact_bound`
  NearPairs near_pairs_;
  std::vector<BoundingBox> boxes_;
};

}  // namespace pintle
