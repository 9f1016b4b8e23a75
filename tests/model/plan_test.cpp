#include "pintle/model/plan/plan.h"

#include <doctest/doctest.h>

#include "support/random_model.h"

using namespace test;

namespace {

using J = PlanJoint;
using P = PlanPlacement;

/// A chain of revolute joints, each turned against the one before by `angle` about x and 0.3 m away along x.
Model chain(int n, double angle, double outer_mass = 1.0) {
  ModelSpec spec;
  for (int i = 0; i < n; ++i) {
    BodySpec body{.name = "body" + std::to_string(i)};
    body.inertia =
        spatial_inertia(i == n - 1 ? outer_mass : 1.0, Vec3<>{0.1, 0.02, 0.03}, diagonal(Vec3<>{0.02, 0.03, 0.04}));
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = JointKind::revolute;
    joint.parent = i == 0 ? kWorld : "body" + std::to_string(i - 1);
    joint.child = body.name;
    joint.X_PJ = {rotation_x(cos(angle), sin(angle)), {0.3, 0.0, 0.1}};
    joint.axis = {0, 0, 1};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return compile(spec).value();
}

/// A chain of joints along and about z of frames that are turned against each other; without angle all axes are
/// parallel.
Model chain_of(const std::vector<JointKind>& kinds, double angle = 1.0) {
  ModelSpec spec;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    BodySpec body{.name = "body" + std::to_string(i)};
    body.inertia = spatial_inertia(1.0, Vec3<>{0.1, 0.02, 0.03}, diagonal(Vec3<>{0.02, 0.03, 0.04}));
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = kinds[i];
    joint.parent = i == 0 ? kWorld : "body" + std::to_string(i - 1);
    joint.child = body.name;
    joint.X_PJ = {rotation_x(cos(angle), sin(angle)), {0.3, 0.2, 0.1}};
    joint.axis = {0, 0, 1};
    joint.pitch_m_per_rad = 0.1;
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  return compile(spec).value();
}

PlanKind kind_of_second(double angle) {
  const Model model = chain(2, angle);
  return model.plan().view<double>().links[1].kind;
}

}  // namespace

TEST_CASE("plan: a common normal where it is near, any pose where axes are almost parallel") {
  CHECK(kind_of_second(1.5707963267948966) == PlanKind{J::revolute, P::straight});
  CHECK(kind_of_second(0.5) == PlanKind{J::revolute, P::straight});
  CHECK(kind_of_second(0.0) == PlanKind{J::revolute, P::straight});
  CHECK(kind_of_second(3.1415926535897932) == PlanKind{J::revolute, P::straight});
  CHECK(kind_of_second(0.009) == PlanKind{J::revolute, P::posed});
  CHECK(kind_of_second(1e-6) == PlanKind{J::revolute, P::posed});
  CHECK(kind_of_second(1e-12) == PlanKind{J::revolute, P::posed});
}

TEST_CASE("plan: no frame goes far from its link") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    RandomStream stream(71, run);
    ModelSpec spec = random_spec(stream, {.links = 12});
    for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
    const Model model = compile(spec).value();
    const PlanView<double> plan = model.plan().view<double>();
    for (int i = 0; i < plan.count; ++i) {
      CHECK(abs(plan.links[i].d) < 15.0);  // links of half a metre, frames moved by up to four times that at both ends
      CHECK(abs(plan.links[i].b) < 15.0);
      CHECK(abs(plan.links[i].a) < 5.0);
    }
  }
}

TEST_CASE("plan: revolute joints with base parameters have no mass, h_z or I_yy, and the ground takes the rest") {
  const Model model = chain(5, 1.0);
  const PlanView<double> plan = model.plan().view<double>();
  for (int i = 0; i < plan.count; ++i) {
    CHECK(plan.links[i].inertia.mass == 0.0);
    CHECK(plan.links[i].inertia.first_moment.z == 0.0);
    CHECK(plan.links[i].inertia.inertia.yy == 0.0);
    CHECK(plan.links[i].whole_trace > trace(plan.links[i].inertia.inertia));
  }
  CHECK(model.links()[3].inertia.mass == 1.0);  // the model keeps what it was given
}

