// The mechanisms whose motion others have computed, each as a scene without a choice of method.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "pintle/model/edit/model_builder.h"
#include "pintle/simulation/scene/scene_spec.h"

namespace test {

using namespace pintle;

inline SceneSpec scene_of(const ModelBuilder& model, std::vector<InitialSpec> initial = {}) {
  SceneSpec scene;
  scene.model = model.spec();
  scene.initial = std::move(initial);
  return scene;
}

inline InitialSpec start(std::string joint, std::vector<double> q, std::vector<double> v = {}) {
  InitialSpec initial;
  initial.joint = std::move(joint);
  initial.q = std::move(q);
  initial.v = std::move(v);
  return initial;
}

inline SymMat3<> principal(double x, double y, double z) {
  return diagonal(Vec3<>{x, y, z});
}

inline SpatialInertia<> point_mass(double mass, const Vec3<>& at) {
  return spatial_inertia(mass, at, principal(0.0, 0.0, 0.0));
}

// ---- Table B: smooth motion

/// A point mass of 1 kg on a rod of 1 m, let go from the horizontal. Benchmark A01 of the IFToMM library of multibody
/// problems. Frame "bob".
inline SceneSpec pendulum() {
  ModelBuilder model("pendulum");
  model.gravity({0.0, -9.81, 0.0});
  model.body("rod", point_mass(1.0, {1.0, 0.0, 0.0})).revolute({0.0, 0.0, 1.0}, "pin").frame("bob", {1.0, 0.0, 0.0});
  return scene_of(model);
}

/// Centre of mass 2 m from the pin, 0.1 kg m^2, let go from the horizontal. An ADAMS case among Chrono's test data.
/// Frame "center".
inline SceneSpec compound_pendulum() {
  ModelBuilder model("compound pendulum");
  model.gravity({0.0, 0.0, -9.80665});
  model.body("arm", spatial_inertia(1.0, Vec3<>{2.0, 0.0, 0.0}, principal(0.1, 0.1, 0.1)))
      .revolute({0.0, 1.0, 0.0}, "pin")
      .frame("center", {2.0, 0.0, 0.0});
  return scene_of(model);
}

/// A rod that swings about x and a plate that turns about the rod. Kane 1974; one of Drake's benchmarks. Its data are
/// in grams and centimetres.
inline SceneSpec babyboot() {
  constexpr double kGram = 1e-3, kCentimetre = 1e-2, kGramCm2 = 1e-7;
  ModelBuilder model("babyboot");
  model.gravity({0.0, 0.0, -9.81});
  model
      .body("rod",
            spatial_inertia(10.0 * kGram, Vec3<>{0.0, 0.0, -7.5 * kCentimetre}, kGramCm2 * principal(50.0, 50.0, 0.0)))
      .revolute({1.0, 0.0, 0.0}, "swing");
  model
      .body("plate", spatial_inertia(100.0 * kGram, Vec3<>{0.0, 0.0, -20.0 * kCentimetre},
                                     kGramCm2 * principal(2500.0, 500.0, 2000.0)))
      .revolute({0.0, 0.0, 1.0}, "twist");
  return scene_of(model, {start("swing", {0.5 * kPi<double>}), start("twist", {kPi<double> / 180.0})});
}

/// Two bars with m = l = J = 1, let go from the horizontal, g = 10. From Chrono's tests.
inline SceneSpec double_pendulum() {
  ModelBuilder model("double pendulum");
  model.gravity({0.0, -10.0, 0.0});
  const SpatialInertia<> bar = spatial_inertia(1.0, Vec3<>{0.5, 0.0, 0.0}, principal(1.0, 1.0, 1.0));
  model.body("upper", bar).revolute({0.0, 0.0, 1.0}, "first");
  model.body("lower", bar).revolute({0.0, 0.0, 1.0}, "second").at({1.0, 0.0, 0.0});
  return scene_of(model);
}

/// Two point masses, m = l = 1, both at 90 degrees from hanging down, at rest.
inline SceneSpec point_double_pendulum() {
  ModelBuilder model("point double pendulum");
  model.gravity({0.0, -9.81, 0.0});
  const SpatialInertia<> rod = point_mass(1.0, {0.0, -1.0, 0.0});
  model.body("upper", rod).revolute({0.0, 0.0, 1.0}, "first");
  model.body("lower", rod).revolute({0.0, 0.0, 1.0}, "second").at({0.0, -1.0, 0.0});
  return scene_of(model, {start("first", {0.5 * kPi<double>})});
}

/// A body with I = 0.04 about x and y and 0.02 about z, thrown and spinning. Drake's free_body benchmark.
inline SceneSpec symmetric_free_body() {
  ModelBuilder model("symmetric free body");
  model.gravity({0.0, 0.0, -9.81});
  model.body("body", spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, principal(0.04, 0.04, 0.02))).free();
  return scene_of(model, {start("body", {1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0}, {-4.2, 5.5, 6.1, 2.0, 4.0, 6.0})});
}

