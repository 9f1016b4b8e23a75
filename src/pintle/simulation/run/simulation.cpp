#include "pintle/simulation/run/simulation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pintle/base/hash.h"
#include "pintle/base/usage_error.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/compiled/joint_state.h"
#include "pintle/simulation/hybrid/scene_hash.h"
#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {
namespace {

/// Steps between samples of the sizes in the energy balance: a sample costs about a tenth of a step.
constexpr std::int64_t kStepsPerLook = 32;

/// Of the scene and the caller's elements and events.
std::uint64_t hash_of(SceneSystem& system, std::span<const UserEvent> added) {
  StateHash id;
  id.add(scene_hash(system));
  for (const UserEvent& event : added) {
    id.add(std::string_view(event.name));
    id.add(static_cast<int>(event.witness.direction));
    id.add(event.terminal);
  }
  return id.value();
}

/// The caller's elements, the efforts last.
std::vector<ForceElement*> with_efforts(std::span<ForceElement* const> forces, std::optional<JointEfforts>& efforts) {
  std::vector<ForceElement*> all(forces.begin(), forces.end());
  if (efforts) all.push_back(&*efforts);
  return all;
}

}  // namespace

bool Simulation::Parts::begin_rows() {
  const bool starts = clock.steps() == 0 && !recorder.memory().begun;
  recorder.memory().begun = true;
  if (recorder.schedule().any() && !(starts ? recorder.record_row(motion.state) : recorder.show_row(motion.state)))
    return false;
  return !starts || recorder.record_start();
}

void Simulation::Parts::run_to(double end) {
  const MotionState& state = motion.state;
  const RowSchedule& schedule = recorder.schedule();
  if (!begin_rows()) return;
  while (state.t < end) {
    if (!advance(end, handler != nullptr ? 1 : schedule.steps_to_row(clock.steps()))) return;
    if (schedule.takes_step(clock.steps(), state.t == end) && !recorder.record_row(state)) return;
    if (status.finished()) return;
    if (handler != nullptr && !handler->after_step(clock.steps(), state.t, state)) return stop_by_handler();
  }
}

bool Simulation::Parts::advance(double end, std::int64_t max_steps) {
  if (status.finished()) return false;
  if (forces_changed) {
    forces_changed = false;
    rest.forget();
    if (!hybrid.meet_changed_forces()) return false;
  }
  return clock.adaptive() ? advance_adaptive(end) : advance_fixed(end, max_steps);
}

bool Simulation::Parts::advance_fixed(double end, std::int64_t max_steps) {
  if (make_simple_steps(end, max_steps)) return true;
  const MotionState& state = motion.state;
  const auto [target, on_grid] = clock.next_target(end);
  const double start = budget.start_of_step();
  while (state.t < target) {
    if (!move_towards(target, !budget.exceeded_since(start)) || status.finished()) return false;
    if (state.t >= target) break;
    if (handler != nullptr && !handler->within_step(state.t)) {
      budget.interrupt_step(start);
      stop_by_handler();
      return false;
    }
    if (make_simple_steps(end, max_steps)) return true;  // after an event
  }
  budget.pay_since(start, 1.0);
  if (on_grid) clock.pass_grid(1);
  count_steps(1);
  return true;
}

bool Simulation::Parts::advance_adaptive(double end) {
  const double t = motion.state.t, start = budget.spent();
  if (!move_towards(end, !budget.empty())) return false;
  budget.pay_since(start, (motion.state.t - t) / TimeSteppingSpans::kSpan);
  count_steps(1);
  return true;
}

/// By events, or by time stepping: if the scene says so, if many points touch, if events cost too much or are blocked.
bool Simulation::Parts::move_towards(double goal, bool affordable) {
  rest.forget();
  if (!time_stepping.under_way()) {
    if (affordable || !time_stepping.allowed()) {
      if (hybrid.step_towards(min(goal, motion.system.next_sample()))) {
        time_stepping.look_at_contacts();
        return true;
      }
      if (!status.blocked()) return false;
    } else {
      time_stepping.sustain();
    }
  }
  return time_stepping.step_towards(goal);
}

