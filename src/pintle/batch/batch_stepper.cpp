#include "pintle/batch/batch_stepper.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/base/thread_pool.h"
#include "pintle/batch/pack_step.h"

namespace pintle {

/// The arguments of `step`.
template <class T>
struct BatchStepper<T>::Call {
  const BatchStates& states;
  T h;
  std::int64_t count;
  T *q, *v;
  const T* tau;
  std::size_t lanes;

  std::size_t entry(std::size_t state, std::size_t k, std::size_t numbers) const {
    return states.layout == BatchLayout::states ? state * numbers + k
                                                : (state / lanes * numbers + k) * lanes + state % lanes;
  }
};

/// The states of one thread: as many as a pack has lanes are active, the others wait or are done.
template <class T>
class BatchStepper<T>::Lanes {
  using Part = NativePack<T>;  // as many lanes as a register of this file's instruction set holds
  static constexpr int kMaxLanes = 16;

 public:
  Lanes(const BatchStepper& stepper, const Call* call, MassMatrixFactor<>* factor, Arena& room)
      : stepper_(stepper),
        call_(call),
        pack_(stepper.models_ == nullptr
                  ? PackStep<T>(stepper.model_, stepper.chart_joints_of(0), stepper.options_, factor, room)
                  : PackStep<T>(*stepper.models_, stepper.chart_joints_of(0), stepper.options_, factor, room)),
        nq_(size(stepper.model_.nq())),
        nv_(size(stepper.model_.nv())),
        lanes_(size(batch_lanes<T>())),
        state_(room.take<std::size_t>(lanes_)),
        left_(room.take<std::int64_t>(lanes_)) {
    for (T** const numbers : {&q_, &q1_}) *numbers = room.take<T>(nq_ * lanes_);
    for (T** const numbers : {&v_, &v1_, &tau_}) *numbers = room.take<T>(nv_ * lanes_);
    joint_v_ = room.take<T>(size(stepper.model_.joint_nv()) * lanes_);
    for (T** const numbers : {&lower_, &upper_, &rubs_}) *numbers = room.take<T>(stepper.bounded_.size() * lanes_);
  }

