// ContactRows: how points of contact move with the joints of a mechanism, to the order of accelerations.
#pragma once

#include <array>
#include <span>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/response.h"

namespace pintle {

/// How a surface bends at a point of contact, in the two tangents of the contact's frame: normal curvatures [1/m] along
/// a direction (a unit vector) and across it. Convex is positive, infinity is an edge or a corner.
struct TangentCurvature {
  std::array<double, 2> direction{1.0, 0.0};
  double along = 0.0, across = 0.0;
};

/// A point in which two links touch. C is the frame of the contact: its x axis is the normal, from A to B; y and z are
/// the tangents. Its origin is on the surfaces.
struct ContactFrame {
  int link_a = -1, link_b = -1;  ///< -1: the world
  Pose<> X_AC = identity_pose<double>();
  Pose<> X_BC = identity_pose<double>();
  TangentCurvature a{}, b{};
  bool spins = false, rolls = false;  ///< more rows are wanted: of its turning about the normal, about the tangents
};

/// How a contact moves: B against A, in the axes of C.
struct ContactFrameMotion {
  Vec3<> speed;    ///< [m/s] of the point of B; x is the speed of separation
  Vec3<> turning;  ///< [rad/s]
  /// [m/s] how the point of contact migrates over the surface of A and over that of B, in the tangents (y, z)
  std::array<double, 2> over_a, over_b;
  /// [m/s^2] the rate of `speed` with the accelerations of the last `kinematics`: what the joints give and what comes
  /// of the point's migrating and of the surfaces' bending. For x it is the second rate of the gap.
  Vec3<> speed_rate;
  double normal_turning;   ///< [rad/s] how fast the normal turns against A, as the point migrates
  double rate_size;        ///< [m/s^2] of the terms that make up speed_rate: what its rounding is measured by
  Vec3<> turning_rate;     ///< [rad/s^2]
  bool determined = true;  ///< false: the surfaces bend alike, so that where they touch is not a point
};

/// How B moves against A where they touch, in the axes of C, after `kinematics`.
Twist<> contact_velocity(const KinematicsWorkspace& kinematics, const ContactFrame& touch);

/// The motion of one contact after `kinematics`.  [eq. contact-kinematics]
ContactFrameMotion contact_frame_motion(const KinematicsWorkspace& kinematics, const ContactFrame& touch);

/// Memory and results of `contact_rows` and `contact_delassus`: three rows for each contact, normal first; after those
/// of all contacts, in the same order, the rows of turning that are wanted: one about the normal, two about the
/// tangents.
class ContactRowsWorkspace {
 public:
  ContactRowsWorkspace(const Model& model, std::size_t max_contacts, std::size_t max_turn_rows = 0);

  std::size_t max_contacts;
  std::size_t max_rows;
  std::size_t nv;
  std::size_t rows = 0;             ///< that there are since the last `contact_rows`
  Buffer<double> J;                 ///< rows of nv numbers
  Buffer<std::size_t> first, last;  ///< per row: outside of first ... last - 1 its numbers are zero
  Buffer<double> speed;             ///< J v, per row
  Buffer<double> rate;              ///< per row: the rate of `speed` with the accelerations of `kinematics`
  Buffer<double> turning;           ///< per contact: ContactFrameMotion::normal_turning
  Buffer<double> size;              ///< per contact: ContactFrameMotion::rate_size
  Buffer<double> block;             ///< six rows of nv numbers
  Buffer<double> answers;           ///< M^-1 J', a column for each row and bar, as rows of nv numbers
  Buffer<double> efforts;
};

/// An impact asks for no rates.
enum class RowDerivatives { wanted, zero };

/// Rows, speeds and, where wanted, their rates of contacts after `kinematics`. Sizes must fit, else UsageError.
void contact_rows(const Model& model, const KinematicsWorkspace& kinematics, std::span<const ContactFrame> touches,
                  ContactRowsWorkspace& work, RowDerivatives derivatives = RowDerivatives::wanted);

/// A dof as a row of its own: (J v) = sign v[dof].
struct DofRow {
  int dof;
  double sign;
};

/// A = J M^-1 J' of all rows of `work` and of `limit_rows` (at most two for each independent dof), n rows of n numbers,
/// symmetric to the bit; after contact_rows and prepare_response. `work.answers` then holds M^-1 J'.  [eq. delassus]
void contact_delassus(const Model& model, std::span<const DofRow> limit_rows, ResponseWorkspace& response,
                      ContactRowsWorkspace& work, std::span<double> A);

/// The same of rows alone, from answers that `work` has already.
void multiply_rows(const ContactRowsWorkspace& work, std::span<double> A);

}  // namespace pintle
