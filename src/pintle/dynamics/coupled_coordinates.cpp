#include "pintle/dynamics/coupled_coordinates.h"

#include "pintle/base/size.h"

namespace pintle {
namespace {

const double* spread(std::span<const CoordinateSource> sources, std::span<const double> from, std::span<double> to) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    to[i] = sources[i].ratio * from[size(sources[i].source)] + sources[i].offset;
  }
  return to.data();
}

}  // namespace

const double* joint_configuration(const Model& model, std::span<const double> q, std::span<double> room) {
  return model.has_couplings() ? spread(model.q_sources(), q, room) : q.data();
}

const double* joint_velocity(const Model& model, std::span<const double> v, std::span<double> room) {
  return model.has_couplings() ? spread(model.v_sources(), v, room) : v.data();
}

void independent_efforts(const Model& model, std::span<const double> joint_tau, std::span<double> tau) {
  for (double& t : tau) t = 0.0;
  const std::span<const CoordinateSource> sources = model.v_sources();
  for (std::size_t i = 0; i < sources.size(); ++i) tau[size(sources[i].source)] += sources[i].ratio * joint_tau[i];
}

void independent_mass_matrix(const Model& model, std::span<const double> joint_M, std::span<double> M) {
  for (double& m : M) m = 0.0;
  const std::span<const CoordinateSource> sources = model.v_sources();
  const std::size_t n = sources.size(), independent = size(model.nv());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (sources[j].source > sources[i].source) continue;  // the upper triangle is a copy: bitwise symmetric
      M[size(sources[i].source) * independent + size(sources[j].source)] +=
          sources[i].ratio * sources[j].ratio * joint_M[i * n + j];
    }
  }
  for (std::size_t i = 0; i < independent; ++i)
    for (std::size_t j = 0; j < i; ++j) M[j * independent + i] = M[i * independent + j];
}

void independent_matrix(const Model& model, std::span<const double> joint_C, std::span<double> C) {
  for (double& c : C) c = 0.0;
  const std::span<const CoordinateSource> sources = model.v_sources();
  const std::size_t n = sources.size(), independent = size(model.nv());
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = C.data() + size(sources[i].source) * independent;
    for (std::size_t j = 0; j < n; ++j)
      row[sources[j].source] += sources[i].ratio * sources[j].ratio * joint_C[i * n + j];
  }
}

void independent_columns(const Model& model, std::span<const double> joint_J, std::span<double> J) {
  for (double& x : J) x = 0.0;
  const std::span<const CoordinateSource> sources = model.v_sources();
  const std::size_t n = sources.size(), independent = size(model.nv()), rows = n == 0 ? 0 : joint_J.size() / n;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < n; ++k)
      J[row * independent + size(sources[k].source)] += sources[k].ratio * joint_J[row * n + k];
}

}  // namespace pintle