  /// Moves the states first ... end - 1. Returns how many were stopped.
  std::size_t run(std::size_t first, std::size_t end, StoppedState* stopped) {
    waiting_ = first;
    end_ = end;
    stopped_ = stopped;
    stopped_count_ = 0;
    under_way_ = 0;
    mixed_ = false;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      left_[lane] = 0;
      take_parameters(0, lane);
    }
    fill_all();
    while (under_way_ > 0) {
      find_events(pack_.step(stepper_.method_, call_->h, q_, v_, tau_, q1_, v1_));
      std::swap(q_, q1_);  // now the step is made, and 1 is its start
      std::swap(v_, v1_);
      together_ = together_ && events_ == 0;
      if (together_ && left_[0] == 1) {
        leave_together();
        continue;
      }
      if (events_ != 0) mix_models();
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        if (left_[lane] == 0) continue;
        if ((events_ >> lane & 1u) != 0) {
          stopped_[stopped_count_++] = {state_[lane], call_->count - left_[lane], why_[lane], dof_[lane]};
          leave(lane, q1_, v1_);
        } else if (--left_[lane] == 0) {
          leave(lane, q_, v_);
        }
      }
    }
    return stopped_count_;
  }

 private:
  /// Loads waiting states into all lanes, which must be free: a whole pack at once where that many wait.
  void fill_all() {
    together_ = waiting_ % lanes_ == 0 && waiting_ + lanes_ <= end_;
    const bool whole_models = stepper_.model_count_ % lanes_ == 0;
    if (!together_ || !whole_models) mix_models();
    if (!together_) {
      for (std::size_t lane = 0; lane < lanes_; ++lane) fill(lane);
      return;
    }
    const std::size_t first = waiting_;
    const auto load = [&](const T* from, std::size_t numbers, T* to) {
      if (call_->states.layout == BatchLayout::packs) {
        std::copy_n(from + first * numbers, numbers * lanes_, to);
      } else {
        planned_pack_kernels<T>().rows_to_packs(from + first * numbers, numbers, to);
      }
    };
    load(call_->q, nq_, q_);
    load(call_->v, nv_, v_);
    load(call_->tau, nv_, tau_);
    if (whole_models) {
      mixed_ = false;
      pack_.dynamics().begin(first / lanes_);
    }
    for (std::size_t lane = 0; lane < lanes_; ++lane) begin(lane);
  }

  /// From now on every lane has its own model, that of its state: prepared packs of models no longer apply.
  void mix_models() {
    if (stepper_.models_ == nullptr || mixed_) return;
    mixed_ = true;
    pack_.dynamics().begin_mixed();
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      if (left_[lane] > 0) pack_.dynamics().put_model(model_in(lane), static_cast<int>(lane));
  }
  std::size_t model_in(std::size_t lane) const { return state_[lane] % stepper_.model_count_; }

  /// Hands back all states, which end together, and loads others.
  void leave_together() {
    const auto store = [&](const T* from, std::size_t numbers, T* to) {
      if (call_->states.layout == BatchLayout::packs) {
        std::copy_n(from, numbers * lanes_, to + state_[0] * numbers);
      } else {
        planned_pack_kernels<T>().packs_to_rows(from, numbers, to + state_[0] * numbers);
      }
    };
    store(q_, nq_, call_->q);
    store(v_, nv_, call_->v);
    for (std::size_t lane = 0; lane < lanes_; ++lane) left_[lane] = 0;
    under_way_ = 0;
    fill_all();
  }

  /// The next waiting state begins in a lane, to which its values have been or will be copied.
  void begin(std::size_t lane) {
    state_[lane] = waiting_++;
    left_[lane] = call_->count;
    ++under_way_;
    if (stepper_.models_ == nullptr) return;
    if (mixed_) pack_.dynamics().put_model(model_in(lane), static_cast<int>(lane));
    take_parameters(model_in(lane), lane);
  }

  /// Loads the next waiting state into a free lane; if none is left, a copy of an active one, so that the lane computes
  /// valid values.
  void fill(std::size_t lane) {
    const bool any = waiting_ < end_;
    if (!any && under_way_ == 0) return;
    if (!any) {
      std::size_t other = 0;
      while (left_[other] == 0) ++other;
      copy_lane(other, lane);
      return;
    }
    begin(lane);
    const auto load = [&](const T* from, std::size_t numbers, T* to) {
      for (std::size_t k = 0; k < numbers; ++k) to[k * lanes_ + lane] = from[call_->entry(state_[lane], k, numbers)];
    };
    load(call_->q, nq_, q_);
    load(call_->v, nv_, v_);
    load(call_->tau, nv_, tau_);
  }

  /// Bounds and centres of mass of a model, for a lane.
  void take_parameters(std::size_t model, std::size_t lane) {
    pack_.take_centers(stepper_.chart_joints_of(model), lane);
    for (std::size_t i = 0; i < stepper_.bounded_.size(); ++i) {
      const Bound& bound = stepper_.bounds_[model * stepper_.bounded_.size() + i];
      lower_[i * lanes_ + lane] = bound.lower;
      upper_[i * lanes_ + lane] = bound.upper;
      rubs_[i * lanes_ + lane] = bound.rubs;
    }
  }

  void copy_lane(std::size_t from, std::size_t to) {
    const auto copy = [&](T* numbers, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) numbers[k * lanes_ + to] = numbers[k * lanes_ + from];
    };
    copy(q_, nq_);
    copy(v_, nv_);
    copy(tau_, nv_);
  }

  /// Hands back the state of a lane as it is in q and v, and loads the next one.
  void leave(std::size_t lane, const T* q, const T* v) {
    for (std::size_t k = 0; k < nq_; ++k) call_->q[call_->entry(state_[lane], k, nq_)] = q[k * lanes_ + lane];
    for (std::size_t k = 0; k < nv_; ++k) call_->v[call_->entry(state_[lane], k, nv_)] = v[k * lanes_ + lane];
    left_[lane] = 0;
    --under_way_;
    fill(lane);
  }

  void find_events(unsigned singular);
  void find_rubbing();
  void note(unsigned lanes, BatchStop why, int dof = -1);
  unsigned not_finite() const;

  const BatchStepper& stepper_;
  const Call* call_;
  PackStep<T> pack_;
  std::size_t nq_, nv_, lanes_;
  std::size_t* state_;                       // of each lane
  std::int64_t* left_;                       // steps of each lane; 0: it is free
  T *q_, *q1_, *v_, *v1_, *tau_, *joint_v_;  // 1: after the step
  T *lower_, *upper_, *rubs_;                // of the bounded dofs
  unsigned events_ = 0;                      // of the last step: one bit for each lane whose step is rejected
  BatchStop why_[kMaxLanes];
  int dof_[kMaxLanes];
  std::size_t waiting_ = 0, end_ = 0, under_way_ = 0;
  bool mixed_ = false;     // lanes have the models of their states, one by one
  bool together_ = false;  // all lanes hold states that follow each other, from the first of a pack, and began as one
  StoppedState* stopped_ = nullptr;
  std::size_t stopped_count_ = 0;
};

