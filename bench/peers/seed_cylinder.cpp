// The loop of seed 004 in plain C++: its types, its equations in the order of its text, its RK4, and after every step the
// contact of the nearest point with the floor. Compiled with -O3, without instruction set flags or tuning.
#include <cmath>

#include "cylinder.h"

namespace {

constexpr int kStateSize = 13;  // r_b, q, p, L_b

struct Vector3 {
  double x, y, z;
};
struct Quaternion {
  Vector3 vector;
  double scalar;
};
struct Matrix3 {
  double a11, a21, a31, a12, a22, a32, a13, a23, a33;
};

Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vector3 operator*(double s, const Vector3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
double dot(const Vector3& a, const Vector3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vector3 operator*(const Matrix3& A, const Vector3& b) {
  return {A.a11 * b.x + A.a12 * b.y + A.a13 * b.z, A.a21 * b.x + A.a22 * b.y + A.a23 * b.z,
          A.a31 * b.x + A.a32 * b.y + A.a33 * b.z};
}
Matrix3 operator*(const Matrix3& A, const Matrix3& B) {
  const Vector3 x = A * Vector3{B.a11, B.a21, B.a31}, y = A * Vector3{B.a12, B.a22, B.a32},
                z = A * Vector3{B.a13, B.a23, B.a33};
  return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}
Matrix3 transpose(const Matrix3& A) {
  return {A.a11, A.a12, A.a13, A.a21, A.a22, A.a23, A.a31, A.a32, A.a33};
}
Matrix3 diagonal(double x, double y, double z) {
  return {x, 0, 0, 0, y, 0, 0, 0, z};
}
Matrix3 inverse(const Matrix3& A) {
  const double c11 = A.a22 * A.a33 - A.a23 * A.a32, c12 = A.a23 * A.a31 - A.a21 * A.a33,
               c13 = A.a21 * A.a32 - A.a22 * A.a31;
  const double d = 1.0 / (A.a11 * c11 + A.a12 * c12 + A.a13 * c13);
  return {d * c11,
          d * c12,
          d * c13,
          d * (A.a13 * A.a32 - A.a12 * A.a33),
          d * (A.a11 * A.a33 - A.a13 * A.a31),
          d * (A.a12 * A.a31 - A.a11 * A.a32),
          d * (A.a12 * A.a23 - A.a13 * A.a22),
          d * (A.a13 * A.a21 - A.a11 * A.a23),
          d * (A.a11 * A.a22 - A.a12 * A.a21)};
}
Matrix3 rot(const Quaternion& q) {
  const double x = q.vector.x, y = q.vector.y, z = q.vector.z, w = q.scalar;
  return {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
          2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
          2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
}

struct State {
  double at[kStateSize];
};

Vector3 vector_at(const State& Y, int i) {
  return {Y.at[i], Y.at[i + 1], Y.at[i + 2]};
}
void put(State& Y, int i, const Vector3& a) {
  Y.at[i] = a.x;
  Y.at[i + 1] = a.y;
  Y.at[i + 2] = a.z;
}

State operator+(const State& a, const State& b) {
  State sum;
  for (int i = 0; i < kStateSize; ++i) sum.at[i] = a.at[i] + b.at[i];
  return sum;
}
State operator*(double s, const State& a) {
  State product;
  for (int i = 0; i < kStateSize; ++i) product.at[i] = s * a.at[i];
  return product;
}

struct Shape {
  virtual ~Shape() = default;
  /// The point of the shape, in its frame, that is nearest to a distant plane in a direction.
  virtual Vector3 nearest_point(const Vector3& direction) const = 0;
};
struct CylinderShape final : Shape {
  double radius, length;
  CylinderShape(double r, double l) : radius(r), length(l) {}
  Vector3 nearest_point(const Vector3& direction) const override {
    const double across = std::sqrt(direction.x * direction.x + direction.y * direction.y);
    const double z = direction.z > 0 ? 0.5 * length : direction.z < 0 ? -0.5 * length : 0.0;
    if (across < 1e-12) return {0, 0, z};
    return {radius * direction.x / across, radius * direction.y / across, z};
  }
};

struct RigidBody {
  const Shape* shape;
  double mass, mmoi[3];
  Vector3 cg;  // from the reference point b
};

/// The inverse of I_c = R I_body R^T.
Matrix3 mobility(const RigidBody& body, const Matrix3& R) {
  return inverse(R * diagonal(body.mmoi[0], body.mmoi[1], body.mmoi[2]) * transpose(R));
}

struct Motion {
  Vector3 v_b, omega;
};

Motion motion_of(const RigidBody& body, const Vector3& c, const Matrix3& I_inv, const Vector3& p, const Vector3& L_b) {
  const Vector3 omega = I_inv * (L_b - cross(c, p));
  return {(1 / body.mass) * p + cross(c, omega), omega};
}

State rate(const RigidBody& body, double, const State& Y, const Vector3& gravity) {
  const Quaternion q{vector_at(Y, 3), Y.at[6]};
  const Vector3 p = vector_at(Y, 7), L_b = vector_at(Y, 10);
  const Matrix3 R = rot(q);
  const Vector3 c = R * body.cg;
  const Motion V = motion_of(body, c, mobility(body, R), p, L_b);
  const Vector3 F = body.mass * gravity, tau_b = cross(c, F);
  State Y_rate;
  put(Y_rate, 0, V.v_b);
  put(Y_rate, 3, 0.5 * (q.scalar * V.omega + cross(V.omega, q.vector)));
  Y_rate.at[6] = -0.5 * dot(V.omega, q.vector);
  put(Y_rate, 7, F);
  put(Y_rate, 10, tau_b - cross(V.v_b, p));
  return Y_rate;
}

struct ContactPlane {
  double epsilon, mu;
  Vector3 origin, normal;
  bool active = false;

  /// The impulses at the nearest point, if it is below the plane and approaches. True if there was an impact.
  bool calculate(const RigidBody& body, State& Y) {
    const Matrix3 R = rot({vector_at(Y, 3), Y.at[6]});
    const Vector3 r_A = R * body.shape->nearest_point(-1.0 * (transpose(R) * normal));
    active = dot(normal, vector_at(Y, 0) + r_A - origin) < 0;
    if (!active) return false;
    const Vector3 c = R * body.cg, from_c = r_A - c;
    const Matrix3 I_inv = mobility(body, R);
    Vector3 p = vector_at(Y, 7), L_b = vector_at(Y, 10);
    const Motion V = motion_of(body, c, I_inv, p, L_b);
    const Vector3 v_A = V.v_b + cross(V.omega, r_A);
    const double v_imp = dot(normal, v_A);
    if (v_imp >= 0) return false;
    const auto reduced_mass = [&](const Vector3& n) {
      const Vector3 arm = cross(from_c, n);
      return 1 / (1 / body.mass + dot(arm, I_inv * arm));
    };
    const double Jn = -(1 + epsilon) * v_imp * reduced_mass(normal);
    Vector3 J = Jn * normal;
    const Vector3 v_t = v_A - v_imp * normal;
    const double v_slip = std::sqrt(dot(v_t, v_t));
    if (v_slip > 0) {
      const Vector3 slip = (1 / v_slip) * v_t;
      const double Js = std::fmin(v_slip * reduced_mass(slip), mu * Jn);
      J = J - Js * slip;
    }
    put(Y, 7, p + J);
    put(Y, 10, L_b + cross(r_A, J));
    return true;
  }
};

struct Simulation {
  RigidBody body;
  ContactPlane contact;
  Vector3 gravity;
  long step = 0;
  double time = 0;
  State current;

  State integrate(double h) const {
    const State k0 = rate(body, time, current, gravity);
    const State Y1 = current + (h / 2) * k0;
    const State k1 = rate(body, time + h / 2, Y1, gravity);
    const State Y2 = current + (h / 2) * k1;
    const State k2 = rate(body, time + h / 2, Y2, gravity);
    const State Y3 = current + h * k2;
    const State k3 = rate(body, time + h, Y3, gravity);
    State next = current + (h / 6) * k0 + (h / 3) * k1 + (h / 3) * k2 + (h / 6) * k3;
    const double* const q = next.at + 3;
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 3; i < 7; ++i) next.at[i] /= length;
    return next;
  }
};

class SeedCylinder final : public peers::CylinderRun {
 public:
  explicit SeedCylinder(const peers::Cylinder& of) : of_(of), shape_(of.radius, of.length) {}

  void run(long steps) override {
    Simulation simulation{
        {&shape_, of_.mass, {of_.across(), of_.across(), of_.axial()}, {0, 0, 0}},
        {of_.restitution, of_.friction, {0, 0, 0}, {0, 0, 1}},
        {0, 0, -of_.gravity},
        0,
        0,
        {{0, 0, 0.5 * of_.length, 0, 0, 0, 1, 0, 0, -of_.mass * of_.speed, 0, of_.across() * of_.turning, 0}}};
    impacts_ = touching_ = 0;
    while (simulation.step < steps) {
      simulation.current = simulation.integrate(of_.step);
      simulation.time += of_.step;
      ++simulation.step;
      if (simulation.contact.calculate(simulation.body, simulation.current)) ++impacts_;
      if (simulation.contact.active) ++touching_;
    }
    height_ = simulation.current.at[2];
    steps_ = steps;
  }
  long impacts() const override { return impacts_; }
  double in_flight() const override { return 1.0 - static_cast<double>(touching_) / static_cast<double>(steps_); }
  double height() const override { return height_; }

 private:
  peers::Cylinder of_;
  CylinderShape shape_;
  long impacts_ = 0, touching_ = 0, steps_ = 0;
  double height_ = 0;
};

}  // namespace

namespace peers {

CylinderRun* seed_cylinder(const Cylinder& cylinder) {
  return new SeedCylinder(cylinder);
}

}  // namespace peers
