// Simbody, from Debian's package. Every kind of joint; no rotors, no Coriolis matrix, no centroidal matrix.
#include <Simbody.h>

#include "engine.h"
#include "turned_velocities.h"

namespace {

using namespace peers;
namespace tk = SimTK;

/// The frame in which Simbody's mobilizers have their axes: z for turning, x for sliding, x and y of a universal joint.
tk::Rotation axes_of(const Link& link) {
  const tk::UnitVec3 a(link.axis[0], link.axis[1], link.axis[2]);
  const tk::UnitVec3 b(link.second_axis[0], link.second_axis[1], link.second_axis[2]);
  switch (link.kind) {
    case Kind::revolute:
    case Kind::screw:
    case Kind::cylindrical:
      return tk::Rotation(a, tk::ZAxis);
    case Kind::prismatic:
      return tk::Rotation(a, tk::XAxis);
    case Kind::universal:
      return tk::Rotation(a, tk::XAxis, tk::Vec3(b), tk::YAxis);
    default:
      return tk::Rotation();
  }
}

tk::Vec3 vec3(const double* a) {
  return {a[0], a[1], a[2]};
}

tk::Body::Rigid body_of(const Link& link) {
  const double* I = link.inertia;
  const tk::Inertia central(tk::Vec3(I[0], I[3], I[5]), tk::Vec3(I[1], I[2], I[4]));
  const tk::Vec3 center = vec3(link.center);
  return tk::Body::Rigid(tk::MassProperties(link.mass, center, central.shiftFromMassCenter(center, link.mass)));
}

void add_body(const Link& link, tk::MobilizedBody& parent) {
  const double* R = link.rotation;
  const tk::Rotation turn(tk::Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), true);
  const tk::Rotation axes = axes_of(link);
  const tk::Transform X_PF(turn * axes, vec3(link.translation)), X_BM(axes);
  const tk::Body::Rigid body = body_of(link);
  switch (link.kind) {
    case Kind::revolute:
      tk::MobilizedBody::Pin(parent, X_PF, body, X_BM);
      return;
    case Kind::prismatic:
      tk::MobilizedBody::Slider(parent, X_PF, body, X_BM);
      return;
    case Kind::screw:
      tk::MobilizedBody::Screw(parent, X_PF, body, X_BM, link.pitch);
      return;
    case Kind::cylindrical:
      tk::MobilizedBody::Cylinder(parent, X_PF, body, X_BM);
      return;
    case Kind::universal:
      tk::MobilizedBody::Universal(parent, X_PF, body, X_BM);
      return;
    case Kind::planar:
      tk::MobilizedBody::Planar(parent, X_PF, body, X_BM);
      return;
    case Kind::spherical:
      tk::MobilizedBody::Ball(parent, X_PF, body, X_BM);
      return;
    case Kind::translational:
      tk::MobilizedBody::Translation(parent, X_PF, body, X_BM);
      return;
    case Kind::free:
      tk::MobilizedBody::Free(parent, X_PF, body, X_BM);
      return;
  }
}

struct OwnState {
  tk::Vector q, u, udot, force;
  TurnedVelocities turned;  // other orders, and ball and free joints in the parent's axes
};

/// The velocities of one joint, as a block; an empty one where Simbody's are the same.
TurnedBlock block_of(Kind kind, const double* q, const double* v, std::size_t first) {
  TurnedBlock block;
  block.first = first;
  if (kind == Kind::cylindrical) {  // angle, travel
    block.size = 2;
    block.R[1] = block.R[2] = 1;
  } else if (kind == Kind::planar) {  // angle, x, y
    block.size = 3;
    block.R[2] = block.R[3] = block.R[7] = 1;
  } else if (kind == Kind::spherical) {
    block.size = 3;
    const tk::Rotation R(tk::Quaternion(q[3], q[0], q[1], q[2]));
    for (int i = 0; i < 9; ++i) block.R[i] = R[i / 3][i % 3];
  } else if (kind == Kind::free) {  // angular, linear
    block.size = 6;
    const tk::Rotation R(tk::Quaternion(q[6], q[3], q[4], q[5]));
    const tk::Vec3 rate = R * tk::cross(vec3(v + 3), vec3(v));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) block.R[6 * i + 3 + j] = block.R[6 * (i + 3) + j] = R[i][j];
      block.R_rate_times_v[3 + i] = rate[i];
    }
  }
  return block;
}

