#include <algorithm>

#include "pintle/base/hash.h"
#include "pintle/simulation/run/checkpoint.h"
#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kLastHold = static_cast<std::int64_t>(Hold::both_stops);
constexpr std::int64_t kLastStepOutcome = static_cast<std::int64_t>(StepOutcome::not_converged);

Ints holds_of(const FreedomModes& modes) {
  Ints numbers;
  for (const Hold hold : modes.hold) numbers.push_back(static_cast<std::int64_t>(hold));
  return numbers;
}

Ints slides_of(const FreedomModes& modes) {
  return {modes.slide.begin(), modes.slide.end()};
}

constexpr std::size_t kContactInts = 5, kContactNumbers = 21;

Ints ints_of(std::span<const ActiveContact> contacts) {
  Ints numbers;
  for (const ActiveContact& contact : contacts) {
    numbers.push_back(contact.pair);
    numbers.push_back(static_cast<std::int64_t>(contact.feature));
    for (const FrictionKind kind : kFrictionKinds) numbers.push_back(static_cast<std::int64_t>(contact.mode_of(kind)));
  }
  return numbers;
}

std::vector<double> directions_of(std::vector<ActiveContact>& contacts) {
  std::vector<double> numbers;
  for (ActiveContact& contact : contacts) {
    for (const FrictionKind kind : kFrictionKinds) {
      const Vec3<>& direction = contact.direction_of(kind);
      numbers.insert(numbers.end(), {direction.x, direction.y, direction.z, contact.slow_of(kind)});
    }
    for (const Vec3<>& mean : {contact.mean_force, contact.mean_moment, contact.mean_axis_A})
      numbers.insert(numbers.end(), {mean.x, mean.y, mean.z});
  }
  return numbers;
}

bool are_contacts(const Ints& numbers, std::span<const double> directions, std::size_t pairs) {
  const std::size_t count = numbers.size() / kContactInts;
  if (numbers.size() % kContactInts != 0 || directions.size() != kContactNumbers * count) return false;
  for (std::size_t k = 0; k < numbers.size(); k += kContactInts) {
    if (numbers[k] < 0 || numbers[k] >= static_cast<std::int64_t>(pairs)) return false;
    for (std::size_t m = k + 2; m < k + kContactInts; ++m)
      if (numbers[m] < 0 || numbers[m] > static_cast<std::int64_t>(ContactMode::slides)) return false;
  }
  return true;
}

void set_contacts(const Ints& numbers, std::span<const double> directions, std::vector<ActiveContact>& contacts) {
  contacts.clear();
  const double* x = directions.data();
  for (std::size_t k = 0; k < numbers.size(); k += kContactInts) {
    ActiveContact contact;
    contact.pair = static_cast<int>(numbers[k]);
    contact.feature = static_cast<std::uint64_t>(numbers[k + 1]);
    contact.mode = static_cast<ContactMode>(numbers[k + 2]);
    contact.roll.mode = static_cast<ContactMode>(numbers[k + 3]);
    contact.spin.mode = static_cast<ContactMode>(numbers[k + 4]);
    for (const FrictionKind kind : kFrictionKinds) {
      contact.direction_of(kind) = {x[0], x[1], x[2]};
      contact.slow_of(kind) = x[3];
      x += 4;
    }
    for (Vec3<>* const mean : {&contact.mean_force, &contact.mean_moment, &contact.mean_axis_A}) {
      *mean = {x[0], x[1], x[2]};
      x += 3;
    }
    contacts.push_back(contact);
  }
}

std::vector<double> numbers_of(const Ledger::Memory& m) {
  std::vector<double> numbers{m.start.kinetic,
                              m.start.gravity,
                              m.start.springs,
                              m.start.stored,
                              m.seen.turnover,
                              m.seen.linear,
                              m.seen.angular,
                              m.momentum_start.linear.x,
                              m.momentum_start.linear.y,
                              m.momentum_start.linear.z,
                              m.momentum_start.angular.x,
                              m.momentum_start.angular.y,
                              m.momentum_start.angular.z,
                              m.jump.force.x,
                              m.jump.force.y,
                              m.jump.force.z,
                              m.jump.torque.x,
                              m.jump.torque.y,
                              m.jump.torque.z,
                              m.contact_work};
  numbers.insert(numbers.end(), m.blow_work.begin(), m.blow_work.end());
  return numbers;
}

void set_numbers(std::span<const double> x, Ledger::Memory& m) {
  m.start = {x[0], x[1], x[2], x[3]};
  m.seen.turnover = x[4];
  m.seen.linear = x[5];
  m.seen.angular = x[6];
  m.momentum_start = {{x[7], x[8], x[9]}, {x[10], x[11], x[12]}};
  m.jump = {{x[13], x[14], x[15]}, {x[16], x[17], x[18]}};
  m.contact_work = x[19];
  for (std::size_t i = 0; i < m.blow_work.size(); ++i) m.blow_work[i] = x[20 + i];
}

