// Contact certificate: how well forces and impacts at points of contact obey the laws of contact, checked by other ways
// than the solvers went: momentum by M(q) of composite bodies and by the Jacobians of single places, speeds and
// accelerations by kinematics, the way of an impact at one point by replay_impact.
#pragma once

#include <span>

#include "pintle/constraints/contact_residuals.h"
#include "pintle/constraints/contact_rows.h"
#include "pintle/constraints/impact_solver.h"
#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// By which rule an impact was found: what there is to check.
enum class ImpactRule : unsigned char {
  point,    ///< one point, by an ImpactLaw
  several,  ///< several at once, with Coulomb's law for the whole
  other,    ///< points in turn, seed 004's, without collision: no more than the laws of all of them
};

/// What is claimed of an impact.
struct ImpactClaim {
  std::span<const double> q, before, after;  ///< the configuration, and the velocities of the independent dofs
  std::span<const ContactFrame> touches;
  std::span<const double> P;        ///< [N s] on B of each contact, three numbers in its axes
  std::span<const double> efforts;  ///< [N m s, N s] of joint limits at the independent dofs
  std::span<const unsigned char>
      given;  ///< per independent dof: 1 where a motor moves it, whose impulse its equation defines
  std::span<const double> friction, restitution;  ///< per contact
  ImpactRule rule = ImpactRule::other;
  ImpactLaw law = ImpactLaw::stronge;
  std::span<const double> A{};  ///< of rule `point`: how it answers to impulses, 3 x 3 (contact_delassus)
};

/// What a certificate says of an impact.
struct ImpactVerdict {
  ContactResiduals residuals{};
  int worst = -1;            ///< the contact with the largest residual; -1: no single one
  double energy_gain = 0.0;  ///< [J] kinetic energy after - before - the work of motors
  double energy_size = 0.0;  ///< [J] the sum of the absolute terms of that
};

class ImpactCertificateWorkspace {
 public:
  explicit ImpactCertificateWorkspace(const Model& model);

  MassMatrixWorkspace<> mass;
  KinematicsWorkspace places_before, places_after;
  Buffer<double> M, J, zero, impulse, size;
};

/// Checks an impact. Sizes must fit, else UsageError. Allocates nothing.  [eq. contact-certificate]
ImpactVerdict certify_impact(const Model& model, const ImpactClaim& claim, ImpactCertificateWorkspace& work);

/// What is claimed of a point that stays closed.
struct ContactClaim {
  ContactFrame touch{};
  std::array<double, 3> force{};  ///< [N] on B, in the axes of the contact
  bool sticks = false;
  bool over_step = false;  ///< the force is the mean of a short step, at whose end it is judged: by speeds alone
  double static_friction = 0.0, kinetic_friction = 0.0;
  double gap = 0.0;        ///< [m]
  double size = 0.0;       ///< [m] of the shapes and their distance: what a gap is held against
  double mass = 0.0;       ///< [kg] of the lighter body
  double max_force = 0.0;  ///< [N] of all contacts
  Vec3<> moment{};         ///< [N m] on B, of friction against turning: spinning about x, rolling about y and z
  double rolling_friction = 0.0, spinning_friction = 0.0;  ///< [m]
  bool rolls = false, spins = false;                       ///< or friction holds it
};

/// Checks a point that stays closed, with places and accelerations of `kinematics`. Speeds count against those of the
/// two places and of a fall through `size`, accelerations against those of the places, of gravity [m/s^2] and of the
/// force on `mass`.  [eq. contact-certificate]
ContactResiduals certify_contact(const KinematicsWorkspace& places, const ContactClaim& claim, double gravity);

}  // namespace pintle
