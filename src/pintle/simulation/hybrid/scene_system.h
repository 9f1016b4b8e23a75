// SceneSystem: a scene as integrators see it. Everything that acts, in one mode of its joints, and the integrals of the
// energy balance.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/constraints/contact_certificate.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/momentum_rate.h"
#include "pintle/simulation/contact/contact_forces.h"
#include "pintle/simulation/flight/free_flight.h"
#include "pintle/simulation/hybrid/dof_modes.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/scene/work_accounts.h"
#include "pintle/simulation/system/event_function.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// Whose impulses an energy balance of momentum adds up, each about the world's origin in world axes.
inline constexpr int kWeight = 0, kSupports = 1, kForces = 2;  ///< supports: the world, through the root joints
inline constexpr int kImpulses = 3;

/// Where a failure of `derivatives` lies; -1 where it does not.
struct DerivativesError {
  int joint = -1;
  int element = -1;
  bool not_finite = false;  ///< of the element's forces, or of the joint's acceleration or effort
  bool contacts = false;    ///< there are no forces at the contacts
};

class SceneSystem final : public MotionSystem {
 public:
  /// `users` are elements beside those of the scene; they must outlive it. `all_pairs`: SimulationParts.
  SceneSystem(const Scene& scene, std::span<ForceElement* const> users, bool all_pairs = false);

