#include "pintle/base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pintle {
namespace {

// Costs are counted in half edits, so that a letter in the wrong case costs one of them.
constexpr std::size_t kEdit = 2;
constexpr std::size_t kCaseChange = 1;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t replace_cost(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? kCaseChange : kEdit;
}

// The table of the optimal string alignment distance, of which three rows are kept: entry j of row i is the cost of
// changing the first i bytes of `a` into the first j bytes of `b`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = kEdit * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = kEdit * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + kEdit, row[j - 1] + kEdit, above[j - 1] + replace_cost(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + kEdit);
    }
  }
  return row[b.size()];
}

struct Synonym {
  std::string_view theirs;  ///< in lower case, with dashes between words
  std::string_view ours;
};

// What other programs and textbooks call joints, integrators and keys of scene files. A word may stand for several of
// ours: the first that is known where it is used.
constexpr Synonym kSynonyms[] = {
    // joints
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"pivot", "revolute"},
    {"continuous", "revolute"},
    {"rotational", "revolute"},
    {"slide", "prismatic"},
    {"slider", "prismatic"},
    {"linear", "prismatic"},
    {"helical", "screw"},
    {"ball", "spherical"},
    {"ball", "sphere"},
    {"socket", "spherical"},
    {"floating", "free"},
    {"freejoint", "free"},
    {"6dof", "free"},
    {"weld", "fixed"},
    {"welded", "fixed"},
    {"rigid", "fixed"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"cartesian", "translational"},
    // integrators
    {"rk45", "dormand-prince"},
    {"ode45", "dormand-prince"},
    {"dopri", "dormand-prince"},
    {"dopri5", "dormand-prince"},
    {"adaptive", "dormand-prince"},
    {"runge-kutta", "rk4"},
    {"euler", "semi-implicit-euler"},
    {"forward-euler", "explicit-euler"},
    {"symplectic-euler", "semi-implicit-euler"},
    {"midpoint", "symplectic-midpoint"},
    {"implicit-midpoint", "symplectic-midpoint"},
    {"bdf", "sdirk"},
    {"radau", "sdirk"},
    {"ode15s", "sdirk"},
    {"implicit", "sdirk"},
    {"stiff", "sdirk"},
    // keys
    {"pos", "at"},
    {"position", "at"},
    {"origin", "at"},
    {"xyz", "at"},
    {"translation", "at"},
    {"geometry", "shape"},
    {"geom", "shape"},
    {"visual", "shape"},
    {"collision", "shape"},
    {"com", "center"},
    {"center-of-mass", "center"},
    {"cog", "center"},
    {"mu", "friction"},
    {"turning-stiffness", "rotational_stiffness"},
    {"angular-stiffness", "rotational_stiffness"},
    {"torsional-stiffness", "rotational_stiffness"},
    {"turning-damping", "rotational_damping"},
    {"angular-damping", "rotational_damping"},
    {"torsional-damping", "rotational_damping"},
    {"turning-preload", "rotational_preload"},
    {"turning-linear", "rotational_linear"},
    {"turning-quadratic", "rotational_quadratic"},
    {"dt", "step"},
    {"timestep", "step"},
    {"time-step", "step"},
    {"time", "duration"},
    {"end-time", "duration"},
    {"method", "integrator"},
    {"solver", "integrator"},
    {"link", "body"},
    {"torque", "effort"},
    {"force", "effort"},
    {"rho", "density"},
    {"damper", "damping"},
    {"ledger", "energy_balance"},
    {"rk4-seed", "rk4-quaternion"},
    {"pose", "frame-pose"},
    {"twist", "frame-twist"},
};

/// In lower case, with dashes between words.
std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word) text += c == '_' || c == ' ' ? '-' : lower(c);
  return text;
}

std::string synonym_of(std::string_view wanted, std::span<const std::string> known) {
  const std::string theirs = plain(wanted);
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.theirs != theirs) continue;
    if (std::find(known.begin(), known.end(), synonym.ours) != known.end()) return std::string(synonym.ours);
  }
  return {};
}

}  // namespace

bool is_synonym(std::string_view theirs, std::string_view ours) {
  const std::string word = plain(theirs);
  return std::any_of(std::begin(kSynonyms), std::end(kSynonyms),
                     [&](const Synonym& synonym) { return synonym.theirs == word && synonym.ours == ours; });
}

std::string nearest_name(std::string_view wanted, std::span<const std::string> known) {
  if (std::string synonym = synonym_of(wanted, known); !synonym.empty()) return synonym;
  const std::string* nearest = nullptr;
  std::size_t nearest_cost = 0;
  for (const std::string& candidate : known) {
    const std::size_t shorter = std::min(wanted.size(), candidate.size());
    const std::size_t longer = std::max(wanted.size(), candidate.size());
    const std::size_t allowed = kEdit * std::max<std::size_t>(longer / 3, 1);
    if (kEdit * (longer - shorter) > allowed) continue;
    const std::size_t cost = distance(wanted, candidate);
    const bool nothing_in_common = cost >= kEdit * longer;
    if (cost > allowed || nothing_in_common) continue;
    if (nearest == nullptr || cost < nearest_cost) {
      nearest = &candidate;
      nearest_cost = cost;
    }
  }
  return nearest == nullptr ? std::string() : *nearest;
}

}  // namespace pintle
