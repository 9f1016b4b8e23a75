#include "pintle/simulation/run/recorder.h"

#include <cmath>
#include <string>

#include "pintle/base/size.h"
#include "pintle/math/number_text.h"

namespace pintle {
namespace {

std::string body_name(const Model& model, int body) {
  return body < 0 ? std::string(kWorld) : model.bodies()[size(body)].name;
}

}  // namespace

Recorder::Recorder(SceneMotion& motion, RunStatus& status)
    : motion_(motion), status_(status), rows_(motion.system, motion.energy_balance) {}

void Recorder::reset() {
  memory_ = {};
}

void Recorder::start(std::span<const ImpactRecord> impacts) {
  start_impacts_.assign(impacts.begin(), impacts.end());
  for (const ImpactRecord& impact : impacts) note_impact(impact);
  memory_.events = 0;
}

bool Recorder::open(RecordSink* sink, const StepClock& clock, double end, bool goes_on) {
  sink_ = sink;
  last_row_ = __builtin_nan("");
  schedule_.plan(motion_.run(), clock, motion_.state.t, end, goes_on);
  if (sink == nullptr && !(motion_.run().certificate_limit < kCertificateLimit)) schedule_.clear();
  return sink == nullptr || check(sink->begin(rows_.columns()));
}

bool Recorder::record_last_row() {
  return last_row_ == motion_.state.t || record_row(motion_.state);
}

void Recorder::close() {
  if (sink_ == nullptr) return;
  const RecordReport closed = sink_->end();
  if (!status_.failed()) check(closed);
}

void Recorder::detach() {
  sink_ = nullptr;
  schedule_.clear();
}

bool Recorder::record_start() {
  for (const ImpactRecord& impact : start_impacts_)
    if (sink_ != nullptr && !check(sink_->impact(impact))) return false;
  start_impacts_.clear();
  return true;
}

bool Recorder::record_impact(const ImpactRecord& impact) {
  ++memory_.events;
  note_impact(impact);
  if (sink_ != nullptr && !check(sink_->impact(impact))) return false;
  return check_contacts(impact.certificate, impact.t, impact.body_a, impact.body_b, true);
}

bool Recorder::record_event(EventRecord event) {
  ++memory_.events;
  if (sink_ == nullptr) return true;
  event.t += motion_.state.t;
  if (event.dof >= 0) {
    event.joint = motion_.model().joint_of_dof(event.dof);
    const ModelJoint& joint = motion_.model().joints()[size(event.joint)];
    event.body = joint.child_body;
    event.name = joint.name;
  }
  return check(sink_->event(event));
}

bool Recorder::show_row(const MotionState& at) {
  SceneSystem& system = motion_.system;
  const double work_done = system.contact_forces().work();
  if (!rows_.fill(at)) return status_.fail_derivatives();
  system.contact_forces().set_work(work_done);  // recording does not count for the work budget
  if (sink_ == nullptr) return true;
  last_row_ = at.t;
  if (!check(sink_->row(rows_.numbers()))) return false;
  return !system.records_contacts() || rows_.contacts().empty() || check(sink_->contacts(rows_.contacts()));
}

bool Recorder::record_row(const MotionState& at) {
  if (!show_row(at)) return false;
  motion_.energy_balance.remember();
  note_balance(at.t);
  const Certificate& certificate = rows_.certificate();
  const double limit = motion_.run().certificate_limit;
  if (!(certificate.worst() <= memory_.worst.certificate.worst())) memory_.worst = {certificate, at.t};
  if (certificate.worst() <= limit) {
    const SceneSystem::ContactVerdict& found = rows_.contact_verdict();
    return check_contacts(found.residuals, at.t, found.body_a, found.body_b, false);
  }
  const Model& model = motion_.model();
  const int joint = certificate.worst_joint;
  const bool by_joint = joint >= 0 && certificate.worst() == certificate.joint_balance_relative;
  const int body = by_joint ? model.joints()[size(joint)].child_body : certificate.worst_body;
  return status_.fail(RunOutcome::over_certificate,
                      "the certificate residual of body '" + body_name(model, body) + "' is " +
                          number_text(certificate.worst()) + ", more than certificate_limit = " + number_text(limit),
                      by_joint ? joint : -1, body);
}

bool Recorder::record_row_at_event() {
  while (schedule_.is_due(motion_.state.t)) schedule_.pass_time();
  return record_row_if_wanted(motion_.state);
}

bool Recorder::record_row_if_due() {
  if (!schedule_.is_due(motion_.state.t)) return true;
  while (schedule_.is_due(motion_.state.t)) schedule_.pass_time();
  return record_row(motion_.state);
}

/// The sink accepts no more if it says so.
bool Recorder::check(const RecordReport& report) {
  if (report.ok()) return true;
  return status_.fail(RunOutcome::recording_ended, "the recording accepts no more data: " + std::string(report.reason));
}

/// The residuals of the balances at the row just filled.
void Recorder::note_balance(double t) {
  if (!motion_.run().energy_balance) return;
  const auto take = [&](WorstBalance::Residual& worst, double rest) {
    if (!(std::abs(rest) <= worst.rest)) worst = {std::abs(rest), t};
  };
  take(memory_.balance.energy, motion_.energy_balance.energy().rest);
  take(memory_.balance.linear, motion_.energy_balance.linear().rest);
  take(memory_.balance.angular, motion_.energy_balance.angular().rest);
}

/// What the checks of a run need of an impact.
void Recorder::note_impact(const ImpactRecord& impact) {
  if (impact.gains_energy) {
    ++memory_.contacts.gains;
    memory_.contacts.gained -= impact.energy;
  }
  note_contacts(impact.certificate, impact.t, impact.body_a, impact.body_b, true);
}

/// Adds to the contact certificate.
void Recorder::note_contacts(const ContactResiduals& residuals, double t, int body_a, int body_b, bool at_impact) {
  ContactRecord& record = memory_.contacts;
  if (!(residuals.worst() <= record.residuals.worst())) {
    record.t = t;
    record.body_a = body_a;
    record.body_b = body_b;
    record.at_impact = at_impact;
  }
  record.residuals.take(residuals);
}

void Recorder::note_time_stepped(double from, double length, bool begins) {
  ContactRecord& record = memory_.contacts;
  if (begins && record.spans++ == 0) record.first_span = from;
  record.time_stepped += length;
}

bool Recorder::check_time_step(const TimeSteppingReport& step) {
  ContactRecord& record = memory_.contacts;
  record.breach = max(record.breach, step.residual);
  record.penetration = max(record.penetration, step.penetration);
  const ContactSetup& setup = motion_.system.contacts().setup();
  const auto body = [&](int ContactPair::* side) {
    return step.worst_pair < 0 ? -1 : setup.parts[size(setup.pairs[size(step.worst_pair)].*side)].body;
  };
  return check_contacts(step.certificate, motion_.state.t, body(&ContactPair::a), body(&ContactPair::b), false);
}

/// Adds to the contact certificate; a residual over the limit ends the run.
bool Recorder::check_contacts(const ContactResiduals& residuals, double t, int body_a, int body_b, bool at_impact) {
  note_contacts(residuals, t, body_a, body_b, at_impact);
  const double limit = motion_.run().certificate_limit;
  if (residuals.worst() <= limit) return true;
  const Model& model = motion_.model();
  return status_.fail(RunOutcome::over_certificate,
                      "the certificate residual of the contact of '" + body_name(model, body_a) + "' and '" +
                          body_name(model, body_b) + "' is " + number_text(residuals.worst()) +
                          ", more than certificate_limit = " + number_text(limit),
                      -1, body_b >= 0 ? body_b : body_a);
}

}  // namespace pintle
