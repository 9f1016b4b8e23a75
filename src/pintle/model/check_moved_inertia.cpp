#include "pintle/model/check_moved_inertia.h"

#include <utility>

#include "pintle/math/elementary_impl.h"
#include "pintle/model/configuration_impl.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Relative to the terms it is the sum of, an inertia below this is their rounding.
constexpr double kRounding = 64.0 * kEpsilon<double>;

/// What a joint moves, over all positions tried.
struct Moved {
  explicit Moved(const Model& model) : inertia(model.freedoms().size(), 0.0), rank(model.links().size(), 0) {}

  std::vector<double> inertia;  ///< per freedom of all joints; 0 where there is none
  std::vector<int> rank;        ///< per link: how many combinations of its joint's freedoms have inertia
};

/// S' I S + armature of one joint.
struct JointInertia {
  double entry[kMostFreedoms][kMostFreedoms];
  double terms[kMostFreedoms];  ///< the largest each diagonal entry could be with that inertia
};

JointInertia joint_inertia(const SpatialInertia<>& I, const Twist<>* S, const double* armature, int nv) {
  JointInertia B;
  for (int i = 0; i < nv; ++i) {
    const Wrench<> U = I * S[i];
    for (int j = 0; j < nv; ++j) B.entry[i][j] = dot(S[j], U);
    B.entry[i][i] += armature[i];
    B.terms[i] = I.mass * norm_squared(S[i].linear) + trace(I.inertia) * norm_squared(S[i].angular) + armature[i];
  }
  return B;
}

/// How many pivots are more than rounding, with the freedoms scaled by their terms and the largest pivot always first.
int rank(const JointInertia& B, int nv) {
  double A[kMostFreedoms][kMostFreedoms];
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) {
      const double scale = sqrt(B.terms[i]) * sqrt(B.terms[j]);
      A[i][j] = scale > 0.0 ? B.entry[i][j] / scale : 0.0;
    }
  }
  bool done[kMostFreedoms] = {};
  for (int found = 0; found < nv; ++found) {
    int p = -1;
    for (int i = 0; i < nv; ++i)
      if (!done[i] && A[i][i] > kRounding && (p < 0 || A[i][i] > A[p][p])) p = i;
    if (p < 0) return found;
    done[p] = true;
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j < nv && !done[i]; ++j)
        if (!done[j]) A[i][j] -= A[i][p] * A[p][j] / A[p][p];
  }
  return nv;
}

/// Adds what each joint moves with joint i at 0.3 (i + 1) times `position`.
void find_moved(const Model& model, double position, Moved& moved) {
  const std::size_t count = model.links().size();
  std::vector<Pose<>> X_PL(count);
  std::vector<Twist<>> S(model.freedoms().size());
  std::vector<SpatialInertia<>> I_C(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Link& link = model.links()[i];
    double origin[7] = {}, q[7], v[kMostFreedoms];
    if (quaternion_place(link.kind) >= 0) origin[quaternion_place(link.kind) + 3] = 1.0;
    for (int k = 0; k < link.nv; ++k)
      v[k] = 0.3 * position * static_cast<double>(1 + (i + static_cast<std::size_t>(k)) % 7);
    integrate_joint(link.kind, origin, v, q);
    X_PL[i] = link.X_PJ * joint_motion(link, q, S.data() + link.v);
    I_C[i] = link.inertia;
  }
  for (std::size_t i = count; i-- > 0;) {
    const Link& link = model.links()[i];
    const JointInertia B = joint_inertia(I_C[i], S.data() + link.v, model.tree().armature + link.v, link.nv);
    for (int k = 0; k < link.nv; ++k)
      if (B.entry[k][k] > kRounding * B.terms[k]) moved.inertia[size(link.v + k)] = B.entry[k][k];
    const int here = rank(B, link.nv);
    if (here > moved.rank[i]) moved.rank[i] = here;
    if (link.parent >= 0) I_C[size(link.parent)] = I_C[size(link.parent)] + X_PL[i] * I_C[i];
  }
}

Diagnostic without_inertia(const JointSpec& joint, std::string what, const char* why) {
  Diagnostic problem;
  problem.code = "joint-without-inertia";
  problem.origin = joint.origin;
  problem.what = "joint '" + joint.name + "' " + std::move(what);
  problem.why = why;
  problem.fix = "give the bodies outboard of it mass or inertia, give it armature, or prescribe its motion";
  return problem;
}

}  // namespace

Diagnostics check_moved_inertia(const Model& model, const ModelSpec& spec) {
  Moved moved(model);
  for (const double position : {0.0, 1.0, -1.7}) find_moved(model, position, moved);
  // Per independent freedom: what it moves by all joints that have their numbers from it, and whether one is given.
  std::vector<double> total(size(model.nv()), 0.0);
  std::vector<char> drives(size(model.nv()), 0), given(size(model.nv()), 0);
  for (std::size_t k = 0; k < moved.inertia.size(); ++k) {
    const CoordinateSource& from = model.v_sources()[k];
    if (moved.inertia[k] > 0.0) total[size(from.source)] += from.ratio * from.ratio * moved.inertia[k];
    if (spec.joints[size(model.freedoms()[k].joint)].prescribed) given[size(from.source)] = 1;
  }
  for (const ModelCoupling& coupling : model.couplings())
    drives[size(model.v_sources()[size(model.joints()[size(coupling.driver)].v)].source)] = 1;

  Diagnostics problems;
  for (const IndependentJoint& independent : model.independent_joints()) {
    const JointSpec& joint = spec.joints[size(independent.joint)];
    const int nv = facts(joint.kind).nv;
    int still = 0;  // freedoms that move nothing
    for (int i = 0; i < nv; ++i) {
      const std::size_t k = size(independent.v + i);
      if (total[k] > 0.0) continue;
      ++still;
      if (given[k] != 0) continue;
      problems.push_back(without_inertia(joint,
                                         drives[k] != 0 ? "and the joints coupled to it move nothing that has inertia"
                                                        : "moves nothing that has inertia along its freedom " +
                                                              std::to_string(i + 1) + " of " + std::to_string(nv),
                                         "an effort there would give an infinite acceleration"));
    }
    const int link = model.joints()[size(independent.joint)].link;
    if (nv == 1 || joint.prescribed || moved.rank[size(link)] + still >= nv) continue;
    problems.push_back(without_inertia(
        joint, "moves nothing that has inertia along a combination of its " + std::to_string(nv) + " freedoms",
        "an effort there would give an infinite acceleration; a thin rod, for one, resists no turn about its own "
        "line"));
  }
  return problems;
}

}  // namespace pintle
