// Agreement with other engines: every function on every mechanism at 100 random states.
//
// usage: peers_agreement [--wrong-mass] [--states N] FOLDER...      (folders of adaptors' libraries)
// Prints the worst relative difference per engine, mechanism and function; fails when one is above 1e-10. Then far from
// the world's origin, where answers are compared with the exact ones: there Pintle must be right, and the table shows
// what the peers make of it. --wrong-mass makes one mass of every peer wrong by a millionth: then this program ends
// with 1 when that shows in every one of them.
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "difference.h"
#include "exact_answers.h"
#include "load_engines.h"
#include "mechanism_spec.h"
#include "mechanisms.h"
#include "oracles/world_recursion.h"

namespace {

using namespace peers;

constexpr double kFloor = 1e-10;

/// The worst relative difference, where anything was compared.
using Row = std::map<Function, double>;

void print_head(const char* title) {
  std::printf("\n%-26s", title);
  for (const Function function : kFunctions) std::printf(" %10s", name_of(function));
  std::printf("\n");
}

void print_row(const std::string& name, const Row& row) {
  std::printf("%-26s", name.c_str());
  for (const Function function : kFunctions) {
    const auto found = row.find(function);
    if (found == row.end()) {
      std::printf(" %10s", "-");
    } else {
      std::printf(" %9.1e%c", found->second, found->second <= kFloor ? ' ' : '!');
    }
  }
  std::printf("\n");
}

void keep_worst(Row& row, Function function, double difference) {
  double& worst = row.try_emplace(function, difference).first->second;
  if (!(difference <= worst)) worst = difference;
}

/// Compares one peer with the reference at every state.
Row compare(Engine& reference, Engine& peer, std::size_t states) {
  Row row;
  std::vector<double> expected, actual;
  for (const Function function : kFunctions) {
    if (!peer.has(function)) continue;
    for (std::size_t k = 0; k < states; ++k) {
      peer.run(function, k);
      peer.read(function, k, actual);
      if (actual.empty()) break;  // not comparable on this mechanism
      reference.run(function, k);
      reference.read(function, k, expected);
      keep_worst(row, function, relative_difference(actual, expected));
    }
  }
  return row;
}

bool agrees(const Row& row) {
  for (const auto& [function, difference] : row)
    if (!(difference <= kFloor)) return false;
  return true;
}

Mechanism with_wrong_mass(Mechanism mechanism) {
  mechanism.links.back().mass *= 1 + 1e-6;
  return mechanism;
}

/// Where a peer is known to be wrong by more than the floor, and why. Then the exact value is shown.
struct KnownFault {
  const char* engine;
  const char* mechanisms;  ///< how their names begin
  Function function;
  double most;  ///< it is wrong by less than this
  const char* why;
};
constexpr const char* kSolves = "it solves with the mass matrix, whose condition grows with the chain";
constexpr const char* kRotors = "joints about any axis forget the energy of their rotors";
constexpr const char* kColumns = "leaves out that the columns of universal joints turn";
constexpr KnownFault kKnownFaults[] = {
    {"MuJoCo", "chain 1000", Function::forward, 1e-7, kSolves},
    {"MuJoCo", "chain 1000", Function::step, 1e-7, kSolves},
    {"Pinocchio", "four kinds", Function::energies, 0.1, kRotors},
    {"Pinocchio", "screws", Function::energies, 1.0, kRotors},
    {"Pinocchio", "all kinds", Function::energies, 0.1, kRotors},
    {"Pinocchio", "universal", Function::coriolis, 10.0, kColumns},
    {"Pinocchio", "universal", Function::coriolis_v, 10.0, kColumns},
    {"Pinocchio", "all kinds", Function::coriolis, 10.0, kColumns},
    {"Pinocchio", "all kinds", Function::coriolis_v, 10.0, kColumns},
};

const KnownFault* known_fault(const Candidate& candidate, const Mechanism& mechanism, Function function) {
  for (const KnownFault& fault : kKnownFaults)
    if (candidate.is(fault.engine) && mechanism.name.rfind(fault.mechanisms, 0) == 0 && fault.function == function)
      return &fault;
  return nullptr;
}

/// The number that differs most.
std::size_t farthest(const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > std::fabs(a[at] - b[at])) at = i;
  return at;
}

