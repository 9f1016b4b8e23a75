// Planned kernels on states of a model, as many at a time as they have lanes.
#pragma once

#include <new>
#include <vector>

#include "pintle/dynamics/kernels/planned_kernels.h"
#include "support/random_model.h"

namespace test {

/// Bytes at an address that is a multiple of 64.
class KernelScratch {
 public:
  explicit KernelScratch(std::size_t bytes) : data_(new (std::align_val_t(64)) std::byte[bytes + 1]) {}
  KernelScratch(const KernelScratch&) = delete;
  KernelScratch& operator=(const KernelScratch&) = delete;
  ~KernelScratch() { ::operator delete[](data_, std::align_val_t(64)); }

  std::byte* data() { return data_; }
  template <class B>
  B* numbers() {
    return reinterpret_cast<B*>(data_);
  }

 private:
  std::byte* data_;
};

/// The results of the kernels at one pack of states.
template <class B>
struct PlannedAnswers {
  std::vector<B> tau, vdot, M;  ///< value k of the state in lane l: k * lanes + l
  bool moves;
};

/// The values of several states side by side.
template <class B>
void put_side_by_side(const std::vector<RandomState>& states, std::vector<double> RandomState::*what, B* out) {
  const std::size_t lanes = states.size();
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t k = 0; k < (states[lane].*what).size(); ++k)
      out[k * lanes + lane] = static_cast<B>((states[lane].*what)[k]);
}

/// As many states as the kernels have lanes; `plan` is one of the model.
template <class B>
PlannedAnswers<B> planned_answers(const PlannedKernels<B>& kernels, const Model& model, const PlanView<B>& plan,
                                  const std::vector<RandomState>& states) {
  const std::size_t lanes = states.size(), n = lanes * static_cast<std::size_t>(model.nv()),
                    all = n * static_cast<std::size_t>(model.nv());
  KernelScratch q(lanes * sizeof(B) * static_cast<std::size_t>(model.nq())), v(n * sizeof(B)), given(n * sizeof(B)),
      out(n * sizeof(B)), M(all * sizeof(B)), memory(kernels.bytes(plan));
  PlannedAnswers<B> answers;
  put_side_by_side(states, &RandomState::q, q.numbers<B>());
  put_side_by_side(states, &RandomState::v, v.numbers<B>());
  put_side_by_side(states, &RandomState::vdot, given.numbers<B>());
  kernels.inverse_dynamics(plan, q.numbers<B>(), v.numbers<B>(), given.numbers<B>(), memory.data(), out.numbers<B>());
  answers.tau.assign(out.numbers<B>(), out.numbers<B>() + n);
  put_side_by_side(states, &RandomState::tau, given.numbers<B>());
  answers.moves = kernels.forward_dynamics(plan, q.numbers<B>(), v.numbers<B>(), given.numbers<B>(), memory.data(),
                                           out.numbers<B>());
  answers.vdot.assign(out.numbers<B>(), out.numbers<B>() + n);
  kernels.mass_matrix(plan, q.numbers<B>(), memory.data(), M.numbers<B>());
  answers.M.assign(M.numbers<B>(), M.numbers<B>() + all);
  return answers;
}

template <class B>
PlannedAnswers<B> planned_answers(const PlannedKernels<B>& kernels, const Model& model,
                                  const std::vector<RandomState>& states) {
  return planned_answers(kernels, model, model.plan().view<B>(), states);
}

/// For one state, by kernels of packs: it is in every lane, and the results are those of the first.
template <class B>
PlannedAnswers<B> answers_in_every_lane(const PlannedKernels<B>& kernels, const Model& model,
                                        const RandomState& state) {
  const std::size_t lanes = static_cast<std::size_t>(kernels.lanes);
  PlannedAnswers<B> answers = planned_answers(kernels, model, std::vector<RandomState>(lanes, state));
  for (std::vector<B>* part : {&answers.tau, &answers.vdot, &answers.M}) {
    for (std::size_t k = 0; k < part->size() / lanes; ++k) (*part)[k] = (*part)[k * lanes];
    part->resize(part->size() / lanes);
  }
  return answers;
}

}  // namespace test
