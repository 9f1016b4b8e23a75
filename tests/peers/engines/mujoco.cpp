// MuJoCo, by its C library, with everything off that is not the bare mechanism. Hinge, slide, ball, and free joints on
// the world.
#include <mujoco/mujoco.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "engine.h"
#include "turned_velocities.h"

namespace {

using namespace peers;

struct Deleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};

bool has_joint(const Link& link) {
  switch (link.kind) {
    case Kind::revolute:
    case Kind::prismatic:
    case Kind::spherical:
      return true;
    case Kind::free:
      return link.parent < 0;
    default:
      return false;
  }
}

mjtJoint joint_type(Kind kind) {
  switch (kind) {
    case Kind::revolute:
      return mjJNT_HINGE;
    case Kind::prismatic:
      return mjJNT_SLIDE;
    case Kind::spherical:
      return mjJNT_BALL;
    default:
      return mjJNT_FREE;
  }
}

void fill(mjsBody* body, const Link& link) {
  mju_mat2Quat(body->quat, link.rotation);
  mju_copy3(body->pos, link.translation);
  const double* I = link.inertia;
  const double full[6] = {I[0], I[3], I[5], I[1], I[2], I[4]};  // xx yy zz xy xz yz
  body->explicitinertial = 1;
  body->mass = link.mass;
  mju_copy3(body->ipos, link.center);
  mju_copy(body->fullinertia, full, 6);
  mjsJoint* const joint = mjs_addJoint(body, nullptr);
  joint->type = joint_type(link.kind);
  mju_copy3(joint->axis, link.axis);
  joint->align = mjALIGNFREE_FALSE;
  joint->armature = link.armature;
}

mjModel* model_of(const Mechanism& mechanism) {
  const std::unique_ptr<mjSpec, Deleter> spec(mj_makeSpec());
  mju_copy3(spec->option.gravity, mechanism.gravity);
  spec->option.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT |
                              mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_ACTUATION;
  spec->option.timestep = kStep;
  spec->option.integrator = mjINT_EULER;
  spec->compiler.balanceinertia = 0;
  spec->compiler.fusestatic = 0;
  std::vector<mjsBody*> bodies;
  for (const Link& link : mechanism.links) {
    mjsBody* const parent =
        link.parent < 0 ? mjs_findBody(spec.get(), "world") : bodies[static_cast<std::size_t>(link.parent)];
    bodies.push_back(mjs_addBody(parent, nullptr));
    fill(bodies.back(), link);
  }
  mjModel* const model = mj_compile(spec.get(), nullptr);
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + mjs_getError(spec.get()));
  return model;
}

struct OwnState {
  std::vector<double> q, v, a, tau;
  TurnedVelocities turned;  // of free joints, whose linear velocity MuJoCo gives in world axes
};

void put_quaternion(std::vector<double>& q, const double* xyzw) {
  q.insert(q.end(), {xyzw[3], xyzw[0], xyzw[1], xyzw[2]});
}

OwnState own_state(const Mechanism& mechanism, const State& state) {
  OwnState own{.q = {}, .v = state.v, .a = state.vdot, .tau = state.tau, .turned = {}};
  std::size_t at_q = 0, at_v = 0;
  for (const Link& link : mechanism.links) {
    const double* from = &state.q[at_q];
    if (link.kind == Kind::spherical) {
      put_quaternion(own.q, from);
    } else if (link.kind == Kind::free) {  // in the world, whatever the joint's place
      double placed[4], own_turn[4], turn[4], p[3], R[9], w_v[3];
      const double wxyz[4] = {from[6], from[3], from[4], from[5]};
      mju_mat2Quat(placed, link.rotation);
      mju_mulQuat(turn, placed, wxyz);
      mju_mulMatVec3(p, link.rotation, from);
      mju_addTo3(p, link.translation);
      mju_copy4(own_turn, turn);
      mju_normalize4(own_turn);
      own.q.insert(own.q.end(), {p[0], p[1], p[2], own_turn[0], own_turn[1], own_turn[2], own_turn[3]});
      TurnedBlock block{.first = at_v, .size = 3};
      mju_quat2Mat(R, own_turn);
      mju_copy(block.R, R, 9);
      mju_cross(w_v, &state.v[at_v + 3], &state.v[at_v]);
      mju_mulMatVec3(block.R_rate_times_v, R, w_v);
      own.turned.add(block);
    } else {
      own.q.insert(own.q.end(), from, from + nq_of(link.kind));
    }
    at_q += static_cast<std::size_t>(nq_of(link.kind));
    at_v += static_cast<std::size_t>(nv_of(link.kind));
  }
  own.turned.to_peer(own.v.data());
  own.turned.accelerations_to_peer(own.a.data());
  own.turned.to_peer(own.tau.data());
  return own;
}

class MuJoCo final : public Engine {
 public:
  explicit MuJoCo(const Mechanism& mechanism)
      : mechanism_(mechanism),
        model_(model_of(mechanism)),
        data_(mj_makeData(model_.get())),
        nv_(static_cast<std::size_t>(model_->nv)),
        result_(6 * nv_) {}

