#include "pintle/geometry/mass/material.h"

#include <vector>

#include "pintle/base/nearest_name.h"

namespace pintle {

std::span<const Material> materials() {
  static const Material table[] = {
      // metals
      {"aluminium", 2700.0},
      {"brass", 8500.0},
      {"bronze", 8800.0},
      {"cast iron", 7200.0},
      {"copper", 8960.0},
      {"lead", 11340.0},
      {"magnesium", 1740.0},
      {"stainless steel", 8000.0},
      {"steel", 7850.0},
      {"titanium", 4510.0},
      {"tungsten", 19300.0},
      {"zinc", 7140.0},
      // plastics and composites
      {"abs", 1050.0},
      {"acrylic", 1180.0},
      {"carbon fibre", 1600.0},
      {"nylon", 1140.0},
      {"pla", 1240.0},
      {"polycarbonate", 1200.0},
      {"polyethylene", 950.0},
      {"pom", 1410.0},
      {"ptfe", 2200.0},
      {"pvc", 1400.0},
      {"rubber", 1100.0},
      // wood
      {"beech", 720.0},
      {"oak", 750.0},
      {"pine", 500.0},
      {"plywood", 600.0},
      // others
      {"concrete", 2400.0},
      {"glass", 2500.0},
      {"granite", 2700.0},
      {"ice", 917.0},
      {"water", 1000.0},
  };
  return table;
}

Result<Material> find_material(std::string_view name) {
  std::vector<std::string> names;
  std::string all_names;
  for (const Material& material : materials()) {
    if (material.name == name) return material;
    names.push_back(material.name);
    all_names += (all_names.empty() ? "" : ", ") + material.name;
  }
  const std::string nearest = nearest_name(name, names);
  return make_error("unknown-material", {}, "there is no material '" + std::string(name) + "'",
                    "only common materials are known by name; any other is given by its density in kg/m^3",
                    nearest.empty() ? "choose one of " + all_names : "did you mean '" + nearest + "'?");
}

}  // namespace pintle