/// The fast heavy top of Terze and others, on a ball joint. Frame "center".
inline SceneSpec heavy_top() {
  ModelBuilder model("heavy top");
  model.gravity({0.0, 0.0, -9.81});
  model.body("top", spatial_inertia(15.0, Vec3<>{0.0, 1.0, 0.0}, principal(0.234375, 0.46875, 0.234375)))
      .spherical()
      .frame("center", {0.0, 1.0, 0.0});
  return scene_of(model, {start("top", {}, {0.0, 150.0, -4.61538})});
}

/// A box of the density 3000 kg/m^3 about its centre.
inline SpatialInertia<> box(double x, double y, double z) {
  const double m = 3000.0 * x * y * z;
  return spatial_inertia(m, Vec3<>{0.0, 0.0, 0.0}, (m / 12.0) * principal(y * y + z * z, x * x + z * z, x * x + y * y));
}

/// The stiff flyball governor, benchmark A05 of the IFToMM library: shaft and rods of 1 x 0.01 x 0.01 m, a slider of
/// 0.1 m on the shaft, 5 kg at the tips, spring-dampers from the slider's sides to the middles of the rods. Shaft,
/// slider and rods turn together, freely, at first once a second. q: shaft, slider, two rods.
inline SceneSpec governor() {
  const double below = kPi<double> / 6.0, top = 1.0, side = 0.05, middle = 0.5;
  ModelBuilder model("governor");
  model.gravity({0.0, 0.0, -9.81});
  model.body("shaft", Pose<>{identity3<double>(), {0.0, 0.0, 0.5}} * box(0.01, 0.01, 1.0)).revolute();
  model.body("slider", box(0.1, 0.1, 0.1)).prismatic();
  std::vector<LineSpringSpec> springs;
  for (const double to : {1.0, -1.0}) {
    const std::string name = to > 0.0 ? "right" : "left";
    const SpatialInertia<> rod = Pose<>{identity3<double>(), {0.5 * to, 0.0, 0.0}} * box(1.0, 0.01, 0.01);
    model.body(name, rod + point_mass(5.0, {to, 0.0, 0.0})).revolute({0.0, to, 0.0}).on("shaft");
    model.at({to * side, 0.0, top});
    LineSpringSpec spring;
    spring.name = name + " spring";
    spring.first = {"slider", {to * side, 0.0, 0.0}};
    spring.second = {name, {to * middle, 0.0, 0.0}};
    spring.stiffness = 8e5;
    spring.damping = 4e4;
    spring.rest_length = 0.5;
    springs.push_back(spring);
  }
  SceneSpec scene = scene_of(model, {start("shaft", {}, {2.0 * kPi<double>}), start("slider", {0.5}),
                                     start("right", {below}), start("left", {below})});
  scene.line_springs = springs;
  return scene;
}

// ---- Closed forms

/// Principal moments 0.01, 0.02, 0.025 (x, y, z).
struct AsymmetricBody {
  double I1 = 0.01, I2 = 0.02, I3 = 0.025;
};

/// A body without forces, with the given orientation and angular velocity (body axes).
inline SceneSpec torque_free_body(const AsymmetricBody& body, const Quaternion<>& r, const Vec3<>& w) {
  ModelBuilder model("torque-free body");
  model.gravity({0.0, 0.0, 0.0});
  model.body("body", spatial_inertia(1.5, Vec3<>{0.0, 0.0, 0.0}, principal(body.I1, body.I2, body.I3))).free();
  return scene_of(model, {start("body", {0.0, 0.0, 0.0, r.x, r.y, r.z, r.w}, {0.0, 0.0, 0.0, w.x, w.y, w.z})});
}

/// A top in steady precession, by m g l = W (I3 w3 - I1 W cos(theta)), with I1 about the tip and w3 the spin component
/// of the body.
struct LagrangeTop {
  double m = 0.5, l = 0.1, I1_center = 2e-3, I3 = 1e-3;
  double W = 6.0;      ///< [rad/s] about the vertical
  double theta = 0.7;  ///< [rad] from it

  double w3() const { return (m * 9.81 * l / W + (I1_center + m * l * l) * W * std::cos(theta)) / I3; }
  /// [rad/s] of the body against the frame that goes round.
  double spin() const { return w3() - W * std::cos(theta); }
};

/// It stands on a ball joint, its axis leant about x.
inline SceneSpec lagrange_top(const LagrangeTop& top) {
  ModelBuilder model("Lagrange top");
  model.gravity({0.0, 0.0, -9.81});
  model.body("top", spatial_inertia(top.m, Vec3<>{0.0, 0.0, top.l}, principal(top.I1_center, top.I1_center, top.I3)))
      .spherical();
  return scene_of(model, {start("top", {std::sin(0.5 * top.theta), 0.0, 0.0, std::cos(0.5 * top.theta)},
                                {0.0, top.W * std::sin(top.theta), top.w3()})});
}

