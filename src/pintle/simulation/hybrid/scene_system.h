// SceneSystem: a scene as integrators see it. Everything that acts, in one mode of its joints and contacts, and the
// integrals of the energy balance.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/constraints/contact_certificate.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/momentum_rate.h"
#include "pintle/simulation/contact/contact_forces.h"
#include "pintle/simulation/contact/mean_forces.h"
#include "pintle/simulation/flight/free_flight.h"
#include "pintle/simulation/hybrid/dof_modes.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/scene/time_functions.h"
#include "pintle/simulation/scene/work_accounts.h"
#include "pintle/simulation/system/event_function.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// The impulses that the momentum balance adds up, each about the world's origin in world axes.
inline constexpr std::size_t kWeight = 0, kSupports = 1, kForces = 2;  ///< supports: the world, through the root joints
inline constexpr std::size_t kImpulses = 3;

/// The cause of a failure of `derivatives`; -1 if it is not an element or a joint.
struct DerivativesError {
  int joint = -1;
  int element = -1;
  bool not_finite = false;  ///< of the element's forces, or of the joint's acceleration or effort
  bool contacts = false;    ///< the contact forces have no solution
};

class SceneSystem final : public MotionSystem {
 public:
  /// `users` are elements besides those of the scene; they must outlive this object. `all_pairs`: SimulationParts.
  SceneSystem(const Scene& scene, std::span<ForceElement* const> users, bool all_pairs = false);

  const Model& model() const override { return model_; }
  int auxiliary_count() const override { return auxiliary_count_; }
  int controlled_auxiliary_count() const override { return state_count_; }
  int staged_auxiliary_count() const override { return staged_count_; }
  bool derivatives(double t, std::span<const double> q, std::span<const double> v, std::span<const double> auxiliary,
                   std::span<double> vdot, std::span<double> auxiliary_derivative) override;
  bool stage_derivatives(double t, std::span<const double> q, std::span<const double> v,
                         std::span<const double> auxiliary, std::span<double> vdot,
                         std::span<double> auxiliary_derivative) override;
  void finish_step(const FinishedStep& step, MotionState& to) override;
  void complete_integrals(std::span<double> auxiliary, std::span<const double> rates) const override;
  void prescribe(double t, std::span<double> q, std::span<double> v, std::span<const double> auxiliary) override;
  std::span<const unsigned char> imposed() const override { return imposed_levels_; }
  bool outside_wrench(const Vec3<>& point, Wrench<>& wrench) override;
  std::span<const unsigned char> held() const override {
    return any_given_ && scene_.prescribed().empty() ? std::span<const unsigned char>(given_)
                                                     : std::span<const unsigned char>();
  }
  double driven_rate() const override { return time_functions_.rate(); }
  int failed_joint() const override { return derivatives_error_.joint; }
  bool rk4_step(const MotionState& from, double h, MotionState& to) override;

  /// Whether all bodies fly: each on its own free joint, with only its weight acting, and without contact.
  bool flies() const { return flight_.any() && contacts_.active().empty(); }
  /// Whether they fly when nothing touches; if so, FreeFlight::assemble_contacts applies.
  bool may_fly() const { return flight_.any(); }
  void assemble_contacts(std::span<const ContactFrame> touches, const KinematicsWorkspace& places,
                         ContactRowsWorkspace& rows, std::span<double> A) const {
    flight_.assemble_contacts(touches, places, rows, A);
  }
  /// Poses and velocities as `kinematics` finds them; for flying bodies up to rounding.
  void place_links(const MotionInstant& at, KinematicsWorkspace& places) const { place_links(at, zero_, places); }
  /// The same with accelerations.
  void place_links(const MotionInstant& at, std::span<const double> vdot, KinematicsWorkspace& places) const;
  /// Ballistic steps, as many as can be made (FlightKernels::steps), from a state that becomes the one after them.
  std::int64_t fly(const FlightSteps& steps, MotionState& state);
  /// FreeFlight::time_of_impact_bound.
  FreeFlight::ClearTime time_of_impact_bound(const MotionState& state, double longest, double longest_of_many) {
    return flight_.time_of_impact_bound(state.q, state.v, longest, longest_of_many);
  }
  /// FreeFlight::clear_step.
  bool clear_step(double h, const MotionState& to) const { return flight_.clear_step(h, to.q); }

