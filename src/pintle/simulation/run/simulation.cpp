#include "pintle/simulation/run/simulation.h"

#include <cmath>
#include <utility>

#include "pintle/base/hash.h"
#include "pintle/base/usage_error.h"
#include "pintle/simulation/events/event_functions.h"
#include "pintle/simulation/hybrid/scene_hash.h"
#include "pintle/simulation/integrators/first_step.h"
#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {
namespace {

/// The events of the scene, then the caller's.
std::vector<UserEvent> all_events(const Scene& scene, const SimulationParts& added,
                                  std::vector<ExpressionEvent>& functions) {
  std::vector<UserEvent> events;
  functions.reserve(scene.spec().events.size());  // the watches point to them
  for (const EventSpec& spec : scene.spec().events) {
    functions.push_back(expression_event(scene.model(), spec.expression, spec.origin).value());
    events.push_back({spec.name, {&functions.back(), spec.direction}, spec.terminal});
  }
  events.insert(events.end(), added.events.begin(), added.events.end());
  return events;
}

std::optional<MomentumForm> momentum_form(const Scene& scene, SceneSystem& system) {
  if (!scene.run().momentum_state) return std::nullopt;
  return std::optional<MomentumForm>(std::in_place, system, scene.run().momentum_point);
}

std::vector<EventWatch> watches_of(std::span<const UserEvent> events) {
  std::vector<EventWatch> watches;
  for (const UserEvent& event : events) watches.push_back(event.watch);
  return watches;
}

}  // namespace

Simulation::Parts::Parts(const Scene& of, const SimulationParts& added)
    : scene(of),
      user_events(all_events(of, added, scene_events)),
      system(of, added.forces, added.all_pairs),
      momentum(momentum_form(of, system)),
      motion(momentum ? static_cast<MotionSystem&>(*momentum) : system),
      stepper(motion, of.run().method, of.run().tolerances),
      watches(system, watches_of(user_events)),
      finder(motion, stepper, static_cast<int>(watches.most())),
      change(system),
      time_stepping(system),
      ledger(system),
      rows(system, ledger),
      state(neutral_state(motion)),
      next(state),
      at(state),
      before(state),
      causes(static_cast<std::size_t>(of.model().nv())),
      modes_before(causes.size()),
      hits(watches.most()) {
  adaptive = facts(of.run().method).estimates_error && !of.run().fixed_step;
  reset();
  StateHash id;
  id.add(scene_hash(system));
  for (const UserEvent& event : added.events) {
    id.add(std::string_view(event.name));
    id.add(static_cast<int>(event.watch.direction));
    id.add(event.terminal);
  }
  scene_id = id.value();
}

void Simulation::Parts::reset() {
  const RunSpec& run = scene.run();
  state.t = run.t0;
  state.q.assign(scene.initial_q().begin(), scene.initial_q().end());
  state.v.assign(scene.initial_v().begin(), scene.initial_v().end());
  for (double& number : state.extra) number = 0.0;
  system.impose(state.t, state.q, state.v, state.extra);
  if (momentum) momentum->take_momentum(state);
  steps = rejected = grid = 0;
  events_at_once = 0;
  last_event = __builtin_nan("");
  worst = {};
  contact_record = {};
  outcome = RunOutcome::reached;
  trouble_joint = trouble_body = -1;
  trouble_element.clear();
  text.clear();
  system.set_modes(FreedomModes(causes.size()));
  system.reset_elements(instant(state));
  system.choose_sides(instant(state));
  ledger.open(state);
  finder.forget();
  purse = kFullPurse;
  stuck = false;
  steps_over = longest_over = 0;
  over_until = -__builtin_inf();
  const bool starts = start_modes();
  start_impacts.assign(change.impacts().begin(), change.impacts().end());
  events = 0;  // what holds at the start is no event
  if (stuck) {
    watches.choose(state, {});
    finder.make_room(static_cast<int>(watches.most()));
    steps_over = longest_over = 1;
  } else if (!starts) {
    return;
  }
  stuck = false;
  h = run.step > 0.0 ? run.step : first_step(motion, state, run.method, run.tolerances).h;
  control =
      step_control(run.method, min(h, run.largest_step), {.smallest = run.smallest_step, .largest = run.largest_step});
}

