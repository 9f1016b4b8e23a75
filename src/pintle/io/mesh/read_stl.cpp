#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "pintle/base/read_number.h"
#include "pintle/io/mesh/read_mesh.h"

namespace pintle {
namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50;  // [bytes] of a binary file

constexpr const char* kExport = "export the mesh again, best as binary STL";

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = (word << 8) | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

void add_triangle(TriangleMesh& mesh, const Vec3<> (&corners)[3]) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vec3<>& corner : corners) mesh.vertices.push_back(corner);
  mesh.triangles.push_back({first, first + 1, first + 2});
}

Result<TriangleMesh> read_binary(std::string_view bytes, const std::string& file) {
  const std::size_t count = word_at(bytes, 80);
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    Vec3<> corners[3];
    for (std::size_t c = 0; c < 3; ++c) {
      double x[3];
      for (std::size_t i = 0; i < 3; ++i) {
        x[i] = std::bit_cast<float>(word_at(bytes, kHeader + k * kTriangle + 12 + 12 * c + 4 * i));
        if (!std::isfinite(x[i])) {
          return make_error("stl-number", Origin(file),
                            "triangle " + std::to_string(k + 1) + " has a vertex that is not finite", "",
                            "export the mesh again");
        }
      }
      corners[c] = {x[0], x[1], x[2]};
    }
    add_triangle(mesh, corners);
  }
  return mesh;
}

/// The words of an ASCII file, with their lines.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word, empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_space(text_[at_])) {
      if (text_[at_] == '\n') ++line_;
      ++at_;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// Skips the rest of the line.
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  int line() const { return line_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class AsciiReader {
 public:
  AsciiReader(std::string_view text, const std::string& file) : words_(text), file_(file) {}

  Result<TriangleMesh> read() {
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
      if (!is(word, "solid")) return wrong("'solid' is expected, not '" + shown(word) + "'", kExport);
      words_.skip_line();
      for (word = words_.next(); !is(word, "endsolid"); word = words_.next()) {
        if (word.empty())
          return wrong("the file ends without 'endsolid'", "the file seems to be truncated: export it again");
        if (!is(word, "facet")) return wrong("'facet' or 'endsolid' is expected, not '" + shown(word) + "'", kExport);
        if (!read_facet()) return *failure_;
      }
      words_.skip_line();
    }
    return std::move(mesh_);
  }

 private:
  bool read_facet() {
    Vec3<> normal, corners[3];
    if (!expect("normal") || !numbers(normal) || !expect("outer") || !expect("loop")) return false;
    for (Vec3<>& corner : corners)
      if (!expect("vertex") || !numbers(corner)) return false;
    if (!expect("endloop") || !expect("endfacet")) return false;
    add_triangle(mesh_, corners);
    return true;
  }

  /// Ignores case, because some programs write capital letters.
  static bool is(std::string_view found, std::string_view word) {
    bool same = found.size() == word.size();
    for (std::size_t i = 0; same && i < word.size(); ++i) same = lower(found[i]) == word[i];
    return same;
  }
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

  bool expect(std::string_view word) {
    const std::string_view found = words_.next();
    if (is(found, word)) return true;
    failure_ = wrong("'" + std::string(word) + "' is expected, not '" + shown(found) + "'", kExport);
    return false;
  }

  bool numbers(Vec3<>& v) {
    double x[3];
    for (double& number : x) {
      const std::string_view word = words_.next();
      const ReadNumber read = read_number(word);
      if (read.found != NumberText::number || read.length != word.size()) {
        failure_ = wrong("a number is expected, not '" + shown(word) + "'", kExport);
        return false;
      }
      number = read.value;
    }
    v = {x[0], x[1], x[2]};
    return true;
  }

  static std::string shown(std::string_view word) {
    std::string text;
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c < 127 ? c : '?';
    return text.empty() ? "the end of the file" : text;
  }

  Diagnostic wrong(std::string what, std::string fix) const {
    return make_error("stl-syntax", Origin(file_, words_.line()), std::move(what), "", std::move(fix));
  }

  Words words_;
  const std::string& file_;
  TriangleMesh mesh_;
  std::optional<Diagnostic> failure_;
};

}  // namespace

Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& file) {
  if (bytes.size() >= kHeader && bytes.size() == kHeader + kTriangle * std::size_t{word_at(bytes, 80)})
    return read_binary(bytes, file);
  std::size_t at = 0;
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) ++at;
  if (bytes.substr(at, 5) == "solid" || bytes.substr(at, 5) == "SOLID") return AsciiReader(bytes, file).read();
  if (bytes.size() >= kHeader) {
    return make_error("stl-size", Origin(file),
                      "the header announces " + std::to_string(word_at(bytes, 80)) +
                          " triangles, which do not fit the " + std::to_string(bytes.size()) + " bytes of the file",
                      "", "the file seems to be truncated: export it again");
  }
  return make_error("stl-syntax", Origin(file), "this is not an STL file", "",
                    "an STL file begins with 'solid', or is binary with at least 84 bytes");
}

}  // namespace pintle
