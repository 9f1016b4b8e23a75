#include "pintle/batch/pack_step.h"

#include "pintle/base/size.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/simulation/integrators/chart_impl.h"

namespace pintle {
namespace {

/// `Count` values of as many lanes as a register of this file's instruction set holds.
template <class T, int Count>
struct Column {
  NativePack<T> numbers[Count];

  PINTLE_INLINE void load_from(const T* from, int count, int lanes) {
    for (int k = 0; k < count; ++k) numbers[k] = load<NativePack<T>>(from + k * lanes);
  }
  PINTLE_INLINE void store_to(T* to, int count, int lanes) const {
    for (int k = 0; k < count; ++k) store(numbers[k], to + k * lanes);
  }
};

}  // namespace

template <class T>
PackStep<T>::PackStep(const Model& model, std::span<const IndependentJoint> turning, const BatchOptions& options,
                      MassMatrixFactor<>* factor, Arena& room)
    : PackStep(model, turning, PackDynamics<T>(model, options, factor, room), room) {}
template <class T>
PackStep<T>::PackStep(const ModelBatch<T>& models, std::span<const IndependentJoint> turning,
                      const BatchOptions& options, MassMatrixFactor<>* factor, Arena& room)
    : PackStep(models[0], turning, PackDynamics<T>(models, options, factor, room, true), room) {}

template <class T>
PackStep<T>::PackStep(const Model& model, std::span<const IndependentJoint> turning, const PackDynamics<T>& dynamics,
                      Arena& room)
    : turning_(turning),
      dynamics_(dynamics),
      nq_(model.nq()),
      nv_(model.nv()),
      lanes_(batch_lanes<T>()),
      xi_(room.take<T>(size(nv_ * lanes_))) {
  for (T*& numbers : xi_rate_) numbers = room.take<T>(size(nv_ * lanes_));
  for (T*& numbers : vdot_) numbers = room.take<T>(size(nv_ * lanes_));
}

template <class T>
unsigned PackStep<T>::step(Method method, T h, const T* q, const T* v, const T* tau, T* q1, T* v1) {
  return method == Method::rk4 ? rk4_step(h, q, v, tau, q1, v1) : euler_step(h, q, v, tau, q1, v1);
}

/// [eq. semi-implicit-euler]
template <class T>
unsigned PackStep<T>::euler_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1) {
  const unsigned singular = dynamics_.forward_dynamics(q, v, tau, vdot_[0]);
  const int count = nv_ * lanes_;
  const auto moved = [h](const auto& rate, const auto& start) {
    return fma(std::decay_t<decltype(rate)>(h), rate, start);
  };
  map_numbers(count, v1, moved, vdot_[0], v);
  map_numbers(
      count, xi_, [h](const auto& velocity) { return std::decay_t<decltype(velocity)>(h) * velocity; }, v1);
  point(q, xi_, q1);
  return singular;
}

/// [eq. rk4]
template <class T>
unsigned PackStep<T>::rk4_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1) {
  const int count = nv_ * lanes_;
  copy_numbers(v, count, xi_rate_[0]);  // the first stage is the start itself
  unsigned singular = dynamics_.forward_dynamics(q, v, tau, vdot_[0]);
  const T half = T(0.5) * h, steps[] = {half, half, h};
  for (int s = 1; s < 4; ++s) {
    const T step = steps[s - 1];
    const auto moved = [step](const auto& rate, const auto& start) {
      return fma(std::decay_t<decltype(rate)>(step), rate, start);
    };
    const auto way = [step](const auto& rate) {
      using N = std::decay_t<decltype(rate)>;
      return fma(N(step), rate, N(T(0)));
    };
    map_numbers(count, xi_, way, xi_rate_[s - 1]);
    map_numbers(count, v1, moved, vdot_[s - 1], v);
    point(q, xi_, q1);
    rate(xi_, v1, xi_rate_[s]);
    singular |= dynamics_.forward_dynamics(q1, v1, tau, vdot_[s]);
  }
  const T sixth = h / T(6);
  const auto sum = [sixth](const auto& k1, const auto& k2, const auto& k3, const auto& k4, const auto& start) {
    using N = std::decay_t<decltype(start)>;
    return start + N(sixth) * fma(N(T(2)), k2 + k3, k1 + k4);
  };
  const auto whole_way = [&](const auto& k1, const auto& k2, const auto& k3, const auto& k4) {
    return sum(k1, k2, k3, k4, std::decay_t<decltype(k1)>(T(0)));
  };
  map_numbers(count, xi_, whole_way, xi_rate_[0], xi_rate_[1], xi_rate_[2], xi_rate_[3]);
  map_numbers(count, v1, sum, vdot_[0], vdot_[1], vdot_[2], vdot_[3], v);
  point(q, xi_, q1);
  return singular;
}

/// to = integrate(q, xi).  [eq. chart]
template <class T>
void PackStep<T>::point(const T* q, const T* xi, T* to) const {
  const auto turn = [&](const IndependentJoint& at) {
    const int nq = facts(at.kind).nq, nv = facts(at.kind).nv, first_q = at.q * lanes_, first_v = at.v * lanes_;
    for (int lane = 0; lane < lanes_; lane += NativePack<T>::kLanes) {
      Column<T, kMaxDofs + 1> from, end;
      Column<T, kMaxDofs> way;
      from.load_from(q + first_q + lane, nq, lanes_);
      way.load_from(xi + first_v + lane, nv, lanes_);
      integrate_joint(at.kind, from.numbers, way.numbers, end.numbers);
      end.store_to(to + first_q + lane, nq, lanes_);
    }
  };
  const auto sum = [](const auto& start, const auto& way) { return start + way; };
  for_joints(turning_, nq_, turn, [&](int first_q, int first_v, int count) {
    map_numbers(count * lanes_, to + first_q * lanes_, sum, q + first_q * lanes_, xi + first_v * lanes_);
  });
}

/// to = dxi/dt.  [eq. chart]
template <class T>
void PackStep<T>::rate(const T* xi, const T* v, T* to) const {
  const auto turn = [&](const IndependentJoint& at) {
    const int nv = facts(at.kind).nv, first = at.v * lanes_;
    for (int lane = 0; lane < lanes_; lane += NativePack<T>::kLanes) {
      Column<T, kMaxDofs> way, velocity, derivatives;
      way.load_from(xi + first + lane, nv, lanes_);
      velocity.load_from(v + first + lane, nv, lanes_);
      difference_rate_joint(at.kind, way.numbers, velocity.numbers, derivatives.numbers);
      derivatives.store_to(to + first + lane, nv, lanes_);
    }
  };
  for_joints(turning_, nq_, turn,
             [&](int, int first, int count) { copy_numbers(v + first * lanes_, count * lanes_, to + first * lanes_); });
}

template class PackStep<double>;
template class PackStep<float>;

}  // namespace pintle
