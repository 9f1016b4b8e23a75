#include "pintle/dynamics/certificate/certificate.h"

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/links/joint_motion.h"

namespace pintle {
namespace {

using LinkMotion = CertificateWorkspace::LinkMotion;
using BodyBalance = CertificateWorkspace::BodyBalance;

/// Whether a residual is worse than the worst so far; NaN is worse than any value.
bool worse(double residual, double worst) {
  return !(residual <= worst) && worst == worst;
}

double worse_of(double a, double b) {
  return worse(a, b) ? a : b;
}

double ratio(double residual, double scale) {
  return scale > 0.0 ? abs(residual) / scale : abs(residual);
}

/// A wrench rotated into world axes.
Wrench<> rotated(const Mat3<>& R, const Wrench<>& F) {
  return {R * F.force, R * F.torque};
}

/// The motion of a link from its parent's, by the vector equations (angular: vec-vel-rot, vec-acc-rot; linear:
/// vec-vel-lin, vec-acc-lin), written in relative motions so that they cover every kind of joint.
void move(const Link& link, const LinkMotion& parent, const double* q, const double* v, const double* vdot, Twist<>* S,
          LinkMotion& out) {
  const Pose<> X_PL = link.X_PJ * joint_motion(link, q + link.q, S);
  const Twist<> bias = joint_bias(link, S, v + link.v);
  Vec3<> v_rel{0, 0, 0}, w_rel{0, 0, 0}, vdot_rel = bias.linear, wdot_rel = bias.angular;  // in link axes
  double vdot_scale = norm(bias.linear), wdot_scale = norm(bias.angular);
  for (int k = 0; k < link.nv; ++k) {
    v_rel += v[link.v + k] * S[k].linear;
    w_rel += v[link.v + k] * S[k].angular;
    vdot_rel += vdot[link.v + k] * S[k].linear;
    wdot_rel += vdot[link.v + k] * S[k].angular;
    vdot_scale += abs(vdot[link.v + k]) * norm(S[k].linear);
    wdot_scale += abs(vdot[link.v + k]) * norm(S[k].angular);
  }
  const Vec3<>&w_P = parent.w, &alpha_P = parent.alpha, &v_P = parent.v, &a_P = parent.a;
  const Mat3<> R = parent.R_WL * X_PL.rotation;
  const Vec3<> d = parent.R_WL * X_PL.translation;
  const Vec3<> u = R * v_rel, w_J = R * w_rel;
  out.R_WL = R;
  out.d = d;
  out.w = w_P + w_J;
  out.alpha = alpha_P + R * wdot_rel + cross(w_P, w_J);
  out.v = v_P + cross(w_P, d) + u;
  out.a = a_P + cross(alpha_P, d) + cross(w_P, cross(w_P, d)) + 2.0 * cross(w_P, u) + R * vdot_rel + cross(w_J, u);
  const double w_size = norm(w_P);
  out.alpha_scale = parent.alpha_scale + wdot_scale + w_size * norm(w_J);
  out.a_scale = parent.a_scale + (parent.alpha_scale + w_size * w_size) * norm(d) +
                (2.0 * w_size + norm(w_J)) * norm(u) + vdot_scale;
}

class Certifier {
 public:
  Certifier(const Model& model, const Claim& claim, CertificateWorkspace& work)
      : model_(model),
        claim_(claim),
        work_(work),
        q_(joint_configuration(model, claim.q, work.joints.q)),
        v_(joint_velocity(model, claim.v, work.joints.v)),
        vdot_(joint_velocity(model, claim.vdot, work.joints.vdot)) {
    const RootMotion root = claim.options.root_motion();
    root_ = {identity3(),
             {0, 0, 0},
             root.velocity.linear,
             root.velocity.angular,
             root.acceleration.linear,
             root.acceleration.angular,
             0.0,
             0.0};
    root_.a_scale = norm(root_.a);
    root_.alpha_scale = norm(root_.alpha);
  }

