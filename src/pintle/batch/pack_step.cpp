#include "pintle/batch/pack_step.h"

#include "pintle/base/size.h"
#include "pintle/math/elementary_impl.h"

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
PackStep<T>::PackStep(const Model& model, std::span<const ChartJoint> joints, const BatchOptions& options,
                      MassMatrixFactor<>* factor, Arena& room)
    : PackStep(model, joints, PackDynamics<T>(model, options, factor, room), room) {}
template <class T>
PackStep<T>::PackStep(const ModelBatch<T>& models, std::span<const ChartJoint> joints, const BatchOptions& options,
                      MassMatrixFactor<>* factor, Arena& room)
    : PackStep(models[0], joints, PackDynamics<T>(models, options, factor, room, true), room) {}

template <class T>
PackStep<T>::PackStep(const Model& model, std::span<const ChartJoint> joints, const PackDynamics<T>& dynamics,
                      Arena& room)
    : joints_(joints),
      dynamics_(dynamics),
      nq_(model.nq()),
      nv_(model.nv()),
      lanes_(batch_lanes<T>()),
      free_(any_free(joints)),
      centers_(room.take<T>(3 * joints.size() * size(lanes_))),
      rotations_(room.take<T>(4 * joints.size() * size(lanes_))) {
  for (T** const numbers : {&xi_, &u0_, &u_}) *numbers = room.take<T>(size(nv_ * lanes_));
  for (T*& numbers : xi_rate_) numbers = room.take<T>(size(nv_ * lanes_));
  for (T*& numbers : u_rate_) numbers = room.take<T>(size(nv_ * lanes_));
}

template <class T>
void PackStep<T>::take_centers(std::span<const ChartJoint> joints, std::size_t lane) {
  T* center = centers_ + lane;
  for (const ChartJoint& joint : joints) {
    for (const double component : {joint.center.x, joint.center.y, joint.center.z}) {
      *center = static_cast<T>(component);
      center += lanes_;
    }
  }
}

template <class T>
unsigned PackStep<T>::step(Method method, T h, const T* q, const T* v, const T* tau, T* q1, T* v1) {
  return method == Method::rk4 ? rk4_step(h, q, v, tau, q1, v1) : euler_step(h, q, v, tau, q1, v1);
}

/// [eq. semi-implicit-euler]
template <class T>
unsigned PackStep<T>::euler_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1) {
  const unsigned singular = dynamics_.forward_dynamics(q, v, tau, u_rate_[0]);
  const int count = nv_ * lanes_;
  const T* const u0 = begin(v);
  T* const u = free_ ? u_ : v1;
  const auto moved = [h](const auto& rate, const auto& start) {
    return fma(std::decay_t<decltype(rate)>(h), rate, start);
  };
  map_numbers(count, u, moved, u_rate_[0], u0);
  map_numbers(
      count, xi_, [h](const auto& velocity) { return std::decay_t<decltype(velocity)>(h) * velocity; }, u);
  chart_states(q, xi_, u, q1, v1);
  return singular;
}

/// [eq. rk4]
template <class T>
unsigned PackStep<T>::rk4_step(T h, const T* q, const T* v, const T* tau, T* q1, T* v1) {
  const int count = nv_ * lanes_;
  unsigned singular = dynamics_.forward_dynamics(q, v, tau, u_rate_[0]);
  const T* const u0 = begin(v);
  T* const u = free_ ? u_ : v1;
  copy_numbers(u0, count, xi_rate_[0]);  // the first stage is the start itself
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
    map_numbers(count, u, moved, u_rate_[s - 1], u0);
    chart_states(q, xi_, u, q1, v1);
    rate(xi_, u, xi_rate_[s]);
    singular |= dynamics_.forward_dynamics(q1, v1, tau, u_rate_[s]);
    if (free_) to_chart_accelerations(v1, u_rate_[s]);
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
  map_numbers(count, u, sum, u_rate_[0], u_rate_[1], u_rate_[2], u_rate_[3], u0);
  chart_states(q, xi_, u, q1, v1);
  return singular;
}

/// A joint with a quaternion in a register of lanes.
template <class T>
struct PackStep<T>::JointPack {
  const ChartJoint& joint;
  Vec3<NativePack<T>> center;
  T* rotation;  ///< PackStep::rotations_
  int q, v;     ///< where its values begin in arrays of configurations and of velocities
};

/// Calls `function(JointPack)` for every joint with a quaternion and every register of lanes.
template <class T>
template <class Function>
void PackStep<T>::for_joint_packs(Function function) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const ChartJoint& joint = joints_[i];
    const T* const centers = centers_ + 3 * i * size(lanes_);
    for (int lane = 0; lane < lanes_; lane += NativePack<T>::kLanes) {
      const auto component = [&](int k) { return load<NativePack<T>>(centers + k * lanes_ + lane); };
      function(JointPack{joint,
                         {component(0), component(1), component(2)},
                         rotations_ + 4 * i * size(lanes_) + lane,
                         joint.q * lanes_ + lane,
                         joint.v * lanes_ + lane});
    }
  }
}