  bool has(Function function) const override {
    return function != Function::columns && function != Function::solve && function != Function::minverse &&
           function != Function::coriolis;
  }

  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& state : states) states_.push_back(own_state(mechanism_, state));
  }

  void run(Function function, std::size_t k) override {
    const OwnState& s = states_[k];
    const mjModel* const m = model_.get();
    mjData* const d = data_.get();
    double* const x = result_.data();
    mju_copy(d->qpos, s.q.data(), m->nq);
    mju_copy(d->qvel, s.v.data(), m->nv);
    if (function == Function::step) {
      mju_copy(d->qfrc_applied, s.tau.data(), m->nv);
      mj_step(m, d);
      return;
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    switch (function) {
      case Function::kinematics:
        mj_comVel(m, d);
        return;
      case Function::jacobian:
        mj_jacBody(m, d, x, x + 3 * nv_, static_cast<int>(m->nbody) - 1);
        return;
      case Function::inverse:
        mju_copy(d->qacc, s.a.data(), m->nv);
        mj_comVel(m, d);
        mj_rne(m, d, 1, x);
        for (std::size_t i = 0; i < nv_; ++i) x[i] += m->dof_armature[i] * s.a[i];
        return;
      case Function::forward:
        mj_makeM(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        for (std::size_t i = 0; i < nv_; ++i) x[i] = s.tau[i] - d->qfrc_bias[i];
        mj_solveM(m, d, x, x, 1);
        return;
      case Function::mass:
        mj_makeM(m, d);
        return;
      case Function::columns:
      case Function::solve:
      case Function::minverse:
      case Function::coriolis:
        return;
      case Function::coriolis_v:
        mj_comVel(m, d);
        mj_rne(m, d, 0, x);
        return;
      case Function::centroidal:
        mj_jacSubtreeCom(m, d, x, 0);
        mj_angmomMat(m, d, x + 3 * nv_, 0);
        return;
      case Function::energies:
        mj_makeM(m, d);
        mj_energyPos(m, d);
        mj_energyVel(m, d);
        return;
      case Function::step:
        return;
    }
  }

  void read(Function function, std::size_t k, std::vector<double>& answer) override {
    const OwnState& s = states_[k];
    const mjModel* const m = model_.get();
    mjData* const d = data_.get();
    answer.clear();
    switch (function) {
      case Function::kinematics:
        for (int i = 1; i < m->nbody; ++i) {
          double V[6];
          mj_objectVelocity(m, d, mjOBJ_XBODY, i, V, 0);
          answer.insert(answer.end(), d->xmat + 9 * i, d->xmat + 9 * i + 9);
          answer.insert(answer.end(), d->xpos + 3 * i, d->xpos + 3 * i + 3);
          answer.insert(answer.end(), V + 3, V + 6);
          answer.insert(answer.end(), V, V + 3);
        }
        return;
      case Function::jacobian:
        answer = result_;
        s.turned.rows_from_peer(answer.data(), 6, nv_);
        return;
      case Function::inverse:
        answer.assign(result_.begin(), result_.begin() + m->nv);
        s.turned.from_peer(answer.data());
        return;
      case Function::forward:
        answer.assign(result_.begin(), result_.begin() + m->nv);
        s.turned.accelerations_from_peer(answer.data());
        return;
      case Function::mass:
        answer.resize(nv_ * nv_);
        mj_fullM(m, d, answer.data());
        s.turned.square_from_peer(answer.data(), nv_);
        return;
      case Function::columns:
      case Function::solve:
      case Function::minverse:
      case Function::coriolis:
        return;
      case Function::coriolis_v:
        coriolis_v(s, answer);
        return;
      case Function::centroidal:
        answer = result_;
        for (std::size_t i = 0; i < 3 * nv_; ++i) answer[i] *= m->body_subtreemass[0];
        s.turned.rows_from_peer(answer.data(), 6, nv_);
        return;
      case Function::energies:
        answer = {d->energy[1], d->energy[0]};
        return;
      case Function::step:
        answer.assign(d->qacc, d->qacc + m->nv);
        s.turned.accelerations_from_peer(answer.data());
        return;
    }
  }

 private:
  /// The bias that `run` found, less that at rest; + M (dR/dt) v makes it C v in Pintle's velocities.
  void coriolis_v(const OwnState& s, std::vector<double>& answer) {
    const mjModel* const m = model_.get();
    mjData* const d = data_.get();
    std::vector<double> at_rest(nv_), rate(nv_, 0.0), M_rate(nv_);
    answer.assign(result_.begin(), result_.begin() + m->nv);
    mju_zero(d->qvel, m->nv);
    mj_comVel(m, d);
    mj_rne(m, d, 0, at_rest.data());
    s.turned.accelerations_to_peer(rate.data());
    mj_makeM(m, d);
    mj_mulM(m, d, M_rate.data(), rate.data());
    for (std::size_t i = 0; i < nv_; ++i) answer[i] += M_rate[i] - at_rest[i];
    s.turned.from_peer(answer.data());
  }

  Mechanism mechanism_;
  std::unique_ptr<mjModel, Deleter> model_;
  std::unique_ptr<mjData, Deleter> data_;
  std::size_t nv_;
  std::vector<double> result_;
  std::vector<OwnState> states_;
};

const EngineLibrary kLibrary = {
    .name = "MuJoCo " PEERS_MUJOCO_VERSION,
    .build = "its own library",
    .variants = {""},
    .has_rotors = true,
    .make = [](const Mechanism& mechanism, std::size_t, std::string& why_not) -> Engine* {
      for (const Link& link : mechanism.links) {
        if (has_joint(link)) continue;
        why_not = "no such joints";
        return nullptr;
      }
      return new MuJoCo(mechanism);
    },
};

}  // namespace

PEERS_EXPORT_ENGINE(kLibrary)