  const Scene& scene() const { return scene_; }
  const DerivativesError& derivatives_error() const { return derivatives_error_; }
  std::span<ForceElement* const> elements() const { return elements_; }
  /// After `derivatives` at that instant: what the elements show, one after the other. Returns how many values.
  std::size_t show_elements(const MotionInstant& at, std::span<double> values);
  /// How often each event of the scene has happened; empty if no element counts events.
  std::span<double> event_counts() { return event_counts_; }
  /// Counts an event. Whether efforts may have changed.
  bool count_event(std::size_t number);
  /// Whether a dof or a contact is held.
  bool holds_anything() const;
  /// Whether there are elements besides those of the scene.
  bool has_added_elements() const { return elements_.size() > own_elements_.size(); }
  std::span<const WorkAccount> accounts() const { return accounts_; }
  /// The number of accounts of moving surfaces; their auxiliary states follow each other.
  std::size_t surface_count() const { return surface_count_; }
  /// Adds the work [J] by which moving surfaces drive an impulse P (on B, in the contact frame) at a contact of a pair:
  /// `work` has surface_count() entries. Of a force it is the power.  [eq. surface-velocity]
  void add_surface_work(std::size_t pair, const ContactFrame& touch, const double* P, std::span<double> work) const;

  /// In which dofs stick, slide or rest at a limit; constant within a step.
  const DofModes& modes() const { return modes_; }
  void set_modes(const DofModes& modes);

  /// Coulomb friction at each independent dof [N m or N].
  std::span<const double> friction_limits() const { return friction_; }
  /// Per independent dof: 1 where its motion is prescribed.
  std::span<const unsigned char> prescribed() const { return prescribed_; }

  /// The contacts and their modes. Whoever changes them calls contacts_changed.
  Contacts& contacts() { return contacts_; }
  const Contacts& contacts() const { return contacts_; }
  /// Whether pairs of shapes that are far apart are examined too.
  bool all_pairs() const { return all_pairs_; }
  /// Stabilises the contacts: gaps and forbidden velocities that integration has left are projected out by the least
  /// change, in the metric of M. Returns the largest gap [m] it had.
  double stabilise_contacts(MotionState& state);
  /// Removes active contacts that are none any more (ContactForces::has_departed); false: there were none.
  bool drop_departed_contacts(const MotionState& state);
  /// After `derivatives`: the margin of the contacts to the limit of a law (ContactForces::find_margin).
  double contact_margin() {
    return contacts_.active().empty() || has_mean_forces() ? 1.0 : contact_forces_.find_margin(contacts_);
  }
  /// Whether the forces of the active contacts are means over a step (TimeStepping): `mean_forces` after `derivatives`.
  bool has_mean_forces() const { return !contacts_.active().empty() && contacts_.active().front().mean_force.x > 0.0; }
  const MeanForces& mean_forces() const { return mean_forces_; }
  bool slides_with_friction() const;
  /// Whether nothing that acts depends on time, on samples or on states of elements.
  bool is_autonomous() const;
  /// The number of dofs that are neither prescribed nor held by a joint.
  std::size_t free_dofs() const;
  /// `to` is a state with accelerations vdot a time h [s] later, up to the first order; its auxiliary state is the
  /// same.
  void extrapolate(const MotionState& from, std::span<const double> vdot, double h, MotionState& to);
  /// The position of a contact in the world [m].
  Vec3<> contact_place(const MotionState& state, const ActiveContact& contact);
  /// The contact forces at the last `derivatives`.
  const ContactForces& contact_forces() const { return contact_forces_; }
  /// After `derivatives`: the certificate of the contact forces, with the poses and accelerations of `kinematics`.
  /// Where forces are not determined (four legs), of ones that obey the laws and cause the same motion.
  struct ContactVerdict {
    ContactResiduals residuals{};
    int body_a = -1, body_b = -1;  ///< of the worst contact
  };
  ContactVerdict certify_contacts(const KinematicsWorkspace& places);
  /// Whether rows have a contact certificate: if shapes can touch and certificates are on.
  bool certifies_contacts() const { return contacts_.any_pairs() && scene_.run().certificate; }
  /// Whether rows have contact forces.
  bool records_contacts() const { return contacts_.any_pairs() && scene_.run().contact_forces; }
  /// After `derivatives`, and `certify_contacts` or `contact_margin`: the forces of all contacts. Allocates only at a
  /// new maximum of contacts.
  void read_contact_forces(std::vector<ContactForceRecord>& records) const;
  ContactForces& contact_forces() { return contact_forces_; }

