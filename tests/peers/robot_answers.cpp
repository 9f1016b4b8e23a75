// What Pintle makes of a URDF file, and its answers at given states, for robots.py to compare with Pinocchio's.
//
// usage: robot_answers FILE fixed|free
// Prints one line of JSON: whether the robot was loaded, its problems, joints and bodies. Then, as long as states come
// in on stdin (q, v, vdot, tau as raw doubles), for each state the raw doubles of: the mass matrix (nv nv), bias (nv),
// inverse dynamics (nv), forward dynamics (nv), then for each body its pose (rotation row after row, position: 12) and
// its Jacobian (world axes, at the body's origin, linear part first: 6 nv). All without passive efforts.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pintle/io/scene/compile_scene.h"
#include "pintle/pintle.h"

namespace {

using Numbers = std::vector<double>;

bool read(Numbers& numbers) {
  return std::fread(numbers.data(), sizeof(double), numbers.size(), stdin) == numbers.size();
}

template <class Array>
void write(const Array& numbers) {
  std::fwrite(numbers.data(), sizeof(double), numbers.size(), stdout);
}

nlohmann::json outline(const pintle::Result<pintle::Scene>& scene) {
  nlohmann::json page = {{"loaded", scene.ok()}, {"problems", nlohmann::json::array()}};
  for (const pintle::Diagnostic& problem : scene.diagnostics())
    page["problems"].push_back({{"severity", pintle::name(problem.severity)}, {"code", problem.code}});
  if (!scene) return page;
  const pintle::Model& model = scene->model();
  page["nq"] = model.nq();
  page["nv"] = model.nv();
  page["gravity"] = to_array(model.gravity());
  for (const pintle::IndependentJoint& joint : model.independent_joints())
    page["joints"].push_back({{"name", model.joints()[static_cast<std::size_t>(joint.joint)].name},
                              {"kind", pintle::facts(joint.kind).name},
                              {"q", joint.q},
                              {"v", joint.v}});
  for (const pintle::ModelBody& body : model.bodies()) page["bodies"].push_back(body.name);
  return page;
}

void answer(const pintle::Model& model) {
  const std::size_t nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  Numbers q(nq), v(nv), vdot(nv), tau(nv), efforts(nv), square(nv * nv), six_rows(6 * nv);
  pintle::KinematicsWorkspace kinematics(model);
  pintle::InverseDynamicsWorkspace<> inverse(model);
  pintle::ForwardDynamicsWorkspace<> forward(model);
  pintle::MassMatrixWorkspace<> mass(model);
  while (read(q) && read(v) && read(vdot) && read(tau)) {
    pintle::mass_matrix(model, q, mass, square);
    write(square);
    pintle::bias_efforts(model, q, v, inverse, efforts);
    write(efforts);
    pintle::inverse_dynamics(model, q, v, vdot, inverse, efforts, {.passive = false});
    write(efforts);
    if (!pintle::forward_dynamics(model, q, v, tau, forward, efforts, {.passive = false}).ok())
      efforts.assign(nv, __builtin_nan(""));
    write(efforts);
    pintle::kinematics(model, q, v, vdot, kinematics);
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
      const pintle::Place place = pintle::body_place(model, body);
      const pintle::Pose<> X = pintle::pose_of(kinematics, place);
      write(to_array(X.rotation));
      write(to_array(X.translation));
      pintle::jacobian(model, kinematics, place, pintle::Axes::local_world_aligned, six_rows);
      write(six_rows);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string base = argc == 3 ? argv[2] : "";
  if (base != "fixed" && base != "free") {
    std::fprintf(stderr, "usage: robot_answers FILE fixed|free\n");
    return 2;
  }
  const pintle::Result<pintle::Scene> scene =
      pintle::compile_scene(argv[1], {"model.meshes=false", "model.base=" + base});
  std::printf("%s\n", outline(scene).dump().c_str());
  if (scene && scene->model().nv() > 0) answer(scene->model());
  return 0;
}
