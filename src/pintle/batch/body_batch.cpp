#include "pintle/batch/body_batch.h"

#include <algorithm>
#include <cmath>

#include "pintle/base/kernel_choice.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/elementary_impl.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(FlightPackKernels, flight_pack_kernels)

const FlightPackKernels& flight_pack_kernels_in_use() {
  return chosen_flight_pack_kernels();
}

namespace {

/// Of two packs.
template <class T>
constexpr int kMaxLanes = 128 / sizeof(T);
/// Maximum number of impacts of one body within a step.
constexpr int kMaxImpacts = 8;
/// A body nearer to the plane than this is in contact, and sinks this far before it touches again [m].
constexpr double kSinks = 1e-11;
/// A body may start a step below the plane by this many times kSinks and this many times its rounding.
constexpr double kMaxSinks = 100.0, kMaxRoundings = 16.0;
/// Tolerance of the time of impact [s].
constexpr double kInstant = 1e-12;
/// Position of lanes without a body [m].
constexpr double kFarAway = 1e30;

/// The scalars of a struct that holds nothing else.
template <class Struct>
double* numbers_in(Struct& of) {
  return reinterpret_cast<double*>(&of);
}

/// Also as scalars of T.
template <class T>
bool is_finite(FlightMotion<double> motion) {
  const double* const numbers = numbers_in(motion);
  return std::all_of(numbers, numbers + kFlightMotion, [](double x) { return std::isfinite(static_cast<T>(x)); });
}

template <class To, class From>
Vec3<To> rounded(const Vec3<From>& a) {
  return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

template <class To, class From>
FreeBodyState<To> rounded(const FreeBodyState<From>& state) {
  const Quaternion<From>& q = state.orientation;
  return {rounded<To>(state.position),
          {static_cast<To>(q.x), static_cast<To>(q.y), static_cast<To>(q.z), static_cast<To>(q.w)},
          {rounded<To>(state.momentum.linear), rounded<To>(state.momentum.angular)}};
}

/// About c. The reach of the shape is rounded up.
FlightParameters<double> numbers_of(const BatchBody& of) {
  const auto& [place, ball, disc, sides] = of.shape;
  const Vec3<> from_center = place - of.body.center;
  const double reach = norm(from_center) + ball + disc + norm(sides);
  return {of.body.mass, 1.0 / of.body.mass, of.body.mobility, from_center, ball, disc, sides, reach * (1.0 + 1e-14)};
}

bool is_principal(const SymMat3<>& I) {
  return I.xy == 0.0 && I.xz == 0.0 && I.yz == 0.0;
}

double sign(double x) {
  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

/// The point of a shape, from c in body axes, that is nearest to a plane with the normal n_B; the midpoint of an edge
/// or a face that is parallel to it.
Vec3<> nearest_point(const FlightParameters<double>& body, const Vec3<>& n_B) {
  const double across = std::sqrt(n_B.x * n_B.x + n_B.y * n_B.y);
  const double of_disc = across < 1e-12 ? 0.0 : body.disc / across;
  const Vec3<>& e = body.extent;
  return body.place - body.ball * n_B -
         Vec3<>{e.x * sign(n_B.x) + of_disc * n_B.x, e.y * sign(n_B.y) + of_disc * n_B.y, e.z * sign(n_B.z)};
}

}  // namespace

BatchShape batch_sphere(double radius) {
  return {.ball = radius};
}
BatchShape batch_box(const Vec3<>& half_sides) {
  return {.half_sides = half_sides};
}
BatchShape batch_cylinder(double radius, double length) {
  return {.disc = radius, .half_sides = {0, 0, 0.5 * length}};
}
BatchShape batch_capsule(double radius, double length) {
  return {.ball = radius, .half_sides = {0, 0, 0.5 * length}};
}

template <class T>
struct BodyBatch<T>::Call {
  double h;
  std::int64_t count;
  std::span<FreeBodyState<T>> states;
};

/// The bodies of one thread: as many as two packs have lanes are active, the others wait or are done.
template <class T>
class BodyBatch<T>::Lanes {
 public:
  Lanes(const BodyBatch& batch, const Call& call, T* memory)
      : batch_(batch),
        call_(call),
        width_(flight_packs_in_use<T>().width),
        bodies_(memory),
        now_(bodies_ + kFlightParameters * kMaxLanes<T>),
        before_(now_ + kFlightMotion * kMaxLanes<T>) {}

  /// Entries of its memory.
  static constexpr std::size_t kMemory = size_t{kFlightParameters + 2 * kFlightMotion} * kMaxLanes<T>;

  /// Moves the bodies first ... end - 1. Returns how many were stopped.
  std::size_t run(std::size_t first, std::size_t end, StoppedBody* stopped) {
    waiting_ = first;
    end_ = end;
    stopped_ = stopped;
    for (int lane = 0; lane < 2 * width_; ++lane) fill(lane);
    while (under_way_ > 0) {
      std::int64_t max_steps = call_.count;
      for (int lane = 0; lane < 2 * width_; ++lane)
        if (left_[lane] > 0) max_steps = std::min(max_steps, left_[lane]);
      unsigned touched = 0;
      const std::int64_t made =
          flight_packs_in_use<T>().steps(batch_.field_, bodies_, call_.h, max_steps, now_, before_, &touched);
      for (int lane = 0; lane < 2 * width_; ++lane) {
        if (left_[lane] == 0) continue;
        left_[lane] -= made;
        if ((touched >> lane & 1u) != 0 && !treat_alone(lane)) continue;
        if (left_[lane] == 0) leave(lane, get(now_, lane));
      }
    }
    return stopped_count_;
  }

  std::int64_t impacts() const { return impacts_; }

 private:
  FlightMotion<double> get(const T* motions, int lane) const {
    FlightMotion<double> motion;
    for (int k = 0; k < kFlightMotion; ++k)
      numbers_in(motion)[k] = motions[flight_entry(width_, kFlightMotion, lane, k)];
    return motion;
  }
  void put(FlightMotion<double> motion, int lane) {
    for (int k = 0; k < kFlightMotion; ++k)
      now_[flight_entry(width_, kFlightMotion, lane, k)] = static_cast<T>(numbers_in(motion)[k]);
  }

  /// Loads the next waiting body into a free lane; if none is left, one without a shape, far away, at rest.
  void fill(int lane) {
    const bool any = waiting_ < end_;
    FlightParameters<double> body{};
    FlightMotion<double> motion{};
    left_[lane] = 0;
    if (any) {
      body_[lane] = waiting_++;
      body = batch_.bodies_[body_[lane]];
      motion = batch_.motion_of(body_[lane], call_.states[body_[lane]]);
      left_[lane] = call_.count;
      ++under_way_;
    } else {
      motion.position = kFarAway * batch_.field_.normal;
      motion.orientation.w = 1.0;
    }
    for (int k = 0; k < kFlightParameters; ++k)
      bodies_[flight_entry(width_, kFlightParameters, lane, k)] = static_cast<T>(numbers_in(body)[k]);
    put(motion, lane);
  }

  /// Hands back the body of a lane, and loads the next one.
  void leave(int lane, const FlightMotion<double>& motion) {
    call_.states[body_[lane]] = batch_.state_of(body_[lane], motion);
    --under_way_;
    fill(lane);
  }

  /// Repeats the last step, in double, with the impacts on the plane. False where the body stopped and left.
  bool treat_alone(int lane) {
    const FlightMotion<double> start = get(before_, lane);
    FlightMotion<double> end = get(now_, lane);
    if constexpr (sizeof(T) == sizeof(float)) {
      end = start;
      flight_pack_kernels_in_use().step(batch_.field_, batch_.bodies_[body_[lane]], call_.h, end);
    }
    if (batch_.pass_impacts(body_[lane], call_.h, start, end, impacts_)) {
      put(end, lane);
      return true;
    }
    stopped_[stopped_count_++] = {body_[lane], call_.count - left_[lane] - 1, is_finite<T>(get(now_, lane))};
    leave(lane, start);
    return false;
  }

  const BodyBatch& batch_;
  const Call& call_;
  int width_;
  T *bodies_, *now_, *before_;
  std::size_t body_[kMaxLanes<T>] = {};
  std::int64_t left_[kMaxLanes<T>] = {};  // steps; 0: the lane is free
  std::size_t waiting_ = 0, end_ = 0, under_way_ = 0, stopped_count_ = 0;
  StoppedBody* stopped_ = nullptr;
  std::int64_t impacts_ = 0;
};

template <class T>
BodyBatch<T>::BodyBatch(std::span<const BatchBody> bodies, const Vec3<>& gravity, ThreadPool* threads)
    : pool_(threads),
      parts_(threads == nullptr ? 1 : static_cast<std::size_t>(threads->size())),
      memory_(parts_ * Lanes::kMemory * sizeof(T)),
      stopped_(bodies.size()),
      stopped_counts_(parts_),
      impact_counts_(parts_) {
  static_assert(Lanes::kMemory * sizeof(T) % AlignedMemory::kAlignment == 0);
  field_.gravity = gravity;
  field_.principal = true;
  for (const BatchBody& body : bodies) {
    require(body.body.mass > 0.0, "BodyBatch", "bodies", "the mass of every body must be positive");
    bodies_.push_back(numbers_of(body));
    centers_.push_back(body.body.center);
    field_.principal = field_.principal && is_principal(body.body.mobility);
  }
}

template <class T>
BodyBatch<T>::BodyBatch(std::span<const BatchBody> bodies, const Vec3<>& gravity, const BatchGround& ground,
                        ThreadPool* threads)
    : BodyBatch(bodies, gravity, threads) {
  const double length = norm(ground.normal);
  require(length > 0.0, "BodyBatch", "ground", "its normal must not be zero");
  require(ground.friction >= 0.0, "BodyBatch", "ground", "its friction must not be negative");
  require(ground.restitution >= 0.0 && ground.restitution <= 1.0, "BodyBatch", "ground",
          "its restitution must be between 0 and 1");
  ground_ = ground;
  field_.ground = true;
  field_.normal = (1.0 / length) * ground.normal;
  field_.place = ground.place;
}

template <class T>
std::span<const StoppedBody> BodyBatch<T>::step(double h, std::int64_t count, std::span<FreeBodyState<T>> states) {
  require_size("BodyBatch::step", "states", states.size(), bodies_.size());
  require(count >= 0, "BodyBatch::step", "count", "it must not be negative");
  impacts_ = 0;
  if (count == 0 || states.empty()) return {};
  const Call call{h, count, states};
  const std::size_t lanes = 2 * static_cast<std::size_t>(flight_packs_in_use<T>().width);
  const std::size_t chunk = ((states.size() + lanes - 1) / lanes + parts_ - 1) / parts_ * lanes;
  T* const memory = reinterpret_cast<T*>(memory_.data());
  for (std::size_t part = 0; part < parts_; ++part) stopped_counts_[part] = 0, impact_counts_[part] = 0;
  const auto share = [&](std::size_t begin, std::size_t end) {
    const std::size_t part = begin / chunk;
    Lanes under_way(*this, call, memory + part * Lanes::kMemory);
    stopped_counts_[part] = under_way.run(begin, end, stopped_.data() + begin);
    impact_counts_[part] = under_way.impacts();
  };
  if (pool_ == nullptr) {
    share(0, states.size());
  } else {
    pool_->parallel_for(states.size(), chunk, share);
  }
  std::size_t stopped = 0;
  for (std::size_t part = 0; part < parts_; ++part) {
    impacts_ += impact_counts_[part];
    for (std::size_t i = 0; i < stopped_counts_[part]; ++i) stopped_[stopped++] = stopped_[part * chunk + i];
  }
  std::sort(stopped_.begin(), stopped_.begin() + stopped,
            [](const StoppedBody& a, const StoppedBody& b) { return a.body < b.body; });
  return {stopped_.data(), stopped};
}

/// From b to c.  [eq. momentum-inverse]
template <class T>
FlightMotion<double> BodyBatch<T>::motion_of(std::size_t body, const FreeBodyState<T>& given) const {
  const FreeBodyState<> state = rounded<double>(given);
  const Vec3<> c = rotate(state.orientation, centers_[body]);
  return {state.position + c, state.orientation, state.momentum.linear,
          state.momentum.angular - cross(c, state.momentum.linear)};
}

/// From c to b.  [eq. momentum]
template <class T>
FreeBodyState<T> BodyBatch<T>::state_of(std::size_t body, const FlightMotion<double>& motion) const {
  const Vec3<> c = rotate(motion.orientation, centers_[body]);
  return rounded<T>(FreeBodyState<>{
      motion.position - c, motion.orientation, {motion.momentum, motion.spin + cross(c, motion.momentum)}});
}

/// A step from `motion` to `end`, which is below the plane, repeated with all impacts. A body that starts below the
/// plane, as rounding allows, touches it again only when it sinks. False where it starts farther below than that, where
/// there are too many impacts, or values are not finite.
template <class T>
bool BodyBatch<T>::pass_impacts(std::size_t body, double h, FlightMotion<double> motion, FlightMotion<double>& end,
                                std::int64_t& impacts) const {
  const FlightPackKernels& kernels = flight_pack_kernels_in_use();
  const FlightParameters<double>& of = bodies_[body];
  double left = h, gap = kernels.gap(field_, of, end), level = 0.0;
  const double place = norm(motion.position) + abs(field_.place) + of.reach;
  if (!(kernels.gap(field_, of, motion) >= -(kMaxSinks * kSinks + kMaxRoundings * kEpsilon<T> * place))) return false;
  std::int64_t made = 0;
  for (; gap < 0.0; ++made) {
    const double gap_from = kernels.gap(field_, of, motion);
    level = gap_from > kSinks ? 0.0 : gap_from - kSinks;
    if (gap >= level) break;
    if (made == kMaxImpacts) return false;
    const double touch = fly_to_touch(of, left, level, gap_from, gap, motion);
    if (touch < 0.0 || !impact(of, motion)) return false;
    left -= touch;
    end = motion;
    kernels.step(field_, of, left, end);
    gap = kernels.gap(field_, of, end);
  }
  impacts += made;
  return gap >= min(level, 0.0) && is_finite<T>(end);
}

/// Moves a body from one gap to where the gap is `level`, and returns the time until then: by regula falsi (Illinois)
/// to kInstant; after a time h the gap is below `level`. As accurate where values are rounded to float afterwards:
/// otherwise another point, one that separates, might be the nearest. Negative where it does not get there.
template <class T>
double BodyBatch<T>::fly_to_touch(const FlightParameters<double>& body, double h, double level, double gap_from,
                                  double gap, FlightMotion<double>& motion) const {
  const FlightPackKernels& kernels = flight_pack_kernels_in_use();
  const FlightMotion<double> from = motion;
  const auto gap_at = [&](double time) {
    motion = from;
    kernels.step(field_, body, time, motion);
    return kernels.gap(field_, body, motion) - level;
  };
  double above = 0.0, below = h, gap_above = gap_from - level, gap_below = gap - level;
  if (!(gap_below < 0.0)) return -1.0;
  double weight_above = gap_above, weight_below = gap_below;  // halved at an end that stays twice
  for (int side = 0;;) {
    const double time = (above * weight_below - below * weight_above) / (weight_below - weight_above);
    const double found = gap_at(time);
    const double speed = (gap_above - gap_below) / (below - above);
    if (!(std::abs(found) > std::min(kInstant * speed, 0.5 * kSinks) && below - above > kInstant)) return time;
    if (found > 0.0) {
      above = time, gap_above = weight_above = found;
      if (side == 1) weight_below *= 0.5;
      side = 1;
    } else {
      below = time, gap_below = weight_below = found;
      if (side == -1) weight_above *= 0.5;
      side = -1;
    }
  }
}

/// The impulse of the plane on the nearest point. False where that does not approach.  [eq. single-point]
template <class T>
bool BodyBatch<T>::impact(const FlightParameters<double>& body, FlightMotion<double>& motion) const {
  const Mat3<> R = rotation_matrix(motion.orientation);
  const Vec3<>& n = field_.normal;
  const Vec3<> arm_B = nearest_point(body, transpose_times(R, n)), arm = R * arm_B;
  const Vec3<> w_B = body.mobility * transpose_times(R, motion.spin);
  const Vec3<> u = body.inverse_mass * motion.momentum + R * cross(w_B, arm_B);
  const Vec3<> side = std::abs(n.x) < 0.7 ? Vec3<>{1, 0, 0} : Vec3<>{0, 1, 0};
  const Vec3<> x = normalized(cross(n, side)), y = cross(n, x);
  const auto mobility = [&](const Vec3<>& a, const Vec3<>& b) {
    const Vec3<> about_a = transpose_times(R, cross(arm, a)), about_b = transpose_times(R, cross(arm, b));
    return body.inverse_mass * dot(a, b) + dot(about_a, body.mobility * about_b);
  };
  const CoulombPoint point{mobility(n, n),
                           {mobility(n, x), mobility(n, y)},
                           {mobility(x, x), mobility(x, y), mobility(y, y)},
                           {dot(n, u), dot(x, u), dot(y, u)}};
  if (!(point.c[0] < 0.0)) return false;
  const PointImpactSolution solution = point_impact({point, ground_.restitution, ground_.friction}, ground_.law);
  if (!solution.ok) return false;
  const Vec3<> P = solution.P[0] * n + solution.P[1] * x + solution.P[2] * y;
  motion.momentum += P;
  motion.spin += cross(arm, P);
  return true;
}

template class BodyBatch<double>;
template class BodyBatch<float>;

}  // namespace pintle