void add_configuration(Kind kind, const double* q, std::vector<double>& own) {
  switch (kind) {
    case Kind::cylindrical:
      own.insert(own.end(), {q[1], q[0]});
      return;
    case Kind::planar:
      own.insert(own.end(), {q[2], q[0], q[1]});
      return;
    case Kind::spherical:
      own.insert(own.end(), {q[3], q[0], q[1], q[2]});
      return;
    case Kind::free:
      own.insert(own.end(), {q[6], q[3], q[4], q[5], q[0], q[1], q[2]});
      return;
    default:
      own.insert(own.end(), q, q + nq_of(kind));
  }
}

OwnState own_state(const Mechanism& mechanism, const State& state) {
  OwnState own;
  std::vector<double> q, v = state.v, vdot = state.vdot, tau = state.tau;
  std::size_t at_q = 0, at_v = 0;
  for (const Link& link : mechanism.links) {
    add_configuration(link.kind, &state.q[at_q], q);
    const TurnedBlock block = block_of(link.kind, &state.q[at_q], &state.v[at_v], at_v);
    if (block.size > 0) own.turned.add(block);
    at_q += static_cast<std::size_t>(nq_of(link.kind));
    at_v += static_cast<std::size_t>(nv_of(link.kind));
  }
  own.turned.to_peer(v.data());
  own.turned.accelerations_to_peer(vdot.data());
  own.turned.to_peer(tau.data());
  const auto vector = [](const std::vector<double>& x) { return tk::Vector(static_cast<int>(x.size()), x.data()); };
  own.q = vector(q);
  own.u = vector(v);
  own.udot = vector(vdot);
  own.force = vector(tau);
  return own;
}

class Simbody final : public Engine {
 public:
  explicit Simbody(const Mechanism& mechanism) : mechanism_(mechanism), matter_(system_) {
    for (const Link& link : mechanism.links)
      add_body(link, matter_.updMobilizedBody(tk::MobilizedBodyIndex(link.parent + 1)));
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    weights_.resize(matter_.getNumBodies());
    nv_ = static_cast<std::size_t>(state_.getNU());
  }

