#include "pintle/simulation/flight/free_flight.h"

#include <cmath>
#include <variant>

#include "pintle/base/kernel_choice.h"
#include "pintle/geometry/broad_phase/world_box.h"
#include "pintle/math/scalar.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(FlightKernels, flight_kernels)

const FlightKernels& flight_kernels_in_use() {
  return chosen_flight_kernels();
}

namespace {

constexpr int kDofs = 6;

/// The minimum gap of shapes at the end of a time that counts as clear, relative to their size: integration and
/// rounding must not close it.
constexpr double kSpare = 1e-6;

/// A time is likely to be clear if it would be so with a path curved that much more.
constexpr double kMoreBend = 1.1;

/// [rad] as far as a body certainly continues its rotation.
constexpr double kSmallTurn = 0.25;

/// It is found by so many trials, or to this accuracy.
constexpr double kLonger = 1.5, kBefore = 0.9375, kFine = 0x1p-8;
constexpr int kMaxTrials = 5, kMaxShorter = 8;

/// What is no farther below a plane than this, relative to its size, touches it.
constexpr double kTouching = 1e-11;

bool is_inert(const ModelDof& dof) {
  const JointPassive& passive = dof.passive;
  return passive.armature == 0.0 && passive.damping == 0.0 && passive.friction == 0.0 && passive.stiffness == 0.0 &&
         dof.limits == JointLimits{};
}

/// A lower bound of the smallest principal value of an inertia.
double smallest_principal(const SymMat3<>& I) {
  const SymMat3<> inverse_of = inverse(I);
  return 1.0 / (inverse_of.xx + inverse_of.yy + inverse_of.zz);
}

FlightBody flight_body(const Link& link, const Vec3<>& gravity) {
  FlightBody body;
  body.q = link.q;
  body.v = link.v;
  body.mass = link.inertia.mass;
  body.center = center_of_mass(link.inertia);
  body.inertia = inertia_about_center_of_mass(link.inertia);
  body.mobility = inverse(body.inertia);
  body.gravity = transpose_times(link.X_PJ.rotation, gravity);
  body.X_WJ = link.X_PJ;
  body.weight = body.mass * gravity;
  const SymMat3<>& I = body.inertia;
  const bool diagonal = I.xy == 0.0 && I.xz == 0.0 && I.yz == 0.0;
  body.turning = {(I.yy - I.zz) / I.xx, (I.zz - I.xx) / I.yy, (I.xx - I.yy) / I.zz};
  body.principal = diagonal && norm_squared(body.center) == 0.0;
  if (body.principal) body.axis = I.xx == I.yy ? 2 : I.yy == I.zz ? 0 : I.zz == I.xx ? 1 : -1;
  body.slowest = diagonal ? min(I.xx, min(I.yy, I.zz)) : smallest_principal(I);
  body.largest = diagonal ? max(I.xx, max(I.yy, I.zz)) : I.xx + I.yy + I.zz;
  return body;
}

/// When a height a + b t - c t^2/2 with c >= 0 falls to zero [s]; 0 if it is there.
double time_down(double a, double b, double c) {
  if (!(a > 0.0)) return 0.0;
  const double root = std::sqrt(fma(b, b, 2.0 * a * c));
  if (b >= 0.0) return c > 0.0 ? (b + root) / c : __builtin_inf();
  return 2.0 * a / (root - b);
}

/// The maximum squared angular speed that a body with angular velocity w can reach in flight [rad^2/s^2]: energy and
/// angular momentum are conserved, and no (I_i - I_min) (I_max - I_i) w_i^2 is below zero. With an axis of symmetry it
/// is that of w.
double fastest_turn_squared(const FlightBody& body, const Vec3<>& w) {
  const Vec3<> L = body.inertia * w;
  const double bound = ((body.slowest + body.largest) * dot(w, L) - dot(L, L)) / (body.slowest * body.largest);
  return (1.0 + kSpare) * max(bound, dot(w, w));
}

/// The maximum acceleration of a point of a body over its distance from the centre of mass [1/s^2]: w^2 centripetal,
/// and dw/dt, of which no component is more than the product of two of w: the squares of the three products add up to a
/// third of w^4 at most.
double bending(const FlightBody& body, double turning_squared) {
  constexpr double kProducts = 0.5774;
  const Vec3<>& k = body.turning;
  const double largest = body.principal ? max(std::abs(k.x), max(std::abs(k.y), std::abs(k.z))) : 1.0;
  return fma(kProducts, largest, 1.0) * turning_squared;
}

/// The same with an axis of symmetry, about which and across which the angular speed is constant.
double bending_about(const FlightBody& body, const Vec3<>& w) {
  const Vec3<> square{w.x * w.x, w.y * w.y, w.z * w.z};
  const int c = body.axis;
  const double axial = c == 0 ? square.x : c == 1 ? square.y : square.z, all = square.x + square.y + square.z;
  const double k = c == 0 ? body.turning.y : c == 1 ? body.turning.z : body.turning.x;
  return (1.0 + kSpare) * fma(std::abs(k), std::sqrt(axial * (all - axial)), all);
}

/// The maximum distance of the points of a shape from the origin of its frame [m]; infinite if the corners of its box
/// are a good enough bound.
double round_reach(const ContactShape& shape) {
  if (const auto* const of = std::get_if<Sphere>(&shape)) return of->radius;
  if (const auto* const of = std::get_if<Capsule>(&shape)) return of->radius + 0.5 * of->length;
  if (const auto* const of = std::get_if<Cylinder>(&shape))
    return std::sqrt(fma(of->radius, of->radius, 0.25 * of->length * of->length));
  return __builtin_inf();
}

/// (sqrt(S) + sqrt(E))^2 > K.
bool stays_above(double S, double E, double K) {
  const double lack = K - (S + E);
  return lack < 0.0 || 4.0 * S * E > lack * lack;
}

Vec3<> normal_of(const Pose<>& X_WP) {
  return {X_WP.rotation.xz, X_WP.rotation.yz, X_WP.rotation.zz};
}

/// Height of the lowest point of a shape on a link above a plane [m].
double height_above(const Pose<>& X_WP, const ContactShape& shape, const Pose<>& X_LS, const Mat3<>& R_WL,
                    const Vec3<>& origin) {
  const Vec3<> n = normal_of(X_WP), n_L = transpose_times(R_WL, n);
  const double place = dot(n, origin - X_WP.translation) + dot(n_L, X_LS.translation);
  return place + extent_along(shape, transpose_times(X_LS.rotation, n_L)).low;
}

/// Height of the lowest point of a shape that follows its parabola and approximately keeps rotating about the same
/// axis.
struct TurningHeight {
  const ContactShape& shape;
  Mat3<> R_LS;
  Vec3<> normal, arm, w;      ///< in the body's axes; the arm is from the centre of mass to the shape
  double center, rise, fall;  ///< of the centre of mass

