#include "mechanisms.h"

#include "pintle/base/random.h"
#include "pintle/math/distributions.h"
#include "pintle/math/elementary.h"
#include "pintle/math/quaternion.h"

namespace peers {
namespace {

using pintle::Mat3;
using pintle::RandomStream;
using pintle::Vec3;

void put(const Vec3<>& a, double* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

void put(const Mat3<>& R, double* to) {
  for (const double x : to_array(R)) *to++ = x;
}

void put_inertia(const pintle::SymMat3<>& I, Link& link) {
  const double numbers[6] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  for (int i = 0; i < 6; ++i) link.inertia[i] = numbers[i];
}

/// One row of a robot's table.
struct Row {
  char axis;       ///< x, y or z of a revolute joint, X, Y or Z of a prismatic one; b for a ball, f for a free joint
  int parent;      ///< row, -1 for the world
  Vec3<> place;    ///< of the joint in the parent [m]
  double quarter;  ///< quarter turns of the joint's frame about x
  double mass;     ///< [kg]
  Vec3<> center;   ///< of mass [m]
  Vec3<> size;     ///< of the box that has its inertia [m]
  double armature = 0.0;
};

Kind kind_of(char axis) {
  switch (axis) {
    case 'f':
      return Kind::free;
    case 'b':
      return Kind::spherical;
    case 'X':
    case 'Y':
    case 'Z':
      return Kind::prismatic;
    default:
      return Kind::revolute;
  }
}

Vec3<> direction_of(char axis) {
  if (axis == 'x' || axis == 'X') return {1.0, 0.0, 0.0};
  if (axis == 'y' || axis == 'Y') return {0.0, 1.0, 0.0};
  return {0.0, 0.0, 1.0};
}

Link link_of(const Row& row) {
  Link link;
  link.parent = row.parent;
  link.kind = kind_of(row.axis);
  const double angle = row.quarter * pintle::kPi<double> / 2.0;
  put(pintle::rotation_matrix(pintle::Quaternion<>{pintle::sin(angle / 2), 0.0, 0.0, pintle::cos(angle / 2)}),
      link.rotation);
  put(row.place, link.translation);
  put(direction_of(row.axis), link.axis);
  link.armature = row.armature;
  link.mass = row.mass;
  put(row.center, link.center);
  const Vec3<> s = row.size;
  const double twelfth = row.mass / 12.0;
  const Vec3<> moments{twelfth * (s.y * s.y + s.z * s.z), twelfth * (s.x * s.x + s.z * s.z),
                       twelfth * (s.x * s.x + s.y * s.y)};
  // Real parts are not quite aligned with their frames.
  const Mat3<> askew = pintle::rotation_matrix(normalized(pintle::Quaternion<>{0.03, -0.05, 0.02, 1.0}));
  put_inertia(congruence(askew, diagonal(moments)), link);
  return link;
}

Mechanism robot(const std::string& name, const std::vector<Row>& rows) {
  Mechanism mechanism;
  mechanism.name = name;
  for (const Row& row : rows) mechanism.links.push_back(link_of(row));
  return mechanism;
}

/// Adds a lane group: its first row hangs on row `root`, every next one on the one before. `side` -1: mirrored in y.
void add_limb(std::vector<Row>& rows, int root, double side, std::vector<Row> limb) {
  for (std::size_t i = 0; i < limb.size(); ++i) {
    limb[i].parent = i == 0 ? root : static_cast<int>(rows.size()) - 1;
    limb[i].place.y *= side;
    limb[i].center.y *= side;
    rows.push_back(limb[i]);
  }
}

Vec3<> random_vector(RandomStream& stream, double reach) {
  const double x = stream.uniform(-reach, reach), y = stream.uniform(-reach, reach);
  return {x, y, stream.uniform(-reach, reach)};
}

void set_random_body(Link& link, RandomStream& stream) {
  link.mass = stream.uniform(0.5, 3.0);
  put(random_vector(stream, 0.1), link.center);
  const double a = stream.uniform(0.05, 0.2), b = stream.uniform(0.05, 0.2), c = stream.uniform(0.05, 0.2);
  const Mat3<> R = pintle::rotation_matrix(pintle::uniform_rotation(stream));
  put_inertia(congruence(R, (link.mass / 5.0) * diagonal(Vec3<>{b * b + c * c, a * a + c * c, a * a + b * b})), link);
}

void set_random_place(Link& link, RandomStream& stream) {
  put(pintle::rotation_matrix(pintle::uniform_rotation(stream)), link.rotation);
  put(random_vector(stream, 0.3), link.translation);
}

}  // namespace

Mechanism arm() {
  return robot("arm 7", {{'z', -1, {0, 0, 0.33}, 0, 4.9, {0.004, 0.002, -0.17}, {0.12, 0.12, 0.35}, 0.12},
                         {'z', 0, {0, 0, 0}, -1, 3.1, {-0.003, -0.03, 0.004}, {0.11, 0.2, 0.12}, 0.12},
                         {'z', 1, {0, -0.32, 0}, 1, 3.2, {0.03, 0.04, -0.07}, {0.14, 0.13, 0.24}, 0.11},
                         {'z', 2, {0.08, 0, 0}, 1, 3.6, {-0.05, 0.1, 0.03}, {0.15, 0.22, 0.11}, 0.1},
                         {'z', 3, {-0.08, 0.38, 0}, -1, 1.3, {-0.01, 0.04, -0.04}, {0.1, 0.12, 0.3}, 0.06},
                         {'z', 4, {0, 0, 0}, 1, 1.7, {0.06, -0.01, -0.01}, {0.14, 0.1, 0.1}, 0.05},
                         {'z', 5, {0.09, 0, 0}, 1, 0.75, {0.01, 0.01, 0.06}, {0.09, 0.09, 0.08}, 0.04}});
}

Mechanism ur_like() {
  return robot("UR-like 6", {{'z', -1, {0, 0, 0.09}, 0, 3.8, {0, -0.02, 0.002}, {0.14, 0.14, 0.16}, 0.1},
                             {'y', 0, {0, 0.135, 0}, 0, 8.4, {0, 0, 0.21}, {0.12, 0.14, 0.5}, 0.1},
                             {'y', 1, {0, -0.12, 0.425}, 0, 2.3, {0, 0, 0.15}, {0.1, 0.1, 0.42}, 0.08},
                             {'y', 2, {0, 0, 0.392}, 0, 1.2, {0, 0.09, 0}, {0.09, 0.12, 0.09}, 0.03},
                             {'z', 3, {0, 0.093, 0}, 0, 1.2, {0, 0, 0.09}, {0.09, 0.09, 0.12}, 0.03},
                             {'y', 4, {0, 0, 0.095}, 0, 0.2, {0, 0.06, 0}, {0.07, 0.04, 0.07}, 0.02}});
}

Mechanism quadruped() {
  std::vector<Row> rows = {{'f', -1, {0, 0, 0}, 0, 7.2, {0.01, 0.002, 0.004}, {0.4, 0.2, 0.12}}};
  for (const double front : {1.0, -1.0})
    for (const double left : {1.0, -1.0})
      add_limb(rows, 0, left,
                     {{'x', 0, {0.19 * front, 0.05, 0}, 0, 0.7, {-0.005 * front, 0.02, 0}, {0.09, 0.08, 0.09}, 0.004},
                      {'y', 0, {0, 0.08, 0}, 0, 1.0, {-0.004, -0.02, -0.03}, {0.05, 0.04, 0.22}, 0.004},
                      {'y', 0, {0, 0, -0.21}, 0, 0.2, {0.005, 0, -0.12}, {0.03, 0.02, 0.25}, 0.009}});
  return robot("quadruped 12+6", rows);
}

Mechanism humanoid() {
  std::vector<Row> rows = {{'f', -1, {0, 0, 0}, 0, 8.5, {-0.01, 0, 0.02}, {0.18, 0.26, 0.16}}};
  for (const double left : {1.0, -1.0})
    add_limb(rows, 0, left,
                   {{'z', 0, {0, 0.1, -0.05}, 0, 1.4, {0.02, 0, -0.03}, {0.1, 0.1, 0.12}, 0.05},
                    {'x', 0, {0, 0, -0.06}, 0, 1.6, {-0.01, 0.01, -0.02}, {0.12, 0.1, 0.1}, 0.05},
                    {'y', 0, {0, 0.02, -0.03}, 0, 5.6, {0.01, 0, -0.18}, {0.14, 0.13, 0.4}, 0.1},
                    {'y', 0, {0, 0, -0.38}, 0, 3.4, {0.01, 0, -0.16}, {0.11, 0.1, 0.38}, 0.1},
                    {'y', 0, {0, 0, -0.38}, 0, 0.5, {0, 0, -0.01}, {0.07, 0.07, 0.06}, 0.03},
                    {'x', 0, {0, 0, -0.02}, 0, 1.2, {0.04, 0, -0.04}, {0.24, 0.1, 0.06}, 0.03}});
  add_limb(rows, 0, 1.0,
                 {{'z', 0, {0, 0, 0.12}, 0, 1.1, {0, 0, 0.03}, {0.12, 0.14, 0.08}, 0.06},
                  {'y', 0, {0, 0, 0.06}, 0, 12.4, {0.01, 0.001, 0.19}, {0.22, 0.34, 0.42}, 0.09}});
  const int chest = static_cast<int>(rows.size()) - 1;
  for (const double left : {1.0, -1.0})
    add_limb(rows, chest, left,
                   {{'y', 0, {0, 0.19, 0.33}, 0, 1.3, {0, 0.03, 0}, {0.1, 0.1, 0.1}, 0.04},
                    {'x', 0, {0, 0.06, 0}, 0, 1.2, {0.01, 0, -0.04}, {0.1, 0.1, 0.12}, 0.04},
                    {'z', 0, {0, 0, -0.1}, 0, 1.5, {0, 0.004, -0.08}, {0.09, 0.09, 0.2}, 0.03},
                    {'y', 0, {0, 0, -0.16}, 0, 1.0, {0.01, 0, -0.05}, {0.08, 0.08, 0.14}, 0.03},
                    {'z', 0, {0, 0, -0.12}, 0, 0.7, {0, 0, -0.06}, {0.06, 0.06, 0.14}, 0.01},
                    {'y', 0, {0, 0, -0.12}, 0, 0.3, {0, 0, -0.01}, {0.05, 0.05, 0.05}, 0.01},
                    {'x', 0, {0, 0, -0.02}, 0, 0.5, {0.01, 0, -0.07}, {0.05, 0.09, 0.16}, 0.01}});
  add_limb(rows, chest, 1.0,
                 {{'z', 0, {0, 0, 0.42}, 0, 0.5, {0, 0, 0.02}, {0.07, 0.07, 0.06}, 0.01},
                  {'y', 0, {0, 0, 0.05}, 0, 2.8, {0.02, 0, 0.09}, {0.18, 0.16, 0.22}, 0.01}});
  return robot("humanoid 30+6", rows);
}

Mechanism hand() {
  std::vector<Row> rows = {{'y', -1, {0, 0, 0}, 0, 0.1, {0, 0, 0.015}, {0.04, 0.06, 0.03}, 0.002},
                           {'x', 0, {0, 0, 0.034}, 0, 0.3, {0.005, 0, 0.035}, {0.08, 0.03, 0.1}, 0.002}};
  const auto finger = [&](double x, double z) {
    return std::vector<Row>{{'y', 0, {x, 0, z}, 0, 0.008, {0, 0, 0}, {0.01, 0.01, 0.01}, 2e-4},
                            {'x', 0, {0, 0, 0}, 0, 0.03, {0, 0, 0.022}, {0.014, 0.014, 0.045}, 2e-4},
                            {'x', 0, {0, 0, 0.045}, 0, 0.017, {0, 0, 0.012}, {0.013, 0.013, 0.025}, 2e-4},
                            {'x', 0, {0, 0, 0.025}, 0, 0.012, {0, 0, 0.012}, {0.012, 0.012, 0.026}, 2e-4}};
  };
  add_limb(rows, 1, 1.0, finger(0.033, 0.095));
  add_limb(rows, 1, 1.0, finger(0.011, 0.099));
  add_limb(rows, 1, 1.0, finger(-0.011, 0.095));
  std::vector<Row> little = finger(0, 0.066);
  little.insert(little.begin(), {'z', 0, {-0.033, 0, 0.021}, 0, 0.03, {0, 0, 0.03}, {0.014, 0.02, 0.06}, 2e-4});
  add_limb(rows, 1, 1.0, little);
  add_limb(rows, 1, 1.0,
                 {{'z', 0, {0.034, -0.009, 0.029}, 0, 0.012, {0, 0, 0}, {0.012, 0.012, 0.012}, 2e-4},
                  {'x', 0, {0, 0, 0}, 0, 0.04, {0, 0, 0.02}, {0.018, 0.018, 0.04}, 2e-4},
                  {'x', 0, {0, 0, 0.038}, 0, 0.008, {0, 0, 0}, {0.012, 0.012, 0.012}, 2e-4},
                  {'y', 0, {0, 0, 0}, 0, 0.02, {0, 0, 0.016}, {0.016, 0.016, 0.032}, 2e-4},
                  {'y', 0, {0, 0, 0.032}, 0, 0.017, {0, 0, 0.013}, {0.015, 0.015, 0.027}, 2e-4}});
  return robot("hand 24", rows);
}

Mechanism gantry() {
  return robot("gantry 6", {{'X', -1, {0, 0, 1.8}, 0, 32.0, {0, 0.05, 0.04}, {0.2, 1.6, 0.15}, 4.0},
                            {'Y', 0, {0.1, 0, -0.05}, 0, 9.5, {0.06, 0.01, 0.02}, {0.25, 0.2, 0.3}, 2.0},
                            {'Z', 1, {0.15, 0, 0}, 0, 6.2, {0.01, 0, -0.4}, {0.1, 0.1, 1.1}, 2.5},
                            {'z', 2, {0, 0, -0.95}, 0, 1.4, {0.01, 0.005, -0.04}, {0.1, 0.1, 0.1}, 0.05},
                            {'y', 3, {0, 0.02, -0.08}, 0, 1.1, {0, 0.02, -0.05}, {0.08, 0.1, 0.12}, 0.04},
                            {'z', 4, {0, 0, -0.1}, 0, 0.6, {0.004, 0.002, -0.03}, {0.07, 0.07, 0.06}, 0.02}});
}

Mechanism scara() {
  return robot("SCARA 4", {{'z', -1, {0, 0, 0.2}, 0, 5.5, {0.14, 0, 0.03}, {0.4, 0.12, 0.1}, 0.3},
                           {'z', 0, {0.3, 0, 0.05}, 0, 4.1, {0.12, 0.01, 0.06}, {0.36, 0.12, 0.16}, 0.15},
                           {'Z', 1, {0.25, 0, 0}, 0, 1.2, {0.002, 0, -0.02}, {0.03, 0.03, 0.4}, 1.5},
                           {'z', 2, {0, 0, -0.2}, 0, 0.3, {0.005, 0.002, -0.01}, {0.06, 0.05, 0.03}, 0.01}});
}

Mechanism doll() {
  std::vector<Row> rows = {{'f', -1, {0, 0, 0}, 0, 10.5, {-0.01, 0, 0.02}, {0.18, 0.28, 0.2}}};
  for (const double left : {1.0, -1.0})
    add_limb(rows, 0, left,
                   {{'b', 0, {0, 0.1, -0.08}, 0, 6.6, {0.01, 0, -0.18}, {0.14, 0.13, 0.4}},
                    {'y', 0, {0, 0, -0.38}, 0, 3.4, {0.01, 0, -0.16}, {0.11, 0.1, 0.38}},
                    {'b', 0, {0, 0, -0.38}, 0, 1.3, {0.04, 0, -0.04}, {0.24, 0.1, 0.06}}});
  add_limb(rows, 0, 1.0, {{'b', 0, {0, 0, 0.12}, 0, 13.4, {0.01, 0.001, 0.19}, {0.22, 0.34, 0.42}}});
  const int chest = static_cast<int>(rows.size()) - 1;
  for (const double left : {1.0, -1.0})
    add_limb(rows, chest, left,
                   {{'b', 0, {0, 0.2, 0.33}, 0, 2.1, {0, 0.004, -0.12}, {0.09, 0.09, 0.28}},
                    {'y', 0, {0, 0, -0.27}, 0, 1.3, {0.01, 0, -0.1}, {0.07, 0.07, 0.24}},
                    {'b', 0, {0, 0, -0.24}, 0, 0.5, {0.01, 0, -0.07}, {0.05, 0.09, 0.16}}});
  add_limb(rows, chest, 1.0, {{'b', 0, {0, 0, 0.42}, 0, 3.2, {0.02, 0, 0.1}, {0.18, 0.16, 0.24}}});
  return robot("doll 34+6", rows);
}

Mechanism chain(int n) {
  RandomStream stream(11);
  Mechanism mechanism;
  mechanism.name = "chain " + std::to_string(n);
  for (int i = 0; i < n; ++i) {
    Link link;
    link.parent = i - 1;
    set_random_place(link, stream);
    set_random_body(link, stream);
    link.armature = 0.1;
    mechanism.links.push_back(link);
  }
  return mechanism;
}

Mechanism wide_tree() {
  RandomStream stream(12);
  Mechanism mechanism;
  mechanism.name = "wide tree 60+6";
  Link hub;
  hub.kind = Kind::free;
  set_random_body(hub, stream);
  mechanism.links.push_back(hub);
  for (int lane_group = 0; lane_group < 30; ++lane_group) {
    for (int i = 0; i < 2; ++i) {
      Link link;
      link.parent = i == 0 ? 0 : static_cast<int>(mechanism.links.size()) - 1;
      set_random_place(link, stream);
      set_random_body(link, stream);
      link.armature = 0.01;
      mechanism.links.push_back(link);
    }
  }
  return mechanism;
}

Mechanism random_tree(const std::string& name, const std::vector<Kind>& kinds, bool nested_free, unsigned seed) {
  RandomStream stream(13, seed);
  Mechanism mechanism;
  mechanism.name = name;
  put(9.81 * pintle::uniform_direction(stream), mechanism.gravity);
  std::vector<int> branch;  // from the world to the last link: a next one may hang on any of these, depth first
  for (int i = 0; i < 15; ++i) {
    Link link;
    if (!branch.empty() && stream.uniform() < 0.35) branch.resize(stream.below(branch.size()) + 1);
    link.parent = branch.empty() ? -1 : branch.back();
    do link.kind = kinds[stream.below(kinds.size())];
    while (link.kind == Kind::free && !nested_free && i > 0);
    set_random_place(link, stream);
    set_random_body(link, stream);
    if (link.kind != Kind::planar) {
      const Vec3<> axis = pintle::uniform_direction(stream);
      put(axis, link.axis);
      put(normalized(cross(axis, pintle::uniform_direction(stream))), link.second_axis);
    }
    link.pitch = stream.uniform(-0.2, 0.2);
    if (link.kind != Kind::planar && link.kind != Kind::free) link.armature = stream.uniform(0.0, 0.1);
    mechanism.links.push_back(link);
    branch.push_back(i);
  }
  return mechanism;
}

std::vector<Mechanism> all_mechanisms() {
  std::vector<Mechanism> all = {arm(),  ur_like(), quadruped(), humanoid(), hand(),      gantry(),   scara(),
                                doll(), chain(6),  chain(30),   chain(100), chain(1000), wide_tree()};
  const std::vector<Kind> four = {Kind::revolute, Kind::prismatic, Kind::spherical, Kind::free};
  const std::vector<Kind> every = {Kind::revolute,    Kind::prismatic,     Kind::screw,
                                   Kind::cylindrical, Kind::universal,     Kind::planar,
                                   Kind::spherical,   Kind::translational, Kind::free};
  for (unsigned seed = 1; seed <= 3; ++seed)
    all.push_back(random_tree("four kinds, tree " + std::to_string(seed), four, false, seed));
  all.push_back(random_tree("screws, tree", {Kind::screw}, false, 4));
  for (const Kind kind : {Kind::cylindrical, Kind::universal, Kind::planar, Kind::translational})
    all.push_back(random_tree(std::string(kind == Kind::cylindrical ? "cylindrical"
                                          : kind == Kind::universal ? "universal"
                                          : kind == Kind::planar    ? "planar"
                                                                    : "translational") +
                                  ", tree",
                              {kind}, false, 5));
  for (unsigned seed = 6; seed <= 8; ++seed)
    all.push_back(random_tree("all kinds, tree " + std::to_string(seed - 5), every, true, seed));
  return all;
}

std::vector<State> random_states(const Mechanism& mechanism, std::size_t count, unsigned seed) {
  constexpr double pi = pintle::kPi<double>;
  RandomStream stream(14, seed);
  std::vector<State> states(count);
  for (State& state : states) {
    const auto add = [&](double reach) { state.q.push_back(stream.uniform(-reach, reach)); };
    const auto add_orientation = [&] {
      for (const double x : to_array(pintle::uniform_rotation(stream))) state.q.push_back(x);
    };
    for (const Link& link : mechanism.links) {
      const double reach = link.kind == Kind::prismatic || link.kind == Kind::translational ? 0.5 : pi;
      switch (link.kind) {
        case Kind::cylindrical:
          add(0.5);
          add(pi);
          break;
        case Kind::planar:
          add(0.5);
          add(0.5);
          add(pi);
          break;
        case Kind::spherical:
          add_orientation();
          break;
        case Kind::free:
          for (int i = 0; i < 3; ++i) add(0.5);
          add_orientation();
          break;
        default:
          for (int i = 0; i < nq_of(link.kind); ++i) add(reach);
      }
    }
    for (std::size_t i = 0; i < mechanism.nv(); ++i) {
      state.v.push_back(stream.uniform(-2, 2));
      state.vdot.push_back(stream.uniform(-2, 2));
      state.tau.push_back(stream.uniform(-20, 20));
    }
  }
  return states;
}

}  // namespace peers
