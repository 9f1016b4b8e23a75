#include "pintle/simulation/run/row_writer.h"

#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/simulation/recording/state_columns.h"

namespace pintle {
RowWriter::RowWriter(SceneSystem& system, EnergyBalance& energy_balance)
    : system_(system),
      energy_balance_(energy_balance),
      sensors_(system.scene().sensors()),
      columns_(row_columns(system.scene(), system.accounts())),
      state_count_(state_columns(system.model()).size()),
      coupled_count_(coupled_columns(system.model()).size()),
      shown_count_(2 * system.scene().spec().controllers.size()),
      numbers_(columns_.size()),
      vdot_(static_cast<std::size_t>(system.model().nv())),
      auxiliary_derivative_(static_cast<std::size_t>(system.auxiliary_count())),
      reactions_(system.model()),
      certificates_(system.model()) {
  const std::size_t repeated = first_repeated(columns_);
  if (repeated < columns_.size())
    throw UsageError("Simulation: two columns of its recording are called '" + columns_[repeated].name +
                     "'; give the force another name");
}

bool RowWriter::fill(const MotionState& state) {
  const Model& model = system_.model();
  if (!system_.derivatives(state.t, state.q, state.v, state.auxiliary, vdot_, auxiliary_derivative_)) return false;
  system_.keep_derivatives(state, vdot_, auxiliary_derivative_);
  const RunSpec& run = system_.scene().run();
  const bool needs_reactions = run.certificate || sensors_.needs_reactions() || sensors_.needs_places();
  if (needs_reactions) reactions(model, state.q, state.v, vdot_, reactions_, system_.options());
  if (run.certificate) {
    certificate_ = certify(model,
                           {.q = state.q,
                            .v = state.v,
                            .vdot = vdot_,
                            .tau = system_.tau(),
                            .options = system_.options(),
                            .joint_wrenches = reactions_.on_body},
                           certificates_);
  }
  if (system_.certifies_contacts()) contact_verdict_ = system_.certify_contacts(reactions_.kinematics);
  if (system_.records_contacts() || sensors_.needs_contacts()) {
    if (!system_.certifies_contacts()) (void)system_.contact_margin();
    system_.read_contact_forces(contacts_);
  }
  double* next = numbers_.data();
  const auto put = [&](double number) { *next++ = number; };
  const auto put_all = [&](std::span<const double> numbers) {
    for (const double number : numbers) put(number);
  };
  put(state.t);
  put_all(state.q);
  put_all(state.v);
  put_all(vdot_);
  put_all(system_.tau());
  if (needs_reactions) {
    energy_balance_.bring_up_to(state, reactions_.kinematics);
  } else {
    energy_balance_.bring_up_to(state);
  }
  const Energies& now = energy_balance_.now();
  put_all(std::array{now.kinetic, now.gravity, now.springs, now.stored, now.total()});
  for (std::size_t a = 0; a < system_.accounts().size(); ++a) {
    put(energy_balance_.work()[a]);
    if (system_.accounts()[a].clipped >= 0) put(energy_balance_.clipped()[a]);
  }
  if (run.energy_balance) put(energy_balance_.energy().rest);
  if (system_.balances_momentum()) {
    const Momentum<>& m = energy_balance_.momentum();
    put_all(std::array{m.linear.x, m.linear.y, m.linear.z, m.angular.x, m.angular.y, m.angular.z,
                       energy_balance_.linear().rest, energy_balance_.angular().rest});
  }
  if (run.certificate) put(certificate_.worst());
  if (system_.certifies_contacts()) put(contact_verdict_.residuals.worst());
  coupled_values(model, state.q, state.v, {next, coupled_count_});
  next += coupled_count_;
  next += system_.show_elements(instant(state), {next, shown_count_});
  const std::span<const double> others(numbers_.data() + 1, state_count_);
  sensors_.read({.t = state.t,
                 .q = state.q,
                 .v = state.v,
                 .tau = system_.tau(),
                 .places = &reactions_.kinematics,
                 .reactions = &reactions_,
                 .contacts = contacts_,
                 .others = others},
                {next, sensors_.columns().size()});
  return true;
}

}  // namespace pintle