  double after(double t) const {
    // Rotated by Rodrigues' formula, with tan x = x N/D, approximately, up to a full revolution.
    const Vec3<> half = -0.5 * t * w, once = cross(half, normal);
    const double square = norm_squared(half);
    const double N = fma(square - 105.0, square, 945.0), D = fma(fma(15.0, square, -420.0), square, 945.0);
    const double part = 2.0 * N / fma(N * N, square, D * D);
    const Vec3<> turned = normal + part * (D * once + N * cross(half, once));
    return fma(rise - 0.5 * fall * t, t, center) + dot(turned, arm) +
           extent_along(shape, transpose_times(R_LS, turned)).low;
  }
};

}  // namespace

bool FreeFlight::can_fly(const Model& model) {
  if (model.links().empty() || model.has_couplings()) return false;
  for (const Link& link : model.links()) {
    if (link.parent >= 0 || link.nv != kDofs) return false;
    const double smallest =
        link.inertia.mass > 0.0 ? smallest_principal(inertia_about_center_of_mass(link.inertia)) : 0.0;
    if (!(smallest > 0.0) || !std::isfinite(smallest)) return false;
    for (int i = 0; i < kDofs; ++i)
      if (!is_inert(model.dofs()[static_cast<std::size_t>(link.v + i)])) return false;
  }
  return true;
}