std::vector<double> numbers_of(const StepControl& control) {
  return {control.h, control.previous_error};
}

std::vector<double> numbers_of(const WorstCertificate& worst) {
  const Certificate& c = worst.certificate;
  return {worst.t,
          c.force_balance_relative,
          c.force_balance_newton,
          c.joint_balance_relative,
          c.joint_balance_effort,
          c.power_balance_relative,
          c.power_balance_watt};
}

Ints ints_of(const WorstCertificate& worst) {
  const Certificate& c = worst.certificate;
  return {c.joint_wrenches_checked, c.transmission_checked, c.worst_body, c.worst_joint};
}

WorstCertificate worst_of(std::span<const double> x, std::span<const std::int64_t> n) {
  WorstCertificate worst;
  worst.t = x[0];
  Certificate& c = worst.certificate;
  c.force_balance_relative = x[1];
  c.force_balance_newton = x[2];
  c.joint_balance_relative = x[3];
  c.joint_balance_effort = x[4];
  c.power_balance_relative = x[5];
  c.power_balance_watt = x[6];
  c.joint_wrenches_checked = n[0] != 0;
  c.transmission_checked = n[1] != 0;
  c.worst_body = static_cast<int>(n[2]);
  c.worst_joint = static_cast<int>(n[3]);
  return worst;
}

std::vector<double> numbers_of(const ContactRecord& record) {
  const ContactResiduals& r = record.residuals;
  return {record.t,      r.momentum,          r.energy,     r.complementarity, r.cone, r.dissipation,
          r.restitution, record.stepped_over, record.breach};
}

Ints ints_of(const ContactRecord& record) {
  return {record.body_a, record.body_b, record.at_impact, record.gains};
}

ContactRecord contacts_of(std::span<const double> x, std::span<const std::int64_t> n) {
  ContactRecord record;
  record.t = x[0];
  record.residuals = {x[1], x[2], x[3], x[4], x[5], x[6]};
  record.body_a = static_cast<int>(n[0]);
  record.body_b = static_cast<int>(n[1]);
  record.at_impact = n[2] != 0;
  record.gains = n[3];
  record.stepped_over = x[7];
  record.breach = x[8];
  return record;
}

bool all_within(const Ints& numbers, std::int64_t least, std::int64_t most) {
  return std::all_of(numbers.begin(), numbers.end(), [=](std::int64_t n) { return least <= n && n <= most; });
}

Diagnostic unknown_mode(const Origin& origin) {
  Diagnostic problem;
  problem.code = "checkpoint-contents";
  problem.origin = origin;
  problem.what = "the checkpoint names a mode or an outcome that does not exist";
  problem.why = "it was not written by this version of the library";
  problem.fix = "run the scene again and save a new checkpoint";
  return problem;
}

}  // namespace

std::uint64_t Simulation::scene_id() const {
  return parts_->scene_id;
}

std::uint64_t Simulation::state_hash() const {
  const Parts& p = *parts_;
  StateHash hash;
  hash.add(p.state.t);
  hash.add(std::span<const double>(p.state.q));
  hash.add(std::span<const double>(p.state.v));
  hash.add(std::span<const double>(p.state.extra));
  for (const Hold hold : p.system.modes().hold) hash.add(static_cast<std::uint64_t>(hold));
  for (const signed char slide : p.system.modes().slide) hash.add(slide);
  for (const ActiveContact& contact : std::as_const(p.system).contacts().active()) {
    hash.add(contact.pair);
    hash.add(contact.feature);
    for (const FrictionKind kind : kFrictionKinds) hash.add(static_cast<std::uint64_t>(contact.mode_of(kind)));
  }
  for (ForceElement* const element : p.system.elements()) hash.add(std::span<const double>(element->memory()));
  hash.add(p.steps);
  return hash.value();
}

