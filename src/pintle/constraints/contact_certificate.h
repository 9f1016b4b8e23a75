// Contact certificate: how well contact forces and impacts obey the laws of contact, checked by methods other than
// those of the solvers: momentum by M(q) of composite bodies and by the Jacobians of single places, velocities and
// accelerations by kinematics, the course of an impact at one point by replay_impact.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_residuals.h"
#include "pintle/constraints/contact_rows.h"
#include "pintle/constraints/impact_solver.h"
#include "pintle/constraints/limit_side.h"
#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// The rule by which an impact was resolved; it decides what to check.
enum class ImpactRule : unsigned char {
  point,    ///< one point, by an ImpactLaw
  several,  ///< several points simultaneously, with Coulomb's law for the total impulse
  other,    ///< sequential, single_point, or impact without collision: only the laws common to all of them
};

/// A claimed impact.
struct ImpactClaim {
  std::span<const double> q, before, after;  ///< the configuration, and the velocities of the independent dofs
  std::span<const ContactFrame> touches;
  std::span<const double> P;        ///< [N s] on B at each contact, three components in its axes
  std::span<const double> efforts;  ///< [N m s, N s] of joint limits at the independent dofs
  std::span<const unsigned char>
      given;  ///< per independent dof: 1 where a motor prescribes it; its equation defines the motor's impulse
  std::span<const double> friction, restitution;  ///< per contact
  ImpactRule rule = ImpactRule::other;
  ImpactLaw law = ImpactLaw::stronge;
  std::span<const double> A{};  ///< of rule `point`: its Delassus operator, 3 x 3 (contact_delassus)
  std::span<const LimitSide> sides{};  ///< per independent dof: the limits that push with `efforts`; empty: unknown
};

/// Result of certifying an impact.
struct ImpactVerdict {
  ContactResiduals residuals{};
  int worst = -1;            ///< the contact with the largest residual; -1: no particular one
  double energy_gain = 0.0;  ///< [J] kinetic energy after - before - the work of motors
  double energy_size = 0.0;  ///< [J] the sum of the absolute terms of that
  double speed = 0.0;        ///< [m/s] of the fastest contact: the scale of speeds of separation
};

/// The claim that nothing approaches any more after the last impact at an instant.
struct SeparationClaim {
  std::span<const double> before, after;    ///< as in that impact
  std::span<const ContactFrame> touches{};  ///< everything that touches, whether it took part or not
  std::span<const LimitSide> sides{};       ///< per independent dof: the limits that it is at
  double speed = 0.0;                       ///< [m/s] the scale: the fastest of all impacts at this instant
};

class ImpactCertificateWorkspace {
 public:
  explicit ImpactCertificateWorkspace(const Model& model);

  MassMatrixWorkspace<> mass;
  KinematicsWorkspace places_before, places_after;
  std::vector<double> M;  ///< made by the first impact: it grows with the square of the dofs
  Buffer<double> J, zero, impulse, size;
};

/// Checks an impact. Throws UsageError on a size mismatch. Allocates nothing.  [eq. contact-certificate]
ImpactVerdict certify_impact(const Model& model, const ImpactClaim& claim, ImpactCertificateWorkspace& work);

/// The residual of complementarity of what touches after an impact: how fast a contact approaches or a dof moves into
/// its limit, relative to the fastest contact or to the momenta of the dofs. `work` is of certify_impact, called with
/// the same velocities. Throws UsageError on a size mismatch. Allocates nothing.  [eq. contact-certificate]
double certify_separation(const SeparationClaim& claim, const ImpactCertificateWorkspace& work);

/// A claimed force at a closed contact.
struct ContactClaim {
  ContactFrame touch{};
  std::array<double, 3> force{};  ///< [N] on B, in the axes of the contact
  bool sticks = false;
  double static_friction = 0.0, kinetic_friction = 0.0;
  double gap = 0.0;        ///< [m]
  double size = 0.0;       ///< [m] of the shapes and their distance: the scale of a gap
  double mass = 0.0;       ///< [kg] of the lighter body
  double max_force = 0.0;  ///< [N] of all contacts
  Vec3<> moment{};         ///< [N m] on B, of rotational friction: spinning about x, rolling about y and z
  double rolling_friction = 0.0, spinning_friction = 0.0;  ///< [m]
  bool rolls = false, spins = false;                       ///< false: friction holds it
};

/// Checks a closed contact, with poses and accelerations of `kinematics`. Velocities are relative to those of the two
/// places and of a fall through `size`, accelerations to those of the places, of gravity [m/s^2] and of the force on
/// `mass`, forces to `max_force` and to the weight of `mass`.  [eq. contact-certificate]
ContactResiduals certify_contact(const KinematicsWorkspace& places, const ContactClaim& claim, double gravity);

}  // namespace pintle
