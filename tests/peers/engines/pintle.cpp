// Pintle itself, by its public interface.
#include "pintle/pintle.h"

#include <stdexcept>

#include "engine.h"
#include "engines/pintle_batch.h"
#include "mechanism_spec.h"
#include "pintle/simulation/integrators/stepper.h"

namespace {

using namespace peers;

/// The bare mechanism under efforts that are given.
class BareMechanism final : public pintle::MotionSystem {
 public:
  explicit BareMechanism(const pintle::Model& model) : model_(model), work_(model) {}

  const pintle::Model& model() const override { return model_; }
  bool derivatives(double, std::span<const double> q, std::span<const double> v, std::span<const double>,
                   std::span<double> vdot, std::span<double>) override {
    return pintle::forward_dynamics(model_, q, v, tau, work_, vdot, {.passive = false}).ok();
  }

  std::span<const double> tau;

 private:
  pintle::Model model_;
  pintle::ForwardDynamicsWorkspace<> work_;
};

class Pintle final : public Engine {
 public:
  explicit Pintle(const Mechanism& mechanism)
      : model_(pintle::compile(spec_of(mechanism)).value()),
        place_(pintle::body_place(model_, static_cast<int>(model_.bodies().size()) - 1)),
        kinematics_(model_),
        inverse_(model_),
        forward_(model_),
        mass_(model_),
        coriolis_(model_),
        centroidal_(model_),
        energies_work_(model_),
        jacobian_(model_),
        inverse_mass_(model_),
        factor_(model_),
        moving_(model_),
        stepper_(moving_, pintle::Method::semi_implicit_euler),
        after_(pintle::neutral_state(moving_)),
        nv_(static_cast<std::size_t>(model_.nv())),
        vector_(nv_),
        six_rows_(6 * nv_),
        square_(nv_ * nv_) {}

  bool has(Function) const override { return true; }

  void set_states(const std::vector<State>& states) override {
    states_ = states;
    before_.assign(states.size(), after_);
    for (std::size_t k = 0; k < states.size(); ++k) {
      before_[k].q = states[k].q;
      before_[k].v = states[k].v;
    }
  }

  void run(Function function, std::size_t k) override {
    const State& s = states_[k];
    switch (function) {
      case Function::kinematics:
        pintle::kinematics(model_, s.q, s.v, s.vdot, kinematics_);
        return;
      case Function::jacobian:
        pintle::jacobian(model_, s.q, place_, pintle::Axes::local_world_aligned, jacobian_, six_rows_);
        return;
      case Function::inverse:
        pintle::inverse_dynamics(model_, s.q, s.v, s.vdot, inverse_, vector_, {.passive = false});
        return;
      case Function::forward:
        report_ = pintle::forward_dynamics(model_, s.q, s.v, s.tau, forward_, vector_, {.passive = false});
        return;
      case Function::mass:
        pintle::mass_matrix(model_, s.q, mass_, square_);
        return;
      case Function::solve:
        pintle::mass_matrix(model_, s.q, mass_, square_);
        report_ = pintle::factor_mass_matrix(model_, square_, factor_);
        for (std::size_t i = 0; i < nv_; ++i) vector_[i] = s.tau[i];
        pintle::solve_mass_matrix(model_, factor_, vector_);
        return;
      case Function::minverse:
        report_ = pintle::mass_matrix_inverse(model_, s.q, inverse_mass_, square_);
        return;
      case Function::columns:
        pintle::jacobian_columns(model_, s.q, jacobian_, six_rows_);
        return;
      case Function::coriolis:
      case Function::coriolis_v:
        pintle::coriolis_matrix(model_, s.q, s.v, coriolis_, square_);
        return;
      case Function::centroidal:  // A_G, A_G v, the centre of mass and the inertia about it
        locked_ = pintle::centroidal_momentum_matrix(model_, s.q, centroidal_, six_rows_);
        for (std::size_t row = 0; row < 6; ++row) {
          momentum_[row] = 0.0;
          for (std::size_t j = 0; j < nv_; ++j) momentum_[row] += six_rows_[row * nv_ + j] * s.v[j];
        }
        return;
      case Function::energies:
        energies_ = pintle::energies(model_, s.q, s.v, energies_work_);
        return;
      case Function::step:
        moving_.tau = s.tau;
        if (!stepper_.step(before_[k], kStep, after_).ok()) throw std::runtime_error("Pintle: no step");
        return;
    }
  }