  const Model& model() const override { return model_; }
  int auxiliary_count() const override { return auxiliary_count_; }
  int controlled_auxiliary_count() const override { return state_count_; }
  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override;
  void prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double> auxiliary) override;
  std::span<const unsigned char> imposed() const override { return imposed_levels_; }
  bool outside_wrench(const Vec3<>& point, Wrench<>& wrench) override;
  std::span<const unsigned char> held() const override {
    return any_given_ && scene_.prescribed().empty() ? std::span<const unsigned char>(given_)
                                                     : std::span<const unsigned char>();
  }
  int trouble_joint() const override { return trouble_.joint; }
  bool rk4_step(double h, std::span<double> q, std::span<double> v, std::span<double> auxiliary) override;

  /// Whether all bodies fly: each on its own free joint, without anything that acts but weight, and nothing touches.
  bool flies() const { return flight_.any() && contacts_.active().empty(); }
  /// Whether they fly where nothing touches; and then FreeFlight::answer_touches.
  bool may_fly() const { return flight_.any(); }
  void answer_touches(std::span<const ContactFrame> touches, const KinematicsWorkspace& places,
                      ContactRowsWorkspace& rows, std::span<double> A) const {
    flight_.answer_touches(touches, places, rows, A);
  }
  /// What `kinematics` finds of places and velocities, where they fly up to rounding.
  void place_links(const MotionInstant& at, KinematicsWorkspace& places) const { place_links(at, zero_, places); }
  /// And of accelerations.
  void place_links(const MotionInstant& at, std::span<const double> vdot, KinematicsWorkspace& places) const;
  /// Their steps, as many as can be made (FlightKernels::steps), from a state that becomes the one after them.
  std::int64_t fly(const FlightSteps& steps, MotionState& state) const;
  /// FreeFlight::time_of_impact_bound.
  FreeFlight::ClearTime time_of_impact_bound(const MotionState& state, double longest, double longest_of_many) {
    return flight_.time_of_impact_bound(state.q, state.v, longest, longest_of_many);
  }
  /// FreeFlight::clear_step.
  bool clear_step(double h, const MotionState& to) const { return flight_.clear_step(h, to.q); }

  const Scene& scene() const { return scene_; }
  const DerivativesError& trouble() const { return trouble_; }
  std::span<ForceElement* const> elements() const { return elements_; }
  std::span<const WorkAccount> accounts() const { return accounts_; }

  /// In which dofs stick, rest and slide; constant within a step.
  const DofModes& modes() const { return modes_; }
  void set_modes(const DofModes& modes);

  /// Coulomb friction at each independent dof [N m or N].
  std::span<const double> friction_limits() const { return friction_; }
  /// Per independent dof: 1 where its motion is prescribed.
  std::span<const unsigned char> prescribed() const { return prescribed_; }

  /// What touches, and how. Whoever changes it calls contacts_changed.
  Contacts& contacts() { return contacts_; }
  const Contacts& contacts() const { return contacts_; }
  /// Whether pairs of shapes that are far from each other are looked at too.
  bool all_pairs() const { return all_pairs_; }
  /// Puts the state where its contacts are: gaps and forbidden speeds that integration has left are taken out by the
  /// least change, in the metric of M. Gives the largest gap [m] it had.
  double stabilise_contacts(MotionState& state);
  /// After `derivatives`: how far the contacts are from breaking a law (ContactForces::find_margin).
  double contact_margin() {
    return contacts_.active().empty() || has_mean_forces() ? 1.0 : contact_forces_.find_margin(contacts_);
  }
  /// Whether the forces of the active contacts are means of a short step (TimeStepping).
  bool has_mean_forces() const { return !contacts_.active().empty() && contacts_.active().front().mean_force.x > 0.0; }
  bool slides_with_friction() const;
  /// Where a contact is in the world [m].
  Vec3<> contact_place(const MotionState& state, const ActiveContact& contact);
  /// The forces of contacts at the last `derivatives`.
  const ContactForces& contact_forces() const { return contact_forces_; }
  /// After `derivatives`: how well the forces of contacts obey their laws, with places and accelerations of
  /// `kinematics`. Where forces are not determined (four legs), of ones that obey the laws and move everything alike.
  struct ContactVerdict {
    ContactResiduals residuals{};
    int body_a = -1, body_b = -1;  ///< of the worst contact
  };
  ContactVerdict certify_contacts(const KinematicsWorkspace& places);
  /// Whether rows have such a verdict: where something can touch and certificates are on.
  bool certifies_contacts() const { return contacts_.any_pairs() && scene_.run().certificate; }
  /// Whether rows have the forces of contacts.
  bool records_contacts() const { return contacts_.any_pairs() && scene_.run().contact_forces; }
  /// After `derivatives`, and `certify_contacts` or `contact_margin`: the forces of all contacts. Allocates at a new
  /// maximum of contacts only.
  void read_contact_forces(std::vector<ContactForceRecord>& records) const;
  ContactForces& contact_forces() { return contact_forces_; }

  // What the last `derivatives` found.
  /// All efforts on the independent dofs: of elements, sliding friction, prescribed motions and holds.
  std::span<const double> tau() const { return tau_; }
  /// Of these, what prescribed motions and holds need; zero at all other dofs.
  std::span<const double> constraint_efforts() const { return constraint_; }
  /// How far a held dof is from giving way.
  struct ConstraintMargin {
    double left;  ///< [N m or N] until friction and joint limits can hold it no longer, with the share of rounding
    signed char direction;  ///< the one it would move in: -1, 1
  };
  ConstraintMargin constraint_margin(std::size_t dof) const;
  /// Whether an acceleration of a dof is no more than the rounding of what gravity does to the bodies it moves.
  bool is_rounding(std::size_t dof, double acceleration) const;
  /// The wrenches of elements on the bodies; empty when no element needs places.
  std::span<const Wrench<>> external() const { return external_; }
  const DynamicsOptions& options() const { return options_; }

  /// The efforts of all elements and of sliding friction alone, and the wrenches of elements, at an instant; false
  /// where an element has none.
  bool applied(const MotionInstant& at);
  /// The given accelerations, after `applied`.
  void given_accelerations(const MotionInstant& at, std::span<double> vdot) const;

  /// Tells every element to choose its sides, or lets those whose time it is sample.
  void choose_sides(const MotionInstant& at);
  void sample(const MotionInstant& at);
  /// The next time [s] at which some element samples.
  double next_sample() const;
  /// The elements as they were made, with the first samples taken at the start of a run.
  void reset_elements(const MotionInstant& start);
  /// When each element samples next [s]: to be saved and restored with its memory.
  std::span<double> sample_times() { return sample_times_; }
  /// The switch values of one element.
  void switches(const MotionInstant& at, std::size_t element, std::span<double> values);

  /// The energy [J] in the elements, with places that `kinematics` found at this instant.
  double stored_energy(const MotionInstant& at, const KinematicsWorkspace& places) const;

  /// The first of the auxiliary numbers that hold the impulses, wrenches of six numbers; -1 without an energy balance
  /// of momentum.
  int first_impulse() const { return first_impulse_; }
  /// How many there are: kImpulses, or one less where no element acts on bodies.
  int impulse_count() const { return needs_places_ ? kImpulses : kForces; }

 private:
  /// A dof whose effort does work, and which of the auxiliary numbers that is.
  struct DofWork {
    std::size_t dof, work;
  };
  /// The damper of one dof of a joint, as the independent dof feels it [N m s/rad or N s/m].
  struct Damper {
    DofWork at;
    double damping;
    bool first;  // of its joint
  };

  ForceInput input_of(const MotionInstant& at, std::size_t element) const { return input_of(at, element, kinematics_); }
  ForceInput input_of(const MotionInstant& at, std::size_t element, const KinematicsWorkspace& places) const;
  void place(const MotionInstant& at);
  void find_weights();
  void open_accounts();
  void add_dampers(const WorkAccount& account);
  bool act(const MotionInstant& at, std::span<double> auxiliary_derivative);
  bool flight_derivatives(const MotionInstant& at, std::span<double> vdot, std::span<double> auxiliary_derivative);
  DynamicsReport accelerate(const MotionInstant& at, std::span<double> vdot);
  bool add_contact_forces(const MotionInstant& at, std::span<const double> vdot,
                          std::span<double> auxiliary_derivative);
  void add_wrench(int body, const Pose<>& X_LC, const Wrench<>& F_C);
  bool all_finite(const MotionInstant& at, std::span<const double> vdot);
  void record_joint_work(const MotionInstant& at, std::span<double> auxiliary_derivative) const;
  Wrench<> element_wrench() const;
  MomentumCauses momentum_causes();
  void record_impulses(const MotionInstant& at, std::span<const double> vdot, std::span<double> auxiliary_derivative);

  Scene scene_;
  const Model& model_;
  std::vector<ForceElementPointer> own_elements_;
  std::vector<ForceElement*> elements_;
  std::vector<int> first_state_;  // of each element, and the end
  std::vector<WorkAccount> accounts_;
  std::vector<DofWork> prescribed_work_, friction_work_;
  std::vector<Damper> dampers_;
  int state_count_ = 0, auxiliary_count_ = 0, first_impulse_ = -1;
  bool needs_places_ = false, any_given_ = false, floats_ = false;

  DofModes modes_;
  std::vector<double> friction_, sliding_;  // the most it can be; the effort of those that slide
  std::vector<double> weight_, inertia_;    // [N or N m], [kg or kg m^2] find_weights
  std::vector<unsigned char> prescribed_, given_, imposed_levels_;
  std::vector<double> lower_, upper_;

  std::vector<double> tau_, applied_, constraint_, zero_, needed_, no_derivatives_;
  std::vector<Wrench<>> external_;
  DynamicsOptions options_;
  ForwardDynamicsWorkspace<> forward_;
  KinematicsWorkspace kinematics_;
  MassMomentWorkspace moments_;
  std::vector<double> sample_times_;
  Contacts contacts_;
  bool all_pairs_ = false;
  ContactForces contact_forces_;
  FreeFlight flight_;
  Wrench<> flight_weight_{};          // of all bodies at the last `derivatives` in which they flew
  std::vector<double> found_forces_;  // before others took their place
  KinematicsWorkspace contact_places_;
  int contact_work_ = -1;
  std::vector<double> settle_;
  DerivativesError trouble_;
};

}  // namespace pintle
