#include "pintle/simulation/run/run_snapshot.h"

#include <tuple>

#include "pintle/simulation/run/checkpoint.h"
#include "pintle/simulation/run/checkpoint_items.h"

namespace pintle {

template <>
struct LastValue<RunOutcome> {
  static constexpr int value = kRunOutcomes - 1;
};
template <>
struct LastValue<StepOutcome> {
  static constexpr StepOutcome value = StepOutcome::not_converged;
};
template <>
struct LastValue<ActiveConstraint> {
  static constexpr ActiveConstraint value = ActiveConstraint::both_limits;
};
template <>
struct LastValue<ContactMode> {
  static constexpr ContactMode value = ContactMode::slides;
};

namespace {

template <class Items>
void describe_run(Items& items, RunSnapshot& s) {
  items.section("run");
  items.item(s.clock.steps, s.clock.rejected, s.records.events, s.records.begun, s.clock.grid, s.status.outcome, s.status.joint,
             s.status.body, s.budget.events_at_once, s.time_stepping.sustained, s.time_stepping.calm,
             s.time_stepping.calm_needed, s.time_stepping.short_step);
  items.item(s.clock.h, s.budget.last_event, s.time_stepping.until, s.budget.left, s.budget.spent_in_step);
  items.all(s.status.text);
  items.section("control");
  items.item(s.clock.control.h, s.clock.control.previous_error);
  items.item(s.clock.control.after_rejection);
  items.item(s.clock.control.cause);
}

template <class Items>
void describe_contacts(Items& items, std::vector<ActiveContact>& contacts) {
  items.section("contacts");
  items.records(
      contacts, [](ActiveContact& c) { return std::tie(c.pair, c.feature, c.mode, c.roll.mode, c.spin.mode); },
      [](ActiveContact& c) {
        return std::tie(c.slip_A, c.slow, c.roll.about_A, c.roll.slow, c.spin.about_A, c.spin.slow, c.mean_force,
                        c.mean_moment, c.mean_axis_A);
      });
}

template <class Items>
void describe_ledger(Items& items, EnergyBalance::Memory& m) {
  items.section("energy_balance");
  items.item(m.start.kinetic, m.start.gravity, m.start.springs, m.start.stored, m.seen.turnover, m.seen.linear,
             m.seen.angular, m.momentum_start.linear, m.momentum_start.angular, m.jump.force, m.jump.torque,
             m.contact_work, m.impact_work, m.friction_work);
  if (m.surface_work.empty()) return;
  items.section("surface_work");
  items.item(m.surface_work);
}

template <class Items>
void describe_certificates(Items& items, Recorder::Memory& m) {
  items.section("certificate");
  Certificate& c = m.worst.certificate;
  items.item(m.worst.t, c.force_balance_relative, c.force_balance_newton, c.joint_balance_relative,
             c.joint_balance_effort, c.power_balance_relative, c.power_balance_watt);
  items.item(c.joint_wrenches_checked, c.transmission_checked, c.worst_body, c.worst_joint);
  for (WorstBalance::Residual* const worst : {&m.balance.energy, &m.balance.linear, &m.balance.angular})
    items.item(worst->rest, worst->t);
  ContactRecord& record = m.contacts;
  ContactResiduals& r = record.residuals;
  items.item(record.t, r.momentum, r.energy, r.complementarity, r.cone, r.dissipation, r.restitution,
             record.time_stepped, record.first_span, record.breach, record.penetration, record.gained);
  items.item(record.body_a, record.body_b, record.at_impact, record.gains, record.spans);
}

/// The sections of a checkpoint.
template <class Items>
void describe(Items& items, RunSnapshot& s) {
  items.section("motion");
  items.item(s.state.t);
  items.item(s.state.q);
  items.item(s.state.v);
  items.item(s.state.auxiliary);
  describe_run(items, s);
  items.section("modes");
  items.item(s.modes.hold);
  items.item(s.modes.slide);
  items.all(s.fired);
  describe_contacts(items, s.contacts);
  items.section("elements");
  for (std::vector<double>& memory : s.elements) items.item(memory);
  items.item(s.sample_times);
  if (!s.event_counts.empty()) {
    items.section("event_counts");
    items.item(s.event_counts);
  }
  describe_ledger(items, s.energy_balance);
  describe_certificates(items, s.records);
}

Diagnostic unknown_mode(const Origin& origin) {
  return make_error("checkpoint-contents", origin, "the checkpoint names a mode or an outcome that does not exist",
                    "it was not written by this version of the library",
                    "run the scene again and save a new checkpoint");
}

}  // namespace

std::string write_snapshot(RunSnapshot& snapshot, std::uint64_t scene_id) {
  CheckpointWriter writer;
  ItemWriter items(writer);
  describe(items, snapshot);
  return writer.finish(scene_id);
}

Result<void> read_snapshot(std::string_view bytes, std::uint64_t scene_id, std::size_t pairs, const Origin& origin,
                           RunSnapshot& snapshot) {
  Result<CheckpointReader> opened = open_checkpoint(bytes, scene_id, origin);
  if (!opened) return opened.diagnostics();
  ItemReader items(*opened);
  describe(items, snapshot);
  if (Result<void> all = opened->finish(); !all) return all;
  bool known = items.known();
  for (const ActiveContact& contact : snapshot.contacts)
    known = known && contact.pair >= 0 && static_cast<std::size_t>(contact.pair) < pairs;
  if (!known) return unknown_mode(origin);
  return {};
}

}  // namespace pintle
