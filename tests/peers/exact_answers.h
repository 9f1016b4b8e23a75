// Answers in long double, for the cases in which engines disagree.
#pragma once

#include "engine.h"
#include "pintle/model/compiled/model.h"

namespace peers {

/// Forward dynamics by articulated bodies, C v as the difference of two inverse dynamics, the kinetic energy as v'Mv/2,
/// C by the template of coriolis_matrix: apart from the last none is computed as the engines do it.
class ExactAnswers {
 public:
  explicit ExactAnswers(const Mechanism& mechanism);

  /// Functions that no engine gets wrong are not here: std::logic_error.
  void find(Function function, const State& state, std::vector<double>& answer) const;

 private:
  pintle::Model model_;
};

}  // namespace peers
