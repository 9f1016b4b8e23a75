#include "pintle/dynamics/operational_inertia.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/elementary.h"

namespace pintle {
namespace {

void mark_branches(const Model& model, std::span<const Place> places, std::span<unsigned char> needed) {
  for (unsigned char& mark : needed) mark = 0;
  for (const Place& place : places) {
    for (int at = place.link; at >= 0 && needed[size(at)] == 0; at = model.links()[size(at)].parent)
      needed[size(at)] = 1;
  }
}

/// L D L' of a symmetric matrix, row-major, in place. Returns the first pivot that is negligible relative to its
/// original entry, -1 when there is none.
int factor(std::span<double> A, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    const double before = A[j * n + j];
    for (std::size_t k = 0; k < j; ++k) A[j * n + j] -= A[j * n + k] * A[j * n + k] * A[k * n + k];
    // What is left of a direction after elimination of those before it; less than this is rounding or useless.
    if (!(A[j * n + j] > 1e-10 * before)) return static_cast<int>(j);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) A[i * n + j] -= A[i * n + k] * A[j * n + k] * A[k * n + k];
      A[i * n + j] /= A[j * n + j];
    }
  }
  return -1;
}

/// Column j of the inverse, from the factors.
void solve_unit(std::span<const double> A, std::size_t n, std::size_t j, std::span<double> column) {
  for (std::size_t i = 0; i < n; ++i) {
    column[i] = i == j ? 1.0 : 0.0;
    for (std::size_t k = 0; k < i; ++k) column[i] -= A[i * n + k] * column[k];
  }
  for (std::size_t i = 0; i < n; ++i) column[i] /= A[i * n + i];
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = i + 1; k < n; ++k) column[i] -= A[k * n + i] * column[k];
}

}  // namespace

OperationalInertiaWorkspace::OperationalInertiaWorkspace(const Model& model, int max_places)
    : sizes(model),
      response(model),
      kinematics(model),
      on_links(model.links().size()),
      needed(model.links().size()),
      vdot(size(model.nv())),
      zero(size(model.nv())),
      matrix(36 * size(max_places) * size(max_places)) {}

DynamicsReport inverse_operational_inertia(const Model& model, std::span<const double> q, std::span<const Place> places,
                                           Axes axes, OperationalInertiaWorkspace& work, std::span<double> result) {
  const std::size_t n = 6 * places.size();
  require_size("inverse_operational_inertia", "q", q.size(), size(model.nq()));
  require_size("inverse_operational_inertia", "result", result.size(), n * n);
  require_fit("inverse_operational_inertia", work.sizes, model);
  for (const Place& place : places) {
    require(place.link < static_cast<int>(model.links().size()), "inverse_operational_inertia", "places",
            "one of them belongs to another model");
  }
  const DynamicsReport report = prepare_response(model, q, work.response);
  if (!report.ok()) return report;
  kinematics(model, q, work.zero, work.zero, work.kinematics);
  mark_branches(model, places, work.needed);
  for (Wrench<>& F : work.on_links) F = zero_wrench();
  const Twist<>* const accelerations = work.response.articulated.response().A;
  for (std::size_t b = 0; b < places.size(); ++b) {
    const Pose<> X_WF = pose_of(work.kinematics, places[b]);
    for (std::size_t d = 0; d < 6; ++d) {
      std::array<double, 6> unit{};
      unit[d] = 1.0;
      const Wrench<> F = from_axes(Wrench<>{{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}}, X_WF, axes);
      if (places[b].link >= 0) work.on_links[size(places[b].link)] = places[b].X_LF * F;
      apply_mass_inverse(model, work.response, {}, work.on_links, work.needed, work.vdot);
      if (places[b].link >= 0) work.on_links[size(places[b].link)] = zero_wrench();
      for (std::size_t a = 0; a <= b; ++a) {
        const int link = places[a].link;
        const Twist<> A = link < 0 ? zero_twist() : inverse_times(places[a].X_LF, accelerations[link]);
        const std::array<double, 6> column = to_array(in_axes(A, pose_of(work.kinematics, places[a]), axes));
        for (std::size_t row = 0; row < 6; ++row) {
          if (6 * a + row > 6 * b + d) continue;  // bitwise symmetric
          result[(6 * a + row) * n + 6 * b + d] = result[(6 * b + d) * n + 6 * a + row] = column[row];
        }
      }
    }
  }
  return report;
}

OperationalInertiaReport operational_inertia(const Model& model, std::span<const double> q,
                                             std::span<const Place> places, Axes axes,
                                             OperationalInertiaWorkspace& work, std::span<double> result) {
  const std::size_t n = 6 * places.size();
  require_size("operational_inertia", "q", q.size(), size(model.nq()));
  require_size("operational_inertia", "result", result.size(), n * n);
  require_size_at_least("operational_inertia", "work (its max_places)", work.matrix.size(), n * n);
  const std::span<double> matrix = std::span<double>(work.matrix).first(n * n);
  const DynamicsReport report = inverse_operational_inertia(model, q, places, axes, work, matrix);
  if (!report.ok()) return {.singular_joint = report.singular_joint};
  const int rigid = factor(matrix, n);
  if (rigid >= 0) return {.rigid_row = rigid};
  for (std::size_t j = 0; j < n; ++j) solve_unit(matrix, n, j, result.subspan(j * n, n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) result[i * n + j] = result[j * n + i];
  return {};
}

}  // namespace pintle