  void read(Function function, std::size_t k, std::vector<double>& answer) override {
    answer.clear();
    const auto put = [&](const auto& numbers) { answer.insert(answer.end(), numbers.begin(), numbers.end()); };
    switch (function) {
      case Function::kinematics:
        for (int i = 0; i < static_cast<int>(model_.bodies().size()); ++i) {
          const pintle::Place place = pintle::body_place(model_, i);
          const pintle::Pose<> X = pintle::pose_of(kinematics_, place);
          put(to_array(X.rotation));
          put(to_array(X.translation));
          put(to_array(pintle::velocity_of(kinematics_, place, pintle::Axes::local_world_aligned)));
        }
        return;
      case Function::jacobian:
      case Function::centroidal:
        answer = six_rows_;
        return;
      case Function::inverse:
      case Function::forward:
      case Function::solve:
        if (!report_.ok()) throw std::runtime_error("Pintle: a joint has no inertia");
        answer = vector_;
        return;
      case Function::columns: {
        pintle::kinematics(model_, states_[k].q, states_[k].v, states_[k].vdot, kinematics_);
        const pintle::Vec3<> first = pintle::pose_of(kinematics_, pintle::body_place(model_, 0)).translation;
        answer = six_rows_;
        for (std::size_t j = 0; j < nv_; ++j) {
          const pintle::Vec3<> w{answer[3 * nv_ + j], answer[4 * nv_ + j], answer[5 * nv_ + j]};
          const pintle::Vec3<> more = cross(w, first);
          answer[j] += more.x;
          answer[nv_ + j] += more.y;
          answer[2 * nv_ + j] += more.z;
        }
        return;
      }
      case Function::mass:
      case Function::minverse:
      case Function::coriolis:
        answer = square_;
        return;
      case Function::coriolis_v:
        answer.assign(nv_, 0.0);
        for (std::size_t i = 0; i < nv_; ++i)
          for (std::size_t j = 0; j < nv_; ++j) answer[i] += square_[i * nv_ + j] * states_[k].v[j];
        return;
      case Function::energies:
        answer = {energies_.kinetic, energies_.gravity};
        return;
      case Function::step:
        answer = after_.v;
        accelerations_of_step(model_, before_[k].v, answer);
        return;
    }
  }

 private:
  pintle::Model model_;
  pintle::Place place_;
  pintle::KinematicsWorkspace kinematics_;
  pintle::InverseDynamicsWorkspace<> inverse_;
  pintle::ForwardDynamicsWorkspace<> forward_;
  pintle::MassMatrixWorkspace<> mass_;
  pintle::CoriolisMatrixWorkspace<> coriolis_;
  pintle::CentroidalMatrixWorkspace centroidal_;
  pintle::EnergiesWorkspace energies_work_;
  pintle::LockedBodies locked_{};
  std::array<double, 6> momentum_{};
  pintle::JacobianWorkspace jacobian_;
  pintle::MassMatrixInverseWorkspace inverse_mass_;
  pintle::MassMatrixFactor<> factor_;
  BareMechanism moving_;
  pintle::Stepper stepper_;
  std::vector<pintle::MotionState> before_;  ///< the states as those of a step, which leaves them as they are
  pintle::MotionState after_;
  std::size_t nv_;
  std::vector<double> vector_, six_rows_, square_;
  pintle::MechanismEnergies energies_{};
  pintle::DynamicsReport report_{};
  std::vector<State> states_;
};

/// The variants: one state at a time; batches of packs, of states one after the other, and of packs of float.
Engine* make(const Mechanism& mechanism, std::size_t variant, std::string& why_not) {
  if (variant == 0) return new Pintle(mechanism);
  if (mechanism.nv() > PintleBatch<double>::kMaxDofs) {
    why_not = "too large for a batch";
    return nullptr;
  }
  if (variant == 3) return new PintleBatch<float>(mechanism, pintle::BatchLayout::packs);
  return new PintleBatch<double>(mechanism, variant == 1 ? pintle::BatchLayout::packs : pintle::BatchLayout::states);
}

const std::string kName = std::string("Pintle ") + std::string(pintle::kVersion);

const EngineLibrary kLibrary = {
    .name = kName.c_str(),
    .build = PEERS_COMPILER " " PEERS_FLAGS,
    .variants = {"", "batch", "batch-rows", "batch-float"},
    .has_rotors = true,
    .make = make,
};

}  // namespace

PEERS_EXPORT_ENGINE(kLibrary)