/// Rejects the last step in lanes with an event, unless another event already did.
template <class T>
void BatchStepper<T>::Lanes::note(unsigned lanes, BatchStop why, int dof) {
  for (unsigned fresh = lanes & ~events_; fresh != 0; fresh &= fresh - 1) {
    const int lane = __builtin_ctz(fresh);
    why_[lane] = why;
    dof_[lane] = dof;
  }
  events_ |= lanes;
}

/// Lanes in which a value is infinite or NaN.
template <class T>
unsigned BatchStepper<T>::Lanes::not_finite() const {
  unsigned bits = 0;
  for (std::size_t lane = 0; lane < lanes_; lane += size(Part::kLanes)) {
    Part sum(T(0));  // x - x is zero unless x is infinite or NaN
    const auto add = [&](const T* numbers, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        const Part x = load<Part>(numbers + k * lanes_ + lane);
        sum = sum + (x - x);
      }
    };
    add(q1_, nq_);
    add(v1_, nv_);
    bits |= lane_bits(!(sum == Part(T(0)))) << lane;
  }
  return bits;
}

template <class T>
void BatchStepper<T>::Lanes::find_events(unsigned singular) {
  events_ = 0;
  note(singular, BatchStop::no_acceleration);
  note(not_finite(), BatchStop::not_finite);
  if (stepper_.bounded_.empty()) return;
  const T* const q = pack_.dynamics().joint_q(q1_);
  for (std::size_t i = 0; i < stepper_.bounded_.size(); ++i) {
    const Bounded& bounded = stepper_.bounded_[i];
    if (bounded.q < 0) continue;
    unsigned beyond = 0;
    for (std::size_t lane = 0; lane < lanes_; lane += size(Part::kLanes)) {
      const Part x = load<Part>(q + size(bounded.q) * lanes_ + lane);
      const Part lower = load<Part>(lower_ + i * lanes_ + lane), upper = load<Part>(upper_ + i * lanes_ + lane);
      beyond |= lane_bits(x < lower || x > upper) << lane;
    }
    note(beyond, BatchStop::limit, bounded.dof);
  }
  if (stepper_.rubs_) find_rubbing();
}

template <class T>
void BatchStepper<T>::Lanes::find_rubbing() {
  const std::size_t count = size(stepper_.model_.joint_nv()) * lanes_;
  std::copy_n(pack_.dynamics().joint_v(v_), count, joint_v_);
  const T* const after = pack_.dynamics().joint_v(v1_);
  const Part zero(T(0));
  for (std::size_t i = 0; i < stepper_.bounded_.size(); ++i) {
    const Bounded& bounded = stepper_.bounded_[i];
    if (!bounded.rubs) continue;
    unsigned slides = 0;  // or has no friction
    for (std::size_t lane = 0; lane < lanes_; lane += size(Part::kLanes)) {
      const std::size_t at = size(bounded.dof) * lanes_ + lane;
      const Part a = load<Part>(joint_v_ + at), b = load<Part>(after + at);
      const Part rubs = load<Part>(rubs_ + i * lanes_ + lane);
      slides |= lane_bits((a > zero && b > zero) || (a < zero && b < zero) || rubs == zero) << lane;
    }
    note(~slides & ((1u << lanes_) - 1), BatchStop::friction, bounded.dof);
  }
}

template <class T>
BatchStepper<T>::BatchStepper(const Model& model, Method method, std::size_t max_states, ThreadPool* threads,
                              const BatchOptions& options)
    : BatchStepper(model, nullptr, method, max_states, threads, options) {}
template <class T>
BatchStepper<T>::BatchStepper(const ModelBatch<T>& models, Method method, std::size_t max_states, ThreadPool* threads,
                              const BatchOptions& options)
    : BatchStepper(models[0], &models, method, max_states, threads, options) {}

