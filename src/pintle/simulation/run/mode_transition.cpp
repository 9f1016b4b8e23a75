#include "pintle/simulation/run/mode_transition.h"

#include <utility>

namespace pintle {

ModeTransition::ModeTransition(SceneMotion& motion, RunStatus& status, EventRecorder& events, ModeWatches& watches)
    : motion_(motion),
      status_(status),
      events_(events),
      watches_(watches),
      change_(motion.system),
      causes_(size(motion.model().nv())),
      before_(motion.state),
      modes_before_(causes_.size()) {}

void ModeTransition::begin(std::size_t contacts) {
  clear_causes();
  contact_rests_.assign(contacts, {});
}

void ModeTransition::clear_causes() {
  for (Cause& cause : causes_) cause = Cause::none;
}

bool ModeTransition::apply(std::span<const unsigned char> hits) {
  SceneSystem& system = motion_.system;
  modes_before_ = system.modes();
  contacts_before_ = system.contacts().active();
  before_ = motion_.state;
  const ModeChangeReport report = change_.apply(causes_, contact_rests_, motion_.state);
  if (!report.ok) {
    if (system.trouble().element >= 0 || report.joint >= 0) return status_.fail_rates(report.joint);
    std::swap(motion_.state, before_);
    system.set_modes(modes_before_);
    system.contacts().active() = contacts_before_;
    return status_.block(RunOutcome::not_converged,
                         "no solution was found for the joints that meet a stop, stick or rest");
  }
  if (report.impact && motion_.run().ledger)
    motion_.ledger.book_impact(before_, motion_.state, change_.blow_work(), change_.contact_work());
  motion_.velocities_changed();
  system.contact_forces().forget_ranks();
  watches_.choose(motion_.state, hits);
  return record(report);
}

bool ModeTransition::record(const ModeChangeReport& report) {
  if (!events_.record_freedoms(modes_before_, before_, change_)) return false;
  for (const ImpactRecord& impact : change_.impacts())
    if (!events_.record_impact(impact)) return false;
  if (!events_.record_contacts(contacts_before_)) return false;
  if (report.jammed && !events_.record_jam()) return false;
  return !report.impact || events_.record_speed_jumps(before_);
}

}  // namespace pintle