  bool has(Function function) const override {
    return function != Function::columns && function != Function::solve && function != Function::minverse &&
           function != Function::coriolis && function != Function::centroidal && function != Function::step;
  }

  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& state : states) states_.push_back(own_state(mechanism_, state));
  }

  void run(Function function, std::size_t k) override {
    const OwnState& s = states_[k];
    state_.updQ() = s.q;
    state_.updU() = s.u;
    switch (function) {
      case Function::kinematics:
        system_.realize(state_, tk::Stage::Velocity);
        return;
      case Function::jacobian:
        system_.realize(state_, tk::Stage::Position);
        matter_.calcFrameJacobian(state_, tk::MobilizedBodyIndex(matter_.getNumBodies() - 1), tk::Vec3(0), matrix_);
        return;
      case Function::inverse:
        system_.realize(state_, tk::Stage::Velocity);
        find_weights();
        matter_.calcResidualForceIgnoringConstraints(state_, tk::Vector(), weights_, s.udot, vector_);
        return;
      case Function::forward:
        system_.realize(state_, tk::Stage::Dynamics);
        find_weights();
        matter_.calcAccelerationIgnoringConstraints(state_, s.force, weights_, vector_, accelerations_);
        return;
      case Function::mass:
        system_.realize(state_, tk::Stage::Position);
        matter_.calcM(state_, matrix_);
        return;
      case Function::coriolis_v:
        system_.realize(state_, tk::Stage::Velocity);
        matter_.calcResidualForceIgnoringConstraints(state_, tk::Vector(), tk::Vector_<tk::SpatialVec>(), tk::Vector(),
                                                     vector_);
        return;
      case Function::energies:
        system_.realize(state_, tk::Stage::Velocity);
        energies_[0] = matter_.calcKineticEnergy(state_);
        energies_[1] = -matter_.calcSystemMass(state_) *
                       tk::dot(vec3(mechanism_.gravity), matter_.calcSystemMassCenterLocationInGround(state_));
        return;
      case Function::step:
      case Function::columns:
      case Function::solve:
      case Function::minverse:
      case Function::coriolis:
      case Function::centroidal:
        return;
    }
  }

  void read(Function function, std::size_t k, std::vector<double>& answer) override {
    const OwnState& s = states_[k];
    answer.clear();
    switch (function) {
      case Function::kinematics:
        read_kinematics(answer);
        return;
      case Function::jacobian:  // angular rows first
        for (const int first : {3, 0})
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < matrix_.ncol(); ++j) answer.push_back(matrix_(first + i, j));
        s.turned.rows_from_peer(answer.data(), 6, nv_);
        return;
      case Function::inverse:
        put_vector(answer);
        s.turned.from_peer(answer.data());
        return;
      case Function::forward:
        put_vector(answer);
        s.turned.accelerations_from_peer(answer.data());
        return;
      case Function::mass:
        for (int i = 0; i < matrix_.nrow(); ++i)
          for (int j = 0; j < matrix_.ncol(); ++j) answer.push_back(matrix_(i, j));
        s.turned.square_from_peer(answer.data(), nv_);
        return;
      case Function::coriolis_v: {  // + M (dR/dt) v: C v in Pintle's velocities
        tk::Vector rate(static_cast<int>(nv_), 0.0), M_rate;
        s.turned.accelerations_to_peer(&rate[0]);
        matter_.multiplyByM(state_, rate, M_rate);
        vector_ += M_rate;
        put_vector(answer);
        s.turned.from_peer(answer.data());
        return;
      }
      case Function::energies:
        answer = {energies_[0], energies_[1]};
        return;
      case Function::step:
      case Function::columns:
      case Function::solve:
      case Function::minverse:
      case Function::coriolis:
      case Function::centroidal:
        return;
    }
  }

 private:
  /// The weight of every body about its origin.
  void find_weights() {
    const tk::Vec3 g = vec3(mechanism_.gravity);
    for (tk::MobilizedBodyIndex i(1); i < matter_.getNumBodies(); ++i) {
      const Link& link = mechanism_.links[static_cast<std::size_t>(int(i)) - 1];
      const tk::Vec3 weight = link.mass * g;
      weights_[i] = tk::SpatialVec(
          tk::cross(matter_.getMobilizedBody(i).getBodyRotation(state_) * vec3(link.center), weight), weight);
    }
  }

  void read_kinematics(std::vector<double>& answer) const {
    for (tk::MobilizedBodyIndex i(1); i < matter_.getNumBodies(); ++i) {
      const tk::MobilizedBody& body = matter_.getMobilizedBody(i);
      const tk::Rotation& R = body.getBodyRotation(state_);
      for (int k = 0; k < 9; ++k) answer.push_back(R[k / 3][k % 3]);
      for (const tk::Vec3& part : {body.getBodyOriginLocation(state_), body.getBodyOriginVelocity(state_),
                                   body.getBodyAngularVelocity(state_)})
        for (int k = 0; k < 3; ++k) answer.push_back(part[k]);
    }
  }

  void put_vector(std::vector<double>& answer) const {
    for (int i = 0; i < vector_.size(); ++i) answer.push_back(vector_[i]);
  }

  Mechanism mechanism_;
  tk::MultibodySystem system_;
  tk::SimbodyMatterSubsystem matter_;
  tk::State state_;
  std::size_t nv_ = 0;
  tk::Vector vector_;
  tk::Matrix matrix_;
  tk::Vector_<tk::SpatialVec> weights_, accelerations_;
  double energies_[2] = {};
  std::vector<OwnState> states_;
};

const EngineLibrary kLibrary = {
    .name = "Simbody " PEERS_SIMBODY_VERSION,
    .build = "Debian's library",
    .variants = {""},
    .has_rotors = false,
    .make = [](const Mechanism& mechanism, std::size_t, std::string&) -> Engine* { return new Simbody(mechanism); },
};

}  // namespace

PEERS_EXPORT_ENGINE(kLibrary)
