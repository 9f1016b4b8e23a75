// Engine: what a peer must offer to be compared. One adaptor file per engine (engines/), built into one shared library
// per compiler and opened by load_engines.h, so that all of them run in one process and none sees another's symbols.
#pragma once

#include <vector>

#include "mechanism.h"

namespace peers {

/// What is compared, with the numbers of the answer in Pintle's conventions. Matrices row after row.
enum class Function : int {
  kinematics,  ///< per link: rotation (9) and position (3) in the world, velocity of its origin, angular velocity
  jacobian,    ///< of the last link's origin, world axes, linear part first: 6 nv
  columns,     ///< of all joints at once: their unit motions in world axes, here about the first link's origin: 6 nv
  inverse,     ///< tau of (q, v, vdot): nv
  forward,     ///< vdot of (q, v, tau): nv
  mass,        ///< M: nv nv
  solve,       ///< M^-1 tau by the factors of M: nv
  minverse,    ///< M^-1: nv nv
  coriolis,    ///< C: nv nv
  coriolis_v,  ///< C v: nv
  centroidal,  ///< A_G, world axes, linear part first: 6 nv
  energies,    ///< kinetic with rotors, potential of gravity [J]: 2
  step,        ///< of semi-implicit Euler over kStep under tau, as a simulation makes it; its vdot: nv
};

inline constexpr Function kFunctions[] = {
    Function::kinematics, Function::jacobian, Function::columns,  Function::inverse,  Function::forward,
    Function::mass,       Function::solve,    Function::minverse, Function::coriolis, Function::coriolis_v,
    Function::centroidal, Function::energies, Function::step};
inline constexpr const char* kFunctionNames[] = {"kinematics", "jacobian", "columns", "inverse",  "forward",
                                                 "mass",       "solve",    "M^-1",    "coriolis", "C v",
                                                 "centroidal", "energies", "step"};
inline constexpr int kFunctionCount = 13;
inline constexpr double kStep = 1e-3;  // [s]

constexpr const char* name_of(Function function) {
  return kFunctionNames[static_cast<int>(function)];
}

/// A mechanism in an engine's own model, with the memory for its answers.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Whether the engine, in this variant, computes it.
  virtual bool has(Function function) const = 0;
  /// Turns the states into the engine's own conventions and keeps them. Not timed.
  virtual void set_states(const std::vector<State>& states) = 0;
  /// Computes it at state k, from q on. This alone is timed.
  virtual void run(Function function, std::size_t k) = 0;
  /// The answer of the last `run`, which was of the same function and state, in Pintle's conventions. Not timed.
  virtual void read(Function function, std::size_t k, std::vector<double>& answer) = 0;
};

/// What an adaptor's library offers under the name `peers_engine_library`.
struct EngineLibrary {
  const char* name;                   ///< with its version
  const char* build;                  ///< compiler and flags
  std::vector<const char*> variants;  ///< at least one, possibly with an empty name
  bool has_rotors;                    ///< false: it is compared on mechanisms without armature
  /// Null, with the reason in a few words, when the engine cannot have this mechanism. The caller deletes it.
  Engine* (*make)(const Mechanism& mechanism, std::size_t variant, std::string& why_not);
};

}  // namespace peers

#if defined(__clang__)
#define PEERS_COMPILER "clang " __clang_version__
#else
#define PEERS_COMPILER "g++ " __VERSION__
#endif

/// At the end of an adaptor.
#define PEERS_EXPORT_ENGINE(library)                                                                     \
  extern "C" __attribute__((visibility("default"))) const peers::EngineLibrary* peers_engine_library() { \
    return &(library);                                                                                   \
  }
