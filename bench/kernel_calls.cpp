// Calls of six kernels, for counting their instructions (`./run bench instructions`, tools/count_instructions.py): each
// in its own function, whose name is passed to callgrind.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "pintle/batch.h"
#include "robots.h"

namespace {

using namespace pintle;

constexpr std::size_t kStates = 16;  // whole packs of every instruction set

/// A humanoid of 30 revolute joints on a free trunk, at states that are the same in every run.
struct Robot {
  Model model = compile(humanoid()).value();
  InverseDynamicsWorkspace<> inverse{model};
  ForwardDynamicsWorkspace<> forward{model};
  MassMatrixWorkspace<> mass{model};
  KinematicsWorkspace places{model};
  CoriolisMatrixWorkspace<> coriolis{model};
  BatchWorkspace<> batch{model};
  BatchStates states{kStates, BatchLayout::packs};
  std::vector<double> q, v, x, out, M, batch_q, batch_v, batch_x, batch_out;

  Robot()
      : q(static_cast<std::size_t>(model.nq())),
        v(static_cast<std::size_t>(model.nv())),
        x(v.size()),
        out(v.size()),
        M(v.size() * v.size()),
        batch_q(batch_size<double>(states, model.nq())),
        batch_v(batch_size<double>(states, model.nv())),
        batch_x(batch_v.size()),
        batch_out(batch_v.size()) {
    RandomStream stream(7);
    const std::size_t lanes = static_cast<std::size_t>(batch_lanes<double>());
    for (std::size_t s = 0; s < kStates; ++s) {
      random_configuration(model, stream, q);
      for (double& number : v) number = stream.uniform(-1.0, 1.0);
      for (double& number : x) number = stream.uniform(-1.0, 1.0);
      const auto put = [&](const std::vector<double>& from, std::vector<double>& into) {
        for (std::size_t k = 0; k < from.size(); ++k) into[(s / lanes * from.size() + k) * lanes + s % lanes] = from[k];
      };
      put(q, batch_q);
      put(v, batch_v);
      put(x, batch_x);
    }
  }
};

void require(bool ok) {
  if (!ok) std::abort();
}

}  // namespace

extern "C" {

[[gnu::noinline]] void measured_kinematics(Robot& robot) {
  kinematics(robot.model, robot.q, robot.v, robot.x, robot.places);
}
[[gnu::noinline]] void measured_inverse_dynamics(Robot& robot) {
  inverse_dynamics(robot.model, robot.q, robot.v, robot.x, robot.inverse, robot.out);
}
[[gnu::noinline]] void measured_forward_dynamics(Robot& robot) {
  require(forward_dynamics(robot.model, robot.q, robot.v, robot.x, robot.forward, robot.out).ok());
}
[[gnu::noinline]] void measured_mass_matrix(Robot& robot) {
  mass_matrix(robot.model, robot.q, robot.mass, robot.M);
}
[[gnu::noinline]] void measured_coriolis_matrix(Robot& robot) {
  coriolis_matrix(robot.model, robot.q, robot.v, robot.coriolis, robot.M);
}
[[gnu::noinline]] void measured_batch_forward_dynamics(Robot& robot) {
  require(batch_forward_dynamics(robot.model, robot.states, robot.batch_q, robot.batch_v, robot.batch_x, robot.batch,
                                 robot.batch_out)
              .ok());
}
}

namespace {

struct Kernel {
  const char* name;
  void (*call)(Robot&);
  std::size_t states;  // per call
};

constexpr Kernel kKernels[] = {
    {"kinematics", measured_kinematics, 1},
    {"inverse_dynamics", measured_inverse_dynamics, 1},
    {"forward_dynamics", measured_forward_dynamics, 1},
    {"mass_matrix", measured_mass_matrix, 1},
    {"coriolis_matrix", measured_coriolis_matrix, 1},
    {"batch_forward_dynamics", measured_batch_forward_dynamics, kStates},
};

}  // namespace

/// usage: kernel_calls            lists the kernels, with the number of states per call
///        kernel_calls NAME COUNT
int main(int argc, char** argv) {
  if (argc != 3) {
    for (const Kernel& kernel : kKernels) std::printf("%s %zu\n", kernel.name, kernel.states);
    return 0;
  }
  for (const Kernel& kernel : kKernels) {
    if (std::strcmp(kernel.name, argv[1]) != 0) continue;
    Robot robot;
    for (int k = std::atoi(argv[2]); k > 0; --k) kernel.call(robot);
    return 0;
  }
  std::fprintf(stderr, "kernel_calls: there is no kernel '%s'\n", argv[1]);
  return 1;
}
