// Pinocchio, compiled by us from its headers. Two variants: its LOCAL and its WORLD convention of forward dynamics and
// mass matrix.
#include <pinocchio/multibody.hpp>
//
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/energy.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <string>

#include "engine.h"
#include "turned_velocities.h"

namespace {

using namespace peers;
using Eigen::Vector3d;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
namespace pin = pinocchio;

/// Axes that are coordinate axes get Pinocchio's faster joints.
int coordinate_axis(const Vector3d& axis) {
  for (int i = 0; i < 3; ++i)
    if (axis == Vector3d::Unit(i)) return i;
  return 3;
}

pin::JointModel revolute(const Vector3d& axis) {
  switch (coordinate_axis(axis)) {
    case 0:
      return pin::JointModelRX();
    case 1:
      return pin::JointModelRY();
    case 2:
      return pin::JointModelRZ();
    default:
      return pin::JointModelRevoluteUnaligned(axis);
  }
}

pin::JointModel prismatic(const Vector3d& axis) {
  switch (coordinate_axis(axis)) {
    case 0:
      return pin::JointModelPX();
    case 1:
      return pin::JointModelPY();
    case 2:
      return pin::JointModelPZ();
    default:
      return pin::JointModelPrismaticUnaligned(axis);
  }
}

pin::JointModel joint_of(const Link& link) {
  const Vector3d axis(link.axis), second(link.second_axis);
  switch (link.kind) {
    case Kind::revolute:
      return revolute(axis);
    case Kind::prismatic:
      return prismatic(axis);
    case Kind::screw:
      return pin::JointModelHelicalUnaligned(axis, link.pitch);
    case Kind::cylindrical: {
      pin::JointModelComposite both(prismatic(axis));
      both.addJoint(revolute(axis));
      return both;
    }
    case Kind::universal:
      return pin::JointModelUniversal(axis, second);
    case Kind::planar:
      return pin::JointModelPlanar();
    case Kind::spherical:
      return pin::JointModelSpherical();
    case Kind::translational:
      return pin::JointModelTranslation();
    case Kind::free:
      break;
  }
  return pin::JointModelFreeFlyer();
}

pin::Model model_of(const Mechanism& mechanism) {
  pin::Model model;
  model.gravity.linear(Vector3d(mechanism.gravity));
  for (std::size_t i = 0; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(link.rotation);
    const std::size_t parent = static_cast<std::size_t>(link.parent + 1);
    const pin::JointIndex joint =
        model.addJoint(parent, joint_of(link), pin::SE3(R, Vector3d(link.translation)), "joint" + std::to_string(i));
    const double* I = link.inertia;
    Eigen::Matrix3d about_center;
    about_center << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
    model.appendBodyToJoint(joint, pin::Inertia(link.mass, Vector3d(link.center), about_center), pin::SE3::Identity());
    model.joints[joint].jointVelocitySelector(model.armature).setConstant(link.armature);
  }
  return model;
}

struct OwnState {
  VectorXd q, v, a, tau;
  TurnedVelocities turned;  // of planar joints, whose velocity Pinocchio gives in the child's axes
};

OwnState own_state(const Mechanism& mechanism, const State& state) {
  OwnState own;
  const auto vector = [](const std::vector<double>& x) {
    return VectorXd(Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  std::vector<double> q;
  std::size_t at_q = 0, at_v = 0;
  for (const Link& link : mechanism.links) {
    const double* from = &state.q[at_q];
    if (link.kind == Kind::planar) {  // x, y, cosine, sine
      const double c = std::cos(from[2]), s = std::sin(from[2]);
      q.insert(q.end(), {from[0], from[1], c, s});
      const double *v = &state.v[at_v], w = v[2];
      own.turned.add({.first = at_v,
                      .size = 2,
                      .R = {c, s, -s, c},
                      .R_rate_times_v = {w * (c * v[1] - s * v[0]), -w * (c * v[0] + s * v[1]), 0}});
    } else {
      q.insert(q.end(), from, from + nq_of(link.kind));
    }
    at_q += static_cast<std::size_t>(nq_of(link.kind));
    at_v += static_cast<std::size_t>(nv_of(link.kind));
  }
  own.q = vector(q);
  own.v = vector(state.v);
  own.a = vector(state.vdot);
  own.tau = vector(state.tau);
  own.turned.to_peer(own.v.data());
  own.turned.accelerations_to_peer(own.a.data());
  own.turned.to_peer(own.tau.data());
  return own;
}

class Pinocchio final : public Engine {
 public:
  Pinocchio(const Mechanism& mechanism, pin::Convention convention)
      : mechanism_(mechanism),
        convention_(convention),
        model_(model_of(mechanism)),
        data_(model_),
        J_(6, model_.nv),
        x_(model_.nv),
        last_(static_cast<pin::JointIndex>(model_.njoints - 1)) {
    J_.setZero();
  }

  bool has(Function function) const override {
    return (convention_ == pin::Convention::LOCAL && function != Function::step) || function == Function::forward ||
           function == Function::mass || function == Function::solve;
  }

  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& state : states) states_.push_back(own_state(mechanism_, state));
  }

  void run(Function function, std::size_t k) override {
    const OwnState& s = states_[k];
    switch (function) {
      case Function::kinematics:
        pin::forwardKinematics(model_, data_, s.q, s.v, s.a);
        return;
      case Function::jacobian:
        pin::computeJointJacobian(model_, data_, s.q, last_, J_);
        return;
      case Function::columns:
        pin::computeJointJacobians(model_, data_, s.q);
        return;
      case Function::inverse:
        pin::rnea(model_, data_, s.q, s.v, s.a);
        return;
      case Function::forward:
        pin::aba(model_, data_, s.q, s.v, s.tau, convention_);
        return;
      case Function::mass:
        pin::crba(model_, data_, s.q, convention_);
        return;
      case Function::solve:
        pin::crba(model_, data_, s.q, convention_);
        pin::cholesky::decompose(model_, data_);
        x_ = s.tau;
        pin::cholesky::solve(model_, data_, x_);
        return;
      case Function::minverse:  // the upper triangle
        pin::computeMinverse(model_, data_, s.q);
        return;
      case Function::coriolis:
      case Function::coriolis_v:
        pin::computeCoriolisMatrix(model_, data_, s.q, s.v);
        return;
      case Function::centroidal:  // A_G, A_G v, the centre of mass and the inertia about it
        pin::ccrba(model_, data_, s.q, s.v);
        return;
      case Function::energies:
        pin::computeKineticEnergy(model_, data_, s.q, s.v);
        pin::computePotentialEnergy(model_, data_, s.q);
        return;
      case Function::step:
        return;
    }
  }

  void read(Function function, std::size_t k, std::vector<double>& answer) override {
    const OwnState& s = states_[k];
    const std::size_t nv = static_cast<std::size_t>(model_.nv);
    answer.clear();
    const auto put = [&](const auto& matrix) {
      const RowMatrix rows = matrix;
      answer.insert(answer.end(), rows.data(), rows.data() + rows.size());
    };
    switch (function) {
      case Function::kinematics:
        for (std::size_t i = 1; i < data_.oMi.size(); ++i) {
          put(data_.oMi[i].rotation());
          put(data_.oMi[i].translation());
          put(data_.oMi[i].rotation() * data_.v[i].linear());
          put(data_.oMi[i].rotation() * data_.v[i].angular());
        }
        return;
      case Function::jacobian: {
        pin::forwardKinematics(model_, data_, s.q);
        const Eigen::Matrix3d& R = data_.oMi[last_].rotation();
        put(R * J_.topRows<3>());
        put(R * J_.bottomRows<3>());
        s.turned.rows_from_peer(answer.data(), 6, nv);
        return;
      }
      case Function::columns: {
        RowMatrix J = data_.J;
        const Vector3d first = data_.oMi[1].translation();
        for (Eigen::Index k = 0; k < J.cols(); ++k) J.col(k).head<3>() += J.col(k).tail<3>().cross(first);
        put(J);
        s.turned.rows_from_peer(answer.data(), 6, nv);
        return;
      }
      case Function::inverse:
        put(data_.tau);
        s.turned.from_peer(answer.data());
        return;
      case Function::forward:
        put(data_.ddq);
        s.turned.accelerations_from_peer(answer.data());
        return;
      case Function::mass:
        put(RowMatrix(data_.M.selfadjointView<Eigen::Upper>()));
        s.turned.square_from_peer(answer.data(), nv);
        return;
      case Function::solve:
        put(x_);
        s.turned.from_peer(answer.data());
        return;
      case Function::minverse:
        put(RowMatrix(data_.Minv.selfadjointView<Eigen::Upper>()));
        s.turned.square_from_peer(answer.data(), nv);
        return;
      case Function::coriolis:
        if (s.turned.any()) return;  // C has no simple law for other velocities; C v has
        put(data_.C);
        return;
      case Function::coriolis_v: {
        // C v + M (dR/dt) v in Pintle's velocities
        VectorXd force = data_.C * s.v;
        if (s.turned.any()) {
          VectorXd own_rate = VectorXd::Zero(model_.nv);
          s.turned.accelerations_to_peer(own_rate.data());
          const RowMatrix M = pin::crba(model_, data_, s.q, pin::Convention::LOCAL).selfadjointView<Eigen::Upper>();
          force += M * own_rate;
        }
        put(force);
        s.turned.from_peer(answer.data());
        return;
      }
      case Function::centroidal:
        put(data_.Ag);
        s.turned.rows_from_peer(answer.data(), 6, nv);
        return;
      case Function::energies:
        answer = {data_.kinetic_energy, data_.potential_energy};
        return;
      case Function::step:
        return;
    }
  }

 private:
  Mechanism mechanism_;
  pin::Convention convention_;
  pin::Model model_;
  pin::Data data_;
  Eigen::Matrix<double, 6, Eigen::Dynamic> J_;
  VectorXd x_;
  pin::JointIndex last_;
  std::vector<OwnState> states_;
};

/// Its Data holds four arrays of nv^3 numbers, whatever is asked.
constexpr double kMaxMemory = 2e9;

const EngineLibrary kLibrary = {
    .name = "Pinocchio " PINOCCHIO_VERSION,
    .build = PEERS_COMPILER " " PEERS_FLAGS,
    .variants = {"LOCAL", "WORLD"},
    .has_rotors = true,
    .make = [](const Mechanism& mechanism, std::size_t variant, std::string& why_not) -> Engine* {
      const double n = static_cast<double>(mechanism.nv()), memory = 4 * n * n * n * sizeof(double);
      if (memory > kMaxMemory) {
        why_not = "its Data takes " + std::to_string(static_cast<int>(memory / 1e9)) + " GB";
        return nullptr;
      }
      return new Pinocchio(mechanism, variant == 0 ? pin::Convention::LOCAL : pin::Convention::WORLD);
    },
};

}  // namespace

PEERS_EXPORT_ENGINE(kLibrary)
