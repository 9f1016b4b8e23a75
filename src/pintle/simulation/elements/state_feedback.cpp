#include "pintle/simulation/elements/state_feedback.h"

#include <utility>

#include "pintle/math/elementary.h"
#include "pintle/simulation/elements/actuator.h"
#include "pintle/simulation/elements/bound_command.h"

namespace pintle {
namespace {

/// One term k (x - x0) of the sum.
struct FeedbackTerm {
  BoundCommand state, reference;
  double gain;
};

class StateFeedback final : public Actuator {
 public:
  StateFeedback(const FeedbackSpec& spec, const JointCoordinate& coordinate, std::vector<FeedbackTerm> terms,
                BoundCommand feed_forward, double start)
      : Actuator(spec.name, coordinate, spec.gear, spec.effort_limit, spec.sampling, start, 0),
        terms_(std::move(terms)),
        feed_forward_(std::move(feed_forward)) {}

  bool needs_places() const override {
    bool any = feed_forward_.needs_places();
    for (const FeedbackTerm& term : terms_) any = any || term.state.needs_places() || term.reference.needs_places();
    return any;
  }

  bool counts_events() const override {
    bool any = feed_forward_.counts_events();
    for (const FeedbackTerm& term : terms_) any = any || term.state.counts_events() || term.reference.counts_events();
    return any;
  }

 private:
  double wanted(const Instant& at) override {
    double u = feed_forward_.value(at.in, at.q, at.qd);
    for (FeedbackTerm& term : terms_) {
      const double x = term.state.value(at.in, at.q, at.qd), x0 = term.reference.value(at.in, at.q, at.qd);
      u = fma(-term.gain, x - x0, u);
    }
    return u;
  }

  std::vector<FeedbackTerm> terms_;
  BoundCommand feed_forward_;
};

}  // namespace

Result<ForceElementPointer> make_state_feedback(const Model& model, const FeedbackSpec& spec, double start,
                                                const FormulaNames& known) {
  ElementChecker check("control", spec.name, spec.origin);
  const JointCoordinate coordinate = check.coordinate(model, spec.joint, spec.dof);
  const std::size_t n = spec.states.size();
  if (spec.gains.size() != n || (!spec.reference.empty() && spec.reference.size() != n)) {
    check.add("control-size",
              " has " + std::to_string(n) + " states, " + std::to_string(spec.gains.size()) + " gains for joint '" +
                  spec.joint + "' and " + std::to_string(spec.reference.size()) + " references",
              "each state has one gain, and one reference or none", "give as many of each");
    return check.problems();
  }
  const auto take = [&](const Command& command) {
    if (command.uses_position())
      check.needs_position(model, coordinate, "a formula of it depends on q", command.position_origin());
    return check.command(command, model, known);
  };
  std::vector<FeedbackTerm> terms;
  for (std::size_t i = 0; i < n; ++i) {
    check.finite("gain", spec.gains[i]);
    terms.push_back({take(spec.states[i]), spec.reference.empty() ? BoundCommand() : take(spec.reference[i]),
                     spec.gains[i]});
  }
  BoundCommand feed_forward = take(spec.feed_forward);
  check_actuator(check, spec.gear, 0.0, spec.effort_limit, spec.sampling);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(
      new StateFeedback(spec, coordinate, std::move(terms), std::move(feed_forward), start));
}

}  // namespace pintle
