#include "pintle/simulation/run/mode_transition.h"

#include <utility>

namespace pintle {

ModeTransition::ModeTransition(SceneMotion& motion, RunStatus& status, EventRecorder& events, ModeWitnesses& witnesses)
    : motion_(motion),
      status_(status),
      events_(events),
      witnesses_(witnesses),
      change_(motion.system),
      causes_(size(motion.model().nv())),
      before_(motion.state),
      modes_before_(causes_.size()) {}

void ModeTransition::begin(std::size_t contacts) {
  clear_causes();
  contact_rests_.assign(contacts, {});
}

void ModeTransition::clear_causes() {
  for (Guard& cause : causes_) cause = Guard::none;
}

bool ModeTransition::apply(std::span<const unsigned char> hits) {
  SceneSystem& system = motion_.system;
  modes_before_ = system.modes();
  contacts_before_ = system.contacts().active();
  before_ = motion_.state;
  const ModeChangeReport report = change_.apply(causes_, contact_rests_, motion_.state);
  work_ = report.work;
  const auto take_back = [&](const char* why) {
    std::swap(motion_.state, before_);
    system.set_modes(modes_before_);
    system.contacts().active() = contacts_before_;
    return status_.block(RunOutcome::not_converged, why);
  };
  if (!report.ok) {
    if (system.derivatives_error().element >= 0 || report.joint >= 0) return status_.fail_derivatives(report.joint);
    return take_back("no solution was found for the joints that reach a limit, stick or rest on a limit");
  }
  if (report.impact && is_doubtful()) return take_back("an impact violates the contact laws");
  if (report.impact && motion_.run().energy_balance)
    motion_.energy_balance.record_impact_work(before_, motion_.state, change_.impact_work(), change_.contact_work(),
                                              change_.surface_work());
  motion_.velocities_changed();
  system.contact_forces().forget_ranks();
  witnesses_.choose(motion_.state, hits);
  return record(report);
}

/// Where time stepping may take over, no impact is kept that breaks a law. In seed 004's model they may.
bool ModeTransition::is_doubtful() const {
  constexpr double kDoubtful = 1e-3;  // the limit of RunChecks
  return motion_.run().contact == ContactMethod::automatic && !motion_.system.contacts().spec().single_point &&
         !(change_.worst_residual() <= kDoubtful);
}

bool ModeTransition::record(const ModeChangeReport& report) {
  if (!events_.record_dofs(modes_before_, before_, change_)) return false;
  for (const ImpactRecord& impact : change_.impacts())
    if (!events_.record_impact(impact)) return false;
  if (!events_.record_contacts(contacts_before_, report.impact)) return false;
  if (report.without_collision && !events_.record_painleve_impact()) return false;
  return !report.impact || events_.record_speed_jumps(before_);
}

}  // namespace pintle
