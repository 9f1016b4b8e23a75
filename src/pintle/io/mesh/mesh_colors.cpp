#include "pintle/io/mesh/mesh_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "pintle/base/read_number.h"
#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

std::string_view without_spaces(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The first word of a line; the rest stays.
std::string_view take_word(std::string_view& line) {
  line = without_spaces(line);
  const std::size_t n = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, n);
  line = without_spaces(line.substr(n));
  return word;
}

/// "#rrggbb" of three numbers from 0 to 1; empty if they are none.
std::string color_of_numbers(std::string_view line) {
  char text[8];
  unsigned bytes[3];
  double gray = 0.0;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = take_word(line);
    const ReadNumber read = read_number(word);
    const bool is_number = read.found == NumberText::number && read.length == word.size() && std::isfinite(read.value);
    if (!is_number && !(i > 0 && word.empty())) return {};
    if (i == 0) gray = read.value;
    const double x = is_number ? read.value : gray;  // one number stands for all three
    bytes[i] = static_cast<unsigned>(255.0 * std::clamp(x, 0.0, 1.0) + 0.5) & 255u;
  }
  std::snprintf(text, sizeof text, "#%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
  return text;
}

Diagnostic warning(const ObjMaterials::Name& name, std::string what, std::string why) {
  return make_warning("mesh-material", name.origin, std::move(what), std::move(why),
                      "put the .mtl file there, or give the shape a 'color'");
}

}  // namespace

Result<MaterialColors> read_mtl(std::string_view text, const std::string& file) {
  MaterialColors colors;
  std::string* color = nullptr;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    rest = rest.substr(0, rest.find('#'));
    const std::string_view what = take_word(rest);
    if (what == "newmtl") {
      color = &colors[std::string(rest)];
    } else if (what == "Kd" && !rest.starts_with("spectral") && !rest.starts_with("xyz")) {
      const std::string read = color_of_numbers(rest);
      if (color == nullptr || read.empty()) {
        return make_error("mtl-syntax", Origin(file, line),
                          color == nullptr ? "a colour before any material" : "a colour is three numbers from 0 to 1",
                          "", "write newmtl NAME, then Kd 0.8 0.2 0.1");
      }
      *color = read;
    }
  }
  return colors;
}

std::vector<MeshColor> mesh_colors(const TriangleMesh& mesh, const ObjMaterials& materials,
                                   const std::vector<Result<MaterialColors>>& libraries, Diagnostics& warnings) {
  require_size("mesh_colors", "libraries", libraries.size(), materials.libraries.size());
  if (materials.parts.empty()) return {};
  MaterialColors colors;
  bool complete = true;
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    const ObjMaterials::Name& library = materials.libraries[i];
    const Result<MaterialColors>& one = libraries[i];
    if (one) {
      colors.insert(one->begin(), one->end());
      continue;
    }
    complete = false;
    const Diagnostic& problem = one.diagnostics()[0];
    const bool in_it = problem.origin.line > 0 && problem.origin.line != library.origin.line;
    warnings.push_back(warning(library, "the mesh is shown without the colours of '" + library.name + "'",
                               (in_it ? "line " + std::to_string(problem.origin.line) + ": " : "") + problem.what));
  }
  std::vector<MeshColor> parts;
  std::vector<std::string> told;
  int kept = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (; next < materials.parts.size() && static_cast<std::size_t>(materials.parts[next].first) == i; ++next) {
      const ObjMaterials::Name& name = materials.parts[next].material;
      const auto color = colors.find(name.name);
      parts.push_back({kept, color == colors.end() ? "" : color->second});
      const bool is_new = std::find(told.begin(), told.end(), name.name) == told.end();
      if (color != colors.end() || !complete || !is_new) continue;
      told.push_back(name.name);
      warnings.push_back(warning(name, "there is no material '" + name.name + "'",
                                 materials.libraries.empty() ? "the file names no .mtl file (mtllib)"
                                                             : "no .mtl file that the mesh names has it"));
    }
    const auto at = [&](std::size_t k) {
      const Vec3<>& x = mesh.vertices[static_cast<std::size_t>(mesh.triangles[i][k])];
      return std::array{x.x, x.y, x.z};
    };
    if (at(0) != at(1) && at(1) != at(2) && at(2) != at(0)) ++kept;
  }
  const bool any = std::any_of(parts.begin(), parts.end(), [](const MeshColor& part) { return !part.color.empty(); });
  return any ? parts : std::vector<MeshColor>();
}

}  // namespace pintle
