#include "pintle/io/mesh/read_collada.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "pintle/io/xml/xml_document.h"
#include "pintle/spatial/exp_log.h"
#include "pintle/text/number_list.h"

namespace pintle {
namespace {

/// x -> A x + b.
struct Affine {
  Mat3<> A = identity3<double>();
  Vec3<> b{0.0, 0.0, 0.0};
};

Affine operator*(const Affine& first, const Affine& second) {
  return {first.A * second.A, first.A * second.b + first.b};
}

/// The index layout of a primitive: `count` indices per corner, the position's at `place`.
struct Corners {
  std::size_t count = 1, place = 0;
  std::vector<Vec3<>> places{};
};

/// Thrown for an error at an element.
struct Wrong {
  const XmlElement* at;
  const char* code;
  std::string what;
};

class ColladaReader {
 public:
  ColladaReader(const XmlDocument& document, std::size_t max_triangles)
      : document_(document), max_triangles_(max_triangles) {
    note_names(document.root);
  }

  /// Throws Wrong.
  TriangleMesh read() {
    const XmlElement& root = document_.root;
    if (root.name != "COLLADA") throw Wrong{&root, "dae-syntax", "the root element is <" + root.name + ">"};
    double unit = 1.0;
    if (const XmlElement* const asset = child(root, "asset"))
      if (const XmlElement* const given = child(*asset, "unit")) unit = number(*given, "meter", 1.0);
    const Affine metres{unit * identity3<double>(), {0.0, 0.0, 0.0}};
    if (const XmlElement* const scene = find_scene()) {
      for (const XmlElement& node : scene->children)
        if (node.name == "node") add_node(node, metres, 0);
    } else if (const XmlElement* const library = child(root, "library_geometries")) {
      for (const XmlElement& geometry : library->children)
        if (geometry.name == "geometry") add_geometry(geometry, metres);
    }
    if (mesh_.triangles.empty()) throw Wrong{&root, "dae-empty", "the file has no triangles"};
    return std::move(mesh_);
  }

 private:
  static const XmlElement* child(const XmlElement& element, std::string_view name) {
    for (const XmlElement& one : element.children)
      if (one.name == name) return &one;
    return nullptr;
  }

  static std::string text(const XmlElement& element, std::string_view attribute) {
    const XmlAttribute* const found = element.find(attribute);
    return found == nullptr ? std::string() : found->value;
  }

  static std::vector<double> numbers(const XmlElement& element, std::string_view text) {
    NumberList list = read_number_list(text);
    if (list.wrong_length > 0)
      throw Wrong{&element, "dae-syntax", "<" + element.name + "> has an entry that is not a number"};
    return std::move(list.numbers);
  }

  static std::vector<double> numbers(const XmlElement& element, std::size_t count) {
    std::vector<double> all = numbers(element, element.text);
    if (all.size() != count)
      throw Wrong{&element, "dae-syntax", "<" + element.name + "> needs " + std::to_string(count) + " numbers"};
    return all;
  }

  static double number(const XmlElement& element, std::string_view attribute, double otherwise) {
    const XmlAttribute* const found = element.find(attribute);
    if (found == nullptr) return otherwise;
    const std::vector<double> all = numbers(element, found->value);
    if (all.size() != 1)
      throw Wrong{&element, "dae-syntax", "'" + std::string(attribute) + "' of <" + element.name + "> is not a number"};
    return all[0];
  }

  /// An integer from 0 to `max_index`.
  static std::size_t whole(const XmlElement& element, double x, std::size_t max_index) {
    if (!(x >= 0.0) || x > static_cast<double>(max_index) || x != static_cast<double>(static_cast<std::size_t>(x)))
      throw Wrong{&element, "dae-syntax", "<" + element.name + "> has an index out of range"};
    return static_cast<std::size_t>(x);
  }

  void note_names(const XmlElement& element) {
    if (const XmlAttribute* const id = element.find("id")) named_.emplace(id->value, &element);
    for (const XmlElement& one : element.children) note_names(one);
  }

