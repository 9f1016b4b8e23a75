// Opens adaptors' libraries. Each keeps its symbols to itself, so builds of one engine by several compilers can be in
// one process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine.h"

namespace peers {

/// One engine, build and convention: a row of the tables.
struct Candidate {
  const EngineLibrary* library;
  std::size_t variant;
  std::string name;   ///< engine, compiler, convention: short, for tables
  std::string build;  ///< engine, version, compiler, flags

  /// Null, with the reason, when the engine cannot have this mechanism.
  std::unique_ptr<Engine> make(const Mechanism& mechanism, std::string& why_not) const {
    return std::unique_ptr<Engine>(library->make(mechanism, variant, why_not));
  }
  /// The mechanism as far as the engine can have it: without armature where it knows no rotors.
  Mechanism as_it_can(Mechanism mechanism) const {
    if (!library->has_rotors)
      for (Link& link : mechanism.links) link.armature = 0;
    return mechanism;
  }
  /// Whether the engine's name begins so.
  bool is(const char* engine) const { return name.rfind(engine, 0) == 0; }
};

/// Every variant of every library in these folders, Pintle's first. Throws std::runtime_error for one that is no
/// adaptor, and when Pintle or any other engine is missing.
std::vector<Candidate> load_engines(const std::vector<std::string>& folders);

}  // namespace peers