/// Several steps at once while all bodies fly or rest; false if not even one. A step with a row within it is not among
/// them: HybridStepper makes the same step and interpolates.
bool Simulation::Parts::make_simple_steps(double end, std::int64_t max_steps) {
  if (!motion.system.flies() && motion.system.contacts().active().empty()) return false;
  max_steps = clock.steps_until(recorder.schedule().next_time() + 2.0 * kSameTime * clock.h(), max_steps);
  if (motion.run().energy_balance) max_steps = std::min(max_steps, kStepsPerLook - clock.steps() % kStepsPerLook);
  std::int64_t made = flight.advance(end, max_steps);
  const bool asleep = time_stepping.all_sleep();
  if (made == 0 && (asleep || !time_stepping.under_way())) {
    const double start = motion.state.t;
    made = rest.advance(end, max_steps, asleep);
    if (made > 0) hybrid.forget();
    if (made > 0 && asleep) time_stepping.pass_from(start);
  }
  if (made == 0) return false;
  count_steps(made);
  recorder.record_row_if_due();
  return true;
}

void Simulation::Parts::count_steps(std::int64_t count) {
  clock.count_steps(count);
  if (motion.run().energy_balance && clock.steps() % kStepsPerLook == 0) motion.energy_balance.look(motion.state);
}

void Simulation::Parts::stop_by_handler() {
  status.limit(RunOutcome::handler_stopped, "the step handler stopped the run");
}

Simulation::Parts::Parts(const Scene& scene, const SimulationParts& added)
    : efforts(added.efforts ? std::optional<JointEfforts>(scene.model()) : std::nullopt),
      motion(scene, with_efforts(added.forces, efforts), added.all_pairs),
      status(motion),
      clock(motion.run()),
      budget(motion.system),
      user_events(scene, added.events),
      witnesses(motion.system, user_events.witnesses()),
      recorder(motion, status),
      events(motion, status, user_events, witnesses, recorder),
      flight(motion, witnesses, clock),
      rest(motion, witnesses, clock),
      hybrid({.motion = motion,
              .status = status,
              .clock = clock,
              .budget = budget,
              .witnesses = witnesses,
              .flight = flight,
              .recorder = recorder,
              .events = events}),
      time_stepping(motion, status, clock, recorder, events, hybrid) {
  user_events.add_to(motion.system.time_functions());
  reset();
  scene_id = hash_of(motion.system, added.events);
}

void Simulation::Parts::reset() {
  motion.reset();
  status.reset();
  clock.reset();
  budget.reset();
  recorder.reset();
  time_stepping.reset();
  forces_changed = false;
  find_start();
  if (!status.failed()) clock.start(motion.integrated, motion.state);
}

/// Finds modes and contacts at a state that no step has led to.
void Simulation::Parts::find_start() {
  hybrid.forget();
  rest.forget();
  motion.system.contacts().active().clear();
  if (time_stepping.starts()) {
    recorder.start({});
    return;
  }
  (void)hybrid.start();
  recorder.start(hybrid.impacts());
  if (status.blocked()) time_stepping.start_short();
  time_stepping.look_at_contacts();
}

void Simulation::Parts::set_state(std::span<const double> q, std::span<const double> v) {
  status.reset();
  time_stepping.reset();
  forces_changed = false;
  motion.state.q.assign(q.begin(), q.end());
  motion.state.v.assign(v.begin(), v.end());
  normalize(motion.model(), motion.state.q);
  motion.restart();
  find_start();
  const bool has_length = clock.step_length() > 0.0;
  if (!status.failed() && (clock.adaptive() || !has_length)) clock.start(motion.integrated, motion.state);
}

RunReport Simulation::Parts::report() const {
  const RunStatus::Memory& end = status.memory();
  const StepClock::Memory& made = clock.memory();
  return {end.outcome, motion.state.t, made.steps, made.rejected, recorder.memory().events,
          end.joint,   end.body,       end.text,   end.element};
}

Simulation::Simulation(const Scene& scene, const SimulationParts& parts) : parts_(new Parts(scene, parts)) {}

Simulation::~Simulation() {
  delete parts_;
}

void Simulation::reset() {
  parts_->reset();
}

void Simulation::set_effort(std::span<const double> tau) {
  Parts& p = *parts_;
  require(p.efforts.has_value(), "Simulation::set_effort", "this", "it was made without SimulationParts::efforts");
  require_size("Simulation::set_effort", "tau", tau.size(), p.efforts->efforts().size());
  require(all_finite(tau), "Simulation::set_effort", "tau", "it must be finite");
  for (std::size_t i = 0; i < tau.size(); ++i) p.efforts->efforts()[i] = tau[i];
  p.forces_changed = true;
}

void Simulation::set_effort(std::string_view joint, std::span<const double> tau) {
  Parts& p = *parts_;
  require(p.efforts.has_value(), "Simulation::set_effort", "this", "it was made without SimulationParts::efforts");
  const std::span<double> own = effort_in(p.motion.model(), p.efforts->efforts(), joint);
  require_size("Simulation::set_effort", "tau", tau.size(), own.size());
  require(all_finite(tau), "Simulation::set_effort", "tau", "it must be finite");
  for (std::size_t i = 0; i < tau.size(); ++i) own[i] = tau[i];
  p.forces_changed = true;
}