/// Shows who is right, where they differ most. True when Pintle is, and the peer is off by no more than is known of it.
bool show_fault(const KnownFault& fault, Engine& peer, Engine& reference, const Mechanism& mechanism,
                const std::vector<State>& states) {
  ExactAnswers exact_answers(mechanism);
  std::vector<double> ours, theirs, exact;
  double our_worst = 0, their_worst = -1, given = 0, true_value = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    exact_answers.find(fault.function, states[k], exact);
    reference.run(fault.function, k);
    reference.read(fault.function, k, ours);
    peer.run(fault.function, k);
    peer.read(fault.function, k, theirs);
    our_worst = std::fmax(our_worst, relative_difference(ours, exact));
    const double error = relative_difference(theirs, exact);
    if (error <= their_worst) continue;
    their_worst = error;
    given = theirs[farthest(theirs, exact)];
    true_value = exact[farthest(theirs, exact)];
  }
  std::printf("  %s: %s. %.12g, exactly %.12g: wrong by %.1e; Pintle by %.1e\n", name_of(fault.function), fault.why,
              given, true_value, their_worst, our_worst);
  return our_worst <= kFloor && their_worst <= fault.most;
}

struct Agreement {
  bool of_all = true;   ///< every peer agrees
  bool of_none = true;  ///< no peer does
};

/// Every peer against Pintle; at the end the worst over all mechanisms but where a peer has a known fault.
Agreement near_origin(const std::vector<Candidate>& candidates, std::size_t states, bool wrong_mass) {
  Agreement agreement;
  std::vector<std::pair<std::string, Row>> summary;
  for (std::size_t c = 1; c < candidates.size(); ++c) {
    Row worst;
    print_head(candidates[c].name.c_str());
    for (const Mechanism& full : all_mechanisms()) {
      const Mechanism mechanism = candidates[c].as_it_can(full);
      std::string why_not;
      const std::unique_ptr<Engine> reference = candidates[0].make(mechanism, why_not);
      const std::unique_ptr<Engine> peer =
          candidates[c].make(wrong_mass ? with_wrong_mass(mechanism) : mechanism, why_not);
      if (!peer) {
        std::printf("%-26s   - %s\n", mechanism.name.c_str(), why_not.c_str());
        continue;
      }
      const std::vector<State> at = random_states(mechanism, states, 1);
      reference->set_states(at);
      peer->set_states(at);
      const Row row = compare(*reference, *peer, states);
      print_row(mechanism.name, row);
      std::fflush(stdout);
      for (const auto& [function, difference] : row) {
        const KnownFault* const fault =
            difference <= kFloor ? nullptr : known_fault(candidates[c], mechanism, function);
        if (fault != nullptr && show_fault(*fault, *peer, *reference, mechanism, at)) continue;
        keep_worst(worst, function, difference);
      }
    }
    (agrees(worst) ? agreement.of_none : agreement.of_all) = false;
    summary.emplace_back(candidates[c].name, worst);
  }
  print_head("worst, known faults apart");
  for (const auto& [name, row] : summary) print_row(name, row);
  return agreement;
}

// ---- far from the origin

constexpr double kOffset[3] = {60e3, 80e3, 0};  // 100 km, across gravity: no energy changes

struct Far {
  Mechanism mechanism;
  std::vector<State> states;
};

/// The same mechanism in the same states, 100 km away.
Far moved(const Mechanism& mechanism, const std::vector<State>& states) {
  Far far{mechanism, states};
  if (mechanism.links[0].kind == Kind::free) {
    for (State& state : far.states)
      for (std::size_t i = 0; i < 3; ++i) state.q[i] += kOffset[i];
  } else {
    for (std::size_t i = 0; i < 3; ++i) far.mechanism.links[0].translation[i] += kOffset[i];
  }
  return far;
}

/// Takes the offset from the positions of a kinematics answer.
void move_back(Function function, std::vector<double>& answer) {
  if (function != Function::kinematics) return;
  for (std::size_t link = 0; link < answer.size() / 18; ++link)
    for (std::size_t i = 0; i < 3; ++i) answer[18 * link + 9 + i] -= kOffset[i];
}

/// Pintle's forward dynamics at the origin against the recursion of the seeds in long double: the value that the far
/// answers are measured by is the exact one.
double error_of_reference(Engine& reference, const Mechanism& mechanism, const std::vector<State>& states) {
  double worst = 0;
  std::vector<double> answer;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const State& s = states[k];
    const auto bodies = test::world_recursion<long double>(spec_of(mechanism), s.q, s.v, s.tau);
    std::vector<double> exact;
    for (const auto& body : bodies) exact.push_back(static_cast<double>(body.qdd));
    reference.run(Function::forward, k);
    reference.read(Function::forward, k, answer);
    worst = std::fmax(worst, relative_difference(answer, exact));
  }
  return worst;
}