TEST_CASE("plan: the parent of a prismatic joint has its rotational inertia, and the ground that of one on the world") {
  constexpr JointKind kRevolute = JointKind::revolute, kPrismatic = JointKind::prismatic;
  const Model model = chain_of({kPrismatic, kRevolute, kPrismatic, kPrismatic, kRevolute, kPrismatic});
  const PlanView<double> plan = model.plan().view<double>();
  const PlanKind kinds[] = {{J::prismatic, P::root},   {J::revolute, P::straight}, {J::prismatic, P::straight},
                            {J::prismatic, P::turned}, {J::revolute, P::turned},   {J::prismatic, P::straight}};
  for (int i = 0; i < plan.count; ++i) CHECK(plan.links[i].kind == kinds[i]);
  for (const int i : {0, 2, 3, 5}) {
    const SymMat3<>& I = plan.links[i].inertia.inertia;
    CHECK(abs(I.xx) + abs(I.xy) + abs(I.xz) + abs(I.yy) + abs(I.yz) + abs(I.zz) == 0.0);
    CHECK(plan.links[i].inertia.mass >= 1.0);
    CHECK(plan.links[i].whole_trace == 3.0 * plan.links[i].inertia.mass);
  }
  CHECK(plan.links[3].inertia.mass == 2.0);  // with that of the revolute joint on it
  CHECK(plan.links[0].inertia.mass == 2.0);
  CHECK(norm(plan.links[0].inertia.first_moment) > 0.0);  // a world that moves rotates it
  CHECK(norm(plan.links[2].inertia.first_moment) > 0.0);
  CHECK(trace(model.links()[2].inertia.inertia) > 0.09);  // the model keeps what it was given
}

TEST_CASE("plan: screws are placed as revolute joints are, and give one moment to their parents") {
  constexpr JointKind kRevolute = JointKind::revolute, kScrew = JointKind::screw;
  const Model model = chain_of({kScrew, kRevolute, kScrew, JointKind::spherical, kScrew});
  const PlanView<double> plan = model.plan().view<double>();
  const PlanKind kinds[] = {
      {J::screw, P::root}, {J::revolute, P::straight}, {J::screw, P::straight}, {J::spherical}, {J::screw, P::turned}};
  for (int i = 0; i < plan.count; ++i) CHECK(plan.links[i].kind == kinds[i]);
  CHECK(plan.angle_count == 4);
  for (const int i : {0, 2, 4}) {
    const PlanLink<double>& link = plan.links[i];
    CHECK(link.inertia.inertia.yy == 0.0);
    CHECK(link.inertia.mass >= 1.0);
    CHECK(link.pitch == 0.1);
    CHECK(link.pitch * link.unit_force + link.unit_torque == doctest::Approx(1.0).epsilon(1e-15));
  }
  CHECK(plan.links[1].inertia.mass == 0.0);
  CHECK(model.links()[2].inertia.inertia.yy > 0.01);  // the model keeps what it was given
  const Model parallel = chain_of({kScrew, kScrew, kRevolute}, 1e-6);
  CHECK(parallel.plan().view<double>().links[1].kind == PlanKind{J::screw, P::posed});
  CHECK(parallel.plan().view<double>().links[1].inertia.inertia.yy == 0.0);
  CHECK(parallel.plan().view<double>().links[2].kind == PlanKind{J::revolute, P::posed});
  CHECK_FALSE(parallel.plan().traits()[1].common_normal);
}

TEST_CASE("plan: cylindrical joints are placed as revolute joints are, and give one moment to their parents") {
  constexpr JointKind kCylindrical = JointKind::cylindrical;
  const Model model = chain_of({kCylindrical, kCylindrical, JointKind::prismatic, kCylindrical});
  const PlanView<double> plan = model.plan().view<double>();
  const PlanKind kinds[] = {{J::cylindrical, P::root},
                            {J::cylindrical, P::straight},
                            {J::prismatic, P::straight},
                            {J::cylindrical, P::turned}};
  for (int i = 0; i < plan.count; ++i) CHECK(plan.links[i].kind == kinds[i]);
  CHECK(plan.angle_count == 3);
  CHECK(plan.angles[1].q == 3);  // of two coordinates the second is the angle
  CHECK(plan.general_count == 3);
  for (const int i : {0, 1, 3}) {
    CHECK(plan.links[i].inertia.inertia.yy == 0.0);
    CHECK(plan.links[i].inertia.mass == 1.0);
  }
  const Model parallel = chain_of({kCylindrical, kCylindrical}, 1e-6);
  CHECK(parallel.plan().view<double>().links[1].kind == PlanKind{J::cylindrical, P::posed});
  CHECK_FALSE(parallel.plan().traits()[1].common_normal);
}

TEST_CASE("plan: a screw without pitch is a revolute joint, unless a model beside it has pitch") {
  ModelSpec spec;
  spec.bodies.push_back(
      {.name = "nut", .inertia = spatial_inertia(1.0, Vec3<>{0.1, 0.0, 0.0}, diagonal(Vec3<>{1, 1, 1}))});
  JointSpec joint;
  joint.name = "thread";
  joint.kind = JointKind::screw;
  joint.parent = kWorld;
  joint.child = "nut";
  joint.pitch_m_per_rad = 0.0;
  spec.joints.push_back(joint);
  const Model model = compile(spec).value();
  CHECK(model.plan().view<double>().links[0].kind == PlanKind{J::revolute, P::root});
  const LinkTraits none[] = {{.revolute = false}};
  const Plan beside(model.tree(), none);
  CHECK(beside.view<double>().links[0].kind == PlanKind{J::screw, P::root});
  CHECK(beside.view<double>().links[0].unit_torque == 1.0);
}

