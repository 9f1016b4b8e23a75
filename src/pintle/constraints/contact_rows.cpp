#include "pintle/constraints/contact_rows.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {
namespace {

using Pair = std::array<double, 2>;
/// Curvature in a form that covers flats and edges: migration s = P y and rotation of the normal K s = Q y for some y,
/// with P and Q diagonal along `direction` and across it. A flat direction has P = 1, Q = 0; an edge has P = 0, Q = 1
/// across it: the point stays, the normal rotates freely.
struct Bending {
  Pair direction;
  Pair P, Q;  // along, across
};

Bending bending(const TangentCurvature& curvature) {
  Bending bend{curvature.direction, {}, {}};
  const double k[2] = {curvature.along, curvature.across};
  for (std::size_t i = 0; i < 2; ++i) {
    bend.P[i] = k[i] == kInfinity<double> ? 0.0 : 1.0;
    bend.Q[i] = k[i] == kInfinity<double> ? 1.0 : k[i];
  }
  return bend;
}

/// Column i of direction-wise diagonal D, in the tangents: D_i times the unit vector.
Pair column(const Bending& bend, const Pair& D, std::size_t i) {
  const auto& [x, y] = bend.direction;
  return i == 0 ? Pair{D[0] * x, D[0] * y} : Pair{-D[1] * y, D[1] * x};
}

/// Four equations in four unknowns by elimination with pivoting; false if singular.
bool solve4(double (&A)[4][5], double (&x)[4]) {
  double largest = 0.0;
  for (const auto& row : A)
    for (int j = 0; j < 4; ++j) largest = max(largest, std::abs(row[j]));
  for (int k = 0; k < 4; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 4; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    if (!(std::abs(A[pivot][k]) > 64 * kEpsilon<double> * largest)) return false;
    for (int j = 0; j < 5; ++j) {
      const double kept = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = kept;
    }
    for (int i = k + 1; i < 4; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < 5; ++j) A[i][j] = fma(-factor, A[k][j], A[i][j]);
    }
  }
  for (int k = 3; k >= 0; --k) {
    double sum = A[k][4];
    for (int j = k + 1; j < 4; ++j) sum = fma(-A[k][j], x[j], sum);
    x[k] = sum / A[k][k];
  }
  return true;
}

bool is_corner(const TangentCurvature& curvature) {
  return curvature.along == kInfinity<double> && curvature.across == kInfinity<double>;
}
bool is_smooth(const TangentCurvature& curvature) {
  return curvature.along < kInfinity<double> && curvature.across < kInfinity<double>;
}

/// Computes the contact migration: s_a - s_b = u_t, K_a s_a + K_b s_b = (w x n)_t; returns the rotation of the normal,
/// K_a s_a, relative to A.
Pair migrate(const ContactFrame& touch, ContactFrameMotion& motion) {
  const Bending a = bending(touch.a), b = bending(touch.b);
  const Vec3<>& u = motion.speed;
  const Vec3<>& w = motion.angular_velocity;
  if (is_corner(touch.b) && is_smooth(touch.a)) {  // it stays where it is on B
    motion.over_a = {u.y, u.z};
    const auto& [x, y] = touch.a.direction;
    const double along = touch.a.along * fma(x, u.y, y * u.z), across = touch.a.across * fma(x, u.z, -y * u.y);
    return {fma(along, x, -across * y), fma(along, y, across * x)};
  }
  double A[4][5] = {};  // unknowns: y_a (2), y_b (2)
  double unit = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Pair pa = column(a, a.P, i), pb = column(b, b.P, i), qa = column(a, a.Q, i), qb = column(b, b.Q, i);
    for (std::size_t k = 0; k < 2; ++k) {
      A[k][i] = pa[k];
      A[k][2 + i] = -pb[k];
      A[2 + k][i] = qa[k];
      A[2 + k][2 + i] = qb[k];
      unit = max(unit, max(std::abs(qa[k]), std::abs(qb[k])));
    }
  }
  A[0][4] = u.y;
  A[1][4] = u.z;
  A[2][4] = w.z;  // w x n = (0, w_z, -w_y)
  A[3][4] = -w.y;
  for (int k = 2; k < 4; ++k)
    for (double& number : A[k]) number = unit > 0.0 ? number / unit : number;
  double y[4] = {};
  motion.determined = solve4(A, y);
  if (!motion.determined) return {0.0, 0.0};
  Pair normal_rate{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Pair pa = column(a, a.P, i), pb = column(b, b.P, i), qa = column(a, a.Q, i);
    for (std::size_t k = 0; k < 2; ++k) {
      motion.over_a[k] = fma(pa[k], y[i], motion.over_a[k]);
      motion.over_b[k] = fma(pb[k], y[2 + i], motion.over_b[k]);
      normal_rate[k] = fma(qa[k], y[i], normal_rate[k]);
    }
  }
  return normal_rate;
}

