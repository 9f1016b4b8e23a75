#include "pintle/simulation/contact/near_pairs.h"

#include <algorithm>
#include <variant>

#include "pintle/geometry/broad_phase/world_box.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/shape_width.h"

namespace pintle {
namespace {

/// Up to so many pairs it is faster to examine all of them (bench/many_bodies.cpp).
constexpr std::size_t kFewPairs = 3;

/// Relative to sizes and distances: the rounding of a gap and the contact tolerance are well below.
constexpr double kSlack = 1e-9;

/// A box is kept until its part leaves it: it is enlarged by this fraction of its longest side, on every side. A box
/// that is so many times as long as needed is computed again too: fast parts have large ones, and slow down.
constexpr double kMore = 0.125, kTooLong = 2.0;

constexpr BoundingBox kEverywhere{{-kInfinity<double>, -kInfinity<double>, -kInfinity<double>},
                                  {kInfinity<double>, kInfinity<double>, kInfinity<double>}};

double longest_side(const BoundingBox& box) {
  const Vec3<> side = box.max - box.min;
  return max(side.x, max(side.y, side.z));
}

/// False if a value is NaN.
bool still_fits(const BoundingBox& outer, const BoundingBox& inner) {
  return longest_side(outer) <= kTooLong * longest_side(inner) && outer.min.x <= inner.min.x &&
         outer.min.y <= inner.min.y && outer.min.z <= inner.min.z && inner.max.x <= outer.max.x &&
         inner.max.y <= outer.max.y && inner.max.z <= outer.max.z;
}

/// Norm bound of the difference of two rotations: no unit vector moves farther.
double farthest_turn(const Mat3<>& before, const Mat3<>& after) {
  double sum = 0.0;
  for (const double entry : to_array(after - before)) sum += entry * entry;
  return sqrt(sum);
}

/// Speeds within a step may exceed those at its ends by so much.
constexpr double kFaster = 1.25;

/// What lies behind a surface of triangles, or below a plane, is inside it at any distance.
bool has_a_behind(const ContactShape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<SurfaceMesh>(shape) ||
         std::holds_alternative<HeightField>(shape);
}

}  // namespace

NearPairs::NearPairs(const Contacts& contacts, bool all)
    : contacts_(&contacts), all_(all || contacts.setup().pairs.size() <= kFewPairs) {
  const ContactSetup& setup = contacts.setup();
  for (std::size_t i = 0; i < setup.parts.size(); ++i) {
    const ContactPart& part = setup.parts[i];
    const ContactShape& shape = contacts.shape(static_cast<int>(i));
    widths_.push_back(width_of(shape));
    const bool bounded = !has_a_behind(shape), fixed_plane = part.link < 0 && std::holds_alternative<HalfSpace>(shape);
    const BoundingBox box = bounded ? bounding_box(shape) : BoundingBox{};
    const Sphere* const sphere = std::get_if<Sphere>(&shape);
    balls_.push_back({transform_point(part.X_LS, 0.5 * (box.min + box.max)),
                      sphere != nullptr ? sphere->radius : 0.5 * norm(box.max - box.min)});
    bounded_.push_back(bounded ? 1 : 0);
    plane_of_.push_back(fixed_plane ? static_cast<int>(planes_.size()) : -1);
    if (fixed_plane) {
      const Mat3<>& R = part.X_LS.rotation;
      const Vec3<> n{R.xz, R.yz, R.zz}, &p = part.X_LS.translation;
      planes_.push_back({n, dot(n, p) + kSlack * norm(p)});
    }
    const double slack = kSlack * (part.extent + norm(part.X_LS.translation));
    kept_.push_back(bounded && part.link < 0 ? world_box(shape, part.X_LS, slack) : kEverywhere);
    if (bounded && part.link >= 0)
      kept_.back() = {{kInfinity<double>, kInfinity<double>, kInfinity<double>}, {}};  // empty
  }
  for (std::size_t pair = 0; pair < setup.pairs.size(); ++pair)
    any_thin_ = any_thin_ || width(pair) < kInfinity<double>;
  from_.resize(widths_.size());
  to_.resize(widths_.size());
  if (all_) {
    for (std::size_t pair = 0; pair < setup.pairs.size(); ++pair) near_.push_back(static_cast<int>(pair));
    return;
  }
  needed_.resize(kept_.size());
  first_pair_.resize(kept_.size() + 1);
  for (const ContactPair& pair : setup.pairs) ++first_pair_[static_cast<std::size_t>(pair.a) + 1];
  for (std::size_t i = 0; i < kept_.size(); ++i) first_pair_[i + 1] += first_pair_[i];
}

bool NearPairs::moves(std::size_t part) const {
  return contacts_->setup().parts[part].link >= 0 && bounded_[part] != 0;
}

NearPairs::PartMotion NearPairs::motion_of(std::size_t part, const KinematicsWorkspace& places) const {
  const int link = contacts_->setup().parts[part].link;
  const Ball& ball = balls_[part];
  const Pose<>& X_WL = places.X_WL[static_cast<std::size_t>(link)];
  const Twist<>& V_L = places.motion.view().V[link];
  const Vec3<> velocity = V_L.linear + cross(V_L.angular, ball.center);
  return {X_WL.rotation, transform_point(X_WL, ball.center), X_WL.rotation * velocity, X_WL.rotation * V_L.angular,
          norm(velocity) + norm(V_L.angular) * ball.radius};
}

void NearPairs::begin_step(const KinematicsWorkspace& places) {
  for (std::size_t i = 0; i < from_.size(); ++i)
    if (moves(i)) from_[i] = motion_of(i, places);
}

/// A gap changes by no more than the displacements of both shapes, and no faster than their speeds. The search examines
/// a pair whose gap, at one of the ends, is not above |h r_0 - c| + |h r_1 - c|, where c is the change and r_0, r_1 are
/// the time derivatives at the ends: it skips pairs whose boxes are apart by h (speed_0 + speed_1) + 2 displacement, of
/// both shapes.
std::span<const int> NearPairs::end_step(const KinematicsWorkspace& places, double h) {
  for (std::size_t i = 0; i < to_.size(); ++i)
    if (moves(i)) to_[i] = motion_of(i, places);
  if (all_) return near_;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (!moves(i)) continue;
    const PartMotion &from = from_[i], &to = to_[i];
    const double radius = balls_[i].radius;
    const double way = norm(to.center - from.center) + radius * farthest_turn(from.R_WL, to.R_WL);
    const double size = radius + max(norm(from.center), norm(to.center));
    const double margin = (1.0 + kSlack) * (h * (from.speed + to.speed) + 2.0 * way) + kSlack * size;
    needed_[i] = inflated(enclosing({from.center, from.center}, {to.center, to.center}), radius + margin);
  }
  return within(needed_);
}

