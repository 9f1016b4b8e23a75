#include "material_pairs.h"

#include <algorithm>

#include "pintle/simulation/contact/contact_setup.h"

namespace pintle::cli {
namespace {

bool is_either(const std::string& a, const std::string& b, const std::string& first, const std::string& second) {
  return (a == first && b == second) || (a == second && b == first);
}

std::string rule_of(const ContactSpec& spec, const std::string& a, const std::string& b) {
  for (const SurfacePairSpec& pair : spec.pairs)
    if (is_either(a, b, pair.first, pair.second)) return "given";
  const auto has_parameters = [&](const std::string& material) {
    return std::any_of(spec.surfaces.begin(), spec.surfaces.end(), [&](const SurfaceSpec& one) {
      const Surface& s = one.surface;
      const double largest = std::max({s.restitution, s.static_friction, s.rolling_friction, s.spinning_friction});
      return one.material == material && largest > 0.0;
    });
  };
  if (!has_parameters(a) || !has_parameters(b)) return "no parameters";
  return a == b ? "its own" : "geometric mean";
}

}  // namespace

std::vector<MaterialPair> material_pairs(const Scene& scene) {
  const ContactSpec& spec = scene.spec().contact;
  const ContactSetup& setup = scene.contacts();
  const auto material = [&](int part) -> const std::string& {
    return spec.shapes[static_cast<std::size_t>(setup.parts[static_cast<std::size_t>(part)].spec)].material;
  };
  std::vector<MaterialPair> all;
  for (const ContactPair& pair : setup.pairs) {
    const std::string &a = material(pair.a), &b = material(pair.b);
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const MaterialPair& one) { return is_either(a, b, one.first, one.second); });
    if (known != all.end()) {
      ++known->shapes;
    } else {
      all.push_back({a, b, pair.surface, rule_of(spec, a, b), 1});
    }
  }
  return all;
}

}  // namespace pintle::cli
