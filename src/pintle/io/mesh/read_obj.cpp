#include <charconv>
#include <vector>

#include "pintle/base/read_number.h"
#include "pintle/io/mesh/read_mesh.h"

namespace pintle {
namespace {

constexpr std::string_view kPassedOver[] = {"vn", "vt", "g", "o", "s", "mtllib", "usemtl", "l", "p"};

class ObjReader {
 public:
  ObjReader(const std::string& file, ObjMaterials* materials) : file_(file), materials_(materials) {}

  Result<TriangleMesh> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++line_;
      line = line.substr(0, line.find('#'));
      column_of_line_ = line.data();
      if (!read_line(line)) return failure_;
    }
    if (materials_ != nullptr) {
      std::vector<ObjMaterials::Part>& parts = materials_->parts;
      const int count = static_cast<int>(mesh_.triangles.size());
      for (std::size_t i = parts.size(); i-- > 0;)
        if (parts[i].first == (i + 1 < parts.size() ? parts[i + 1].first : count))
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (mesh_.triangles.empty()) {
      line_ = 0;
      fail("the file has no faces", "export a surface, with f lines", "obj-empty");
      return failure_;
    }
    return std::move(mesh_);
  }

 private:
  static std::string_view word(std::string_view& line) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    std::size_t n = 0;
    while (n < line.size() && !is_space(line[n])) ++n;
    const std::string_view result = line.substr(0, n);
    line.remove_prefix(n);
    return result;
  }

  bool read_line(std::string_view line) {
    const std::string_view what = word(line);
    if (what.empty()) return true;
    if (what == "v") return read_vertex(line);
    if (what == "f") return read_face(line);
    if (materials_ != nullptr && (what == "mtllib" || what == "usemtl")) note_material(what == "mtllib", line);
    for (const std::string_view passed : kPassedOver)
      if (what == passed) return true;
    return fail("a line of the kind '" + std::string(what.substr(0, 20)) + "' is not understood",
                "export plain vertices and faces (v and f lines)");
  }

  /// The rest of a line is one name: names of files and of materials may have spaces.
  void note_material(bool library, std::string_view rest) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
    const int column = static_cast<int>(rest.data() - column_of_line_) + 1;
    const ObjMaterials::Name name{std::string(rest), Origin(file_, line_, column)};
    if (library) {
      materials_->libraries.push_back(name);
    } else {
      materials_->parts.push_back({static_cast<int>(mesh_.triangles.size()), name});
    }
  }

  bool read_vertex(std::string_view line) {
    double x[3];
    for (double& number : x) {
      const std::string_view text = word(line);
      const ReadNumber read = read_number(text);
      if (read.found != NumberText::number || read.length != text.size())
        return fail("a vertex is three numbers, and '" + std::string(text.substr(0, 20)) + "' is not a number",
                    "write decimal numbers with a point: v 0.25 -1 1e-3");
      number = read.value;
    }
    mesh_.vertices.push_back({x[0], x[1], x[2]});
    return true;
  }

  bool read_face(std::string_view line) {
    corners_.clear();
    for (std::string_view text = word(line); !text.empty(); text = word(line)) {
      const std::string_view number = text.substr(0, text.find('/'));
      long long index = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
      const long long count = static_cast<long long>(mesh_.vertices.size());
      if (error != std::errc() || end != number.data() + number.size() || index == 0 || index > count || index < -count)
        return fail("a face names the vertex '" + std::string(number.substr(0, 20)) + "', and there are " +
                        std::to_string(count) + " so far",
                    "vertices are counted from 1, or from the last one backwards");
      corners_.push_back(static_cast<int>(index > 0 ? index - 1 : count + index));
    }
    if (corners_.size() < 3)
      return fail("a face has at least three vertices", "leave the line out, or name its vertices");
    for (std::size_t i = 2; i < corners_.size(); ++i)
      mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
    return true;
  }

  bool fail(std::string what, std::string fix, const char* code = "obj-syntax") {
    failure_ = make_error(code, Origin(file_, line_), std::move(what), "", std::move(fix));
    return false;
  }

  const std::string& file_;
  ObjMaterials* materials_;
  const char* column_of_line_ = nullptr;  // its first byte
  int line_ = 0;
  std::vector<int> corners_;
  TriangleMesh mesh_;
  Diagnostic failure_;
};

}  // namespace

Result<TriangleMesh> read_obj(std::string_view text, const std::string& file, ObjMaterials* materials) {
  return ObjReader(file, materials).read(text);
}

}  // namespace pintle
