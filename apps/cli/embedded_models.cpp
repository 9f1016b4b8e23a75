#include "embedded_models.h"

#include <fmt/core.h>

#include "exit_code.h"
#include "pintle/base/nearest_name.h"
#include "pintle/model/model_builder.h"

namespace pintle::cli {
namespace {

/// n equal bodies on pins about z, each pin `spacing` [m] along x from the one before.
ModelSpec pinned_chain(const char* name, int n, double spacing, const SpatialInertia<>& inertia,
                       const Vec3<>& gravity) {
  ModelBuilder chain(name);
  chain.gravity(gravity);
  for (int i = 1; i <= n; ++i) {
    chain.body(fmt::format("link{}", i), inertia).revolute({0.0, 0.0, 1.0}, fmt::format("joint{}", i));
    if (i > 1) chain.at({spacing, 0.0, 0.0});
  }
  return chain.spec();
}

/// The serial chain of seed 000.
ModelSpec chain() {
  const double length = 0.25, mass = 0.1, I = mass * length * length / 12.0;
  const SpatialInertia<> bar = spatial_inertia(mass, Vec3<>{length / 2.0, 0.0, 0.0}, diagonal(Vec3<>{0.0, I, I}));
  return pinned_chain("chain", 6, length, bar, {0.0, -10.0, 0.0});
}

/// The console chain of seed 001.
ModelSpec console() {
  const double I = 0.0904 / 12.0;
  const SpatialInertia<> body = spatial_inertia(1.0, Vec3<>{0.0, 0.0, 0.0}, diagonal(Vec3<>{I, I, I}));
  return pinned_chain("console", 6, 0.15, body, {0.0, -9.8065, 0.0});
}

struct Entry {
  const char* name;
  ModelSpec (*make)();
};

constexpr Entry kEntries[] = {{"chain", chain}, {"console", console}};

}  // namespace

std::vector<std::string> embedded_model_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

ModelSpec embedded_model(std::string_view name) {
  for (const Entry& entry : kEntries)
    if (name == entry.name) return entry.make();
  const std::vector<std::string> names = embedded_model_names();
  const std::string nearest = nearest_name(name, names);
  const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  throw CommandError(ExitCode::usage, fmt::format("there is no model '{}'{}\nThe models are: {}", name, hint, list));
}

}  // namespace pintle::cli
