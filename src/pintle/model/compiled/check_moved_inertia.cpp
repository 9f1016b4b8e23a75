#include "pintle/model/compiled/check_moved_inertia.h"

#include <algorithm>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/spatial/principal_inertia.h"

namespace pintle {
namespace {

/// An inertia below this, relative to the terms it is the sum of, is rounding.
constexpr double kRounding = 64.0 * kEpsilon<double>;

/// The inertia that a joint moves, over all positions tried.
struct Moved {
  explicit Moved(const Model& model) : inertia(model.dofs().size(), 0.0), rank(model.links().size(), 0) {}

  std::vector<double> inertia;  ///< per dof of all joints; 0 where it moves none
  std::vector<int> rank;        ///< per link: the number of combinations of its joint's dofs with inertia
};

/// S' I S + armature of one joint.
struct JointInertia {
  double entry[kMaxDofs][kMaxDofs];
  double terms[kMaxDofs];  ///< the maximum of each diagonal entry with that inertia
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

/// The number of pivots above rounding, with the dofs scaled by their terms and the largest pivot always first.
int rank(const JointInertia& B, int nv) {
  double A[kMaxDofs][kMaxDofs];
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) {
      const double scale = sqrt(B.terms[i]) * sqrt(B.terms[j]);
      A[i][j] = scale > 0.0 ? B.entry[i][j] / scale : 0.0;
    }
  }
  bool done[kMaxDofs] = {};
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

/// Adds the inertia that each joint moves, with joint i at 0.3 (i + 1) times `position`.
void find_moved(const Model& model, double position, Moved& moved) {
  const std::size_t count = model.links().size();
  std::vector<Pose<>> X_PL(count);
  std::vector<Twist<>> S(model.dofs().size());
  std::vector<SpatialInertia<>> I_C(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Link& link = model.links()[i];
    double origin[7] = {}, q[7], v[kMaxDofs];
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
  return make_error("joint-without-inertia", joint.origin, "joint '" + joint.name + "' " + std::move(what), why,
                    "give the bodies outboard of it mass or inertia, give it armature, or prescribe its motion");
}

// ---- floating bodies without inertia

bool is_nothing(const SpatialInertia<>& I) {
  return I.mass == 0.0 && norm(I.first_moment) == 0.0 && largest_entry(I.inertia) == 0.0;
}

/// The motion that a joint with one dof allows, in the frame of its parent link: the same in all positions.
Twist<> motion_on_carrier(const Link& link) {
  const double q = 0.0;
  Twist<> S;
  const Pose<> X_PL = link.X_PJ * joint_motion(link, &q, &S);
  return X_PL * S;
}

/// Whether two motions have the same screw, up to rounding.
bool are_along_one_screw(const Twist<>& a, const Twist<>& b) {
  const std::array<double, 6> x = to_array(a), y = to_array(b);
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    xx += x[i] * x[i];
    xy += x[i] * y[i];
    yy += y[i] * y[i];
  }
  double apart = 0.0;  // the part of b perpendicular to a, squared
  for (std::size_t i = 0; i < 6; ++i) apart += (y[i] - xy / xx * x[i]) * (y[i] - xy / xx * x[i]);
  return apart <= kRounding * kRounding * yy;
}

/// Whether a joint has coordinates of its own and no armature.
bool is_plain(const Model& model, std::size_t joint) {
  const ModelJoint& moved = model.joints()[joint];
  const auto is_coupled = [&](const ModelCoupling& coupling) {
    return size(coupling.joint) == joint || size(coupling.driver) == joint;
  };
  bool has_rotor = false;
  for (int k = 0; k < facts(moved.kind).nv; ++k) has_rotor = has_rotor || model.tree().armature[moved.v + k] > 0.0;
  const auto couplings = model.couplings();
  return !moved.prescribed && !has_rotor && std::none_of(couplings.begin(), couplings.end(), is_coupled);
}

/// The first of the joints on a floating link, -1 unless the link can move while everything it carries is at rest: with
/// one joint it always can, with several when each has one dof and all have the same screw.
int joint_that_lets_go(const Model& model, int floating) {
  int first = -1;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int number = model.joints()[j].link;
    if (number < 0 || model.links()[size(number)].parent != floating) continue;
    if (!is_plain(model, j)) return -1;
    if (first < 0) {
      first = static_cast<int>(j);
      continue;
    }
    const Link& one = model.links()[size(model.joints()[size(first)].link)];
    const Link& other = model.links()[size(number)];
    if (one.nv > 1 || other.nv > 1 || !are_along_one_screw(motion_on_carrier(one), motion_on_carrier(other))) return -1;
  }
  return first;
}

/// An error for each floating link without inertia of its own that can move while everything else is at rest.
void check_floating(const Model& model, const ModelSpec& spec, const Moved& moved, Diagnostics& problems) {
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const ModelJoint& joint = model.joints()[j];
    if (joint.kind != JointKind::free || !is_plain(model, j)) continue;
    if (!is_nothing(model.links()[size(joint.link)].inertia) || moved.rank[size(joint.link)] < 6) continue;
    const int carried = joint_that_lets_go(model, joint.link);
    if (carried < 0) continue;
    const std::string& body = model.bodies()[size(joint.child_body)].name;
    problems.push_back(without_inertia(spec.joints[j],
                                       "leaves the massless body '" + body + "' free, and joint '" +
                                           model.joints()[size(carried)].name +
                                           "' lets it move while everything with mass is at rest",
                                       "an effort at that joint would give an infinite acceleration"));
    problems.back().fix = "give '" + body + "' mass and inertia, or fix it to the world";
  }
}

}  // namespace

