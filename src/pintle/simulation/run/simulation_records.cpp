#include <array>
#include <cmath>

#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {
namespace {

bool at_stop(Hold hold) {
  return hold != Hold::none && hold != Hold::friction;
}

}  // namespace

/// Tells the sink what became of each freedom.
bool Simulation::Parts::record_changes() {
  const FreedomModes& now = system.modes();
  const FreedomModes& was = modes_before;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const int number = change.q_number()[i];
    const double position = number >= 0 ? state.q[static_cast<std::size_t>(number)] : 0.0;
    const double impulse = change.impulses()[i];
    const auto tell = [&](EventKind kind, std::array<double, 3> numbers) {
      return record({.kind = kind, .freedom = static_cast<int>(i), .numbers = numbers});
    };
    if (impulse != 0.0 && !tell(EventKind::stop_impact, {impulse, -change.blow_work()[i], before.v[i]})) return false;
    if (now.hold[i] == was.hold[i]) continue;
    if (at_stop(now.hold[i]) && !tell(EventKind::stop_hold, {position})) return false;
    if (at_stop(was.hold[i]) && !at_stop(now.hold[i]) && !tell(EventKind::stop_release, {position})) return false;
    if (now.hold[i] == Hold::friction && !tell(EventKind::stick, {system.friction_limits()[i]})) return false;
    if (was.hold[i] == Hold::friction && now.hold[i] == Hold::none &&
        !tell(EventKind::slip, {system.friction_limits()[i]}))
      return false;
  }
  return true;
}

/// Tells the sink about blows between bodies, and what became of each contact.
bool Simulation::Parts::record_contacts(const ModeChangeReport& change_report) {
  for (const ImpactRecord& impact : change.impacts()) {
    ++events;
    contact_record.gains += impact.gains_energy ? 1 : 0;
    if (sink != nullptr && !heed(sink->impact(impact))) return false;
    if (!judge_contacts(impact.certificate, impact.t, impact.body_a, impact.body_b, true)) return false;
  }
  if (!tell_contacts()) return false;
  const std::vector<ActiveContact>& now = system.contacts().active();
  return !change_report.jammed || now.empty() || tell_contact(EventKind::contact_jam, now.front());
}

/// What became of each contact of contacts_before.
bool Simulation::Parts::tell_contacts() {
  const std::vector<ActiveContact>& now = system.contacts().active();
  const auto find = [&](const std::vector<ActiveContact>& in, const ActiveContact& contact) {
    for (const ActiveContact& other : in)
      if (other.is_point_of(contact)) return &other;
    return static_cast<const ActiveContact*>(nullptr);
  };
  for (const ActiveContact& contact : contacts_before)
    if (find(now, contact) == nullptr && !tell_contact(EventKind::contact_release, contact)) return false;
  for (const ActiveContact& contact : now) {
    const ActiveContact* const was = find(contacts_before, contact);
    if (was == nullptr && !tell_contact(EventKind::contact_hold, contact)) return false;
    if (was == nullptr) continue;
    for (const FrictionKind kind : kFrictionKinds) {
      if (was->mode_of(kind) == contact.mode_of(kind)) continue;
      const bool sticks = contact.mode_of(kind) == ContactMode::sticks, slip = kind == FrictionKind::slip;
      const EventKind event = slip     ? sticks ? EventKind::contact_stick : EventKind::contact_slip
                              : sticks ? EventKind::contact_still
                                       : EventKind::contact_turn;
      if (!tell_contact(event, contact)) return false;
    }
  }
  return true;
}

/// The blows at the start, once a sink is there.
bool Simulation::Parts::tell_start() {
  for (const ImpactRecord& impact : start_impacts)
    if (sink != nullptr && !heed(sink->impact(impact))) return false;
  start_impacts.clear();
  return true;
}

/// With the names of the two bodies and where in the world it is.
bool Simulation::Parts::tell_contact(EventKind kind, const ActiveContact& contact) {
  if (sink == nullptr) {
    ++events;
    return true;
  }
  const ContactSetup& setup = scene.contacts();
  const ContactPair& pair = setup.pairs[static_cast<std::size_t>(contact.pair)];
  const auto name_of = [&](int part) {
    const int body = setup.parts[static_cast<std::size_t>(part)].body;
    return body < 0 ? std::string(kWorld) : scene.model().bodies()[static_cast<std::size_t>(body)].name;
  };
  const std::string name = name_of(pair.a) + " / " + name_of(pair.b);
  const Vec3<> point = system.contact_place(state, contact);
  return record({.t = kind == EventKind::contact_hold ? contact.rest_delay : 0.0,
                 .kind = kind,
                 .name = name,
                 .body = setup.parts[static_cast<std::size_t>(pair.b)].body,
                 .numbers = {point.x, point.y, point.z}});
}

bool Simulation::Parts::note_user_event(const EventHit& hit) {
  const UserEvent& event =
      user_events[static_cast<std::size_t>(watches.roles()[static_cast<std::size_t>(hit.watch)].number)];
  const double direction = hit.passage == EventPassage::rising    ? 1.0
                           : hit.passage == EventPassage::falling ? -1.0
                                                                  : 0.0;
  return record({.kind = EventKind::user,
                 .name = event.name,
                 .numbers = {event.watch.function->value(instant(state)), direction}});
}

bool Simulation::Parts::note_speed(std::size_t watch, bool over) {
  const int freedom = watches.roles()[watch].number;
  const double speed = state.v[static_cast<std::size_t>(freedom)];
  const double limit = std::abs(speed) - watches.watches()[watch].function->value(instant(state));
  return record(
      {.kind = over ? EventKind::speed_over : EventKind::speed_under, .freedom = freedom, .numbers = {speed, limit}});
}