  /// The element that `#name` in an attribute refers to.
  const XmlElement& target(const XmlElement& element, std::string_view attribute) const {
    const std::string url = text(element, attribute);
    const auto found = url.starts_with('#') ? named_.find(std::string_view(url).substr(1)) : named_.end();
    if (found == named_.end())
      throw Wrong{&element, "dae-syntax", "<" + element.name + "> refers to '" + url + "', which is not in the file"};
    return *found->second;
  }

  const XmlElement* find_scene() const {
    if (const XmlElement* const scene = child(document_.root, "scene"))
      if (const XmlElement* const instance = child(*scene, "instance_visual_scene")) return &target(*instance, "url");
    const XmlElement* const library = child(document_.root, "library_visual_scenes");
    return library == nullptr ? nullptr : child(*library, "visual_scene");
  }

  // ---- transforms

  static std::optional<Affine> transform_of(const XmlElement& element) {
    if (element.name == "matrix") {
      const std::vector<double> m = numbers(element, 16);
      return Affine{{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, {m[3], m[7], m[11]}};
    }
    if (element.name == "translate") {
      const std::vector<double> t = numbers(element, 3);
      return Affine{identity3<double>(), {t[0], t[1], t[2]}};
    }
    if (element.name == "scale") {
      const std::vector<double> s = numbers(element, 3);
      return Affine{{s[0], 0.0, 0.0, 0.0, s[1], 0.0, 0.0, 0.0, s[2]}, {0.0, 0.0, 0.0}};
    }
    if (element.name != "rotate") return std::nullopt;
    const std::vector<double> r = numbers(element, 4);
    const Vec3<> axis{r[0], r[1], r[2]};
    const double length = norm(axis);
    if (!(length > 0.0)) return Affine{};
    return Affine{exp_so3((r[3] * kPi<double> / 180.0 / length) * axis), {0.0, 0.0, 0.0}};
  }

  void add_node(const XmlElement& node, Affine at, int depth) {
    constexpr int kMaxDepth = 64, kMaxNodes = 100000;
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes)
      throw Wrong{&node, "dae-size", "there are too many nodes, or they are nested too deeply"};
    for (const XmlElement& one : node.children) {
      if (const std::optional<Affine> transform = transform_of(one)) {
        at = at * *transform;
      } else if (one.name == "node") {
        add_node(one, at, depth + 1);
      } else if (one.name == "instance_node") {
        add_node(target(one, "url"), at, depth + 1);
      } else if (one.name == "instance_geometry") {
        add_geometry(target(one, "url"), at);
      } else if (one.name == "instance_controller") {
        if (const XmlElement* const skin = child(target(one, "url"), "skin")) add_geometry(target(*skin, "source"), at);
      }
    }
  }

  // ---- triangles

  void add_geometry(const XmlElement& geometry, const Affine& at) {
    const XmlElement* const mesh = child(geometry, "mesh");
    if (mesh == nullptr) return;
    const bool mirrored = determinant(at.A) < 0.0;
    for (const XmlElement& primitive : mesh->children) {
      const std::string& kind = primitive.name;
      if (kind != "triangles" && kind != "polylist" && kind != "polygons" && kind != "tristrips" && kind != "trifans")
        continue;
      Corners corners = corners_of(primitive);
      const std::size_t first = mesh_.vertices.size();
      if (first + corners.places.size() > 3 * max_triangles_)
        throw Wrong{&primitive, "dae-size", "the file has too many vertices"};
      for (const Vec3<>& place : corners.places) mesh_.vertices.push_back(at.A * place + at.b);
      const std::size_t before = mesh_.triangles.size();
      add_primitive(primitive, corners, first);
      if (!mirrored) continue;
      for (std::size_t i = before; i < mesh_.triangles.size(); ++i)
        std::swap(mesh_.triangles[i][1], mesh_.triangles[i][2]);
    }
  }

