#include "pintle/simulation/elements/line_spring.h"

#include "pintle/simulation/elements/element_checker.h"
#include "pintle/simulation/elements/element_places.h"

namespace pintle {
namespace {

class LineSpring final : public ForceElement {
 public:
  LineSpring(const Model& model, const LineSpringSpec& spec, const Place& A, const Place& B)
      : spec_(spec), A_(model, A), B_(model, B) {}

  std::string_view name() const override { return spec_.name; }
  bool needs_places() const override { return true; }

  ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) override;
  double energy(const Model& model, const ForceInput& in) const override;

  int switch_count() const override { return spec_.tension_only ? 2 : 0; }
  void switches(const Model& model, const ForceInput& in, std::span<double> values) override;
  void choose_sides(const Model& model, const ForceInput& in) override;
  void reset() override { reported_ = false; }

 private:
  /// The line from A to B.
  struct Line {
    Pose<> X_AB;
    Vec3<> direction;  ///< unit vector in A's axes; zero for a line of no length
    double length;
    double rate;  ///< time derivative of its length
  };

  Line line(const Model& model, const ForceInput& in) const {
    Line line;
    line.X_AB = relative_pose(model, places_of(in), B_, A_);
    line.length = norm(line.X_AB.translation);
    line.direction = line.length > 0.0 ? line.X_AB.translation / line.length : Vec3<>{0.0, 0.0, 0.0};
    const Vec3<> v_A = velocity_of(*in.kinematics, A_, Axes::local).linear;
    const Vec3<> v_B = line.X_AB.rotation * velocity_of(*in.kinematics, B_, Axes::local).linear;
    line.rate = dot(line.direction, v_B - v_A);
    return line;
  }
  double elastic(const Line& line) const { return spec_.preload + spec_.stiffness * (line.length - spec_.rest_length); }
  double tension(const Line& line) const { return elastic(line) + spec_.damping * line.rate; }
  bool is_slack(const Line& line) const {
    if (!spec_.tension_only) return false;
    return reported_ ? slack_ : !(elastic(line) > 0.0 && tension(line) > 0.0);
  }

  LineSpringSpec spec_;
  ElementPlace A_, B_;
  bool reported_ = false, slack_ = false;
};

ForcePower LineSpring::apply(const Model& model, const ForceInput& in, const ForceOutput& out) {
  const Line at = line(model, in);
  // A slack rope that is still stretched (it cannot follow its ends) dissipates its energy.
  if (is_slack(at)) return {.power = max(elastic(at), 0.0) * at.rate};
  if (!(at.length > 0.0)) return {.ok = false};
  const Vec3<> pull = tension(at) * at.direction;
  add_at(model, A_, {pull, {0.0, 0.0, 0.0}}, out);
  add_at(model, B_, {-transpose_times(at.X_AB.rotation, pull), {0.0, 0.0, 0.0}}, out);
  return {.power = -spec_.damping * at.rate * at.rate};
}

double LineSpring::energy(const Model& model, const ForceInput& in) const {
  double s = norm(relative_pose(model, places_of(in), B_, A_).translation) - spec_.rest_length;
  if (spec_.tension_only && spec_.stiffness > 0.0) s = max(s, -spec_.preload / spec_.stiffness);
  return s * (0.5 * spec_.stiffness * s + spec_.preload);
}

void LineSpring::switches(const Model& model, const ForceInput& in, std::span<double> values) {
  if (!spec_.tension_only) return;
  const Line at = line(model, in);
  values[0] = elastic(at);
  values[1] = tension(at);
}

void LineSpring::choose_sides(const Model& model, const ForceInput& in) {
  if (!spec_.tension_only) return;
  reported_ = false;
  slack_ = is_slack(line(model, in));
  reported_ = true;
}

}  // namespace

Result<ForceElementPointer> make_line_spring(const Model& model, const LineSpringSpec& spec) {
  ElementChecker check("line spring", spec.name, spec.origin);
  const Place A = check.place(model, spec.first, true), B = check.place(model, spec.second, true);
  check.apart(A, B);
  check.not_negative("stiffness", spec.stiffness);
  check.not_negative("damping", spec.damping);
  check.not_negative("rest length", spec.rest_length);
  check.finite("preload", spec.preload);
  if (spec.tension_only && spec.stiffness == 0.0 && !(spec.preload > 0.0)) {
    check.add("rope-slack", " is a rope that never pulls", "it has neither stiffness nor a preload above 0",
              "give it a stiffness in N/m");
  }
  if (!check.ok()) return check.problems();
  return ForceElementPointer(new LineSpring(model, spec, A, B));
}

}  // namespace pintle