/// The tangential part of d/dt of a surface velocity in the axes of A: `turning` is the angular velocity of its body
/// there, `normal_rate` that of the outward normal, whose sign along x is `outward`.
Vec3<> surface_rate(const SurfaceVelocity& of, double outward, const Vec3<>& turning, const Vec3<>& normal_rate) {
  const Vec3<> n{outward, 0.0, 0.0};
  const Vec3<> rate = cross(turning, of.linear) - dot(of.linear, n) * normal_rate +
                      cross(cross(turning, of.around), n) + cross(of.around, normal_rate);
  return {0.0, rate.y, rate.z};
}

/// The tangential part of `linear` + around x n with n = (outward, 0, 0).
Vec3<> surface_velocity(const SurfaceVelocity& of, double outward) {
  return {0.0, fma(outward, of.around.z, of.linear.y), fma(-outward, of.around.y, of.linear.z)};
}

}  // namespace

Vec3<> surface_velocity_of_a(const ContactFrame& touch) {
  return surface_velocity(touch.surface_a, 1.0);
}

Vec3<> surface_velocity_of_b(const ContactFrame& touch) {
  return surface_velocity(touch.surface_b, -1.0);
}

Twist<> contact_velocity(const KinematicsWorkspace& kinematics, const ContactFrame& touch) {
  Twist<> V = velocity_of(kinematics, {touch.link_b, touch.X_BC}, Axes::local) -
              velocity_of(kinematics, {touch.link_a, touch.X_AC}, Axes::local);
  if (touch.surfaces_move) V.linear += surface_velocity_of_b(touch) - surface_velocity_of_a(touch);
  return V;
}

ContactFrameMotion contact_frame_motion(const KinematicsWorkspace& kinematics, const ContactFrame& touch) {
  const Place on_a{touch.link_a, touch.X_AC}, on_b{touch.link_b, touch.X_BC};
  const Twist<> V_a = velocity_of(kinematics, on_a, Axes::local), V_b = velocity_of(kinematics, on_b, Axes::local);
  const Twist<> A_a = acceleration_of(kinematics, on_a, Axes::local);
  const Twist<> A_b = acceleration_of(kinematics, on_b, Axes::local);
  ContactFrameMotion motion{};
  motion.speed = V_b.linear - V_a.linear;
  motion.angular_velocity = V_b.angular - V_a.angular;
  const Pair normal_rate = migrate(touch, motion);
  // Relative to A: the acceleration of the material point of B, then that of the contact point that migrates over B.
  const Vec3<> over_b{0.0, motion.over_b[0], motion.over_b[1]};
  const Vec3<> coriolis = 2.0 * cross(V_a.angular, motion.speed), migrating = cross(motion.angular_velocity, over_b);
  const double bending = fma(normal_rate[0], motion.speed.y, normal_rate[1] * motion.speed.z);
  motion.speed_rate = A_b.linear - A_a.linear - coriolis + migrating;
  motion.speed_rate.x += bending;
  motion.normal_angular_speed = std::sqrt(fma(normal_rate[0], normal_rate[0], normal_rate[1] * normal_rate[1]));
  motion.rate_size = norm(A_a.linear) + norm(A_b.linear) + norm(coriolis) + norm(migrating) + std::abs(bending);
  motion.angular_acceleration = A_b.angular - A_a.angular - cross(V_a.angular, motion.angular_velocity);
  if (touch.surfaces_move) {  // last: contacts migrate over the bodies, whatever their surfaces do
    const Vec3<> dn{0.0, normal_rate[0], normal_rate[1]};
    const Vec3<> rate = surface_rate(touch.surface_b, -1.0, motion.angular_velocity, -dn) -
                        surface_rate(touch.surface_a, 1.0, {0.0, 0.0, 0.0}, dn);
    motion.speed += surface_velocity_of_b(touch) - surface_velocity_of_a(touch);
    motion.speed_rate += rate;
    motion.rate_size += norm(rate);
  }
  return motion;
}

std::size_t limited_dofs(const Model& model) {
  std::size_t count = 0;
  for (const IndependentJoint& of : model.independent_joints()) {
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(of.joint)];
    bool any = of.kind != JointKind::free;
    for (int k = 0; k < facts(of.kind).nv; ++k)
      any = any || model.dofs()[static_cast<std::size_t>(joint.v + k)].passive.friction > 0.0;
    if (any) count += static_cast<std::size_t>(facts(of.kind).nv);
  }
  return count;
}