TEST_CASE("plan: a screw keeps its moment when its parent is much lighter") {
  ModelSpec spec;
  for (const auto& [name, mass] : {std::pair{"light", 1.0}, {"heavy", 20.0}})
    spec.bodies.push_back(
        {.name = name, .inertia = spatial_inertia(mass, Vec3<>{0.1, 0.02, 0.03}, diagonal(Vec3<>{0.02, 0.03, 0.04}))});
  for (std::size_t i = 0; i < 2; ++i) {
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = JointKind::screw;
    joint.parent = i == 0 ? kWorld : spec.bodies[i - 1].name;
    joint.child = spec.bodies[i].name;
    joint.X_PJ = {rotation_x(cos(1.0), sin(1.0)), {0.3, 0.0, 0.1}};
    joint.pitch_m_per_rad = 0.01;
    spec.joints.push_back(joint);
  }
  const Model model = compile(spec).value();
  CHECK(model.plan().view<double>().links[1].inertia.inertia.yy > 0.01);
  CHECK(model.plan().view<double>().links[0].inertia.inertia.yy == 0.0);  // the ground takes it
}

TEST_CASE("plan: a spherical joint without rotors goes by blocks, where all models side by side have none") {
  const Model model = chain_of({JointKind::spherical, JointKind::revolute, JointKind::spherical});
  const PlanView<double> plan = model.plan().view<double>();
  CHECK(plan.links[0].kind == PlanKind{J::spherical});
  CHECK(plan.links[1].kind == PlanKind{J::revolute, P::turned});
  CHECK(plan.links[2].kind == PlanKind{J::spherical});
  CHECK(plan.general_count == 2);
  std::vector<LinkTraits> traits = model.plan().traits();
  CHECK(traits[0].bare);
  traits[0].bare = false;
  const Plan less(model.tree(), traits);
  CHECK(less.view<double>().links[0].kind == PlanKind{J::general});
  CHECK(less.view<double>().links[2].kind == PlanKind{J::spherical});
  CHECK_FALSE(less.traits()[0].bare);
}

TEST_CASE("plan: a spherical joint gives its mass to its parent, at its centre; not to one that is much lighter") {
  constexpr JointKind kSpherical = JointKind::spherical;
  const Model model = chain_of({kSpherical, JointKind::prismatic, kSpherical});
  const PlanView<double> plan = model.plan().view<double>();
  CHECK(plan.links[0].inertia.mass == 0.0);  // the ground has it
  CHECK(plan.links[2].inertia.mass == 0.0);
  CHECK(plan.links[1].inertia.mass == 2.0);
  const Vec3<> centre =
      plan.general[1].X_PJ.translation;  // in the frame of the plan, which is that of the model turned
  CHECK(norm(centre) == doctest::Approx(norm(model.links()[2].X_PJ.translation)));
  const double moved = norm(plan.links[1].inertia.first_moment), own = norm(model.links()[1].inertia.first_moment);
  CHECK(moved > own);
  CHECK(norm(plan.links[2].inertia.first_moment) > 0.0);
  CHECK(model.links()[2].inertia.mass == 1.0);  // the model keeps what it was given

  std::vector<Link> links(model.links().begin(), model.links().end());
  links[2].inertia = 17.0 * links[2].inertia;
  LinkTree tree = model.tree();
  tree.links = links.data();
  const Plan heavy(tree);
  CHECK(heavy.view<double>().links[2].inertia.mass == 17.0);
  CHECK(heavy.view<double>().links[1].inertia.mass == 1.0);
}

TEST_CASE("plan: prismatic joints need no common normal, at whatever angle they are") {
  for (const double angle : {0.0, 1e-14, 1e-6, 0.009, 3.0, 3.1415926535897932}) {
    const Model model = chain_of({JointKind::revolute, JointKind::prismatic, JointKind::prismatic}, angle);
    const PlanView<double> plan = model.plan().view<double>();
    CHECK(plan.links[1].kind == PlanKind{J::prismatic, P::straight});
    CHECK(plan.links[2].kind == PlanKind{J::prismatic, P::turned});
    for (int i = 1; i < 3; ++i) CHECK(abs(plan.links[i].d) + abs(plan.links[i].b) + abs(plan.links[i].a) < 4.0);
  }
}