  Certificate run() {
    for (std::size_t i = 0; i < work_.links.size(); ++i) {
      const Link& link = model_.links()[i];
      move(link, motion_of(link.parent), q_, v_, vdot_, work_.S.data() + link.v, work_.links[i]);
    }
    for (std::size_t b = 0; b < work_.bodies.size(); ++b) find_need(b);
    result_.joint_wrenches_checked = !claim_.joint_wrenches.empty();
    result_.transmission_checked = !claim_.transmission.empty();
    define_joint_wrenches();
    if (result_.joint_wrenches_checked) {
      take_joint_wrenches();
      balance_bodies();
    }
    find_efforts();
    balance_couplings();
    balance_joints_and_power();
    return result_;
  }

 private:
  const LinkMotion& motion_of(int link) const { return link < 0 ? root_ : work_.links[size(link)]; }

  /// The wrench that a body needs to move as claimed, minus its weight and the external wrench on it.
  void find_need(std::size_t b) {
    const ModelBody& body = model_.bodies()[b];
    const LinkMotion& link = motion_of(body.link);
    BodyBalance& out = work_.bodies[b];
    const double m = body.inertia.mass;
    const Mat3<> R = link.R_WL * body.X_LB.rotation;
    const Vec3<> c_B = m > 0.0 ? center_of_mass(body.inertia) : Vec3<>{0, 0, 0};
    const SymMat3<> I_c = congruence(R, m > 0.0 ? inertia_about_center_of_mass(body.inertia) : body.inertia.inertia);
    out.origin = link.R_WL * body.X_LB.translation;
    const Vec3<> r = out.center = out.origin + R * c_B;
    const Vec3<> w = link.w, a_c = link.a + cross(link.alpha, r) + cross(w, cross(w, r)), v_c = link.v + cross(w, r);
    const Vec3<> spin = I_c * link.alpha, gyro = cross(w, I_c * w);
    const double w_size = norm(w);
    const double inertial = m * (link.a_scale + (link.alpha_scale + w_size * w_size) * norm(r));
    const double rotational = trace(I_c) * (link.alpha_scale + w_size * w_size);
    out.force = m * a_c - m * model_.gravity();
    out.torque = spin + gyro;
    out.force_scale = inertial + m * norm(model_.gravity());
    // The torques of a body that hardly rotates are rounding of the forces on it, at levers of its own size and of its
    // joint.
    out.torque_scale = rotational + ((m > 0.0 ? sqrt(trace(I_c) / m) : 0.0) + joint_lever(body.link)) * out.force_scale;
    add_power(dot(out.force, v_c) + dot(spin, w), out.force_scale * norm(v_c) + rotational * w_size);
    if (claim_.options.external.empty()) return;
    const Wrench<> F = rotated(R, claim_.options.external[b]);  // about the body's origin
    const Vec3<> arm = out.origin - r, velocity = link.v + cross(w, out.origin);
    out.force -= F.force;
    out.torque -= F.torque + cross(arm, F.force);
    out.force_scale += norm(F.force);
    out.torque_scale += norm(F.torque) + norm(arm) * norm(F.force);
    add_power(-dot(F.force, velocity) - dot(F.torque, w), norm(F.force) * norm(velocity) + norm(F.torque) * w_size);
  }

  /// From the origin of the parent link to that of a link [m]; 0 for links that the world carries, which may be far
  /// away from its origin.
  double joint_lever(int link) const {
    return link < 0 || model_.links()[size(link)].parent < 0 ? 0.0 : norm(work_.links[size(link)].d);
  }

  void add_power(double power, double scale) {
    power_ += power;
    power_scale_ += scale;
  }

  /// From the link's origin of the body that carries a joint to the origin of the body it carries.
  Vec3<> child_origin(const ModelJoint& joint) const {
    const Vec3<>& origin = work_.bodies[size(joint.child_body)].origin;
    return joint.link < 0 ? origin : work_.links[size(joint.link)].d + origin;
  }

  /// The balances of the bodies define the joint wrenches, from the tips inwards, and how large their terms are.
  void define_joint_wrenches() {
    for (BodyBalance& body : work_.bodies) {
      const Vec3<> arm = body.center - body.origin;
      body.joint = {body.force, body.torque + cross(arm, body.force)};
      body.joint_force_scale = body.force_scale;
      body.joint_torque_scale = body.torque_scale + norm(arm) * body.force_scale;
    }
    const std::span<const int> order = model_.joints_outwards();
    for (std::size_t i = order.size(); i-- > 0;) {
      const ModelJoint& joint = model_.joints()[size(order[i])];
      if (joint.parent_body < 0) continue;
      const BodyBalance& child = work_.bodies[size(joint.child_body)];
      BodyBalance& carrier = work_.bodies[size(joint.parent_body)];
      const Vec3<> arm = child_origin(joint) - carrier.origin;
      carrier.joint += Wrench<>{child.joint.force, child.joint.torque + cross(arm, child.joint.force)};
      carrier.joint_force_scale += child.joint_force_scale;
      carrier.joint_torque_scale += child.joint_torque_scale + norm(arm) * child.joint_force_scale;
    }
    if (!work_.bodies.empty()) result_.worst_body = 0;
  }