template <class T>
BatchStepper<T>::BatchStepper(const Model& model, const ModelBatch<T>* models, Method method, std::size_t max_states,
                              ThreadPool* threads, const BatchOptions& options)
    : model_(model),
      models_(models),
      model_count_(models == nullptr ? 1 : models->size()),
      method_(method),
      pool_(threads),
      options_(options),
      parts_(threads == nullptr ? 1 : size(threads->size())),
      stopped_(max_states),
      counts_(parts_),
      factors_(parts_) {
  require(method == Method::semi_implicit_euler || method == Method::rk4, "BatchStepper", "method",
          "batches support semi_implicit_euler and rk4 only");
  for (std::size_t i = 0; i < model_count_; ++i)
    for (const ModelJoint& joint : model_of(i).joints())
      require(!joint.prescribed, "BatchStepper", "model",
              "it has a joint with prescribed motion: step such models one by one");
  for (std::size_t i = 0; i < model_count_; ++i)
    for (const ChartJoint& joint : chart_joints(model_of(i))) joints_.push_back(joint);
  find_bounds();
  Arena room;
  (void)Lanes(*this, nullptr, nullptr, room);
  bytes_each_ = room.used();
  memory_ = AlignedMemory(parts_ * bytes_each_);
  for (MassMatrixFactor<>& factor : factors_)
    if (model.has_couplings()) factor = MassMatrixFactor<>(model);
}

template <class T>
std::span<const ChartJoint> BatchStepper<T>::chart_joints_of(std::size_t model) const {
  const std::size_t count = joints_.size() / model_count_;
  return std::span(joints_).subspan(model * count, count);
}

/// For the dofs that have a limit or friction in some model.
template <class T>
void BatchStepper<T>::find_bounds() {
  const auto rubs_in = [&](const ModelDof& dof) {
    return options_.passive && options_.friction && dof.passive.friction > 0.0;
  };
  for (std::size_t i = 0; i < model_.dofs().size(); ++i) {
    const ModelDof& first = model_.dofs()[i];
    bool limited = false, rubs = false;
    for (std::size_t k = 0; k < model_count_; ++k) {
      const ModelDof& dof = model_of(k).dofs()[i];
      limited = limited || dof.limits.lower > -__builtin_inf() || dof.limits.upper < __builtin_inf();
      rubs = rubs || rubs_in(dof);
    }
    rubs_ = rubs_ || rubs;
    if (limited || rubs)
      bounded_.push_back(
          {static_cast<int>(i), limited ? model_.joints()[size(first.joint)].q + first.index : -1, rubs});
  }
  for (std::size_t k = 0; k < model_count_; ++k) {
    for (const Bounded& bounded : bounded_) {
      const ModelDof& dof = model_of(k).dofs()[size(bounded.dof)];
      bounds_.push_back({static_cast<T>(dof.limits.lower), static_cast<T>(dof.limits.upper), T(rubs_in(dof) ? 1 : 0)});
    }
  }
}

template <class T>
std::span<const StoppedState> BatchStepper<T>::step(const BatchStates& states, double h, std::int64_t count,
                                                    std::span<T> q, std::span<T> v, std::span<const T> tau) {
  const std::size_t of_v = batch_size<T>(states, model_.nv());
  require_size("BatchStepper::step", "q", q.size(), batch_size<T>(states, model_.nq()));
  require_size("BatchStepper::step", "v", v.size(), of_v);
  require_size("BatchStepper::step", "tau", tau.size(), of_v);
  require(states.count <= stopped_.size(), "BatchStepper::step", "states",
          "there are more states than the stepper was made for");
  require(count >= 0, "BatchStepper::step", "count", "it must not be negative");
  if (count == 0 || states.count == 0) return {};
  const std::size_t lanes = size(batch_lanes<T>());
  const Call call{states, static_cast<T>(h), count, q.data(), v.data(), tau.data(), lanes};
  const std::size_t packs = (states.count + lanes - 1) / lanes;
  const std::size_t chunk = (packs + parts_ - 1) / parts_ * lanes;
  std::byte* const memory = memory_.data();
  for (std::size_t& stopped : counts_) stopped = 0;
  const auto share = [&](std::size_t begin, std::size_t end) {
    const std::size_t part = begin / chunk;
    Arena room(memory + part * bytes_each_);
    counts_[part] = Lanes(*this, &call, &factors_[part], room).run(begin, end, stopped_.data() + begin);
  };
  if (pool_ == nullptr) {
    share(0, states.count);
  } else {
    pool_->parallel_for(states.count, chunk, share);
  }
  std::size_t stopped = 0;
  for (std::size_t part = 0; part < parts_; ++part)
    for (std::size_t i = 0; i < counts_[part]; ++i) stopped_[stopped++] = stopped_[part * chunk + i];
  std::sort(stopped_.begin(), stopped_.begin() + stopped,
            [](const StoppedState& a, const StoppedState& b) { return a.state < b.state; });
  return {stopped_.data(), stopped};
}

template class BatchStepper<double>;
template class BatchStepper<float>;

}  // namespace pintle