Simulation::Simulation(const Scene& scene, const SimulationParts& parts) : parts_(new Parts(scene, parts)) {}

Simulation::~Simulation() {
  delete parts_;
}

void Simulation::reset() {
  parts_->reset();
}

RunReport Simulation::step() {
  Parts& p = *parts_;
  if (facts(p.outcome).failed) return p.report();
  p.outcome = RunOutcome::reached;
  p.text.clear();
  p.advance(__builtin_inf());
  return p.report();
}

/// Lets go of the sink at the end of a run, also when a sink or a handler throws.
struct Simulation::Parts::SinkInUse {
  Parts& parts;
  ~SinkInUse() {
    parts.sink = nullptr;
    parts.handler = nullptr;
    parts.wants_rows = false;
  }
};

RunReport Simulation::run(const RunOptions& options) {
  Parts& p = *parts_;
  const RunSpec& run = p.scene.run();
  const double end = std::isnan(options.until) ? run.t0 + run.duration : options.until;
  require(std::isfinite(end) && end >= p.state.t, "Simulation::run", "until", "it must be a time that is not past");
  if (facts(p.outcome).failed) return p.report();
  p.outcome = RunOutcome::reached;
  p.text.clear();
  const Parts::SinkInUse in_use{p};
  p.sink = options.sink;
  p.handler = options.handler;
  p.wants_rows = options.sink != nullptr || run.certificate_limit < __builtin_inf();
  p.begin_rows(end);
  if (p.sink == nullptr || p.heed(p.sink->begin(p.rows.columns()))) p.run_to(end);
  if (p.sink != nullptr) {
    const RecordReport closed = p.sink->end();
    if (!facts(p.outcome).failed) p.heed(closed);
  }
  return p.report();
}

/// The run ends here; true.
bool Simulation::Parts::stopped_by_handler() {
  outcome = RunOutcome::handler_stopped;
  text = "t = " + number_text(state.t) + " s: the step handler stopped the run";
  return true;
}

void Simulation::Parts::run_to(double end) {
  if (wants_rows && !(steps == 0 ? record_row(state) : show_row(state))) return;
  if (steps == 0 && !tell_start()) return;
  while (state.t < end) {
    if (!advance(end, handler != nullptr ? 1 : steps_to_row())) return;
    const bool row_due = wants_rows && !adaptive && (step_clock.takes(steps) || state.t == end);
    if (row_due && !record_row(state)) return;
    if (finished()) return;
    if (handler != nullptr && !handler->after_step(steps, state.t, state) && stopped_by_handler()) return;
  }
}

const Scene& Simulation::scene() const {
  return parts_->scene;
}

const MotionState& Simulation::state() const {
  return parts_->state;
}

std::int64_t Simulation::steps() const {
  return parts_->steps;
}

double Simulation::step_length() const {
  return parts_->adaptive ? parts_->control.h : parts_->h;
}

const FreedomModes& Simulation::modes() const {
  return parts_->system.modes();
}

std::span<const WorkAccount> Simulation::accounts() const {
  return parts_->system.accounts();
}

const Ledger& Simulation::ledger() {
  parts_->ledger.bring_up_to(parts_->state);
  parts_->ledger.remember();
  return parts_->ledger;
}

const ContactRecord& Simulation::contact_record() const {
  return parts_->contact_record;
}

const WorstCertificate& Simulation::worst_certificate() const {
  return parts_->worst;
}

std::span<const Column> Simulation::columns() const {
  return parts_->rows.columns();
}

Simulation::Motion Simulation::motion() {
  Parts& p = *parts_;
  if (!p.rows.fill(p.state)) return {};
  return {p.rows.vdot(), p.system.tau()};
}

}  // namespace pintle