  /// The index layout of a primitive, and all vertex positions it may use.
  Corners corners_of(const XmlElement& primitive) const {
    constexpr std::size_t kMaxInputs = 64;
    Corners corners;
    const XmlElement* vertices = nullptr;
    for (const XmlElement& input : primitive.children) {
      if (input.name != "input") continue;
      const std::size_t offset = whole(input, number(input, "offset", 0.0), kMaxInputs);
      corners.count = std::max(corners.count, offset + 1);
      if (text(input, "semantic") != "VERTEX") continue;
      corners.place = offset;
      vertices = &target(input, "source");
    }
    const XmlElement* position = nullptr;
    if (vertices != nullptr)
      for (const XmlElement& input : vertices->children)
        if (input.name == "input" && text(input, "semantic") == "POSITION") position = &target(input, "source");
    const XmlElement* const array = position == nullptr ? nullptr : child(*position, "float_array");
    if (array == nullptr)
      throw Wrong{&primitive, "dae-syntax", "<" + primitive.name + "> has no positions for its vertices"};
    std::size_t stride = 3;
    if (const XmlElement* const technique = child(*position, "technique_common"))
      if (const XmlElement* const accessor = child(*technique, "accessor"))
        stride = whole(*accessor, number(*accessor, "stride", 3.0), kMaxInputs);
    if (stride < 3) throw Wrong{array, "dae-syntax", "positions have fewer than three components"};
    const std::vector<double> all = numbers(*array, array->text);
    for (std::size_t i = 0; i + 3 <= all.size(); i += stride)
      corners.places.push_back({all[i], all[i + 1], all[i + 2]});
    return corners;
  }

  void add_primitive(const XmlElement& primitive, const Corners& corners, std::size_t first) {
    const XmlElement* const counts = child(primitive, "vcount");
    const std::vector<double> sizes =
        primitive.name == "polylist" && counts != nullptr ? numbers(*counts, counts->text) : std::vector<double>();
    for (const XmlElement& p : primitive.children) {
      if (p.name != "p") continue;
      const std::vector<double> all = numbers(p, p.text);
      std::vector<int> places;
      for (std::size_t i = corners.place; i < all.size(); i += corners.count) {
        if (corners.places.empty()) throw Wrong{&p, "dae-syntax", "<p> has an index out of range"};
        places.push_back(static_cast<int>(first + whole(p, all[i], corners.places.size() - 1)));
      }
      if (primitive.name == "polylist") {
        std::size_t begin = 0;
        for (const double size : sizes) {
          const std::size_t n = whole(*counts, size, places.size() - begin);
          add_fan(p, places, begin, begin + n);
          begin += n;
        }
      } else if (primitive.name == "triangles") {
        for (std::size_t i = 0; i + 3 <= places.size(); i += 3) add_fan(p, places, i, i + 3);
      } else if (primitive.name == "tristrips") {
        for (std::size_t i = 0; i + 3 <= places.size(); ++i)
          add_triangle(p, places[i], places[i + 1 + i % 2], places[i + 2 - i % 2]);
      } else {
        add_fan(p, places, 0, places.size());
      }
    }
  }

  void add_fan(const XmlElement& p, const std::vector<int>& places, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 2; i < end; ++i) add_triangle(p, places[begin], places[i - 1], places[i]);
  }

  void add_triangle(const XmlElement& p, int a, int b, int c) {
    if (mesh_.triangles.size() >= max_triangles_) throw Wrong{&p, "dae-size", "the file has too many triangles"};
    mesh_.triangles.push_back({a, b, c});
  }

  const XmlDocument& document_;
  std::size_t max_triangles_;
  std::map<std::string, const XmlElement*, std::less<>> named_;
  TriangleMesh mesh_;
  int nodes_ = 0;
};

}  // namespace

Result<TriangleMesh> read_collada(std::string_view text, const std::string& file, std::size_t max_triangles) {
  XmlLimits limits;
  limits.bytes = std::max(limits.bytes, text.size());
  const Result<XmlDocument> document = parse_xml(text, file, limits);
  if (!document) return document.diagnostics();
  try {
    TriangleMesh mesh = ColladaReader(*document, max_triangles).read();
    for (const Vec3<>& v : mesh.vertices)
      if (!(norm_squared(v) < __builtin_inf())) throw Wrong{&document->root, "dae-syntax", "a vertex is not finite"};
    return mesh;
  } catch (const Wrong& wrong) {
    return make_error(wrong.code, document->origin_of(*wrong.at), wrong.what, "",
                      "export the mesh again, or export it as .stl or .obj");
  }
}

}  // namespace pintle