TEST_CASE("plan: a revolute joint counts the prismatic ones that it rotates when its parent may be much lighter") {
  ModelSpec spec;
  for (const auto& [name, mass] : {std::pair{"light", 1.0}, {"arm", 1.0}, {"heavy", 20.0}})
    spec.bodies.push_back(
        {.name = name, .inertia = spatial_inertia(mass, Vec3<>{0.1, 0.02, 0.03}, diagonal(Vec3<>{0.02, 0.03, 0.04}))});
  const JointKind kinds[] = {JointKind::revolute, JointKind::revolute, JointKind::prismatic};
  for (std::size_t i = 0; i < 3; ++i) {
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = kinds[i];
    joint.parent = i == 0 ? kWorld : spec.bodies[i - 1].name;
    joint.child = spec.bodies[i].name;
    joint.X_PJ = {rotation_x(cos(1.0), sin(1.0)), {0.3, 0.0, 0.1}};
    spec.joints.push_back(joint);
  }
  const Model heavy = compile(spec).value();
  CHECK(heavy.plan().view<double>().links[1].inertia.mass == 1.0);
  spec.bodies[2].inertia = spec.bodies[1].inertia;
  const Model light = compile(spec).value();
  CHECK(light.plan().view<double>().links[1].inertia.mass == 0.0);
}

TEST_CASE("plan: a link keeps its mass when its parent is much lighter") {
  const Model model = chain(3, 1.0, 1e3);
  const PlanView<double> plan = model.plan().view<double>();
  CHECK(plan.links[2].inertia.mass == 1e3);
  CHECK(plan.links[1].inertia.mass == 0.0);
}

TEST_CASE("plan: what a long chain adds up stays near the masses of its links") {
  const Model model = chain(200, 1.0);
  const PlanView<double> plan = model.plan().view<double>();
  for (int i = 0; i < plan.count; ++i) CHECK(plan.links[i].inertia.mass <= 17.0);
}

TEST_CASE("plan: chains need two sums, runs follow the kinds") {
  const Model model = chain(9, 1.0);
  const PlanView<double> plan = model.plan().view<double>();
  CHECK(plan.sums == 3);  // the empty one and two in turn
  REQUIRE(plan.run_count == 2);
  CHECK(plan.runs[0].kind == PlanKind{J::revolute, P::root});
  CHECK(plan.runs[1].kind == PlanKind{J::revolute, P::straight});
  CHECK(plan.runs[1].count == 8);
}

TEST_CASE("plan: sums are never shared by links that need them at the same time") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    RandomStream stream(72, run);
    const Model model = compile(random_spec(stream, {.links = 20, .branching = 0.5})).value();
    const PlanView<double> plan = model.plan().view<double>();
    std::vector<int> owner(static_cast<std::size_t>(plan.sums), -1);
    for (int i = plan.count - 1; i >= 0; --i) {
      const PlanLink<double>& link = plan.links[i];
      if (link.parent < 0) continue;
      int& now = owner[static_cast<std::size_t>(link.parent_sum)];
      if (link.first_in_sum) now = link.parent;
      CHECK(link.parent_sum != 0);
      CHECK(now == link.parent);
      CHECK(link.parent_sum != link.sum);
      CHECK(plan.links[link.parent].sum == link.parent_sum);
    }
  }
}

TEST_CASE("plan: the float parameters are the double ones, rounded") {
  RandomStream stream(73);
  const Model model = compile(random_spec(stream, {.links = 10})).value();
  const PlanView<double> plan = model.plan().view<double>();
  const PlanView<float> rounded = model.plan().view<float>();
  REQUIRE(rounded.count == plan.count);
  for (int i = 0; i < plan.count; ++i) {
    CHECK(rounded.links[i].d == static_cast<float>(plan.links[i].d));
    CHECK(rounded.links[i].inertia.inertia.yz == static_cast<float>(plan.links[i].inertia.inertia.yz));
    CHECK(rounded.links[i].parent_sum == plan.links[i].parent_sum);
  }
}

TEST_CASE("plan: gaps are the pairs of dofs on different branches, each once") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    RandomStream stream(74, run);
    const Model model = compile(random_spec(stream, {.links = 12, .branching = 0.6})).value();
    const PlanView<double> plan = model.plan().view<double>();
    const std::size_t n = static_cast<std::size_t>(plan.nv);
    std::vector<int> zeros(n * n, 0), expected(n * n, 1);
    for (int g = 0; g < plan.gap_count; ++g)
      for (int j = plan.gaps[g].first; j < plan.gaps[g].end; ++j)
        ++zeros[static_cast<std::size_t>(plan.gaps[g].row) * n + static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = k; j < n; ++j) expected[k * n + j] = 0;
      for (int j = model.dof_parents()[k]; j >= 0; j = model.dof_parents()[static_cast<std::size_t>(j)])
        expected[k * n + static_cast<std::size_t>(j)] = 0;
    }
    CHECK(zeros == expected);
  }
}
