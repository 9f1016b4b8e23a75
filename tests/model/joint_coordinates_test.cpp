#include "pintle/model/links/joint_coordinates.h"

#include "pintle/math/elementary_impl.h"
#include "pintle/math/pack.h"
#include "pintle/model/spec/joint_rotations.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// A link on its own. Universal: the axes at any angle that is not small, so that its inverse is well conditioned.
Link lone_link(JointKind kind, RandomStream& stream) {
  const double angle = stream.uniform(0.5, 2.5);
  const Mat3<> tilt = rotation_matrix(exp_quaternion(angle * Vec3<>{0.6, 0.8, 0.0}));
  return {.parent = -1,
          .kind = kind,
          .q = 0,
          .v = 0,
          .nv = facts(kind).nv,
          .pitch = kind == JointKind::screw ? stream.uniform(-0.9, 0.9) : 0.0,
          .X_PJ = identity_pose<double>(),
          .axis_rotation = tilt * rotation_matrix(exp_quaternion(Vec3<>{0.0, 0.0, angle})),
          .inertia = zero_inertia<double>()};
}

template <class T>
std::array<T, 7> random_q(JointKind kind, Sampler<T>& sampler) {
  std::array<T, 7> q{};
  for (T& x : q) x = sampler.number(-3.0, 3.0);
  if (const int place = quaternion_place(kind); place >= 0)
    store_quaternion(sampler.unit_quaternion(), q.data() + place);
  return q;
}

template <class T, class Law>
void for_every_kind(Law law) {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    for (std::uint64_t run = 0; run < 50; ++run) {
      RandomStream stream(81, run);
      const Link link = lone_link(fact.kind, stream);
      Sampler<T> sampler{stream};
      law(link, sampler);
    }
  }
}

}  // namespace

// An angle takes the rounding of sine, cosine and atan2, a quaternion that of nine matrix entries divided by at most
// four times its largest component, a universal joint's numbers that over the sine of 0.5, its rates over its square:
// the bounds are three times the worst seen.
TEST_CASE_TEMPLATE("joint coordinates: q -> pose -> q", T, double, float, Pack<double, 2>) {
  for_every_kind<T>([](const Link& link, Sampler<T>& sampler) {
    const std::array<T, 7> q = random_q(link.kind, sampler);
    Twist<T> S[kMaxDofs];
    std::array<T, 7> back{};
    joint_coordinates(link, joint_motion(link, q.data(), S), back.data());
    for (int i = 0; i < facts(link.kind).nq; ++i)
      check_close<T>(back[static_cast<std::size_t>(i)], q[static_cast<std::size_t>(i)], 6);
  });
}

TEST_CASE_TEMPLATE("joint coordinates: v -> twist -> v", T, double, float, Pack<double, 2>) {
  for_every_kind<T>([](const Link& link, Sampler<T>& sampler) {
    const std::array<T, 7> q = random_q(link.kind, sampler);
    Twist<T> S[kMaxDofs];
    joint_motion(link, q.data(), S);
    T v[kMaxDofs], back[kMaxDofs];
    for (T& x : v) x = sampler.number();
    Twist<T> V = zero_twist<T>();
    for (int k = 0; k < link.nv; ++k) V += S[k] * v[k];
    joint_derivatives(link, S, V, back);
    for (int k = 0; k < link.nv; ++k) check_close<T>(back[k], v[k], 27);
  });
}

// Angles of up to 50 rad round by 7e-15, and once more where a turn is added.
TEST_CASE("joint coordinates: angles are within half a turn, a screw's are not; the nearest turn of any") {
  RandomStream stream(82);
  for (int i = 0; i < 200; ++i) {
    const double q = stream.uniform(-50.0, 50.0);
    Twist<> S[kMaxDofs];
    double back = 0.0;
    const Link hinge = lone_link(JointKind::revolute, stream);
    joint_coordinates(hinge, joint_motion(hinge, &q, S), &back);
    CHECK(abs(back) <= kPi<double>);
    CHECK(abs(unwrapped_angle(back, q) - q) <= 1e-14);
    for (const double pitch : {-3.0, -0.5, 1e-3, 1e-8, 0.9, 1e6}) {
      Link screw = lone_link(JointKind::screw, stream);
      screw.pitch = pitch;
      joint_coordinates(screw, joint_motion(screw, &q, S), &back);
      CHECK(abs(back - q) <= 1e-14);
    }
  }
  Link thread = lone_link(JointKind::screw, stream);
  thread.pitch = 1e-300;  // its travel tells nothing
  const double q = 7.0;
  Twist<> S[kMaxDofs];
  double back = 0.0;
  joint_coordinates(thread, joint_motion(thread, &q, S), &back);
  CHECK(abs(back - (q - 2.0 * kPi<double>)) <= 1e-14);
}

TEST_CASE("joint coordinates: what a joint cannot do is left aside") {
  RandomStream stream(83);
  const Link slide = lone_link(JointKind::prismatic, stream);
  const Pose<> X{rotation_z(0.6, 0.8), Vec3<>{1.0, 2.0, 3.0}};
  double q = 0.0, v[kMaxDofs];
  joint_coordinates(slide, X, &q);
  CHECK(q == 3.0);
  Twist<> S[kMaxDofs];
  joint_motion(slide, &q, S);
  joint_derivatives(slide, S, Twist<>{{1, 2, 3}, {4, 5, 6}}, v);
  CHECK(v[0] == 3.0);
}

// joint_pose composes the same pose from the words of the spec as compiled links do: tests/model/compile_poses_test.cpp
// holds those to the table of docs/joints.md.
TEST_CASE("joint pose: the pose across a joint of a spec is that of its compiled link") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    for (std::uint64_t run = 0; run < 50; ++run) {
      RandomStream stream(84, run);
      RandomModelOptions options;
      options.links = 1;
      ModelSpec spec = random_spec(stream, options);
      JointSpec& joint = spec.joints[0];
      joint.kind = fact.kind;
      if (fact.nv == 0) joint.passive.clear();
      const Model model = compile(spec).value();
      const RandomState state(model, stream);
      const Pose<> X_WB = joint.X_PJ * joint_pose(joint, state.q.data()) * inverse(joint.X_CJ);
      if (fact.kind == JointKind::fixed) {
        check_close<double>(X_WB, model.bodies()[0].X_LB, 4);
        continue;
      }
      const Link& link = model.links()[0];
      Twist<> S[kMaxDofs];
      check_close<double>(X_WB, link.X_PJ * joint_motion(link, state.q.data(), S) * model.bodies()[0].X_LB, 12);
    }
  }
}