/// Speeds that a blow took across their limits.
bool Simulation::Parts::note_speed_jumps() {
  for (std::size_t k = 0; k < watches.watches().size(); ++k) {
    if (watches.roles()[k].kind != WatchKind::speed_limit) continue;
    EventFunction& excess = *watches.watches()[k].function;
    const bool was_over = excess.value(instant(before)) > 0.0, is_over = excess.value(instant(state)) > 0.0;
    if (was_over != is_over && !note_speed(k, is_over)) return false;
  }
  return true;
}

/// Completes an event and hands it to the sink.
bool Simulation::Parts::record(EventRecord event) {
  ++events;
  if (sink == nullptr) return true;
  event.t += state.t;
  if (event.freedom >= 0) {
    event.joint = scene.model().joint_of_freedom(event.freedom);
    const ModelJoint& joint = scene.model().joints()[static_cast<std::size_t>(event.joint)];
    event.body = joint.child_body;
    event.name = joint.name;
  }
  return heed(sink->event(event));
}

bool Simulation::Parts::heed(const RecordReport& report) {
  if (report.ok()) return true;
  return fail(RunOutcome::recording_ended, "the recording takes no more: " + std::string(report.reason));
}

/// A row for the sink alone: the first of a run that goes on, which must not depend on where it was interrupted.
bool Simulation::Parts::show_row(const MotionState& at_row) {
  const double work_done = system.contact_forces().work();
  if (!rows.fill(at_row)) return fail_rates();
  system.contact_forces().set_work(work_done);  // what is recorded has no part in what is stepped over
  if (sink == nullptr) return true;
  if (!heed(sink->row(rows.numbers()))) return false;
  return !system.records_contacts() || rows.contacts().empty() || heed(sink->contacts(rows.contacts()));
}

bool Simulation::Parts::record_row(const MotionState& at_row) {
  if (!show_row(at_row)) return false;
  ledger.remember();
  const Certificate& certificate = rows.certificate();
  if (!(certificate.worst() <= worst.certificate.worst())) worst = {certificate, at_row.t};
  if (certificate.worst() <= scene.run().certificate_limit) {
    const SceneSystem::ContactVerdict& found = rows.contact_verdict();
    return judge_contacts(found.residuals, at_row.t, found.body_a, found.body_b, false);
  }
  const Model& model = scene.model();
  const int joint = certificate.worst_joint;
  const bool by_joint = joint >= 0 && certificate.worst() == certificate.joint_balance_relative;
  const int body = by_joint ? model.joints()[static_cast<std::size_t>(joint)].child_body : certificate.worst_body;
  const std::string name = body >= 0 ? model.bodies()[static_cast<std::size_t>(body)].name : std::string(kWorld);
  return fail(RunOutcome::over_certificate,
              "the certificate of body '" + name + "' is off by " + number_text(certificate.worst()) +
                  ", more than certificate_limit = " + number_text(scene.run().certificate_limit),
              by_joint ? joint : -1, body);
}

/// Adds to the record of contacts; a residual over the limit ends the run.
bool Simulation::Parts::judge_contacts(const ContactResiduals& residuals, double t, int body_a, int body_b,
                                       bool at_impact) {
  if (!(residuals.worst() <= contact_record.residuals.worst())) {
    contact_record.t = t;
    contact_record.body_a = body_a;
    contact_record.body_b = body_b;
    contact_record.at_impact = at_impact;
  }
  contact_record.residuals.take(residuals);
  if (residuals.worst() <= scene.run().certificate_limit) return true;
  const auto name_of = [&](int body) {
    return body < 0 ? std::string(kWorld) : scene.model().bodies()[static_cast<std::size_t>(body)].name;
  };
  return fail(RunOutcome::over_certificate,
              "the certificate of the contact of '" + name_of(body_a) + "' and '" + name_of(body_b) + "' is off by " +
                  number_text(residuals.worst()) +
                  ", more than certificate_limit = " + number_text(scene.run().certificate_limit),
              -1, body_b >= 0 ? body_b : body_a);
}

/// Rows at times within the step to `to`, by the interpolant of the step.
bool Simulation::Parts::record_passed_rows(const MotionState& to) {
  if (!adaptive || !wants_rows) return true;
  while (time_clock.next_time() <= to.t) {
    const double t = time_clock.next_time();
    time_clock.advance();
    if (t == to.t) {
      if (!record_row(to)) return false;
      continue;
    }
    if (!stepper.interpolate(state, to, (t - state.t) / (to.t - state.t), before)) return fail_rates();
    before.t = t;
    motion.impose(t, before.q, before.v, before.extra);
    if (!record_row(before)) return false;
  }
  return true;
}

/// How many fixed steps may be made before the next row.
std::int64_t Simulation::Parts::steps_to_row() const {
  return wants_rows ? step_clock.stride - steps % step_clock.stride : std::int64_t{1} << 40;
}

/// Rows of the whole run up to `end`; those that were passed already are not taken again.
void Simulation::Parts::begin_rows(double end) {
  const RunSpec& run = scene.run();
  if (adaptive) {
    time_clock = time_rows(run.t0, end, run.rows);
    while (time_clock.next_time() <= state.t) time_clock.advance();
    return;
  }
  const double count = std::ceil((end - run.t0) / h - kSameTime);
  step_clock = step_rows(count < 9e15 ? static_cast<std::int64_t>(count) : std::int64_t{9000000000000000}, run.rows);
  if (run.row_every > 0) step_clock.stride = run.row_every;
}

}  // namespace pintle