  /// Keeps the results of the last `derivatives`, so that the next step from this state need not find them again.
  void keep_derivatives(const MotionState& at, std::span<const double> vdot, std::span<const double> rates);

  // The results of the last `derivatives`.
  /// All efforts on the independent dofs: of elements, sliding friction, prescribed motions and active constraints.
  std::span<const double> tau() const { return tau_; }
  /// Of these, the efforts of prescribed motions and active constraints; zero at all other dofs.
  std::span<const double> constraint_efforts() const { return constraint_; }
  /// The margin of a held dof to breakaway.
  struct ConstraintMargin {
    double left;            ///< [N m or N] until friction and joint limits can hold it no longer, rounding included
    signed char direction;  ///< the direction in which it would move: -1, 1
  };
  ConstraintMargin constraint_margin(std::size_t dof) const;
  /// Whether an acceleration of a dof is within the rounding of the effect of gravity on the bodies it moves.
  bool is_rounding(std::size_t dof, double acceleration) const;
  /// The wrenches of elements on the bodies; empty if no element needs poses.
  std::span<const Wrench<>> external() const { return external_; }
  const DynamicsOptions& options() const { return options_; }

  /// The efforts of all elements and of sliding friction alone, and the wrenches of elements, at an instant; false if
  /// an element has no value.
  bool applied(const MotionInstant& at);
  /// The prescribed accelerations, after `applied`.
  void given_accelerations(const MotionInstant& at, std::span<double> vdot) const;

  /// Lets every element choose its sides, or lets those that are due sample.
  void choose_sides(const MotionInstant& at);
  void sample(const MotionInstant& at);
  /// The next time [s] at which some element samples.
  double next_sample() const;
  /// Resets the elements, with the first samples taken at the start of a run.
  void reset_elements(const MotionInstant& start);
  /// When each element samples next [s]: to be saved and restored with its memory.
  std::span<double> sample_times() { return sample_times_; }
  /// What depends on time explicitly, and how it bounds steps.
  TimeFunctions& time_functions() { return time_functions_; }
  /// The switch values of one element.
  void switches(const MotionInstant& at, std::size_t element, std::span<double> values);

  /// The energy [J] in the elements, with poses that `kinematics` found at this instant.
  double stored_energy(const MotionInstant& at, const KinematicsWorkspace& places) const;

  /// Whether there is a momentum balance.
  bool balances_momentum() const { return weight_impulse_ > 0; }
  /// One of the impulses so far (kWeight, ...); with poses that `kinematics` found at this state.
  Wrench<> impulse(const MotionState& state, std::size_t number, const KinematicsWorkspace& places) const;
  /// Brings the impulse of the weight up to a state whose configuration is about to change otherwise than by a step.
  void complete_weight(MotionState& state);

 private:
  /// A dof whose effort does work, and the index of that work in the auxiliary state.
  struct DofWork {
    std::size_t dof, work;
  };
  /// The damper of one dof of a joint, as seen by the independent dof [N m s/rad or N s/m].
  struct Damper {
    std::size_t dof, work;
    double damping;
    bool is_first;  ///< of its account
  };
  /// Dampers of consecutive dofs with consecutive works, the first of their accounts.
  struct DamperRun {
    std::size_t dof, work;
    std::size_t first;  // of damping_
    int count;
  };

