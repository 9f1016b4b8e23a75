#include "pintle/simulation/elements/bushing.h"

#include "pintle/simulation/elements/element_checker.h"
#include "pintle/simulation/elements/element_places.h"
#include "pintle/spatial/exp_log.h"

namespace pintle {
namespace {

bool is_zero(const Vec3<>& a) {
  return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

class Bushing final : public ForceElement {
 public:
  Bushing(const Model& model, const BushingSpec& spec, const Place& A, const Place& B)
      : spec_(spec), A_(model, A), B_(model, B), turns_(!is_zero(spec.rotational_stiffness) || !is_zero(spec.rotational_preload)) {}

  std::string_view name() const override { return spec_.name; }
  bool needs_places() const override { return true; }

  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override {
    const Pose<> X_AB = relative_pose(model, places_of(in), B_, A_);
    const Vec3<>& p = X_AB.translation;
    const Twist<> V_A = velocity_of(*in.kinematics, A_, Axes::local);
    const Twist<> V_B = velocity_of(*in.kinematics, B_, Axes::local);
    const Vec3<> u = X_AB.rotation * V_B.linear - V_A.linear - cross(V_A.angular, p);  // of B seen from A
    const Vec3<> w = X_AB.rotation * V_B.angular - V_A.angular;
    const Vec3<> f_damper = -componentwise_product(spec_.damping, u);
    const Vec3<> n_damper = -componentwise_product(spec_.rotational_damping, w);
    // On B, about its origin, in A's axes. dphi/dt = J_l(phi)^-1 w.
    Vec3<> f = f_damper + spec_.preload - componentwise_product(spec_.stiffness, p);
    Vec3<> n = n_damper;
    if (turns_) {
      const Vec3<> phi = log_so3(X_AB.rotation);
      if (!(norm(phi) <= kMaxBushingTurn)) return {.ok = false};
      const Vec3<> pull = spec_.rotational_preload - componentwise_product(spec_.rotational_stiffness, phi);
      n += transpose_times(left_jacobian_inverse_so3(phi), pull);
    }
    add_at(model, A_, {-f, -n - cross(p, f)}, out);
    add_at(model, B_, {transpose_times(X_AB.rotation, f), transpose_times(X_AB.rotation, n)}, out);
    return {.power = dot(f_damper, u) + dot(n_damper, w)};
  }

  double energy(const Model& model, const ForceInput& in) const override {
    const Pose<> X_AB = relative_pose(model, places_of(in), B_, A_);
    double energy = stored(spec_.stiffness, spec_.preload, X_AB.translation);
    if (turns_) energy += stored(spec_.rotational_stiffness, spec_.rotational_preload, log_so3(X_AB.rotation));
    return energy;
  }

 private:
  static double stored(const Vec3<>& k, const Vec3<>& preload, const Vec3<>& x) {
    return dot(0.5 * componentwise_product(k, x) - preload, x);
  }

  BushingSpec spec_;
  ElementPlace A_, B_;
  bool turns_;
};

}  // namespace

Result<ForceElementPointer> make_bushing(const Model& model, const BushingSpec& spec) {
  ElementChecker check("bushing", spec.name, spec.origin);
  PlaceSpec first, second;
  first.on = spec.first;
  second.on = spec.second;
  const Place A = check.place(model, first, true), B = check.place(model, second, true);
  check.apart(A, B);
  check.not_negative("stiffness", spec.stiffness);
  check.not_negative("damping", spec.damping);
  check.finite("preload", spec.preload);
  check.not_negative("rotational stiffness", spec.rotational_stiffness);
  check.not_negative("rotational damping", spec.rotational_damping);
  check.finite("rotational preload", spec.rotational_preload);
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new Bushing(model, spec, A, B));
}

}  // namespace pintle