/// u at the start of a step; du/dt in place of the accelerations of u_rate_[0].  [eq. chart]
template <class T>
const T* PackStep<T>::begin(const T* v) {
  if (!free_) return v;
  copy_numbers(v, nv_ * lanes_, u0_);
  for_joint_packs([&](const JointPack& at) {
    if (at.joint.kind != JointKind::free) return;
    Column<T, kMaxDofs> velocity, acceleration, result;
    velocity.load_from(v + at.v, kMaxDofs, lanes_);
    acceleration.load_from(u_rate_[0] + at.v, kMaxDofs, lanes_);
    chart_acceleration_joint(at.joint.kind, at.center, NoRotation(), velocity.numbers, acceleration.numbers,
                             result.numbers);
    result.store_to(u_rate_[0] + at.v, kMaxDofs, lanes_);
    chart_velocity_joint(at.joint.kind, at.center, NoRotation(), velocity.numbers, result.numbers);
    result.store_to(u0_ + at.v, kMaxDofs, lanes_);
  });
  return u0_;
}

/// The states of (xi, u) around q; stores the rotations of the joints. v may be u.  [eq. chart]
template <class T>
void PackStep<T>::chart_states(const T* q0, const T* xi, const T* u, T* q, T* v) const {
  if (v != u) copy_numbers(u, nv_ * lanes_, v);
  for_joint_packs([&](const JointPack& at) {
    const JointKind kind = at.joint.kind;
    const int nq = facts(kind).nq, nv = facts(kind).nv;
    Column<T, kMaxDofs + 1> from, end;
    Column<T, kMaxDofs> way, velocity, result;
    from.load_from(q0 + at.q, nq, lanes_);
    way.load_from(xi + at.v, nv, lanes_);
    const auto r = chart_rotation_joint(kind, way.numbers);
    chart_point_joint(kind, at.center, r, from.numbers, way.numbers, end.numbers);
    end.store_to(q + at.q, nq, lanes_);
    if (kind != JointKind::free) return;
    velocity.load_from(u + at.v, nv, lanes_);
    velocity_of_chart_joint(kind, at.center, r, velocity.numbers, result.numbers);
    result.store_to(v + at.v, nv, lanes_);
    Column<T, 4>{{r.x, r.y, r.z, r.w}}.store_to(at.rotation, 4, lanes_);
  });
  const auto sum = [](const auto& start, const auto& way) { return start + way; };
  for_joints(
      joints_, nq_, [](const ChartJoint&) {},
      [&](int first_q, int first_v, int count) {
        map_numbers(count * lanes_, q + first_q * lanes_, sum, q0 + first_q * lanes_, xi + first_v * lanes_);
      });
}

/// to = dxi/dt.  [eq. chart]
template <class T>
void PackStep<T>::rate(const T* xi, const T* u, T* to) const {
  copy_numbers(u, nv_ * lanes_, to);
  for_joint_packs([&](const JointPack& at) {
    const int nv = facts(at.joint.kind).nv;
    Column<T, kMaxDofs> way, velocity, derivatives;
    way.load_from(xi + at.v, nv, lanes_);
    velocity.load_from(u + at.v, nv, lanes_);
    chart_rate_joint(at.joint.kind, way.numbers, velocity.numbers, derivatives.numbers);
    derivatives.store_to(to + at.v, nv, lanes_);
  });
}

/// The accelerations vdot at v become du/dt, in place, with the rotations of chart_states.  [eq. chart]
template <class T>
void PackStep<T>::to_chart_accelerations(const T* v, T* vdot) const {
  for_joint_packs([&](const JointPack& at) {
    if (at.joint.kind != JointKind::free) return;
    Column<T, 4> r;
    Column<T, kMaxDofs> velocity, acceleration, result;
    r.load_from(at.rotation, 4, lanes_);
    velocity.load_from(v + at.v, kMaxDofs, lanes_);
    acceleration.load_from(vdot + at.v, kMaxDofs, lanes_);
    const Quaternion<NativePack<T>> rotation{r.numbers[0], r.numbers[1], r.numbers[2], r.numbers[3]};
    chart_acceleration_joint(at.joint.kind, at.center, rotation, velocity.numbers, acceleration.numbers,
                             result.numbers);
    result.store_to(vdot + at.v, kMaxDofs, lanes_);
  });
}

template class PackStep<double>;
template class PackStep<float>;

}  // namespace pintle