double NearPairs::width(std::size_t pair) const {
  const ContactPair& parts = contacts_->setup().pairs[pair];
  return widths_[static_cast<std::size_t>(parts.a)] + widths_[static_cast<std::size_t>(parts.b)];
}

double NearPairs::approach_speed(std::size_t pair) const {
  const ContactPair& parts = contacts_->setup().pairs[pair];
  const auto a = static_cast<std::size_t>(parts.a), b = static_cast<std::size_t>(parts.b);
  return kFaster * max(min(speed_between(a, b, from_), speed_between(b, a, from_)),
                       min(speed_between(a, b, to_), speed_between(b, a, to_)));
}

/// How fast the points of part b move against part a, as seen from there.
double NearPairs::speed_between(std::size_t a, std::size_t b, const std::vector<PartMotion>& motions) const {
  const PartMotion &A = motions[a], &B = motions[b];
  const Vec3<> velocity = B.velocity - A.velocity - cross(A.angular, B.center - A.center);
  return norm(velocity) + norm(B.angular - A.angular) * balls_[b].radius;
}

std::span<const int> NearPairs::at(const KinematicsWorkspace& places) {
  if (all_) return near_;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (!moves(i)) continue;
    const Vec3<> center = motion_of(i, places).center;
    const double radius = balls_[i].radius;
    needed_[i] = inflated({center, center}, radius + kSlack * (radius + norm(center)));
  }
  return within(needed_);
}

/// Contacts::within_reach looks as far as the sum of both shapes' fastest points go.
std::span<const int> NearPairs::within_reach(const KinematicsWorkspace& places, double time) {
  if (all_) return near_;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (!moves(i)) continue;
    const PartMotion motion = motion_of(i, places);
    const double radius = balls_[i].radius, slack = kSlack * (radius + norm(motion.center));
    needed_[i] = inflated({motion.center, motion.center}, radius + fma((1.0 + kSlack) * time, motion.speed, slack));
  }
  return within(needed_);
}

std::span<const int> NearPairs::within(std::span<const BoundingBox> boxes) {
  if (all_) return near_;
  bool left = searches_ == 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!moves(i) || still_fits(kept_[i], boxes[i])) continue;
    kept_[i] = inflated(boxes[i], kMore * longest_side(boxes[i]));
    left = true;
  }
  if (left) search();
  return near_;
}

/// A box with a NaN is not above anything.
bool NearPairs::is_above(const BoundingBox& box, const Plane& plane) const {
  const Vec3<>& n = plane.normal;
  const double lowest = n.x * (n.x > 0.0 ? box.min.x : box.max.x) + n.y * (n.y > 0.0 ? box.min.y : box.max.y) +
                        n.z * (n.z > 0.0 ? box.min.z : box.max.z);
  return lowest > plane.place;
}

bool NearPairs::far_from_plane(const BoxPair& parts) const {
  const auto first = static_cast<std::size_t>(parts.first), second = static_cast<std::size_t>(parts.second);
  if (plane_of_[first] >= 0) return is_above(kept_[second], planes_[static_cast<std::size_t>(plane_of_[first])]);
  return plane_of_[second] >= 0 && is_above(kept_[first], planes_[static_cast<std::size_t>(plane_of_[second])]);
}

/// The pairs of boxes come in the order of their parts, and so do those that may touch.
void NearPairs::search() {
  const std::vector<ContactPair>& pairs = contacts_->setup().pairs;
  near_.clear();
  ++searches_;
  for (const BoxPair& parts : broad_.pairs(kept_)) {
    const auto begin = pairs.begin() + first_pair_[static_cast<std::size_t>(parts.first)];
    const auto end = pairs.begin() + first_pair_[static_cast<std::size_t>(parts.first) + 1];
    const auto found = std::lower_bound(begin, end, parts.second, [](const ContactPair& p, int b) { return p.b < b; });
    if (found == end || found->b != parts.second || far_from_plane(parts)) continue;
    near_.push_back(static_cast<int>(found - pairs.begin()));
  }
}

}  // namespace pintle