void Simulation::set_effort(std::string_view joint, double tau) {
  set_effort(joint, std::span(&tau, 1));
}

void Simulation::set_state(std::span<const double> q, std::span<const double> v) {
  Parts& p = *parts_;
  require(p.handler == nullptr && !p.recorder.has_sink(), "Simulation::set_state", "this", "a run is under way");
  require_size("Simulation::set_state", "q", q.size(), p.motion.state.q.size());
  require_size("Simulation::set_state", "v", v.size(), p.motion.state.v.size());
  require(all_finite(q) && all_finite(v), "Simulation::set_state", "q, v", "they must be finite");
  p.set_state(q, v);
}

RunReport Simulation::step() {
  Parts& p = *parts_;
  if (p.status.failed()) return p.report();
  p.status.go_on();
  if (p.advance(__builtin_inf()) && p.recorder.schedule().takes_step(p.clock.steps(), false))
    (void)p.recorder.record_row(p.motion.state);
  return p.report();
}

RunReport Simulation::begin_recording(RecordSink& sink) {
  Parts& p = *parts_;
  const RunSpec& run = p.motion.run();
  require(p.handler == nullptr && !p.recorder.has_sink(), "Simulation::begin_recording", "this",
          "a run or a recording is under way");
  require(run.duration > 0.0, "Simulation::begin_recording", "this",
          "the scene has no duration, by which rows are chosen");
  if (p.status.failed()) return p.report();
  p.status.go_on();
  if (p.recorder.open(&sink, p.clock, run.t0 + run.duration, true)) (void)p.begin_rows();
  return p.report();
}

RunReport Simulation::end_recording() {
  Parts& p = *parts_;
  require(p.recorder.has_sink() || p.status.failed(), "Simulation::end_recording", "this", "nothing is recorded");
  const Parts::LettingGo at_end{p};
  if (!p.status.failed()) (void)p.recorder.record_last_row();
  p.recorder.close();
  return p.report();
}

RunReport Simulation::run(const RunOptions& options) {
  Parts& p = *parts_;
  const RunSpec& run = p.motion.run();
  const double end = std::isnan(options.until) ? run.t0 + run.duration : options.until;
  require(!p.recorder.has_sink(), "Simulation::run", "this", "a run or a recording is under way");
  require(std::isfinite(end) && end >= p.motion.state.t, "Simulation::run", "until",
          "it must not be before the current time");
  if (p.status.failed()) return p.report();
  p.status.go_on();
  const Parts::LettingGo at_end{p};
  p.handler = options.handler;
  if (p.recorder.open(options.sink, p.clock, end)) p.run_to(end);
  p.recorder.close();
  return p.report();
}

const Scene& Simulation::scene() const {
  return parts_->motion.scene;
}

const MotionState& Simulation::state() const {
  return parts_->motion.state;
}

std::int64_t Simulation::steps() const {
  return parts_->clock.steps();
}

double Simulation::step_length() const {
  return parts_->clock.step_length();
}

FirstStep Simulation::estimate_step(Method method) {
  SceneMotion& motion = parts_->motion;
  return pintle::first_step(motion.integrated, motion.state, method, motion.run().tolerances);
}

bool Simulation::touches() const {
  return !parts_->motion.system.contacts().active().empty();
}

const DofModes& Simulation::modes() const {
  return parts_->motion.system.modes();
}

std::span<const WorkAccount> Simulation::accounts() const {
  return parts_->motion.system.accounts();
}

const EnergyBalance& Simulation::energy_balance() {
  SceneMotion& motion = parts_->motion;
  motion.energy_balance.bring_up_to(motion.state);
  motion.energy_balance.remember();
  return motion.energy_balance;
}

const ContactRecord& Simulation::contact_record() const {
  return parts_->recorder.memory().contacts;
}

const WorstBalance& Simulation::worst_balance() const {
  return parts_->recorder.memory().balance;
}

const WorstCertificate& Simulation::worst_certificate() const {
  return parts_->recorder.memory().worst;
}

std::span<const Column> Simulation::columns() const {
  return parts_->recorder.rows().columns();
}

Simulation::Motion Simulation::motion() {
  Parts& p = *parts_;
  if (!p.recorder.rows().fill(p.motion.state)) return {};
  return {p.recorder.rows().vdot(), p.motion.system.tau()};
}

}  // namespace pintle
