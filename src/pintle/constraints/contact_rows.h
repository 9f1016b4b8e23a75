// ContactRows: Jacobian rows of contact points, and their velocities and accelerations.
#pragma once

#include <array>
#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/response.h"

namespace pintle {

/// Curvature of a surface at a contact point, in the two tangents of the contact frame: normal curvatures [1/m] along a
/// direction (a unit vector) and across it. Convex is positive, infinity is an edge or a corner.
struct TangentCurvature {
  std::array<double, 2> direction{1.0, 0.0};
  double along = 0.0, across = 0.0;
};

/// The velocity of a surface against its own body, as of a conveyor belt: at a point with the outward normal n it is
/// the tangential part of `linear` + around x n.  [eq. surface-velocity]
struct SurfaceVelocity {
  Vec3<> linear{0.0, 0.0, 0.0};  ///< [m/s]
  Vec3<> around{0.0, 0.0, 0.0};  ///< [m/s] along the axis that a closed belt runs around; its length is the speed

  bool moves() const { return norm_squared(linear) + norm_squared(around) > 0.0; }
};

/// A point where two links touch. C is the contact frame: its x axis is the normal, from A to B; y and z are the
/// tangents. Its origin is on the surfaces.
struct ContactFrame {
  int link_a = -1, link_b = -1;  ///< -1: the world
  Pose<> X_AC = identity_pose<double>();
  Pose<> X_BC = identity_pose<double>();
  TangentCurvature a{}, b{};
  bool spins = false, rolls = false;  ///< extra rows wanted: rotation about the normal, about the tangents
  bool surfaces_move = false;         ///< whether one of the two does:
  SurfaceVelocity surface_a{}, surface_b{};  ///< in the axes of C
};

/// The velocity [m/s] of the surface of A against A, and of B against B, in the axes of C, along the tangents.
/// [eq. surface-velocity]
Vec3<> surface_velocity_of_a(const ContactFrame& touch);
Vec3<> surface_velocity_of_b(const ContactFrame& touch);

/// Motion of a contact: B relative to A, in the axes of C.
struct ContactFrameMotion {
  Vec3<> speed;             ///< [m/s] of the point of B; x is the separation velocity, y and z are the slip: they
                            ///< include the velocities of moving surfaces
  Vec3<> angular_velocity;  ///< [rad/s]
  /// [m/s] migration velocity of the contact point over the surfaces of A and B, in the tangents (y, z)
  std::array<double, 2> over_a, over_b;
  /// [m/s^2] the time derivative of `speed` with the accelerations of the last `kinematics`: the part of the joints,
  /// and the parts of contact migration, surface curvature and moving surfaces. For x it is the second time derivative
  /// of the gap.
  Vec3<> speed_rate;
  double normal_angular_speed;  ///< [rad/s] angular speed of the normal relative to A, as the contact migrates
  double rate_size;             ///< [m/s^2] size of the terms of speed_rate: the scale of its rounding
  Vec3<> angular_acceleration;  ///< [rad/s^2]
  bool determined = true;       ///< false: equal curvatures, so that the contact is not a point
};

/// The velocity of the surface of B relative to that of A at the contact, in the axes of C, after `kinematics`.
Twist<> contact_velocity(const KinematicsWorkspace& kinematics, const ContactFrame& touch);

/// The motion of one contact after `kinematics`.  [eq. contact-kinematics]
ContactFrameMotion contact_frame_motion(const KinematicsWorkspace& kinematics, const ContactFrame& touch);

/// Memory and results of `contact_rows` and `contact_delassus`: three rows for each contact, normal first; after those
/// of all contacts, in the same order, the rotation rows that are wanted: one about the normal, two about the tangents.
class ContactRowsWorkspace {
 public:
  ContactRowsWorkspace(const Model& model, std::size_t contacts, std::size_t rotation_rows = 0)
      : ContactRowsWorkspace(model, contacts, rotation_rows, static_cast<std::size_t>(model.nv())) {}
  /// With limit rows of no more than so many dofs (limited_dofs).
  ContactRowsWorkspace(const Model& model, std::size_t contacts, std::size_t rotation_rows, std::size_t max_dofs);

  std::size_t max_contacts;
  std::size_t max_rows, max_limit_rows;
  std::size_t nv;
  std::size_t rows = 0;                 ///< number of rows of the last `contact_rows`
  Buffer<double> J;                     ///< rows of nv entries
  Buffer<std::size_t> first, last;      ///< per row: entries outside of first ... last - 1 are zero
  Buffer<double> speed;                 ///< J v, per row, and the velocities of moving surfaces
  Buffer<double> rate;                  ///< per row: its time derivative, with the accelerations of `kinematics`
  Buffer<double> normal_angular_speed;  ///< per contact: ContactFrameMotion::normal_angular_speed
  Buffer<double> migration_speed;       ///< [m/s] per contact: the larger of over_a and over_b
  Buffer<double> size;                  ///< per contact: ContactFrameMotion::rate_size
  Buffer<double> block;                 ///< 6 x nv, row-major
  Buffer<double> responses;             ///< M^-1 J': the column of each row and limit row, as a row of nv entries
  Buffer<double> efforts;
};

/// An impact needs no time derivatives.
enum class RowDerivatives { wanted, zero };

/// Rows, velocities and, where wanted, their time derivatives, of contacts after `kinematics`. Throws UsageError on a
/// size mismatch.
void contact_rows(const Model& model, const KinematicsWorkspace& kinematics, std::span<const ContactFrame> touches,
                  ContactRowsWorkspace& work, RowDerivatives derivatives = RowDerivatives::wanted);

/// The number of independent dofs that may have limits or friction: all but those of free joints without friction. Memory
/// for rows of single dofs grows with it, and not with the number of free bodies.
std::size_t limited_dofs(const Model& model);

/// A row that is a single dof: (J v) = sign v[dof].
struct DofRow {
  int dof;
  double sign;
};

/// A = J M^-1 J' of all rows of `work` and of `limit_rows` (at most two for each of the dofs that the workspace was made for), n x n, row-major,
/// bitwise symmetric; after contact_rows and prepare_response. `work.responses` then holds M^-1 J'.  [eq. delassus]
void contact_delassus(const Model& model, std::span<const DofRow> limit_rows, ResponseWorkspace& response,
                      ContactRowsWorkspace& work, std::span<double> A);

/// The same for the rows alone, from M^-1 J' that `work` already has.
void multiply_rows(const ContactRowsWorkspace& work, std::span<double> A);

}  // namespace pintle