  /// Uses the claimed ones instead; the scales stay.
  void take_joint_wrenches() {
    for (std::size_t b = 0; b < work_.bodies.size(); ++b) {
      const ModelBody& body = model_.bodies()[b];
      work_.bodies[b].joint = rotated(motion_of(body.link).R_WL * body.X_LB.rotation, claim_.joint_wrenches[b]);
    }
  }

  /// The wrench of a body's joint, minus those of the joints it carries, must equal the required wrench.
  void balance_bodies() {
    for (const ModelJoint& joint : model_.joints()) {
      if (joint.parent_body < 0) continue;
      const Wrench<>& F = work_.bodies[size(joint.child_body)].joint;
      BodyBalance& carrier = work_.bodies[size(joint.parent_body)];
      const Vec3<> arm = child_origin(joint) - carrier.center;
      carrier.force += F.force;
      carrier.torque += F.torque + cross(arm, F.force);
      carrier.force_scale += norm(F.force);
      carrier.torque_scale += norm(F.torque) + norm(arm) * norm(F.force);
    }
    for (std::size_t b = 0; b < work_.bodies.size(); ++b) {
      const BodyBalance& body = work_.bodies[b];
      const Vec3<> arm = body.origin - body.center;
      const double force = norm(body.joint.force - body.force);
      const double torque = norm(body.joint.torque + cross(arm, body.joint.force) - body.torque);
      const double by_force = ratio(force, body.force_scale + norm(body.joint.force));
      // The position of the centre on its link, and so the lever of the force, is known up to rounding.
      const double levers = norm(arm) + norm(body.center) + joint_lever(model_.bodies()[b].link);
      const double by_torque =
          ratio(torque, body.torque_scale + norm(body.joint.torque) + levers * norm(body.joint.force));
      const double relative = worse_of(by_force, by_torque);
      if (!worse(relative, result_.force_balance_relative)) continue;
      result_.force_balance_relative = relative;
      result_.force_balance_newton = worse(by_force, by_torque) ? force : torque;
      result_.worst_body = static_cast<int>(b);
    }
  }

  /// The effort that every dof of all joints needs from motors and transmissions: S'f + armature vdot - passive.
  void find_efforts() {
    const std::size_t nv = model_.dofs().size();
    for (double& passive : work_.passive) passive = 0.0;
    if (claim_.options.passive)
      joint_passive_efforts(model_, {q_, size(model_.joint_nq())}, {v_, nv}, work_.passive, claim_.options.friction);
    for (const ModelJoint& joint : model_.joints()) {
      const BodyBalance& body = work_.bodies[size(joint.child_body)];
      if (joint.parent_body < 0) add_root_power(joint, body);
      if (joint.link < 0) continue;
      const Mat3<>& R = work_.links[size(joint.link)].R_WL;
      for (int k = joint.v; k < joint.v + facts(joint.kind).nv; ++k) {
        const Vec3<> about = R * work_.S[size(k)].angular;
        const Vec3<> along = R * work_.S[size(k)].linear + cross(about, body.origin);  // of the body's origin
        const double along_size = norm(work_.S[size(k)].linear) + norm(about) * norm(body.origin);
        const double rotor = model_.dofs()[size(k)].passive.armature * vdot_[k], passive = work_.passive[size(k)];
        work_.effort[size(k)] = dot(along, body.joint.force) + dot(about, body.joint.torque) + rotor - passive;
        work_.effort_scale[size(k)] =
            along_size * body.joint_force_scale + norm(about) * body.joint_torque_scale + abs(rotor) + abs(passive);
        add_power((rotor - passive) * v_[k], abs(rotor * v_[k]) + abs(passive * v_[k]));
      }
    }
  }

