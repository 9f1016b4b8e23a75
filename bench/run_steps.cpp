// Runs of the simulator, for counting their instructions (`./run bench instructions`, tools/count_instructions.py):
// scenes with energy balance and certificate, and mechanisms beside the bare integrator.
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "pintle/io.h"
#include "robots.h"
#include "simulation_calls.h"

namespace {

using namespace pintle;

constexpr double kSpan = 0.02;  // [s] of a scene at a time, about
constexpr int kMilliseconds = 20;

/// Something that is done in equal portions.
class Work {
 public:
  virtual ~Work() = default;
  virtual void portion() = 0;
};

/// Pauses the run of a whole scene now and then: its rows are those of the whole run.
class SceneWork : public Work, StepHandler {
 public:
  explicit SceneWork(const Scene& scene) : simulation_(scene) {}
  void portion() override {
    until_ += kSpan;
    if (simulation_.run({.sink = &sink_, .handler = this}).outcome != RunOutcome::handler_stopped) std::abort();
  }
  bool after_step(std::int64_t, double t, const MotionState&) override { return t < until_; }

 private:
  Simulation simulation_;
  CountRows sink_;
  double until_ = 0.0;
};

class RunnerWork : public Work {
 public:
  explicit RunnerWork(const ModelSpec& model) : runner_(model, true) {}
  void portion() override { runner_(); }

 private:
  Runner runner_;
};

class BareWork : public Work {
 public:
  explicit BareWork(const ModelSpec& model) : runner_(model) {}
  void portion() override { runner_.steps_and_rows(); }

 private:
  BareRunner runner_;
};

/// A quadruped whose feet hang on its trunk, and the trunk on the world, by springs with dampers.
Scene quadruped_with_springs() {
  SceneSpec spec = scene_of(quadruped(), true);
  spec.run.step = 1e-3;
  const auto spring = [&](const std::string& body, const Vec3<>& to) {
    LineSpringSpec line{.name = "spring" + std::to_string(spec.line_springs.size()),
                        .stiffness = 400.0,
                        .damping = 4.0,
                        .rest_length = 0.2};
    line.first.on = body;
    line.second.on = body == "body0" ? std::string(kWorld) : std::string("body0");
    line.second.point = to;
    spec.line_springs.push_back(line);
  };
  spring("body0", {0.1, 0.2, 1.0});
  for (const char* const foot : {"body3", "body6", "body9", "body12"}) spring(foot, {0.3, -0.2, 0.1});
  return compile(spec).value();
}

std::unique_ptr<Work> scene_of_file(const char* name) {
  return std::make_unique<SceneWork>(compile_scene(std::string(PINTLE_SCENES) + "/" + name + ".toml").value());
}
template <class Made>
std::unique_ptr<Work> made(const ModelSpec& model) {
  return std::make_unique<Made>(model);
}

struct Case {
  const char* name;
  int parts;         // of a portion: milliseconds or steps
  const char* over;  // the case that this one is compared with
  int max_added;     // [%] by which it may exceed that one; below zero it must take less
  std::unique_ptr<Work> (*make)();
};

// In the order of the table; the bare integrator before the run that is compared with it.
constexpr Case kCases[] = {
    {"chain", kMilliseconds, nullptr, 0, [] { return scene_of_file("chain"); }},
    {"arm", kMilliseconds, nullptr, 0, [] { return scene_of_file("arm"); }},
    {"showcase", kMilliseconds, nullptr, 0, [] { return scene_of_file("showcase"); }},
    {"quadruped_with_springs", kMilliseconds, nullptr, 0,
     []() -> std::unique_ptr<Work> { return std::make_unique<SceneWork>(quadruped_with_springs()); }},
    {"bare_arm_7", kSteps, nullptr, 0, [] { return made<BareWork>(chain(7)); }},
    {"run_arm_7", kSteps, "bare_arm_7", 9, [] { return made<RunnerWork>(chain(7)); }},
    {"bare_chain_12", kSteps, nullptr, 0, [] { return made<BareWork>(chain(12)); }},
    {"run_chain_12", kSteps, "bare_chain_12", 3, [] { return made<RunnerWork>(chain(12)); }},
    {"bare_quadruped", kSteps, nullptr, 0, [] { return made<BareWork>(quadruped()); }},
    {"run_quadruped", kSteps, "bare_quadruped", 1, [] { return made<RunnerWork>(quadruped()); }},
    {"bare_humanoid", kSteps, nullptr, 0, [] { return made<BareWork>(humanoid()); }},
    {"run_humanoid", kSteps, "bare_humanoid", -3, [] { return made<RunnerWork>(humanoid()); }},
};

}  // namespace

extern "C" {
[[gnu::noinline]] void measured_portion(Work& work) {
  work.portion();
}
}

/// usage: run_steps             lists the cases, with the parts of a portion, what they are compared with and by how
///                              many percent they may exceed that
///        run_steps NAME COUNT
int main(int argc, char** argv) {
  if (argc != 3) {
    for (const Case& one : kCases) {
      std::printf("%s %d", one.name, one.parts);
      if (one.over != nullptr) std::printf(" %s %d", one.over, one.max_added);
      std::printf("\n");
    }
    return 0;
  }
  for (const Case& one : kCases) {
    if (std::strcmp(one.name, argv[1]) != 0) continue;
    const std::unique_ptr<Work> work = one.make();
    for (int k = std::atoi(argv[2]); k > 0; --k) measured_portion(*work);
    return 0;
  }
  std::fprintf(stderr, "run_steps: there is no case '%s'\n", argv[1]);
  return 1;
}