/// The angular velocity [rad/s] of a conical pendulum: W^2 = g / (l cos(theta)).
inline double conical_rate(double l, double theta) {
  return std::sqrt(9.81 / (l * std::cos(theta)));
}

/// A point mass on a rod of length l on a universal joint, theta from hanging down, going round. Frame "bob".
inline SceneSpec conical_pendulum(double l, double theta) {
  ModelBuilder model("conical pendulum");
  model.gravity({0.0, 0.0, -9.81});
  model.body("rod", point_mass(1.0, {0.0, 0.0, -l})).universal({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0});
  model.frame("bob", {0.0, 0.0, -l});
  return scene_of(model, {start("rod", {0.0, -theta}, {conical_rate(l, theta) * std::tan(theta), 0.0})});
}

/// The velocity [m/s] of the projectile's centre of mass.
inline constexpr Vec3<> kThrow{3.0, -1.0, 12.0};

/// A body of three different moments that tumbles; its frame is off its centre of mass. Frame "center".
inline SceneSpec projectile() {
  const Vec3<> c{0.05, -0.1, 0.2}, w{2.0, -3.0, 4.0};
  const Vec3<> v = kThrow - cross(w, c);
  ModelBuilder model("projectile");
  model.gravity({0.0, 0.0, -9.81});
  model.body("body", spatial_inertia(2.0, c, principal(0.02, 0.03, 0.045))).free().frame("center", c);
  return scene_of(model, {start("body", {}, {v.x, v.y, v.z, w.x, w.y, w.z})});
}

/// Whose spring it is: of a JointSpringSpec, of the joint in the model, or of a LineSpringSpec to the world.
enum class SpringOf { joint, model, line };

/// 0.5 kg on a spring of 200 N/m, without gravity, let go 0.1 m from its rest.
inline SceneSpec harmonic_spring(SpringOf by) {
  ModelBuilder model("harmonic spring");
  model.gravity({0.0, 0.0, 0.0});
  model.body("mass", point_mass(0.5, {0.0, 0.0, 0.0})).prismatic({1.0, 0.0, 0.0});
  if (by == SpringOf::model) model.spring(200.0);
  SceneSpec scene = scene_of(model, {start("mass", {0.1})});
  if (by == SpringOf::joint) {
    JointSpringSpec spring;
    spring.name = "spring";
    spring.joint = "mass";
    spring.stiffness = 200.0;
    scene.joint_springs.push_back(spring);
  }
  if (by == SpringOf::line) {
    LineSpringSpec spring;
    spring.name = "spring";
    spring.first = {kWorld, {-1.0, 0.0, 0.0}};
    spring.second = {"mass", {0.0, 0.0, 0.0}};
    spring.stiffness = 200.0;
    spring.rest_length = 1.0;
    scene.line_springs.push_back(spring);
  }
  return scene;
}

// ---- Table E: the seeds' own systems

/// Six bars in a row on pins, at rest: seed 000.
inline SceneSpec serial_chain() {
  const double L = 0.25, m = 0.1, I = m * L * L / 12.0;
  ModelBuilder model("serial chain");
  model.gravity({0.0, -10.0, 0.0});
  const SpatialInertia<> bar = spatial_inertia(m, Vec3<>{0.5 * L, 0.0, 0.0}, principal(0.0, I, I));
  for (int i = 1; i <= 6; ++i) model.body("bar" + std::to_string(i), bar).revolute().at({i == 1 ? 0.0 : L, 0.0, 0.0});
  return scene_of(model);
}

/// The cylinder of seed 004 in free flight.
inline SceneSpec free_cylinder() {
  ModelBuilder model("free cylinder");
  model.gravity({0.0, 0.0, 0.0});
  model.body("cylinder", spatial_inertia(2.0, Vec3<>{0.0, 0.0, 0.0}, principal(0.0018, 0.0018, 0.0009))).free();
  return scene_of(model, {start("cylinder", {}, {0.0, 0.0, 0.0, 0.0, 5.0, -1.0})});
}

/// The bar of seed 001 with its centre of mass `center` from the pin.
inline SpatialInertia<> console_bar(double center) {
  return spatial_inertia(1.0, Vec3<>{center, 0.0, 0.0}, principal(0.0, 0.0904 / 12.0, 0.0904 / 12.0));
}

/// The chain of the console program of seed 001: six bars, each with its centre of mass on its pin.
inline SceneSpec console_chain() {
  ModelBuilder model("console chain");
  model.gravity({0.0, -9.8065, 0.0});
  for (int i = 1; i <= 6; ++i)
    model.body("bar" + std::to_string(i), console_bar(0.0)).revolute().at({i == 1 ? 0.0 : 0.15, 0.0, 0.0});
  return scene_of(model);
}

/// One such bar, its centre of mass 0.14905 m from the pin.
inline SceneSpec console_link() {
  ModelBuilder model("console link");
  model.gravity({0.0, -9.8065, 0.0});
  model.body("bar", console_bar(0.14905)).revolute();
  return scene_of(model);
}

}  // namespace test
