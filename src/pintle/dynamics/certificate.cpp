#include "pintle/dynamics/certificate.h"

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/joint_numbers.h"
#include "pintle/dynamics/passive_efforts.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/joint_motion.h"

namespace pintle {
namespace {

using LinkMotion = CertificateWorkspace::LinkMotion;

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Whether a residual is worse than the worst so far; a NaN is worse than any number.
bool worse(double residual, double worst) {
  return !(residual <= worst) && worst == worst;
}

double worse_of(double a, double b) {
  return worse(a, b) ? a : b;
}

double ratio(double residual, double scale) {
  return scale > 0.0 ? abs(residual) / scale : abs(residual);
}

/// The motion of a link from its parent's, by the vector equations (angular: vec-vel-rot, vec-acc-rot; linear:
/// vec-vel-lin, vec-acc-lin of seed 003, written with relative motions so that every kind of joint fits).
void move(const Link& link, const LinkMotion& parent, const double* q, const double* v, const double* vdot, Twist<>* S,
          LinkMotion& out) {
  const Pose<> X_PL = link.X_PJ * joint_motion(link, q + link.q, S);
  const Twist<> bias = joint_bias(link, S, v + link.v);
  Vec3<> v_rel{0, 0, 0}, w_rel{0, 0, 0}, vdot_rel = bias.linear, wdot_rel = bias.angular;  // in link axes
  for (int k = 0; k < link.nv; ++k) {
    v_rel += v[link.v + k] * S[k].linear;
    w_rel += v[link.v + k] * S[k].angular;
    vdot_rel += vdot[link.v + k] * S[k].linear;
    wdot_rel += vdot[link.v + k] * S[k].angular;
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
}

/// Adds what one body needs to move as it does, less its weight, to the sums about the link's centre of mass.
void add_body(const ModelBody& body, const Vec3<>& gravity, LinkMotion& link) {
  const double m = body.inertia.mass;
  const Mat3<> R = link.R_WL * body.X_LB.rotation;
  const Vec3<> at = link.R_WL * body.X_LB.translation;
  const Vec3<> c_B = m > 0.0 ? center_of_mass(body.inertia) : Vec3<>{0, 0, 0};
  const SymMat3<> I_B = m > 0.0 ? inertia_about_center_of_mass(body.inertia) : body.inertia.inertia;
  const SymMat3<> I_c = congruence(R, I_B);
  const Vec3<> r = at + R * c_B;  // its centre of mass from the link's origin
  const Vec3<> a_c = link.a + cross(link.alpha, r) + cross(link.w, cross(link.w, r));
  const Vec3<> v_c = link.v + cross(link.w, r);
  const Vec3<> inertial = m * a_c, weight = m * gravity;
  const Vec3<> spin = I_c * link.alpha, gyro = cross(link.w, I_c * link.w);
  const Vec3<> force = inertial - weight;
  const Vec3<> arm = r - link.c;
  link.force += force;
  link.torque += spin + gyro + cross(arm, force);
  link.force_scale += norm(inertial) + norm(weight);
  link.torque_scale += norm(spin) + norm(gyro) + norm(arm) * (norm(inertial) + norm(weight));
  link.power += dot(force, v_c) + dot(spin, link.w);
  link.power_scale += abs(dot(inertial, v_c)) + abs(dot(weight, v_c)) + abs(dot(spin, link.w));
}

/// A wrench of a link's own frame, in world axes about the link's origin.
Wrench<> turned(const Mat3<>& R, const Wrench<>& F) {
  return {R * F.force, R * F.torque};
}

/// Takes an external wrench on a body, in the body's frame, off what must act on the link.
void add_external(const ModelBody& body, const Wrench<>& F_B, LinkMotion& link) {
  const Wrench<> F = turned(link.R_WL * body.X_LB.rotation, F_B);  // about the body's origin
  const Vec3<> at = link.R_WL * body.X_LB.translation, arm = at - link.c;
  const Vec3<> velocity = link.v + cross(link.w, at);
  link.force -= F.force;
  link.torque -= F.torque + cross(arm, F.force);
  link.force_scale += norm(F.force);
  link.torque_scale += norm(F.torque) + norm(arm) * norm(F.force);
  link.power -= dot(F.force, velocity) + dot(F.torque, link.w);
  link.power_scale += abs(dot(F.force, velocity)) + abs(dot(F.torque, link.w));
}

class Certifier {
 public:
  Certifier(const Model& model, const Claim& claim, CertificateWorkspace& work)
      : model_(model),
        claim_(claim),
        work_(work),
        q_(joint_configuration(model, claim.q, work.joints.q)),
        v_(joint_velocity(model, claim.v, work.joints.v)),
        vdot_(joint_velocity(model, claim.vdot, work.joints.vdot)) {}

  Certificate run() {
    find_needs();
    result_.joint_wrenches_checked = !claim_.joint_wrenches.empty();
    define_joint_wrenches();
    if (result_.joint_wrenches_checked) {
      take_joint_wrenches();
      balance_links();
    }
    find_efforts();
    result_.transmission_checked = !claim_.transmission.empty();
    balance_couplings();
    balance_joints_and_power();
    return result_;
  }

 private:
  int body_of_link(std::size_t i) const {
    const int joint = model_.freedoms()[size(model_.links()[i].v)].joint;
    return model_.joints()[size(joint)].child_body;
  }

  /// What must act on every link for it to move as claimed.
  void find_needs() {
    LinkMotion root{};
    root.R_WL = identity3();
    root.v = claim_.options.root.velocity.linear;
    root.w = claim_.options.root.velocity.angular;
    root.a = claim_.options.root.acceleration.linear;
    root.alpha = claim_.options.root.acceleration.angular;
    for (std::size_t i = 0; i < work_.links.size(); ++i) {
      const Link& link = model_.links()[i];
      LinkMotion& motion = work_.links[i];
      motion = {};
      const LinkMotion& parent = link.parent < 0 ? root : work_.links[size(link.parent)];
      move(link, parent, q_, v_, vdot_, work_.S.data() + link.v, motion);
      if (link.inertia.mass > 0.0) motion.c = motion.R_WL * center_of_mass(link.inertia);
    }
    for (const ModelBody& body : model_.bodies()) {
      if (body.link >= 0) add_body(body, model_.gravity(), work_.links[size(body.link)]);
    }
    const std::span<const Wrench<>> external = claim_.options.external;
    for (std::size_t b = 0; b < external.size(); ++b) {
      const ModelBody& body = model_.bodies()[b];
      if (body.link >= 0) add_external(body, external[b], work_.links[size(body.link)]);
    }
  }

  /// The balances of the links define the joint wrenches, from the tips inwards, and how large their terms are.
  void define_joint_wrenches() {
    for (LinkMotion& link : work_.links) {
      link.joint = {link.force, link.torque + cross(link.c, link.force)};
      link.joint_force_scale = link.force_scale;
      link.joint_torque_scale = link.torque_scale + norm(link.c) * link.force_scale;
    }
    for (std::size_t i = work_.links.size(); i-- > 0;) {
      const int parent = model_.links()[i].parent;
      if (parent < 0) continue;
      const LinkMotion& link = work_.links[i];
      LinkMotion& carrier = work_.links[size(parent)];
      carrier.joint += Wrench<>{link.joint.force, link.joint.torque + cross(link.d, link.joint.force)};
      carrier.joint_force_scale += link.joint_force_scale;
      carrier.joint_torque_scale += link.joint_torque_scale + norm(link.d) * link.joint_force_scale;
    }
    if (!work_.links.empty()) result_.worst_body = body_of_link(0);
  }

  /// The claimed ones instead; the size of their terms stays.
  void take_joint_wrenches() {
    for (std::size_t i = 0; i < work_.links.size(); ++i) {
      LinkMotion& link = work_.links[i];
      link.joint = turned(link.R_WL, claim_.joint_wrenches[i]);
    }
  }

  /// The wrench of a link's joint, less those of the joints it carries, must be what acts on it.
  void balance_links() {
    for (std::size_t i = 0; i < work_.links.size(); ++i) {
      const int parent = model_.links()[i].parent;
      if (parent < 0) continue;
      const LinkMotion& link = work_.links[i];
      LinkMotion& carrier = work_.links[size(parent)];
      const Vec3<> arm = link.d - carrier.c;
      carrier.force += link.joint.force;
      carrier.torque += link.joint.torque + cross(arm, link.joint.force);
      carrier.force_scale += norm(link.joint.force);
      carrier.torque_scale += norm(link.joint.torque) + norm(arm) * norm(link.joint.force);
    }
    for (std::size_t i = 0; i < work_.links.size(); ++i) {
      const LinkMotion& link = work_.links[i];
      const double force = norm(link.joint.force - link.force);
      const double torque = norm(link.joint.torque - cross(link.c, link.joint.force) - link.torque);
      const double by_force = ratio(force, link.force_scale + norm(link.joint.force));
      const double by_torque =
          ratio(torque, link.torque_scale + norm(link.joint.torque) + norm(link.c) * norm(link.joint.force));
      const double relative = worse_of(by_force, by_torque);
      if (!worse(relative, result_.force_balance_relative) && result_.worst_body >= 0) continue;
      result_.force_balance_relative = relative;
      result_.force_balance_newton = worse(by_force, by_torque) ? force : torque;
      result_.worst_body = body_of_link(i);
    }
  }

  /// What every freedom of all joints needs from motors and transmissions: S'f + armature vdot - passive.
  void find_efforts() {
    const std::size_t nv = model_.freedoms().size();
    for (double& passive : work_.passive) passive = 0.0;
    if (claim_.options.passive) passive_efforts(model_, {q_, size(model_.joint_nq())}, {v_, nv}, work_.passive);
    for (std::size_t i = 0; i < work_.links.size(); ++i) {
      const Link& link = model_.links()[i];
      const LinkMotion& motion = work_.links[i];
      power_ += motion.power;
      power_scale_ += motion.power_scale;
      if (link.parent < 0) add_root_power(motion);
      for (int k = link.v; k < link.v + link.nv; ++k) {
        const Vec3<> along = motion.R_WL * work_.S[size(k)].linear, about = motion.R_WL * work_.S[size(k)].angular;
        const double rotor = model_.freedoms()[size(k)].passive.armature * vdot_[k], passive = work_.passive[size(k)];
        const double by_wrench = dot(along, motion.joint.force) + dot(about, motion.joint.torque);
        const double terms = norm(along) * motion.joint_force_scale + norm(about) * motion.joint_torque_scale;
        work_.effort[size(k)] = by_wrench + rotor - passive;
        work_.effort_scale[size(k)] = terms + abs(rotor) + abs(passive);
        power_ += (rotor - passive) * v_[k];
        power_scale_ += abs(rotor * v_[k]) + abs(passive * v_[k]);
      }
    }
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
    result_.worst_joint = joint;
  }

  /// A world that moves itself works on the roots through their joints.
  void add_root_power(const LinkMotion& motion) {
    const Twist<>& V = claim_.options.root.velocity;
    const double by_force = dot(motion.joint.force, V.linear + cross(V.angular, motion.d));
    const double by_torque = dot(motion.joint.torque, V.angular);
    power_ -= by_force + by_torque;
    power_scale_ += abs(by_force) + abs(by_torque);
  }

  void balance_joints_and_power() {
    for (const IndependentJoint& joint : model_.independent_joints()) {
      const int first = model_.joints()[size(joint.joint)].v;
      for (int k = 0; k < facts(joint.kind).nv; ++k) {
        const double tau = claim_.tau[size(joint.v + k)], v = claim_.v[size(joint.v + k)];
        see_joint(joint.joint, work_.effort[size(first + k)] - tau, work_.effort_scale[size(first + k)] + abs(tau));
        power_ -= tau * v;
        power_scale_ += abs(tau * v);
      }
    }
    result_.power_balance_relative = ratio(power_, power_scale_);
  }

  const Model& model_;
  const Claim& claim_;
  CertificateWorkspace& work_;
  const double* q_;
  const double* v_;
  const double* vdot_;
  Certificate result_;
  double power_ = 0.0;  ///< rate of kinetic energy less the power of all that acts
  double power_scale_ = 0.0;
};

}  // namespace

double Certificate::worst() const {
  return worse_of(worse_of(force_balance_relative, joint_balance_relative), power_balance_relative);
}

CertificateWorkspace::CertificateWorkspace(const Model& model)
    : joints(model),
      passive(model.freedoms().size()),
      effort(model.freedoms().size()),
      effort_scale(model.freedoms().size()),
      transmission(model.couplings().size()),
      links(model.links().size()),
      S(model.freedoms().size()) {}

Certificate certify(const Model& model, const Claim& claim, CertificateWorkspace& work) {
  require_size("certify", "claim.q", claim.q.size(), size(model.nq()));
  require_size("certify", "claim.v", claim.v.size(), size(model.nv()));
  require_size("certify", "claim.vdot", claim.vdot.size(), size(model.nv()));
  require_size("certify", "claim.tau", claim.tau.size(), size(model.nv()));
  if (!claim.options.external.empty()) {
    require_size("certify", "claim.options.external", claim.options.external.size(), model.bodies().size());
  }
  if (!claim.joint_wrenches.empty()) {
    require_size("certify", "claim.joint_wrenches", claim.joint_wrenches.size(), model.links().size());
  }
  if (!claim.transmission.empty()) {
    require_size("certify", "claim.transmission", claim.transmission.size(), model.couplings().size());
  }
  return Certifier(model, claim, work).run();
}

}  // namespace pintle
