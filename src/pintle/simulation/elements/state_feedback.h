// State feedback on one joint coordinate: one row of u = u0 - K (x - x0).
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "pintle/simulation/elements/command.h"
#include "pintle/simulation/elements/sample_hold.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

/// The effort on one dof of a joint, clipped at +-effort_limit:
///
///     u = feed_forward - sum over i of gains[i] (states[i] - reference[i])
///
/// States, references and feed-forward see all joints, sensors and event counts of a scene (CommandScope::scene). A
/// controller of several joints is one such row for each.  [eq. state-feedback]
struct FeedbackSpec {
  std::string name{};
  std::string joint{};
  int dof = 0;                       ///< its index within the joint
  std::vector<Command> states{};     ///< x
  std::vector<Command> reference{};  ///< x0, one for each state; empty: zero
  std::vector<double> gains{};       ///< [effort per state], one for each state
  Command feed_forward{};            ///< u0 [N m or N]
  double gear = 1.0;                 ///< as that of a motor
  double effort_limit = std::numeric_limits<double>::infinity();  ///< [N m or N]
  Sampling sampling{};
  Origin origin{};
};

/// The element for a run of a model that starts at time `start` [s]; `known`: what its formulas may name.
/// [eq. actuator]
Result<ForceElementPointer> make_state_feedback(const Model& model, const FeedbackSpec& spec, double start = 0.0,
                                                const FormulaNames& known = {});

}  // namespace pintle