ContactRowsWorkspace::ContactRowsWorkspace(const Model& model, std::size_t contacts, std::size_t rotation_rows,
                                           std::size_t max_dofs)
    : max_contacts(contacts),
      max_rows(3 * contacts + rotation_rows),
      max_limit_rows(2 * max_dofs),
      nv(static_cast<std::size_t>(model.nv())),
      J(max_rows * nv),
      first(max_rows),
      last(max_rows),
      speed(max_rows),
      rate(max_rows),
      normal_angular_speed(contacts),
      migration_speed(contacts),
      size(contacts),
      block(6 * nv),
      responses((max_rows + max_limit_rows) * nv),
      efforts(nv) {}

void contact_rows(const Model& model, const KinematicsWorkspace& kinematics, std::span<const ContactFrame> touches,
                  ContactRowsWorkspace& work, RowDerivatives derivatives) {
  std::size_t rotation_row = 3 * touches.size(), rows = rotation_row;
  for (const ContactFrame& touch : touches) rows += (touch.spins ? 1 : 0) + (touch.rolls ? 2 : 0);
  require(touches.size() <= work.max_contacts && rows <= work.max_rows, "contact_rows", "touches",
          "the workspace was made for fewer");
  work.rows = rows;
  for (std::size_t c = 0; c < touches.size(); ++c) {
    const ContactFrame& touch = touches[c];
    relative_jacobian(model, kinematics, {touch.link_b, touch.X_BC}, {touch.link_a, touch.X_AC}, Axes::local,
                      {work.block.data(), work.block.size()});
    ContactFrameMotion motion{};
    if (derivatives == RowDerivatives::wanted) {
      motion = contact_frame_motion(kinematics, touch);
    } else {
      const Twist<> V = contact_velocity(kinematics, touch);
      motion.speed = V.linear;
      motion.angular_velocity = V.angular;
    }
    work.normal_angular_speed[c] = motion.normal_angular_speed;
    work.migration_speed[c] = max(length(motion.over_a), length(motion.over_b));
    work.size[c] = motion.rate_size;
    const auto put = [&](std::size_t row, std::size_t of, double speed, double rate) {
      for (std::size_t i = 0; i < work.nv; ++i) work.J[row * work.nv + i] = work.block[of * work.nv + i];
      std::size_t first = 0, last = work.nv;
      while (first < last && work.J[row * work.nv + first] == 0.0) ++first;
      while (last > first && work.J[row * work.nv + last - 1] == 0.0) --last;
      work.first[row] = first;
      work.last[row] = last;
      work.speed[row] = speed;
      work.rate[row] = rate;
    };
    put(3 * c, 0, motion.speed.x, motion.speed_rate.x);
    put(3 * c + 1, 1, motion.speed.y, motion.speed_rate.y);
    put(3 * c + 2, 2, motion.speed.z, motion.speed_rate.z);
    if (touch.spins) put(rotation_row++, 3, motion.angular_velocity.x, motion.angular_acceleration.x);
    if (touch.rolls) {
      put(rotation_row++, 4, motion.angular_velocity.y, motion.angular_acceleration.y);
      put(rotation_row++, 5, motion.angular_velocity.z, motion.angular_acceleration.z);
    }
  }
}

void multiply_rows(const ContactRowsWorkspace& work, std::span<double> A) {
  const std::size_t nv = work.nv, n = work.rows;
  require_size("multiply_rows", "A", A.size(), n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* const row_response = work.responses.data() + i * nv;
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = work.first[j]; k < work.last[j]; ++k) sum = fma(work.J[j * nv + k], row_response[k], sum);
      A[i * n + j] = A[j * n + i] = sum;
    }
  }
}

void contact_delassus(const Model& model, std::span<const DofRow> limit_rows, ResponseWorkspace& response,
                      ContactRowsWorkspace& work, std::span<double> A) {
  const std::size_t nv = work.nv, rows = work.rows, n = rows + limit_rows.size();
  require(limit_rows.size() <= work.max_limit_rows, "contact_delassus", "limit_rows",
          "there are more than two for each dof");
  require_size("contact_delassus", "A", A.size(), n * n);
  const std::span<double> efforts(work.efforts.data(), nv);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < nv; ++k) efforts[k] = i < rows ? work.J[i * nv + k] : 0.0;
    if (i >= rows) efforts[static_cast<std::size_t>(limit_rows[i - rows].dof)] = limit_rows[i - rows].sign;
    const std::span<double> row_response(work.responses.data() + i * nv, nv);
    apply_mass_inverse(model, response, efforts, {}, {}, row_response);
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      if (j < rows) {
        for (std::size_t k = work.first[j]; k < work.last[j]; ++k) sum = fma(work.J[j * nv + k], row_response[k], sum);
      } else {
        sum = limit_rows[j - rows].sign * row_response[static_cast<std::size_t>(limit_rows[j - rows].dof)];
      }
      A[i * n + j] = A[j * n + i] = sum;
    }
  }
}

}  // namespace pintle
