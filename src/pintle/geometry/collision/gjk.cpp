#include "pintle/geometry/collision/gjk.h"

#include <array>

namespace pintle {
namespace {

// A point of the difference B - A, with the points it comes from.
struct Corner {
  Vec3<> w, a, b;
};

struct Pair {
  const ConvexView& a;
  const ConvexView& b;
  const Pose<>& X_AB;

  /// The farthest point of B - A along -direction: of A along the direction, of B against it.
  Corner nearest_along(const Vec3<>& direction) const {
    Corner c;
    c.a = core_support(a, direction);
    c.b = transform_point(X_AB, core_support(b, -transpose_times(X_AB.rotation, direction)));
    c.w = c.b - c.a;
    return c;
  }
};

// Up to four corners and the weights of the point of their hull that is nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corner;
  std::array<double, 4> weight;
  int count = 0;

  Vec3<> point() const {
    Vec3<> v = weight[0] * corner[0].w;
    for (int i = 1; i < count; ++i) v = fma(weight.data()[i], corner.data()[i].w, v);
    return v;
  }
  Vec3<> on_a() const {
    Vec3<> v = weight[0] * corner[0].a;
    for (int i = 1; i < count; ++i) v = fma(weight.data()[i], corner.data()[i].a, v);
    return v;
  }
  Vec3<> on_b() const {
    Vec3<> v = weight[0] * corner[0].b;
    for (int i = 1; i < count; ++i) v = fma(weight.data()[i], corner.data()[i].b, v);
    return v;
  }
};

Simplex of(const Corner& p) {
  Simplex s;
  s.corner[0] = p;
  s.weight[0] = 1.0;
  s.count = 1;
  return s;
}

Simplex of(const Corner& p, const Corner& q, double t) {
  Simplex s;
  s.corner[0] = p;
  s.corner[1] = q;
  s.weight[0] = 1.0 - t;
  s.weight[1] = t;
  s.count = 2;
  return s;
}

Simplex nearest(const Corner& p, const Corner& q) {
  const Vec3<> d = q.w - p.w;
  const double length = norm_squared(d), t = -dot(p.w, d);
  if (!(t > 0.0)) return of(p);
  if (t >= length) return of(q);
  return of(p, q, t / length);
}

// The regions of a triangle as in Ericson, Real-Time Collision Detection, 5.1.5.
Simplex nearest(const Corner& p, const Corner& q, const Corner& r) {
  const Vec3<> pq = q.w - p.w, pr = r.w - p.w;
  const double d1 = -dot(pq, p.w), d2 = -dot(pr, p.w);
  if (d1 <= 0.0 && d2 <= 0.0) return of(p);
  const double d3 = -dot(pq, q.w), d4 = -dot(pr, q.w);
  if (d3 >= 0.0 && d4 <= d3) return of(q);
  const double vr = d1 * d4 - d3 * d2;
  if (vr <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return of(p, q, d1 / (d1 - d3));
  const double d5 = -dot(pq, r.w), d6 = -dot(pr, r.w);
  if (d6 >= 0.0 && d5 <= d6) return of(r);
  const double vq = d5 * d2 - d1 * d6;
  if (vq <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return of(p, r, d2 / (d2 - d6));
  const double vp = d3 * d6 - d5 * d4;
  if (vp <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return of(q, r, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double sum = vp + vq + vr;
  if (!(sum > 0.0)) {  // a sliver: use its longest side
    const double n_pq = norm_squared(pq), n_pr = norm_squared(pr), n_qr = norm_squared(r.w - q.w);
    return n_pq >= n_pr && n_pq >= n_qr ? nearest(p, q) : n_pr >= n_qr ? nearest(p, r) : nearest(q, r);
  }
  Simplex s;
  s.corner[0] = p;
  s.corner[1] = q;
  s.corner[2] = r;
  s.weight[0] = vp / sum;
  s.weight[1] = vq / sum;
  s.weight[2] = vr / sum;
  s.count = 3;
  return s;
}

// Whether the origin is on the other side of the triangle than the fourth corner.
bool outside(const Corner& p, const Corner& q, const Corner& r, const Corner& fourth) {
  const Vec3<> n = cross(q.w - p.w, r.w - p.w);
  return dot(n, p.w) * dot(n, fourth.w - p.w) >= 0.0;
}

Simplex nearest(const Simplex& s) {
  const auto& c = s.corner;
  if (s.count == 1) return of(c[0]);
  if (s.count == 2) return nearest(c[0], c[1]);
  if (s.count == 3) return nearest(c[0], c[1], c[2]);
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Simplex best;
  double smallest = 0.0;
  for (const auto& f : kFaces) {
    const auto *p = c.data() + f[0], *q = c.data() + f[1], *r = c.data() + f[2], *t = c.data() + f[3];
    if (!outside(*p, *q, *r, *t)) continue;
    const Simplex candidate = nearest(*p, *q, *r);
    const double d = norm_squared(candidate.point());
    if (best.count > 0 && d >= smallest) continue;
    best = candidate;
    smallest = d;
  }
  return best.count > 0 ? best : s;
}

// The unit normal of the triangle that the nearest point lies in, towards B: exact where rounding dominates the point
// itself.
Vec3<> normal_of(const Simplex& s, const Vec3<>& v) {
  if (s.count == 3) {
    const Vec3<> n = cross(s.corner[1].w - s.corner[0].w, s.corner[2].w - s.corner[0].w);
    const double length = norm(n);
    const double side = dot(n, s.corner[0].w);
    if (length > 0.0 && side != 0.0) return copysign(1.0, side) * (n / length);
  }
  return v / norm(v);
}

// ---- the expanding polytope

constexpr int kMaxCorners = 132;
constexpr int kMaxFaces = 2 * kMaxCorners;

struct Face {
  std::array<int, 3> corner;
  std::array<int, 3> beside;  // the face across the side from corner k to the next
  Vec3<> normal;              // unit, outwards
  double distance;            // of its plane from the origin
  bool alive;
  bool sliver;  // too thin for a meaningful normal
};

// A side of the horizon of a new corner, and the face beyond it.
struct Side {
  int from, to, beyond;
};

class Polytope {
 public:
  bool start(const Pair& pair, const Simplex& simplex, double size);
  Separation expand(const Pair& pair, double enough);

 private:
  int add_face(int p, int q, int r);
  bool add_corner(const Corner& c, int seen_face);
  bool take_away(const Corner& c, int seen_face);
  int nearest_face() const;
  Face& face(int f) { return faces_.data()[f]; }

  std::array<Corner, kMaxCorners> corners_;
  std::array<Face, kMaxFaces> faces_;
  std::array<Side, kMaxFaces> outline_;
  int corner_count_ = 0, face_count_ = 0, side_count_ = 0;
};

int Polytope::add_face(int p, int q, int r) {
  int slot = 0;
  while (slot < face_count_ && face(slot).alive) ++slot;
  if (slot == kMaxFaces) return -1;
  if (slot == face_count_) ++face_count_;
  const Vec3<>&o = corners_.data()[p].w, &u = corners_.data()[q].w, &v = corners_.data()[r].w;
  const Vec3<> n = cross(u - o, v - o);
  const double area = norm(n), side = max(max(norm_squared(u - o), norm_squared(v - o)), norm_squared(u - v));
  Face& made = face(slot);
  made.corner = {p, q, r};
  made.alive = true;
  made.sliver = !(area > 1e-9 * side);
  made.normal = made.sliver ? Vec3<>{0.0, 0.0, 0.0} : n / area;
  made.distance = made.sliver ? 1e300 : dot(made.normal, o);
  return slot;
}

int Polytope::nearest_face() const {
  int best = -1;
  for (int f = 0; f < face_count_; ++f) {
    const Face& candidate = faces_.data()[f];
    if (candidate.alive && !candidate.sliver && (best < 0 || candidate.distance < faces_.data()[best].distance))
      best = f;
  }
  return best;
}

// Removes all faces visible from the corner, from one of them on to their neighbours, and lists the horizon. Slivers
// are removed with their neighbours.
bool Polytope::take_away(const Corner& c, int seen_face) {
  std::array<int, kMaxFaces> waiting;
  int waiting_count = 0;
  side_count_ = 0;
  const auto go = [&](int f) {
    face(f).alive = false;
    waiting.data()[waiting_count++] = f;
  };
  go(seen_face);
  for (int next = 0; next < waiting_count; ++next) {
    const int f = waiting.data()[next];
    for (int k = 0; k < 3; ++k) {
      const int beyond = face(f).beside.data()[k];
      if (!face(beyond).alive) continue;
      if (face(beyond).sliver || dot(face(beyond).normal, c.w) > face(beyond).distance) go(beyond);
    }
  }
  for (int i = 0; i < waiting_count; ++i) {
    const Face& gone = face(waiting.data()[i]);
    for (int k = 0; k < 3; ++k) {
      const int beyond = gone.beside.data()[k];
      if (face(beyond).alive)
        outline_.data()[side_count_++] = {gone.corner.data()[k], gone.corner.data()[(k + 1) % 3], beyond};
    }
  }
  return side_count_ >= 3;
}

// Replaces all faces visible from the new corner by the cone from it to their horizon.
bool Polytope::add_corner(const Corner& c, int seen_face) {
  if (corner_count_ == kMaxCorners || !take_away(c, seen_face)) return false;
  const int number = corner_count_++;
  corners_.data()[number] = c;
  std::array<int, kMaxFaces> made;
  for (int i = 0; i < side_count_; ++i) {
    const Side side = outline_.data()[i];
    const int f = add_face(side.from, side.to, number);
    if (f < 0) return false;
    made.data()[i] = f;
    face(f).beside = {side.beyond, -1, -1};
    Face& beyond = face(side.beyond);
    for (int k = 0; k < 3; ++k) {
      if (beyond.corner.data()[k] == side.to && beyond.corner.data()[(k + 1) % 3] == side.from)
        beyond.beside.data()[k] = f;
    }
  }
  for (int i = 0; i < side_count_; ++i) {
    for (int j = 0; j < side_count_; ++j) {
      if (outline_.data()[j].from != outline_.data()[i].to) continue;
      face(made.data()[i]).beside[1] = made.data()[j];
      face(made.data()[j]).beside[2] = made.data()[i];
    }
  }
  for (int i = 0; i < side_count_; ++i) {
    if (face(made.data()[i]).beside[1] < 0 || face(made.data()[i]).beside[2] < 0) return false;
  }
  return true;
}

// A tetrahedron of the difference that contains the origin, up to rounding.
bool Polytope::start(const Pair& pair, const Simplex& simplex, double size) {
  for (int i = 0; i < simplex.count; ++i) corners_.data()[corner_count_++] = simplex.corner.data()[i];
  const double tiny = 1e-10 * size;
  const auto add_if = [&](const Vec3<>& direction, auto far_enough) {
    const Corner c = pair.nearest_along(-direction);
    if (!far_enough(c.w)) return false;
    corners_.data()[corner_count_++] = c;
    return true;
  };
  constexpr Vec3<> kAxes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const auto& c = corners_;
  if (corner_count_ == 1) {
    const auto apart = [&](const Vec3<>& w) { return norm(w - c[0].w) > tiny; };
    for (const Vec3<>& axis : kAxes)
      if (add_if(axis, apart)) break;
  }
  if (corner_count_ == 2) {
    const Vec3<> line = normalized(c[1].w - c[0].w);
    const auto off = [&](const Vec3<>& w) { return norm(cross(line, w - c[0].w)) > tiny; };
    for (const Vec3<>& axis : kAxes)
      if (add_if(axis - dot(axis, line) * line, off)) break;
  }
  if (corner_count_ == 3) {
    const Vec3<> n = cross(c[1].w - c[0].w, c[2].w - c[0].w);
    if (!(norm(n) > 0.0)) return false;
    const Vec3<> unit = normalized(n);
    const auto off = [&](const Vec3<>& w) { return abs(dot(unit, w - c[0].w)) > 1e-14 * size; };
    // The side of the origin first.
    const double side = dot(unit, c[0].w) > 0.0 ? -1.0 : 1.0;
    if (!add_if(side * unit, off)) add_if(-side * unit, off);
  }
  if (corner_count_ < 4) return false;
  const Vec3<> o = c[0].w;
  const bool turned = dot(cross(c[1].w - o, c[2].w - o), c[3].w - o) > 0.0;
  if (turned) std::swap(corners_[1], corners_[2]);
  add_face(0, 1, 2);
  add_face(0, 3, 1);
  add_face(0, 2, 3);
  add_face(1, 3, 2);
  face(0).beside = {1, 3, 2};
  face(1).beside = {2, 3, 0};
  face(2).beside = {0, 3, 1};
  face(3).beside = {1, 2, 0};
  return nearest_face() >= 0;
}

Separation Polytope::expand(const Pair& pair, double enough) {
  int nearest_now = nearest_face();
  Face best = face(nearest_now);
  for (;;) {
    const Corner c = pair.nearest_along(-best.normal);
    if (dot(best.normal, c.w) - best.distance <= enough) break;
    if (!add_corner(c, nearest_now)) break;
    nearest_now = nearest_face();
    // The nearest face of a growing polytope cannot come nearer: if it does, rounding has corrupted the polytope.
    if (nearest_now < 0 || face(nearest_now).distance < best.distance - enough) break;
    best = face(nearest_now);
  }
  Simplex s;
  s.count = 3;
  for (int k = 0; k < 3; ++k) s.corner.data()[k] = corners_.data()[best.corner.data()[k]];
  s = nearest(s);
  return {-best.distance, -best.normal, s.on_a(), s.on_b()};
}

}  // namespace

Separation core_separation(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB) {
  const Pair pair{a, b, X_AB};
  const double size = size_of(a) + size_of(b) + norm(X_AB.translation);
  // Polyhedra are solved exactly; curved cores are only approximated, and their features make the result exact.
  const bool flat = is_polyhedral(a) && is_polyhedral(b);
  const double enough = flat ? 1e-13 : 1e-8;
  Vec3<> v = X_AB.translation;
  if (norm_squared(v) == 0.0) v = {1.0, 0.0, 0.0};
  Simplex simplex = of(pair.nearest_along(v));
  v = simplex.corner[0].w;
  constexpr int kMaxSteps = 64;
  bool apart = false;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double squared = norm_squared(v);
    if (squared <= 1e-26 * size * size) break;
    const Corner c = pair.nearest_along(v);
    const double ahead = dot(v, c.w);
    bool known = false;
    for (int i = 0; i < simplex.count; ++i) known = known || norm_squared(c.w - simplex.corner.data()[i].w) == 0.0;
    if (known || squared - ahead <= enough * squared) {
      apart = true;
      break;
    }
    Simplex grown = simplex;
    grown.corner.data()[grown.count++] = c;
    const Simplex next = nearest(grown);
    if (next.count == 4) {
      simplex = grown;
      break;
    }
    const Vec3<> nearer = next.point();
    if (!(norm_squared(nearer) < squared)) {  // rounding: no further progress
      apart = ahead > 0.0;
      break;
    }
    simplex = next;
    v = nearer;
    if (step + 1 == kMaxSteps) apart = ahead > 0.0;
  }
  if (apart) {
    const Vec3<> n = normal_of(simplex, v);
    return {norm(v), n, simplex.on_a(), simplex.on_b()};
  }
  Polytope polytope;
  if (polytope.start(pair, simplex, size)) return polytope.expand(pair, (flat ? 1e-11 : 1e-6) * size);
  const Vec3<> n = norm_squared(v) > 0.0 ? normal_of(simplex, v) : Vec3<>{0.0, 0.0, 1.0};
  return {norm(v), n, simplex.on_a(), simplex.on_b()};
}

}  // namespace pintle
