#include "pintle/simulation/run/time_stepping_spans.h"

#include <algorithm>
#include <cmath>

#include "pintle/simulation/contact/edge_features.h"

namespace pintle {
namespace {

/// Where events cannot go on a step is made in so many.
constexpr double kShortSteps = 16.0;

/// If events cannot go on again within so many steps, a sustained span begins.
constexpr double kSoon = 64.0;

/// More points than this that touch at once, on a tree that touches no other, in an island of several, on one mechanism
/// of many dofs, or in all, go by time stepping.
/// A sustained span ends after so many steps with no more than the few; if events cannot go on then, or soon after,
/// after twice as many the next time.
constexpr ContactCounts kMany{.all = 32, .on_one_tree = 8, .in_one_island = 4, .on_one_mechanism = 2};
constexpr ContactCounts kFew{.all = 8, .on_one_tree = 1, .in_one_island = 1, .on_one_mechanism = 0};
constexpr std::int64_t kCalmSteps = 16, kMaxCalmSteps = 1024;

bool exceeds(const ContactCounts& counts, const ContactCounts& limits) {
  return counts.all > limits.all || counts.on_one_tree > limits.on_one_tree || counts.in_one_island > limits.in_one_island ||
         counts.on_one_mechanism > limits.on_one_mechanism;
}

}  // namespace

TimeSteppingSpans::TimeSteppingSpans(SceneMotion& motion, RunStatus& status, const StepClock& clock, Recorder& recorder,
                                     EventRecorder& events, HybridStepper& hybrid)
    : motion_(motion),
      status_(status),
      clock_(clock),
      recorder_(recorder),
      events_(events),
      hybrid_(hybrid),
      time_stepping_(motion.system, motion.integrated, motion.run().method, motion.run().tolerances),
      counter_(time_stepping_.trees(), motion.system.contacts().setup()),
      near_(motion.system.contacts(), motion.system.all_pairs()),
      places_(motion.model()),
      zero_(size(motion.model().nv())),
      before_(motion.state),
      modes_before_(motion.system.modes()),
      free_modes_(modes_before_) {}

bool TimeSteppingSpans::is_many(std::span<const ActiveContact> contacts) {
  return exceeds(counter_.count(contacts), kMany);
}

/// Edges of flat ends roll and settle by ever shorter steps.
bool TimeSteppingSpans::is_calm() {
  for (const ActiveContact& contact : motion_.system.contacts().active())
    if (has_edge_contact(contact.feature)) return false;
  return !exceeds(counter_.count(motion_.system.contacts().active()), kFew);
}

void TimeSteppingSpans::reset() {
  memory_ = {};
  time_stepping_.sleep().wake_all();
}

bool TimeSteppingSpans::starts() {
  if (forced()) return true;
  const Contacts& contacts = motion_.system.contacts();
  if (!allowed() || !contacts.any_pairs()) return false;
  kinematics(motion_.model(), motion_.state.q, motion_.state.v, zero_, places_);
  pressed_.clear();
  for (const int pair : near_.at(places_)) {
    const ContactManifold points = contacts.touching(size(pair), places_);
    for (int k = 0; k < points.count; ++k) {
      ActiveContact contact;
      contact.pair = pair;
      contact.feature = points.points[size(k)].feature;
      pressed_.push_back(contact);
    }
  }
  if (is_many(pressed_)) sustain();
  return memory_.sustained;
}

void TimeSteppingSpans::start_short() {
  hybrid_.keep_modes();
  status_.unblock();
  memory_.short_step = true;
}

void TimeSteppingSpans::sustain() {
  if (memory_.sustained || forced()) return;
  const bool soon = motion_.state.t - memory_.until <= kSoon * step_length();
  memory_.sustained = true;
  memory_.calm = 0;
  memory_.calm_needed = soon ? std::min(std::max(2 * memory_.calm_needed, kCalmSteps), kMaxCalmSteps) : kCalmSteps;
}

void TimeSteppingSpans::look_at_contacts() {
  if (motion_.run().contact == ContactMethod::automatic && is_many(motion_.system.contacts().active())) sustain();
}

bool TimeSteppingSpans::step_towards(double goal) {
  SceneSystem& system = motion_.system;
  const MotionState& state = motion_.state;
  const double start = state.t, span = step_length();
  goal = min(goal, system.next_sample());
  // Rows do not change fixed steps: one that is due within the step comes at its end.
  if (clock_.adaptive()) goal = min(min(goal, recorder_.schedule().next_time()), start + span);
  status_.unblock();
  if (!under_way()) {  // events cannot go on
    memory_.short_step = !(start - memory_.until <= kSoon * span);
    if (!memory_.short_step) sustain();
  }
  const bool in_short_steps = memory_.short_step && !memory_.sustained && !forced();
  if (state.t >= goal) {  // blocked at its end: rows wait for lawful forces
    hybrid_.keep_modes();
    return hybrid_.sample_if_due();
  }
  modes_before_ = system.modes();
  contacts_before_ = system.contacts().active();
  const bool begins = !(start - memory_.until <= kSameTime * span);
  if (begins) time_stepping_.sleep().wake_all();
  while (state.t < goal && !status_.finished())
    if (!make_step(goal, in_short_steps ? span / kShortSteps : span)) return false;
  recorder_.note_time_stepped(start, state.t - start, begins);
  memory_.until = state.t;
  motion_.velocities_changed();
  hybrid_.forget();
  if (!events_.record_contacts(contacts_before_, false) || !back_to_events() || !recorder_.record_row_if_due())
    return false;
  return !status_.finished() && hybrid_.sample_if_due();
}

void TimeSteppingSpans::pass_from(double start) {
  recorder_.note_time_stepped(start, motion_.state.t - start, false);
  memory_.until = motion_.state.t;
}

/// One step of time stepping towards a time, no longer than `longest` [s].
bool TimeSteppingSpans::make_step(double goal, double longest) {
  MotionState& state = motion_.state;
  SceneSystem& system = motion_.system;
  const double parts = std::ceil((goal - state.t) / longest - kSameTime);
  const bool last = !(parts > 1.0);
  before_ = state;
  system.choose_sides(instant(state));
  last_ = time_stepping_.step(last ? goal - state.t : (goal - state.t) / parts, state, motion_.run().certificate);
  if (!last_.free.ok()) return status_.fail_step(last_.free, time_stepping_.free(), longest);
  if (!last_.ok()) return status_.fail_derivatives(last_.joint);
  if (last) state.t = goal;
  if (!all_finite(state)) return status_.fail_not_finite(state);
  if (motion_.run().energy_balance) {
    EnergyBalance& balance = motion_.energy_balance;
    balance.record_projection(time_stepping_.free(), time_stepping_.before_impulses());
    balance.record_impact_work(time_stepping_.before_impulses(), time_stepping_.after_impulses(),
                               time_stepping_.joint_work(), last_.contact_work, time_stepping_.surface_work(),
                               time_stepping_.friction_work());
    balance.record_projection(time_stepping_.after_impulses(), state);
  }
  for (const ImpactRecord& impact : time_stepping_.impacts())
    if (!events_.record_impact(impact)) return false;
  return recorder_.check_time_step(last_) && events_.record_passed_events(before_) && events_.record_speed_jumps(before_);
}

/// The modes from the laws at this instant, if it is time for that and they have a solution.
bool TimeSteppingSpans::back_to_events() {
  if (forced()) return true;
  SceneSystem& system = motion_.system;
  if (memory_.sustained) {
    memory_.calm = is_calm() ? memory_.calm + 1 : 0;
    if (memory_.calm < memory_.calm_needed) return true;
    memory_.sustained = false;
  } else {
    memory_.short_step = false;
    if (is_many(system.contacts().active())) {
      sustain();
      return true;
    }
  }
  free_modes_ = system.modes();
  pressed_ = system.contacts().active();
  system.set_modes(modes_before_);
  system.contacts().active().clear();  // some of them have just rebounded: what touches and rests is found anew
  if (hybrid_.find_modes()) return true;
  if (status_.finished()) return false;
  status_.unblock();
  system.set_modes(free_modes_);
  system.contacts().active() = pressed_;
  sustain();
  return true;
}

}  // namespace pintle
