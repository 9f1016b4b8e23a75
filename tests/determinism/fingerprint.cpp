// Prints a hash of the bits of every function of math and spatial, on the plain number and on each lane of packs.
// bits_test.py compiles it by both compilers, without and with optimisation, for every instruction set.
#include <cstdio>
#include <vector>

#include "pintle/generic.h"

using namespace pintle;

namespace {

constexpr int kStates = 1024;  // a multiple of every number of lanes

/// Numbers to start from, the same for every program: splitmix64, scaled.
class Inputs {
 public:
  double next(double low, double high) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr int kInputs = 32;

template <class B>
const std::vector<B>& inputs() {
  static const std::vector<B> values = [] {
    Inputs source;
    std::vector<B> v;
    for (int i = 0; i < kStates * kInputs; ++i) v.push_back(static_cast<B>(source.next(-1.5, 1.5)));
    return v;
  }();
  return values;
}

/// Collects the results of one state (or of one state per lane) as plain numbers.
template <class P>
class Results {
 public:
  using B = base_t<P>;
  static constexpr int lanes() {
    if constexpr (std::is_same_v<P, B>)
      return 1;
    else
      return P::kLanes;
  }

  void add(const P& x) {
    for (int lane = 0; lane < lanes(); ++lane) {
      if constexpr (std::is_same_v<P, B>)
        per_lane_[0].push_back(x);
      else
        per_lane_[lane].push_back(x[lane]);
    }
  }
  template <class V>
  requires requires(V v) { to_array(v); }
  void add(const V& v) {
    for (const P& x : to_array(v)) add(x);
  }
  void add(const Pose<P>& X) {
    add(X.rotation);
    add(X.translation);
  }
  void add(const SinCos<P>& f) {
    add(f.sin);
    add(f.cos);
  }
  void add(const Screw<P>& s) {
    add(s.point);
    add(s.direction);
    add(s.pitch);
    add(s.magnitude);
  }
  template <int R, int C>
  void add(const Matrix<P, R, C>& A) {
    for (const auto& row : A.m)
      for (const P& x : row) add(x);
  }

  /// Hashes the states in order.
  void finish(StateHash& hash) {
    for (int lane = 0; lane < lanes(); ++lane) {
      for (const B x : per_lane_[lane]) hash.add(x);
      per_lane_[lane].clear();
    }
  }

 private:
  std::vector<B> per_lane_[16];
};

template <class P>
std::uint64_t fingerprint() {
  using B = base_t<P>;
  StateHash hash;
  Results<P> out;
  constexpr int kLanes = Results<P>::lanes();
  for (int first = 0; first < kStates; first += kLanes) {
    P x[kInputs];
    for (int i = 0; i < kInputs; ++i) {
      if constexpr (kLanes == 1)
        x[i] = inputs<B>()[static_cast<std::size_t>(first * kInputs + i)];
      else
        for (int lane = 0; lane < kLanes; ++lane)
          x[i].set(lane, inputs<B>()[static_cast<std::size_t>((first + lane) * kInputs + i)]);
    }
    const P two(2), ten(10), thousand(1000), huge(B(1e30));
    // math
    out.add(sincos(x[0]));
    out.add(sincos(P(x[1] * thousand * B(0.5))));
    out.add(sincos(P(x[2] * huge)));
    out.add(tan(x[3]));
    out.add(exp(P(x[4] * ten)));
    out.add(log(abs(x[5])));
    out.add(pow(abs(x[6]), P(x[7] * ten)));
    out.add(atan2(x[8], x[9]));
    out.add(asin(P(x[10] * B(0.66))));
    out.add(acos(P(x[11] * B(0.66))));
    out.add(atan(x[12]));
    out.add(sqrt(abs(x[13])));
    // spatial
    const Twist<P> V{{x[14], x[15], x[16]}, {x[17], x[18], x[19]}}, U{{x[20], x[21], x[22]}, {x[23], x[24], x[25]}};
    const Wrench<P> F{{x[26], x[27], x[28]}, {x[29], x[30], x[31]}};
    const Pose<P> X = exp(V), Y = exp(U);
    out.add(X);
    out.add(X * Y);
    out.add(inverse_times(X, Y));
    out.add(log(X));
    out.add(quaternion(X.rotation));
    out.add(exp_quaternion(V.angular));
    out.add(left_jacobian(V));
    out.add(left_jacobian_inverse(V));
    out.add(cross(V, U));
    out.add(cross_dual(V, F));
    out.add(dot(V, F));
    out.add(X * F);
    out.add(screw_of(V));
    out.add(screw_of(F));
    out.add(screw_of(X));
    const SymMat3<P> I_c =
        minus_skew_squared(V.linear) + minus_skew_squared(U.linear) + diagonal(Vec3<P>{two, two, two});
    const SpatialInertia<P> I = spatial_inertia(P(x[0] + two), U.angular, I_c);
    out.add(to_matrix(X * I));
    out.add(momentum(I, V));
    out.add(velocity(I, momentum(I, U)));
    const ArticulatedInertia<P> A = (X * articulated(I)) + I;
    out.add(to_matrix(A - outer(F, P(B(0.125)))));
    out.add(solve(A, F));
    const Quaternion<P> a = normalized(Quaternion<P>{x[1], x[2], x[3], x[4]}), b = exp_quaternion(U.angular);
    out.add(a * b);
    out.add(rotate(a, V.linear));
    out.add(rate_from_world(a, V.angular));
    out.add(floor(P(x[5] * ten)));
    out.add(round_to_nearest(P(x[6] * ten)));
    out.add(reciprocal_product(screw_of(V), screw_of(F)));
    out.add(displacement_of(screw_of(U)));
    out.add(solve(ldlt(to_matrix(A)), to_matrix(F)));
    out.add(inverse(I_c));
    // Derivatives by the first twist's rotation, through exp and log.
    using D = Dual<P, 2>;
    const auto minus_gravity = [](const Vec3<P>& v) { return Vec3<D>{D(v.x), D(v.y), D(v.z)}; };
    Twist<D> W{minus_gravity(V.linear), minus_gravity(V.angular)};
    W.angular.x.derivative[0] = P(1);
    W.linear.y.derivative[1] = P(1);
    const Twist<D> there = log(exp(W) * exp(W));
    for (const D& d : to_array(there)) {
      out.add(d.value);
      out.add(d.derivative[0]);
      out.add(d.derivative[1]);
    }
    out.finish(hash);
  }
  return hash.value();
}

bool same = true;

template <class B, class... Packs>
std::uint64_t fingerprint_of_all() {
  const std::uint64_t plain = fingerprint<B>();
  const auto compare = [&](std::uint64_t pack, int lanes) {
    if (pack == plain) return;
    same = false;
    std::printf("a pack of %d lanes gives %s, the plain number %s\n", lanes, to_hex(pack).c_str(),
                to_hex(plain).c_str());
  };
  (compare(fingerprint<Packs>(), Packs::kLanes), ...);
  return plain;
}

}  // namespace

int main() {
  const std::uint64_t f64 = fingerprint_of_all<double, NativePack<double>, Pack<double, 8>>();
  const std::uint64_t f32 = fingerprint_of_all<float, NativePack<float>>();
  std::printf("%s double %s float %s\n", PINTLE_HAS_FMA ? "fma" : "no-fma", to_hex(f64).c_str(), to_hex(f32).c_str());
  return same ? 0 : 1;
}