struct Wrong {
  std::string who;
  Function function;
  double exact, given, error;
};

/// One engine 100 km away against the exact answers; `wrong` gets the worst state of every function above the floor.
Row far_row(const Candidate& candidate, Engine& reference, const Far& far, std::vector<Wrong>& wrong) {
  Row row;
  std::string why_not;
  const std::unique_ptr<Engine> engine = candidate.make(far.mechanism, why_not);
  engine->set_states(far.states);
  std::vector<double> exact, given;
  for (const Function function : kFunctions) {
    if (!engine->has(function)) continue;
    Wrong worst{candidate.name, function, 0, 0, -1};
    for (std::size_t k = 0; k < far.states.size(); ++k) {
      reference.run(function, k);
      reference.read(function, k, exact);
      engine->run(function, k);
      engine->read(function, k, given);
      move_back(function, given);
      const double error = relative_difference(given, exact);
      const std::size_t at = farthest(given, exact);
      if (!(error <= worst.error)) worst = {candidate.name, function, exact[at], given[at], error};
    }
    row[function] = worst.error;
    if (!(worst.error <= kFloor)) wrong.push_back(worst);
  }
  return row;
}

/// False when Pintle is wrong.
bool far_away(const std::vector<Candidate>& candidates, std::size_t states) {
  bool right = true;
  std::vector<Mechanism> mechanisms = {arm(), humanoid()};
  for (Mechanism& mechanism : mechanisms)
    for (Link& link : mechanism.links) link.armature = 0;  // the seeds' recursion has no rotors
  for (const Mechanism& mechanism : mechanisms) {
    const std::vector<State> at = random_states(mechanism, states, 2);
    std::string why_not;
    const std::unique_ptr<Engine> reference = candidates[0].make(mechanism, why_not);
    reference->set_states(at);
    if (mechanism.links[0].kind != Kind::free) {
      const double error = error_of_reference(*reference, mechanism, at);
      std::printf("\nforward dynamics of Pintle at the origin, off the seeds' recursion in long double: %.1e\n", error);
      right = right && error <= kFloor;
    }
    print_head((mechanism.name + ", 100 km away").c_str());
    std::vector<Wrong> wrong;
    const Far far = moved(mechanism, at);
    for (const Candidate& candidate : candidates) {
      const Row row = far_row(candidate, *reference, far, wrong);
      print_row(candidate.name, row);
      if (candidate.is("Pintle")) right = right && agrees(row);
    }
    for (const Wrong& w : wrong)
      std::printf("  %s, %s: %.12g, exactly %.12g: wrong by %.1e\n", w.who.c_str(), name_of(w.function), w.given,
                  w.exact, w.error);
  }
  return right;
}

int run(int argc, char** argv) {
  bool wrong_mass = false;
  std::size_t states = 100;
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--wrong-mass") == 0) {
      wrong_mass = true;
    } else if (std::strcmp(argv[i], "--states") == 0 && i + 1 < argc) {
      states = static_cast<std::size_t>(std::stoul(argv[++i]));
    } else {
      folders.push_back(argv[i]);
    }
  }
  std::vector<Candidate> candidates = load_engines(folders);
  std::erase_if(candidates, [](const Candidate& c) { return c.name.find("float") != std::string::npos; });
  for (const Candidate& candidate : candidates)
    std::printf("%s: %s\n", candidate.name.c_str(), candidate.build.c_str());
  std::printf("Worst relative difference to %s, %zu random states; '!' is above %.0e.\n", candidates[0].name.c_str(),
              states, kFloor);
  const Agreement agreement = near_origin(candidates, states, wrong_mass);
  if (wrong_mass) {
    std::printf("\nThe wrong mass is noticed %s.\n", agreement.of_none ? "in every engine" : "not in every engine");
    return agreement.of_none ? 1 : 0;
  }
  const bool right = far_away(candidates, states);
  if (!agreement.of_all) std::printf("\nFAILED: engines disagree by more than %.0e\n", kFloor);
  if (!right) std::printf("\nFAILED: Pintle is wrong by more than %.0e\n", kFloor);
  return agreement.of_all && right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers_agreement: %s\n", error.what());
    return 2;
  }
}