FreeFlight::FreeFlight(const Model& model, const Contacts& contacts, bool all_pairs)
    : kernels_(&flight_kernels_in_use()),
      motions_(model.links().size()),
      heights_(contacts.setup().pairs.size()),
      near_pairs_(contacts, all_pairs) {
  for (const Link& link : model.links()) bodies_.push_back(flight_body(link, model.gravity()));
  const auto part_of = [&](int number) {
    const ContactPart& from = contacts.setup().parts[static_cast<std::size_t>(number)];
    Part part{from.link, &contacts.shape(number), from.X_LS, 0.0, {}};
    if (part.body < 0) {
      part.box = world_box(*part.shape, part.X_LS);
    } else {
      const BoundingBox box = world_box(*part.shape, part.X_LS);
      const Vec3<>& c = bodies_[static_cast<std::size_t>(part.body)].center;
      const Vec3<> low = c - box.min, high = box.max - c;
      const double to_corner =
          norm(Vec3<>{max(std::abs(low.x), std::abs(high.x)), max(std::abs(low.y), std::abs(high.y)),
                      max(std::abs(low.z), std::abs(high.z))});
      part.reach = min(to_corner, norm(part.X_LS.translation - c) + (1.0 + kSpare) * round_reach(*part.shape));
    }
    return part;
  };
  for (std::size_t i = 0; i < contacts.setup().parts.size(); ++i) parts_.push_back(part_of(static_cast<int>(i)));
  boxes_.resize(parts_.size());
  for (const ContactPair& from : contacts.setup().pairs) {
    Pair pair{parts_[static_cast<std::size_t>(from.a)], parts_[static_cast<std::size_t>(from.b)]};
    if (pair.b.body < 0) std::swap(pair.a, pair.b);
    pair.plane = pair.a.body < 0 && std::holds_alternative<HalfSpace>(*pair.a.shape);
    pair.size = pair.a.reach + pair.b.reach;
    pairs_.push_back(pair);
  }
}

bool FreeFlight::step(double h, std::span<double> q, std::span<double> v, Wrench<>* weight_impulse) const {
  return kernels_->step(bodies_.data(), static_cast<int>(bodies_.size()), h, q.data(), v.data(), weight_impulse);
}

std::int64_t FreeFlight::steps(const FlightSteps& steps, double& t, std::span<double> q, std::span<double> v,
                               Wrench<>* weight_impulse) const {
  return kernels_->steps(bodies_.data(), static_cast<int>(bodies_.size()), steps, t, q.data(), v.data(),
                         weight_impulse);
}

FreeFlight::BodyMotion FreeFlight::motion_of(std::size_t i, std::span<const double> q,
                                             std::span<const double> v) const {
  const FlightBody& body = bodies_[i];
  const double* const p = q.data() + body.q;
  const double* const u = v.data() + body.v;
  const Mat3<> R = body.X_WJ.rotation * rotation_matrix(Quaternion<>{p[3], p[4], p[5], p[6]});
  const Vec3<> w{u[3], u[4], u[5]};
  const double turning_squared = fastest_turn_squared(body, w);
  BodyMotion motion;
  motion.R_WL = R;
  motion.origin = transform_point(body.X_WJ, Vec3<>{p[0], p[1], p[2]});
  motion.center = motion.origin + R * body.center;
  motion.velocity = R * (Vec3<>{u[0], u[1], u[2]} + cross(w, body.center));
  motion.gravity = body.weight / body.mass;
  motion.w = w;
  motion.turning = std::sqrt(turning_squared);
  motion.bending = body.axis >= 0 ? bending_about(body, w) : bending(body, turning_squared);
  return motion;
}

/// A box that contains a part of a body for a time [s]: the displacement of the centre of mass is v t, and g t^2/2.
BoundingBox FreeFlight::swept_box(const Part& part, double time) const {
  const BodyMotion& motion = motions_[static_cast<std::size_t>(part.body)];
  const Vec3<>& c = motion.center;
  const Vec3<> straight = c + time * motion.velocity, fall = 0.5 * time * time * motion.gravity;
  const BoundingBox line = enclosing({c, c}, {straight, straight});
  const BoundingBox way = enclosing(line, {line.min + fall, line.max + fall});
  return inflated(way, part.reach + kSpare * (part.reach + norm(c) + norm(straight) + norm(fall)));
}