std::string Simulation::checkpoint() const {
  Parts& p = *parts_;
  CheckpointWriter writer;
  writer.section("motion").write(p.state.t).write(p.state.q).write(p.state.v).write(p.state.extra);
  writer.section("run")
      .write(Ints{p.steps, p.rejected, p.events, p.grid, static_cast<std::int64_t>(p.outcome), p.trouble_joint,
                  p.trouble_body, p.events_at_once, p.steps_over, p.longest_over})
      .write(std::vector<double>{p.h, p.last_event, p.over_until, p.purse})
      .write(p.text);
  writer.section("control")
      .write(numbers_of(p.control))
      .write(p.control.after_rejection)
      .write(static_cast<std::int64_t>(p.control.cause));
  writer.section("modes")
      .write(holds_of(p.system.modes()))
      .write(slides_of(p.system.modes()))
      .write(p.watches.saved_marks());
  writer.section("contacts")
      .write(ints_of(p.system.contacts().active()))
      .write(directions_of(p.system.contacts().active()));
  writer.section("elements");
  for (ForceElement* const element : p.system.elements()) writer.write(std::span<const double>(element->memory()));
  writer.write(std::span<const double>(p.system.sample_times()));
  writer.section("ledger").write(numbers_of(p.ledger.memory()));
  writer.section("certificate").write(numbers_of(p.worst)).write(ints_of(p.worst));
  writer.write(numbers_of(p.contact_record)).write(ints_of(p.contact_record));
  return writer.finish(p.scene_id);
}

Result<void> Simulation::resume(std::string_view bytes, const Origin& origin) {
  Parts& p = *parts_;
  Result<CheckpointReader> opened = open_checkpoint(bytes, p.scene_id, origin);
  if (!opened) return opened.diagnostics();
  CheckpointReader& reader = *opened;
  MotionState state = p.state;
  reader.section("motion").read(state.t).read(state.q).read(state.v).read(state.extra);
  Ints run(10), holds(p.causes.size()), slides(p.causes.size()), fired, certified(4);
  std::vector<double> lengths(4), control(2), ledger(numbers_of(p.ledger.memory()).size());
  std::vector<double> worst(7), touched(9);
  Ints touching(4);
  std::string text;
  reader.section("run").read(std::span(run)).read(std::span(lengths)).read_all(text);
  std::int64_t after_rejection = 0, cause = 0;
  reader.section("control").read(std::span(control)).read(after_rejection).read(cause);
  reader.section("modes").read(std::span(holds)).read(std::span(slides)).read_all(fired);
  Ints contacts;
  std::vector<double> slips;
  reader.section("contacts").read_all(contacts).read_all(slips);
  std::vector<std::vector<double>> memories;
  reader.section("elements");
  for (ForceElement* const element : p.system.elements()) {
    memories.emplace_back(element->memory().size());
    reader.read(std::span(memories.back()));
  }
  std::vector<double> sample_times(memories.size());
  reader.read(std::span(sample_times));
  reader.section("ledger").read(std::span(ledger));
  reader.section("certificate").read(std::span(worst)).read(std::span(certified));
  reader.read(std::span(touched)).read(std::span(touching));
  if (Result<void> all = reader.finish(); !all) return all;
  const bool known = all_within({run[4]}, 0, kRunOutcomes - 1) && all_within({cause}, 0, kLastStepOutcome) &&
                     all_within(holds, 0, kLastHold) && all_within(slides, -1, 1) &&
                     are_contacts(contacts, slips, p.scene.contacts().pairs.size());
  if (!known) return unknown_mode(origin);

  p.state = std::move(state);
  p.clear_until = p.touch_at = -__builtin_inf();
  p.steps = run[0];
  p.rejected = run[1];
  p.events = run[2];
  p.grid = run[3];
  p.outcome = static_cast<RunOutcome>(run[4]);
  p.trouble_joint = static_cast<int>(run[5]);
  p.trouble_body = static_cast<int>(run[6]);
  p.trouble_element.clear();
  p.events_at_once = static_cast<int>(run[7]);
  p.steps_over = run[8];
  p.longest_over = run[9];
  p.h = lengths[0];
  p.last_event = lengths[1];
  p.over_until = lengths[2];
  p.purse = lengths[3];
  p.text = std::move(text);
  p.control.h = control[0];
  p.control.previous_error = control[1];
  p.control.after_rejection = after_rejection != 0;
  p.control.cause = static_cast<StepOutcome>(cause);
  FreedomModes modes(p.causes.size());
  for (std::size_t i = 0; i < p.causes.size(); ++i) {
    modes.hold[i] = static_cast<Hold>(holds[i]);
    modes.slide[i] = static_cast<signed char>(slides[i]);
  }
  p.system.set_modes(modes);
  set_contacts(contacts, slips, p.system.contacts().active());
  for (std::size_t k = 0; k < memories.size(); ++k) {
    const std::span<double> memory = p.system.elements()[k]->memory();
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = memories[k][i];
  }
  std::copy(sample_times.begin(), sample_times.end(), p.system.sample_times().begin());
  p.system.choose_sides(instant(p.state));
  set_numbers(ledger, p.ledger.memory());
  p.worst = worst_of(worst, certified);
  p.contact_record = contacts_of(touched, touching);
  p.watches.choose(p.state, {});
  p.watches.set_fired(fired);
  p.finder.forget();
  return {};
}

}  // namespace pintle