  /// A moving world does work on the roots through their joints.
  void add_root_power(const ModelJoint& joint, const BodyBalance& body) {
    const Vec3<> velocity = root_.v + cross(root_.w, child_origin(joint));
    add_power(-dot(body.joint.force, velocity) - dot(body.joint.torque, root_.w),
              norm(body.joint.force) * norm(velocity) + norm(body.joint.torque) * norm(root_.w));
  }

  /// A coupling drives its joint with the effort claimed or, if none is, with what the joint needs; the driver carries
  /// ratio times that. (Constraint forces do no work: the power of the two cancels.)
  void balance_couplings() {
    for (std::size_t c = 0; c < work_.transmission.size(); ++c) {
      const ModelCoupling& coupling = model_.couplings()[c];
      const std::size_t k = size(model_.joints()[size(coupling.joint)].v);
      const std::size_t driver = size(model_.joints()[size(coupling.driver)].v);
      double scale = work_.effort_scale[k];
      work_.transmission[c] = work_.effort[k];
      if (result_.transmission_checked) {
        work_.transmission[c] = claim_.transmission[c];
        see_joint(coupling.joint, work_.effort[k] - claim_.transmission[c], scale + abs(claim_.transmission[c]));
        scale = abs(claim_.transmission[c]);
      }
      work_.effort[driver] += coupling.ratio * work_.transmission[c];
      work_.effort_scale[driver] += abs(coupling.ratio) * scale;
    }
  }

  void see_joint(int joint, double residual, double scale) {
    const double relative = ratio(residual, scale);
    if (!worse(relative, result_.joint_balance_relative) && result_.worst_joint >= 0) return;
    result_.joint_balance_relative = relative;
    result_.joint_balance_effort = abs(residual);
    result_.worst_joint = joint;
  }

  void balance_joints_and_power() {
    for (const IndependentJoint& joint : model_.independent_joints()) {
      const int first = model_.joints()[size(joint.joint)].v;
      for (int k = 0; k < facts(joint.kind).nv; ++k) {
        const double tau = claim_.tau[size(joint.v + k)], v = claim_.v[size(joint.v + k)];
        see_joint(joint.joint, work_.effort[size(first + k)] - tau, work_.effort_scale[size(first + k)] + abs(tau));
        add_power(-tau * v, abs(tau * v));
      }
    }
    result_.power_balance_relative = ratio(power_, power_scale_);
    result_.power_balance_watt = abs(power_);
  }

  const Model& model_;
  const Claim& claim_;
  CertificateWorkspace& work_;
  const double* q_;
  const double* v_;
  const double* vdot_;
  LinkMotion root_;
  Certificate result_;
  double power_ = 0.0;  ///< d/dt kinetic energy minus the power of everything that acts
  double power_scale_ = 0.0;
};

}  // namespace

double Certificate::worst() const {
  return worse_of(worse_of(force_balance_relative, joint_balance_relative), power_balance_relative);
}

CertificateWorkspace::CertificateWorkspace(const Model& model)
    : sizes(model),
      joints(model),
      passive(model.dofs().size()),
      effort(model.dofs().size()),
      effort_scale(model.dofs().size()),
      transmission(model.couplings().size()),
      links(model.links().size()),
      bodies(model.bodies().size()),
      S(model.dofs().size()) {}

Certificate certify(const Model& model, const Claim& claim, CertificateWorkspace& work) {
  require_size("certify", "claim.q", claim.q.size(), size(model.nq()));
  require_size("certify", "claim.v", claim.v.size(), size(model.nv()));
  require_size("certify", "claim.vdot", claim.vdot.size(), size(model.nv()));
  require_size("certify", "claim.tau", claim.tau.size(), size(model.nv()));
  require_fit("certify", work.sizes, model);
  if (!claim.options.external.empty()) {
    require_size("certify", "claim.options.external", claim.options.external.size(), model.bodies().size());
  }
  if (!claim.joint_wrenches.empty()) {
    require_size("certify", "claim.joint_wrenches", claim.joint_wrenches.size(), model.bodies().size());
  }
  if (!claim.transmission.empty()) {
    require_size("certify", "claim.transmission", claim.transmission.size(), model.couplings().size());
  }
  return Certifier(model, claim, work).run();
}

}  // namespace pintle
