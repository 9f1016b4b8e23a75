#include "pintle/simulation/run/event_recorder.h"

#include <array>
#include <cmath>
#include <string>

namespace pintle {
namespace {

bool at_limit(ActiveConstraint hold) {
  return hold != ActiveConstraint::none && hold != ActiveConstraint::friction;
}

const ActiveContact* find_point(std::span<const ActiveContact> contacts, const ActiveContact& point) {
  for (const ActiveContact& contact : contacts)
    if (contact.is_point_of(point)) return &contact;
  return nullptr;
}

}  // namespace

EventRecorder::EventRecorder(SceneMotion& motion, RunStatus& status, const UserEvents& users,
                             const ModeWitnesses& witnesses, Recorder& recorder)
    : motion_(motion), status_(status), users_(users), witnesses_(witnesses), recorder_(recorder) {}

bool EventRecorder::record_user_event(const EventHit& hit) {
  const UserEvent& event = user_event(hit.witness);
  const double direction = hit.crossing == EventCrossing::rising    ? 1.0
                           : hit.crossing == EventCrossing::falling ? -1.0
                                                                    : 0.0;
  return recorder_.record_event({.kind = EventKind::user,
                                 .name = event.name,
                                 .values = {event.witness.function->value(instant(motion_.state)), direction}});
}

bool EventRecorder::count(std::span<const EventHit> hits) {
  bool any = false;
  for (const EventHit& hit : hits) {
    const WitnessRole& role = witnesses_.roles()[size(hit.witness)];
    if (role.kind == WitnessKind::user) any = motion_.system.count_event(size(role.number)) || any;
  }
  return any;
}

bool EventRecorder::record_speed(std::size_t witness, bool over) {
  const int dof = witnesses_.roles()[witness].number;
  const double speed = motion_.state.v[size(dof)];
  const double limit = std::abs(speed) - witnesses_.witnesses()[witness].function->value(instant(motion_.state));
  return recorder_.record_event(
      {.kind = over ? EventKind::speed_over : EventKind::speed_under, .dof = dof, .values = {speed, limit}});
}

bool EventRecorder::record_speed_jumps(const MotionState& before) {
  for (std::size_t k = 0; k < witnesses_.witnesses().size(); ++k) {
    if (witnesses_.roles()[k].kind != WitnessKind::speed_limit) continue;
    EventFunction& excess = *witnesses_.witnesses()[k].function;
    const bool was_over = excess.value(instant(before)) > 0.0, is_over = excess.value(instant(motion_.state)) > 0.0;
    if (was_over != is_over && !record_speed(k, is_over)) return false;
  }
  return true;
}

bool EventRecorder::record_passed_events(const MotionState& before) {
  const MotionState& state = motion_.state;
  for (std::size_t k = 0; k < witnesses_.witnesses().size(); ++k) {
    if (witnesses_.roles()[k].kind != WitnessKind::user) continue;
    const Witness& witness = witnesses_.witnesses()[k];
    const double from = witness.function->value(instant(before)), to = witness.function->value(instant(state));
    const bool rises = from < 0.0 && to >= 0.0, falls = from > 0.0 && to <= 0.0;
    const bool wanted = (rises && witness.direction != EventDirection::falling) ||
                        (falls && witness.direction != EventDirection::rising);
    if (!wanted) continue;
    const EventHit hit{static_cast<int>(k), rises ? EventCrossing::rising : EventCrossing::falling};
    if (!record_user_event(hit)) return false;
    if (count({&hit, 1})) motion_.system.choose_sides(instant(state));
    if (!recorder_.record_row_if_wanted(state)) return false;
    if (user_event(hit.witness).terminal) end_run();
  }
  return true;
}

void EventRecorder::end_run() {
  status_.limit(RunOutcome::event_stopped, "a terminal event");
}

bool EventRecorder::record_dofs(const DofModes& was, const MotionState& before, const ModeChange& change) {
  const DofModes& now = motion_.system.modes();
  const std::span<const double> friction = motion_.system.friction_limits();
  for (std::size_t i = 0; i < now.hold.size(); ++i) {
    const int number = change.q_number()[i];
    const double position = number >= 0 ? motion_.state.q[size(number)] : 0.0;
    const double impulse = change.impulses()[i];
    const auto record = [&](EventKind kind, std::array<double, 3> values) {
      return recorder_.record_event({.kind = kind, .dof = static_cast<int>(i), .values = values});
    };
    if (impulse != 0.0 && !record(EventKind::limit_impact, {impulse, -change.impact_work()[i], before.v[i]}))
      return false;
    const bool jumps = std::abs(motion_.state.v[i] - before.v[i]) > std::abs(before.v[i]);  // at an impact
    if (now.hold[i] == ActiveConstraint::none && was.hold[i] == ActiveConstraint::none && !jumps &&
        now.slide[i] * was.slide[i] < 0 && !record(EventKind::slip_reversal, {friction[i]}))
      return false;
    if (now.hold[i] == was.hold[i]) continue;
    if (at_limit(now.hold[i]) && !record(EventKind::limit_hold, {position})) return false;
    if (at_limit(was.hold[i]) && !at_limit(now.hold[i]) && !record(EventKind::limit_release, {position})) return false;
    if (now.hold[i] == ActiveConstraint::friction && !record(EventKind::stick, {friction[i]})) return false;
    if (was.hold[i] == ActiveConstraint::friction && now.hold[i] == ActiveConstraint::none &&
        !record(EventKind::slip, {friction[i]}))
      return false;
  }
  return true;
}

bool EventRecorder::record_contacts(std::span<const ActiveContact> was, bool jumped) {
  const std::span<const ActiveContact> now = motion_.system.contacts().active();
  for (const ActiveContact& contact : was)
    if (find_point(now, contact) == nullptr && !record_contact(EventKind::contact_release, contact)) return false;
  for (const ActiveContact& contact : now) {
    const ActiveContact* const before = find_point(was, contact);
    if (before == nullptr && !record_contact(EventKind::contact_hold, contact)) return false;
    if (before == nullptr) continue;
    if (!jumped && has_reversed(*before, contact) && !record_contact(EventKind::contact_slip_reversal, contact))
      return false;
    for (const FrictionKind kind : kFrictionKinds) {
      if (before->mode_of(kind) == contact.mode_of(kind)) continue;
      const bool sticks = contact.mode_of(kind) == ContactMode::sticks, slip = kind == FrictionKind::slip;
      const EventKind event = slip     ? sticks ? EventKind::contact_stick : EventKind::contact_slip
                              : sticks ? EventKind::contact_rotation_stick
                                       : EventKind::contact_rotation_slip;
      if (!record_contact(event, contact)) return false;
    }
  }
  return true;
}

/// Whether the slip of a contact came to rest and goes on backwards, against friction.
bool EventRecorder::has_reversed(const ActiveContact& before, const ActiveContact& now) const {
  return before.mode == ContactMode::slides && now.mode == ContactMode::slides &&
         motion_.system.contacts().has(FrictionKind::slip, size(now.pair)) && dot(before.slip_A, now.slip_A) < 0.0;
}

bool EventRecorder::record_painleve_impact() {
  const std::span<const ActiveContact> now = motion_.system.contacts().active();
  return now.empty() || record_contact(EventKind::impact_without_collision, now.front());
}

/// With the names of the two bodies and its position in the world.
bool EventRecorder::record_contact(EventKind kind, const ActiveContact& contact) {
  if (!recorder_.has_sink()) return recorder_.record_event({.kind = kind});
  const ContactSetup& setup = motion_.scene.contacts();
  const ContactPair& pair = setup.pairs[size(contact.pair)];
  const auto name_of = [&](int part) {
    const int body = setup.parts[size(part)].body;
    return body < 0 ? std::string(kWorld) : motion_.model().bodies()[size(body)].name;
  };
  const std::string name = name_of(pair.a) + " / " + name_of(pair.b);
  const Vec3<> point = motion_.system.contact_place(motion_.state, contact);
  return recorder_.record_event({.t = kind == EventKind::contact_hold ? contact.rest_delay : 0.0,
                                 .kind = kind,
                                 .name = name,
                                 .body = setup.parts[size(pair.b)].body,
                                 .values = {point.x, point.y, point.z}});
}

}  // namespace pintle