FreeFlight::ClearTime FreeFlight::time_of_impact_bound(std::span<const double> q, std::span<const double> v,
                                                       double longest, double longest_of_many) {
  if (pairs_.empty()) return {longest, longest};
  for (std::size_t i = 0; i < bodies_.size(); ++i) motions_[i] = motion_of(i, q, v);
  if (!near_pairs_.all()) {
    longest = min(longest, longest_of_many);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].body >= 0) boxes_[i] = swept_box(parts_[i], longest);
  }
  ClearTime clear{longest, longest};
  for (const int number : near_pairs_.within(boxes_)) {
    const Pair& pair = pairs_[static_cast<std::size_t>(number)];
    const BodyMotion& b = motions_[static_cast<std::size_t>(pair.b.body)];
    ClearTime of_pair;
    if (pair.plane) {
      Height& height = heights_[static_cast<std::size_t>(number)];
      height = height_of(pair, b);
      of_pair = clear_of_plane(pair, b, height, longest);
    } else {
      of_pair.certain = pair.a.body >= 0
                            ? clear_of_body(pair, motions_[static_cast<std::size_t>(pair.a.body)], b, longest)
                            : clear_of_box(pair, b, longest);
      of_pair.likely = 0.0;
    }
    clear.certain = min(clear.certain, of_pair.certain);
    clear.likely = min(clear.likely, of_pair.likely);
    clear.touch = min(clear.touch, of_pair.touch);
  }
  return clear;
}

/// The weight pulls a point towards the plane, which keeps its path above the chord, or away from it.
FreeFlight::Height FreeFlight::height_of(const Pair& pair, const BodyMotion& motion) const {
  const double start = height_above(pair.a.X_LS, *pair.b.shape, pair.b.X_LS, motion.R_WL, motion.origin);
  const Vec3<> n = normal_of(pair.a.X_LS);
  const double center = dot(n, motion.center - pair.a.X_LS.translation);
  return {start, center - pair.b.reach, dot(n, motion.velocity), dot(n, motion.gravity), pair.b.reach * motion.bending};
}

/// Whether no point touches the plane within a time, at the end of which the lowest is `end` above it, with a margin. A
/// point that is S above the plane at the start of its path and E at the end is at the fraction s of it no lower than
/// (1 - s) S + s E - K s (1 - s), where K is t^2/2 times its maximum acceleration away from the plane: the path sags
/// below the chord by no more. That is above zero all the way if (sqrt(S) + sqrt(E))^2 > K. Else there may be a point
/// in between where the ball is high enough for the paths on both sides of it: at `top` most is left for the second.
bool FreeFlight::Height::stays_above_until(double t, double end, double spare, double times) const {
  if (!(end > spare)) return false;
  const double S = start > 0.0 ? start : 0.0, E = end - spare, bend = 0.5 * max_minus_gravity(times);
  if (stays_above(S, E, bend * t * t)) return true;
  const double top = (rise + 2.0 * bend * t) / (2.0 * bend - weight), rest = t - top;
  if (!(top > 0.0 && rest > 0.0 && weight <= 0.0)) return false;
  const double between = fma(fma(0.5 * weight, top, rise), top, ball) - spare;
  return between > 0.0 && (ball > spare || stays_above(S, between, bend * top * top)) &&
         stays_above(between, E, bend * rest * rest);
}

bool FreeFlight::clear_step(double h, std::span<const double> q_to) const {
  for (const int number : near_pairs_.found()) {
    const Pair& pair = pairs_[static_cast<std::size_t>(number)];
    if (!pair.plane) return false;
    const FlightBody& body = bodies_[static_cast<std::size_t>(pair.b.body)];
    const Height& height = heights_[static_cast<std::size_t>(number)];
    const double* const p = q_to.data() + body.q;
    const Mat3<> R = body.X_WJ.rotation * rotation_matrix(Quaternion<>{p[3], p[4], p[5], p[6]});
    const double end =
        height_above(pair.a.X_LS, *pair.b.shape, pair.b.X_LS, R, transform_point(body.X_WJ, {p[0], p[1], p[2]}));
    const double spare = kSpare * (pair.size + std::abs(end));
    if (!(height.start > -kTouching * pair.size && height.stays_above_until(h, end, spare))) return false;
  }
  return true;
}

