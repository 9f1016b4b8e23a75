#include "mechanism_matrices.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "exit_code.h"
#include "pintle/base/nearest_name.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/math/quaternion.h"
#include "pintle/text/utf8.h"

namespace pintle::cli {
namespace {

/// A matrix of the dofs, row-major.
using DofMatrix = std::vector<double>;

DofMatrix mass_matrix_of(const Model& model, std::span<const double> q) {
  MassMatrixWorkspace<> work(model);
  DofMatrix M(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()));
  mass_matrix(model, q, work, M);
  return M;
}

DofMatrix coriolis_matrix_of(const Model& model, std::span<const double> q, std::span<const double> v) {
  CoriolisMatrixWorkspace<> work(model);
  DofMatrix C(v.size() * v.size());
  coriolis_matrix(model, q, v, work, C);
  return C;
}

std::vector<double> gravity_of(const Model& model, std::span<const double> q) {
  InverseDynamicsWorkspace<> work(model);
  std::vector<double> g(static_cast<std::size_t>(model.nv()));
  gravity_efforts(model, q, work, g);
  return g;
}

Place chosen_place(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& body : model.bodies()) names.push_back(body.name);
  for (const ModelFrame& frame : model.frames()) names.push_back(frame.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return place_named(model, name);
  const std::string nearest = nearest_name(name, names);
  throw CommandError(ExitCode::usage, fmt::format("--jacobian: there is no body or frame '{}'; {}", name,
                                                  nearest.empty() ? "pintle info lists them"
                                                                  : "did you mean '" + nearest + "'?"));
}

DofMatrix place_jacobian(const Model& model, std::span<const double> q, const std::string& name) {
  JacobianWorkspace work(model);
  DofMatrix J(6 * static_cast<std::size_t>(model.nv()));
  jacobian(model, q, chosen_place(model, name), Axes::local_world_aligned, work, J);
  return J;
}

KinematicsWorkspace places_of(const Model& model, std::span<const double> q, std::span<const double> v) {
  KinematicsWorkspace place(model);
  kinematics(model, q, v, std::vector<double>(v.size()), place);
  return place;
}

double largest_entry(std::span<const double> values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

/// A number in ten columns; what is rounding beside the largest is 0.
std::string matrix_cell(double x, double scale) {
  return fmt::format("{:>10}", fmt::format("{:.4g}", std::abs(x) <= 1e-14 * scale ? 0.0 : x));
}

/// Rows of numbers behind their names, in blocks of as many columns as fit.
std::string matrix_table(std::span<const std::string> rows, std::span<const std::string> columns, const DofMatrix& matrix) {
  constexpr std::size_t kColumns = 6;
  const double scale = largest_entry(matrix);
  std::string text;
  for (std::size_t first = 0; first < columns.size(); first += kColumns) {
    const std::size_t end = std::min(first + kColumns, columns.size());
    text += fmt::format("{:<14}", "");
    for (std::size_t j = first; j < end; ++j) text += fmt::format(" {:>10}", shortened(columns[j], 10));
    text += "\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += fmt::format("{:<14}", shortened(rows[i], 14));
      for (std::size_t j = first; j < end; ++j) text += " " + matrix_cell(matrix[i * columns.size() + j], scale);
      text += "\n";
    }
  }
  return text;
}

std::string gravity_rows(std::span<const std::string> dofs, const std::vector<double>& g) {
  std::string text;
  for (std::size_t i = 0; i < dofs.size(); ++i)
    text += fmt::format("{:<14} {}\n", shortened(dofs[i], 14), matrix_cell(g[i], largest_entry(g)));
  return text;
}

std::string body_pose_rows(const Model& model, const KinematicsWorkspace& place) {
  std::string text = fmt::format("{:<14} {:>32} {:>30}\n", "body", "position [m]", "quaternion x, y, z, w");
  std::vector<Pose<>> poses;
  double farthest = 0.0;
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    poses.push_back(pose_of(place, body_place(model, static_cast<int>(i))));
    farthest = std::max(farthest, norm(poses.back().translation));
  }
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto& [x, y, z] = poses[i].translation;
    const Quaternion<> r = quaternion(poses[i].rotation);
    text += fmt::format("{:<14} {} {} {} {:7.4f} {:7.4f} {:7.4f} {:7.4f}\n", shortened(model.bodies()[i].name, 14),
                        matrix_cell(x, farthest), matrix_cell(y, farthest), matrix_cell(z, farthest), r.x, r.y, r.z, r.w);
  }
  return text;
}

Json matrix_json(const DofMatrix& matrix, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t first = 0; first < matrix.size(); first += columns) {
    rows.push_back(std::vector<double>(matrix.begin() + static_cast<std::ptrdiff_t>(first),
                                       matrix.begin() + static_cast<std::ptrdiff_t>(first + columns)));
  }
  return rows;
}

}  // namespace

std::string matrices_text(const Model& model, const MatrixChoice& choice, std::span<const std::string> dofs,
                          std::span<const double> q, std::span<const double> v) {
  std::string text;
  if (choice.mass_matrix) text += "\nMass matrix M(q) [SI]\n" + matrix_table(dofs, dofs, mass_matrix_of(model, q));
  if (choice.coriolis_matrix)
    text += "\nCoriolis matrix C(q, v), with dM/dt - 2C skew [SI]\n" + matrix_table(dofs, dofs, coriolis_matrix_of(model, q, v));
  if (choice.gravity) text += "\nGravity g(q): efforts that hold the weight [N m, N]\n" + gravity_rows(dofs, gravity_of(model, q));
  if (choice.energies || choice.poses) {
    const KinematicsWorkspace place = places_of(model, q, v);
    if (choice.energies) {
      text += fmt::format("\nEnergies [J]: kinetic {:.9g}, gravity {:.9g}, springs of joints {:.9g}\n",
                          kinetic_energy(model, place), gravity_energy(model, place), spring_energy(model, place));
    }
    if (choice.poses) text += "\nPoses in the world\n" + body_pose_rows(model, place);
  }
  const std::vector<std::string> components = {"vx [m/s]", "vy", "vz", "wx [rad/s]", "wy", "wz"};
  for (const std::string& name : choice.jacobians)
    text += fmt::format("\nJacobian of {}: its velocity in world axes per speed\n", name) +
            matrix_table(components, dofs, place_jacobian(model, q, name));
  return text;
}

void add_matrices(const Model& model, const MatrixChoice& choice, std::span<const double> q, std::span<const double> v,
                  Json& json) {
  const KinematicsWorkspace place = places_of(model, q, v);
  json["mass_matrix"] = matrix_json(mass_matrix_of(model, q), v.size());
  json["coriolis_matrix"] = matrix_json(coriolis_matrix_of(model, q, v), v.size());
  json["gravity"] = gravity_of(model, q);
  json["energies"] = {{"kinetic", kinetic_energy(model, place)},
                      {"gravity", gravity_energy(model, place)},
                      {"springs", spring_energy(model, place)}};
  json["poses"] = Json::array();
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Pose<> X = pose_of(place, body_place(model, static_cast<int>(i)));
    const Quaternion<> r = quaternion(X.rotation);
    json["poses"].push_back({{"body", model.bodies()[i].name},
                             {"position", Json(X.translation)},
                             {"quaternion", std::vector<double>{r.x, r.y, r.z, r.w}}});
  }
  json["jacobians"] = Json::array();
  for (const std::string& name : choice.jacobians)
    json["jacobians"].push_back({{"place", name}, {"jacobian", matrix_json(place_jacobian(model, q, name), v.size())}});
}

}  // namespace pintle::cli
