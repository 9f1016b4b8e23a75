#include <algorithm>
#include <utility>

#include "pintle/base/hash.h"
#include "pintle/simulation/run/run_snapshot.h"
#include "pintle/simulation/run/simulation_parts.h"

namespace pintle {

RunSnapshot Simulation::Parts::snapshot() {
  SceneSystem& system = motion.system;
  if (time_stepping.under_way()) hybrid.keep_modes();  // time stepping does not need the marks that are saved
  RunSnapshot saved{.state = motion.state,
                    .clock = clock.memory(),
                    .status = status.memory(),
                    .budget = budget.memory(),
                    .time_stepping = time_stepping.memory(),
                    .modes = system.modes(),
                    .fired = witnesses.saved_marks(),
                    .contacts = system.contacts().active(),
                    .elements = {},
                    .sample_times = {system.sample_times().begin(), system.sample_times().end()},
                    .event_counts = {system.event_counts().begin(), system.event_counts().end()},
                    .energy_balance = motion.energy_balance.memory(),
                    .records = recorder.memory()};
  for (ForceElement* const element : system.elements()) {
    const std::span<const double> memory = element->memory();
    saved.elements.emplace_back(memory.begin(), memory.end());
  }
  return saved;
}

void Simulation::Parts::restore(RunSnapshot&& saved) {
  SceneSystem& system = motion.system;
  motion.state = std::move(saved.state);
  clock.memory() = saved.clock;
  status.memory() = std::move(saved.status);
  status.memory().element.clear();
  budget.memory() = saved.budget;
  time_stepping.memory() = saved.time_stepping;
  recorder.memory() = saved.records;
  system.set_modes(saved.modes);
  std::vector<ActiveContact>& active = system.contacts().active();
  active.assign(saved.contacts.begin(), saved.contacts.end());  // keeps its capacity
  for (std::size_t k = 0; k < saved.elements.size(); ++k)
    std::copy(saved.elements[k].begin(), saved.elements[k].end(), system.elements()[k]->memory().begin());
  std::copy(saved.sample_times.begin(), saved.sample_times.end(), system.sample_times().begin());
  std::copy(saved.event_counts.begin(), saved.event_counts.end(), system.event_counts().begin());
  system.choose_sides(instant(motion.state));
  // That has followed the contacts to this state; the run that was saved had not yet.
  for (std::size_t c = 0; c < active.size(); ++c) {
    saved.contacts[c].edge_at = active[c].edge_at;
    active[c] = saved.contacts[c];
  }
  motion.energy_balance.memory() = std::move(saved.energy_balance);
  witnesses.choose(motion.state, {});
  witnesses.set_fired(saved.fired);
  hybrid.forget();
  rest.forget();
}

std::uint64_t Simulation::scene_id() const {
  return parts_->scene_id;
}

std::uint64_t Simulation::state_hash() const {
  const SceneMotion& motion = parts_->motion;
  StateHash hash;
  hash.add(motion.state.t);
  hash.add(std::span<const double>(motion.state.q));
  hash.add(std::span<const double>(motion.state.v));
  hash.add(std::span<const double>(motion.state.auxiliary));
  for (const ActiveConstraint hold : motion.system.modes().hold) hash.add(static_cast<std::uint64_t>(hold));
  for (const signed char slide : motion.system.modes().slide) hash.add(slide);
  for (const ActiveContact& contact : motion.system.contacts().active()) {
    hash.add(contact.pair);
    hash.add(contact.feature);
    for (const FrictionKind kind : kFrictionKinds) hash.add(static_cast<std::uint64_t>(contact.mode_of(kind)));
  }
  for (ForceElement* const element : motion.system.elements()) hash.add(std::span<const double>(element->memory()));
  for (const double count : parts_->motion.system.event_counts()) hash.add(count);
  hash.add(parts_->clock.steps());
  return hash.value();
}

std::string Simulation::checkpoint() const {
  RunSnapshot snapshot = parts_->snapshot();
  return write_snapshot(snapshot, parts_->scene_id);
}

Result<void> Simulation::resume(std::string_view bytes, const Origin& origin) {
  RunSnapshot snapshot = parts_->snapshot();
  const std::size_t pairs = parts_->motion.scene.contacts().pairs.size();
  if (Result<void> read = read_snapshot(bytes, parts_->scene_id, pairs, origin, snapshot); !read) return read;
  parts_->restore(std::move(snapshot));
  return {};
}

}  // namespace pintle
