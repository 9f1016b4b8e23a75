// Compares the speed of other engines with Pintle's, in one process.
//
// usage: peers_speed [--quick] [--out FOLDER] FOLDER...      (folders of adaptors' libraries)
// Compares the results, then times every function on every mechanism. Prints all times; --out writes speed.txt,
// speed.md and cost.svg.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <utility>

#include "allocations.h"
#include "difference.h"
#include "load_engines.h"
#include "mechanisms.h"
#include "pintle/base/isa.h"
#include "results.h"

namespace {

using namespace peers;

constexpr std::size_t kStates = 16;
/// Larger than any known rounding difference, smaller than that of any wrong model.
constexpr double kSameAnswer = 1e-7, kSameInFloat = 1e-2;
constexpr SamplingPlan kThorough = {.sample_ns = 200e3, .samples = 101, .budget_ns = 1.5e9};
constexpr SamplingPlan kQuick = {.sample_ns = 100e3, .samples = 31, .budget_ns = 0.2e9};

struct Arguments {
  bool quick = false;
  std::string out;
  std::vector<std::string> folders;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      arguments.quick = true;
    } else if (std::strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
      arguments.out = argv[++i];
    } else {
      arguments.folders.push_back(argv[i]);
    }
  }
  return arguments;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::vector<std::string> facts_of(const std::vector<Candidate>& candidates, bool quick) {
  std::vector<std::string> facts = {
      fmt::format("{:%Y-%m-%d}, `./run bench peers{}`, one core of: {}", fmt::gmtime(std::time(nullptr)),
                  quick ? " --quick" : "", processor()),
      fmt::format("kernels of Pintle in use: {}", pintle::name(pintle::active_isa())),
  };
  std::string last;
  for (const Candidate& candidate : candidates) {
    if (candidate.build != last) facts.push_back(candidate.build);
    last = candidate.build;
  }
  return facts;
}

/// The candidates that support a mechanism, constructed for it.
struct Contender {
  std::size_t candidate;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Engine> reference;  ///< Pintle on the same mechanism, to compare results with
};

std::vector<Contender> contenders_of(const Mechanism& mechanism, const std::vector<State>& states,
                                     const std::vector<Candidate>& candidates) {
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Mechanism own = candidates[i].as_it_can(mechanism);
    std::string why_not;
    Contender contender{i, candidates[i].make(own, why_not), candidates[0].make(own, why_not)};
    if (!contender.engine) continue;
    contender.engine->set_states(states);
    contender.reference->set_states(states);
    contenders.push_back(std::move(contender));
  }
  return contenders;
}

void compare_answers(const Contender& contender, Function function, const std::string& what) {
  const double same = what.find("float") == std::string::npos ? kSameAnswer : kSameInFloat;
  std::vector<double> expected, answer;
  for (std::size_t k = 0; k < 3; ++k) {
    contender.reference->run(function, k);
    contender.reference->read(function, k, expected);
    contender.engine->run(function, k);
    contender.engine->read(function, k, answer);
    const double difference = relative_difference(answer, expected);
    if (!(difference <= same))
      throw std::runtime_error(fmt::format("{}, {}: differs from Pintle by {:.1e}; ./run test peers tells more", what,
                                           name_of(function), difference));
  }
}

void time_mechanism(const Mechanism& mechanism, const std::vector<Candidate>& candidates, const SamplingPlan& plan,
                    Results& results) {
  const std::vector<State> states = random_states(mechanism, kStates, 3);
  const std::vector<Contender> contenders = contenders_of(mechanism, states, candidates);
  for (const Function function : kFunctions) {
    if (function == Function::coriolis_v) continue;  // the same work as coriolis
    std::vector<Engine*> engines;
    std::vector<std::size_t> places;
    for (const Contender& contender : contenders) {
      if (!contender.engine->has(function)) continue;
      compare_answers(contender, function, mechanism.name + ", " + candidates[contender.candidate].name);
      engines.push_back(contender.engine.get());
      places.push_back(contender.candidate);
    }
    Task task{.mechanism = mechanism.name,
              .links = mechanism.links.size(),
              .nv = mechanism.nv(),
              .function = function,
              .timings = std::vector<Timing>(candidates.size()),
              .allocations = std::vector<double>(candidates.size(), -1.0),
              .operations = operations_of(function, mechanism, states[0])};
    const std::vector<Timing> timings = measure(engines, function, kStates, plan);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      task.timings[places[i]] = timings[i];
      task.allocations[places[i]] = allocations_of(*engines[i], function, kStates);
    }
    results.tasks.push_back(task);
  }
}

void write(const std::string& folder, const char* name, const std::string& text) {
  std::ofstream file(folder + "/" + name);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + folder + "/" + name);
}

void run(const Arguments& arguments) {
  const std::vector<Candidate> candidates = load_engines(arguments.folders);
  Results results;
  results.facts = facts_of(candidates, arguments.quick);
  for (const Candidate& candidate : candidates) results.names.push_back(candidate.name);
  results.peak = measure_peak();
  for (const Mechanism& mechanism : {arm(), ur_like(), quadruped(), humanoid(), hand(), gantry(), scara(), doll(),
                                     chain(6), chain(30), chain(100), chain(1000), wide_tree()}) {
    std::fprintf(stderr, "timing %s\n", mechanism.name.c_str());
    time_mechanism(mechanism, candidates, arguments.quick ? kQuick : kThorough, results);
  }
  const std::string text = as_text(results), markdown = as_markdown(results);
  std::printf("%s\n%s", text.c_str(), markdown.c_str());
  if (arguments.out.empty()) return;
  write(arguments.out, "speed.txt", text);
  write(arguments.out, "speed.md", markdown);
  write(arguments.out, "cost.svg", as_svg(results));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers_speed: %s\n", error.what());
    return 1;
  }
}