/// The height of the lowest point of the shape is that of its centre of mass, minus a part that changes by no more than
/// the reach times the rotation, and is no more than the reach.
FreeFlight::ClearTime FreeFlight::clear_of_plane(const Pair& pair, const BodyMotion& motion, const Height& height,
                                                 double longest) const {
  const double spare = kSpare * (pair.size + std::abs(height.start)), fall = max(-height.weight, 0.0);
  const double certain = max(time_down(height.start - spare, height.rise - pair.b.reach * motion.turning, fall),
                             time_down(height.ball - spare, height.rise, fall));
  ClearTime clear = likely_above_plane(pair, motion, height, spare, longest);
  clear.certain = min(longest, certain);
  return clear;
}

/// By trials: the approximate height of the shape after a time.
FreeFlight::ClearTime FreeFlight::likely_above_plane(const Pair& pair, const BodyMotion& motion, const Height& height,
                                                     double spare, double longest) const {
  const Vec3<> n_L = transpose_times(motion.R_WL, normal_of(pair.a.X_LS));
  const Vec3<> arm = pair.b.X_LS.translation - bodies_[static_cast<std::size_t>(pair.b.body)].center;
  const double fall = max(-height.weight, 0.0), center = height.ball + pair.b.reach;
  const TurningHeight lowest{*pair.b.shape, pair.b.X_LS.rotation, n_L, arm, motion.w, center, height.rise, fall};
  // The time without rotation: t = (rise + 2 sqrt(K S))/(K + fall/2), or until it is down.
  const double start = max(height.start, 0.0), bend = 0.5 * height.max_minus_gravity(kMoreBend);
  const double root = std::sqrt(bend * start);
  double t = (height.rise + 2.0 * root) / (bend + 0.5 * fall);
  if (!(bend * t > root)) t = time_down(start + spare, height.rise, fall);
  if (!(t > 0.0) || (start <= spare && height.rise <= 0.0)) t = kSmallTurn / motion.turning;  // it may rotate away
  // The last time that is clear and the first that is not, and when the height is zero on the chord between them.
  double likely = 0.0, likely_end = max(start - spare, 0.0), not_likely = longest, not_end = 0.0, down = longest;
  t = min(longest, t);
  for (int k = 0; k < (likely > 0.0 ? kMaxTrials : kMaxShorter) && likely < longest; ++k) {
    const double end = lowest.after(t);
    if (height.stays_above_until(t, end, spare, kMoreBend)) {
      likely = t;
      likely_end = end - spare;
    } else {
      not_likely = t;
      not_end = end - spare;
    }
    const bool falls = not_end < 0.0;
    const double chord = likely + (not_likely - likely) * (falls ? likely_end / (likely_end - not_end) : 0.5);
    if (falls && likely > 0.0) down = chord;
    if (chord - likely < kFine * likely) break;
    const double before = fma(kBefore, chord - likely, likely);
    t = not_likely == longest ? min(longest, kLonger * likely) : likely > 0.0 ? before : max(before, 0.5 * not_likely);
  }
  return {0.0, likely, down < longest ? down : __builtin_inf()};
}

/// A ball around the centre of mass against the box around what is fixed.
double FreeFlight::clear_of_box(const Pair& pair, const BodyMotion& motion, double longest) const {
  const BoundingBox& box = pair.a.box;
  const Vec3<>& c = motion.center;
  const auto outside = [](double x, double low, double high) { return max(max(low - x, x - high), 0.0); };
  const double apart = norm(Vec3<>{outside(c.x, box.min.x, box.max.x), outside(c.y, box.min.y, box.max.y),
                                   outside(c.z, box.min.z, box.max.z)});
  const double spare = kSpare * (pair.size + norm(c));
  return min(longest, time_down(apart - pair.b.reach - spare, -norm(motion.velocity), norm(motion.gravity)));
}

/// Two such balls: the weight does not change their relative motion.
double FreeFlight::clear_of_body(const Pair& pair, const BodyMotion& a, const BodyMotion& b, double longest) const {
  const Vec3<> between = b.center - a.center, speed = b.velocity - a.velocity;
  const double apart = norm(between) - pair.size;
  const double spare = kSpare * (pair.size + norm(a.center) + norm(b.center));
  return min(longest, time_down(apart - spare, -norm(speed), 0.0));
}

}  // namespace pintle