  ForceInput input_of(const MotionInstant& at, std::size_t element) const { return input_of(at, element, kinematics_); }
  ForceInput input_of(const MotionInstant& at, std::size_t element, const KinematicsWorkspace& places) const;
  void place(const MotionInstant& at);
  void find_weights();
  void open_accounts();
  void add_dampers(const WorkAccount& account);
  void take_dampers();
  void number_accounts();
  bool finishes(const WorkAccount& account) const;
  std::size_t impulse_index(std::size_t number) const;
  bool act(const MotionInstant& at, std::span<double> auxiliary_derivative);
  bool flight_derivatives(const MotionInstant& at, std::span<double> vdot, std::span<double> auxiliary_derivative);
  DynamicsReport accelerate(const MotionInstant& at, std::span<double> vdot);
  bool add_contact_forces(const MotionInstant& at, std::span<const double> vdot,
                          std::span<double> auxiliary_derivative);
  void add_wrench(int body, const Pose<>& X_LC, const Wrench<>& F_C);
  void add_contact_force(std::size_t contact, const ContactFrame& touch, const double* f, const Vec3<>& moment,
                         std::span<double> auxiliary_derivative);
  bool all_finite(const MotionInstant& at, std::span<const double> vdot);
  bool take_kept(const MotionInstant& at, std::span<double> vdot, std::span<double> auxiliary_derivative);
  template <bool kAtStage>
  bool find_derivatives(const MotionInstant& at, std::span<double> vdot, std::span<double> auxiliary_derivative);
  template <bool kAtStage>
  void record_joint_work(const MotionInstant& at, std::span<double> auxiliary_derivative) const;
  Wrench<> supports();
  Wrench<> element_wrench() const;
  void add_damper(const Damper& damper);
  template <bool kAtStage>
  void record_impulses(const MotionInstant& at, std::span<const double> vdot, std::span<double> auxiliary_derivative);

  Scene scene_;
  const Model& model_;
  std::vector<ForceElementPointer> own_elements_;
  std::vector<ForceElement*> elements_;
  std::vector<int> first_state_;  // of each element, and the end
  std::vector<WorkAccount> accounts_;
  std::vector<DofWork> prescribed_work_, friction_work_;
  std::vector<DamperRun> damper_runs_;
  std::vector<double> damping_;
  std::vector<Damper> further_dampers_;   // of these accounts
  std::vector<Damper> rotating_dampers_;  // of joints with a quaternion, whose works need all stages
  // The auxiliary state: states of elements; works and impulses that need all stages; impulse of the weight and what is
  // left of it [s] (finish_step), works of dampers.
  int state_count_ = 0, staged_count_ = 0, auxiliary_count_ = 0;
  std::size_t weight_impulse_ = 0;  // 0: no momentum balance
  double mass_ = 0.0;               // [kg] of all that moves
  bool needs_places_ = false, elements_need_places_ = false, any_given_ = false, floats_ = false;

  DofModes modes_;
  std::vector<double> friction_, sliding_;  // the maximum; the effort of those that slide
  std::vector<double> weight_, inertia_;    // [N or N m], [kg or kg m^2] find_weights
  std::vector<unsigned char> prescribed_, given_, imposed_levels_;
  std::vector<double> lower_, upper_;

  std::vector<double> tau_, applied_, constraint_, zero_, needed_, no_derivatives_;
  std::vector<Wrench<>> external_;
  DynamicsOptions options_, damped_options_;         // the latter without passive efforts
  std::vector<double> joint_damping_, damped_tau_;  // per dof (take_dampers); efforts with those of dampers
  ForwardDynamicsWorkspace<> forward_;
  KinematicsWorkspace kinematics_;
  MassMomentWorkspace moments_;
  std::vector<double> sample_times_;
  TimeFunctions time_functions_;
  Contacts contacts_;
  bool all_pairs_ = false;
  ContactForces contact_forces_;
  MeanForces mean_forces_;
  FreeFlight flight_;
  Wrench<> flight_weight_{};          // of all bodies at the last `derivatives` in which they flew
  std::vector<double> found_forces_;  // before they were replaced
  KinematicsWorkspace contact_places_;
  int contact_work_ = -1;
  std::vector<int> surface_of_;  // of the world, then of each body: its number among the accounts of surfaces, or -1
  std::size_t surface_count_ = 0, first_surface_work_ = 0;  // the latter in the auxiliary state
  std::vector<double> displacement_;  // per dof, to extrapolated or stabilised positions
  DerivativesError derivatives_error_;

  /// Derivatives of the last call, as long as nothing that they depend on has changed.
  struct Kept {
    bool any = false;
    double t = 0.0;
    std::vector<double> q, v, states, vdot, rates;
  };
  Kept kept_;
  std::vector<double> event_counts_;
};

}  // namespace pintle