Diagnostics check_moved_inertia(const Model& model, const ModelSpec& spec) {
  Moved moved(model);
  for (const double position : {0.0, 1.0, -1.7}) find_moved(model, position, moved);
  // Per independent dof: the inertia that it moves through all joints whose coordinates depend on it, and whether one
  // of them is prescribed.
  std::vector<double> total(size(model.nv()), 0.0);
  std::vector<char> drives(size(model.nv()), 0), given(size(model.nv()), 0);
  for (std::size_t k = 0; k < moved.inertia.size(); ++k) {
    const CoordinateSource& from = model.v_sources()[k];
    if (moved.inertia[k] > 0.0) total[size(from.source)] += from.ratio * from.ratio * moved.inertia[k];
    if (spec.joints[size(model.dofs()[k].joint)].prescribed) given[size(from.source)] = 1;
  }
  for (const ModelCoupling& coupling : model.couplings())
    drives[size(model.v_sources()[size(model.joints()[size(coupling.driver)].v)].source)] = 1;

  Diagnostics problems;
  for (const IndependentJoint& independent : model.independent_joints()) {
    const JointSpec& joint = spec.joints[size(independent.joint)];
    const int nv = facts(joint.kind).nv;
    int still = 0;  // dofs that move no inertia
    for (int i = 0; i < nv; ++i) {
      const std::size_t k = size(independent.v + i);
      if (total[k] > 0.0) continue;
      ++still;
      if (given[k] != 0) continue;
      problems.push_back(without_inertia(joint,
                                         drives[k] != 0 ? "and the joints coupled to it move nothing that has inertia"
                                                        : "moves nothing that has inertia along its dof " +
                                                              std::to_string(i + 1) + " of " + std::to_string(nv),
                                         "an effort there would give an infinite acceleration"));
    }
    const int link = model.joints()[size(independent.joint)].link;
    if (nv == 1 || joint.prescribed || moved.rank[size(link)] + still >= nv) continue;
    problems.push_back(without_inertia(
        joint, "moves nothing that has inertia along a combination of its " + std::to_string(nv) + " dofs",
        "an effort there would give an infinite acceleration; a thin rod, for example, has no inertia about its own "
        "axis"));
  }
  check_floating(model, spec, moved, problems);
  return problems;
}

}  // namespace pintle
