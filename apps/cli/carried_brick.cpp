#include "carried_brick.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "pintle/spatial/exp_log.h"
#include "svg.h"
#include "view.h"

namespace pintle::cli {
namespace {

constexpr int kWidth = 1000, kHeight = 700;
constexpr Frame kFrame{60.0, 92.0, 940.0, 606.0};
constexpr Vec3<> kToLight{0.2, -0.5, 0.85};
constexpr double kGridStep = 0.5;                     // [m]
constexpr double kAzimuth = 0.45, kElevation = 0.34;  // of the viewer [rad]

// The palette of Okabe and Ito, which people of every colour vision can tell apart.
struct Colour {
  double red, green, blue;
};
constexpr Colour kWhite{255, 255, 255}, kBlack{30, 30, 30};
constexpr Colour kBlue{0, 114, 178}, kVermilion{213, 94, 0};
constexpr std::string_view kBackground = "#fcfcfa", kGrid = "#d9d9d4", kShadow = "#e8e8e3";
constexpr std::string_view kPaths = "#009e73", kAxis = "#222222", kFrameColour = "#666666";

Colour mix(const Colour& a, const Colour& b, double part) {
  return {a.red + part * (b.red - a.red), a.green + part * (b.green - a.green), a.blue + part * (b.blue - a.blue)};
}

std::string text_of(const Colour& c) {
  const auto byte = [](double value) { return static_cast<int>(std::lround(value)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.red), byte(c.green), byte(c.blue));
}

Vec3<> corner(const CarriedBrick& brick, int index) {
  const auto half = [index](int bit, double length) { return (index >> bit & 1) != 0 ? 0.5 * length : -0.5 * length; };
  return {half(0, brick.size.x), half(1, brick.size.y), half(2, brick.size.z)};
}

/// A brick on the way: its pose and how it is painted.
struct Station {
  Pose<> X_WB;
  Colour colour;
  double opacity;
};

/// Whether the brick covers the point: the ray from the point to the viewer meets it (slabs, in axes of the brick).
bool covers(const CarriedBrick& brick, const Station& station, const Vec3<>& point, const View& view) {
  const std::array<double, 3> from = to_array(inverse_transform_point(station.X_WB, point));
  const std::array<double, 3> along = to_array(transpose_times(station.X_WB.rotation, view.to_viewer()));
  const std::array<double, 3> size = to_array(brick.size);
  double enter = 1e-6, leave = 1e6;  // a point on the surface is not covered by it
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = (-0.5 * size[i] - from[i]) / along[i], b = (0.5 * size[i] - from[i]) / along[i];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter < leave - 1e-6;
}

/// A short piece of a line in space.
struct Piece {
  Vec3<> from, to;
  Look look;
};

/// Every corner at many places of its way.
std::vector<Vec3<>> swept_corners(const CarriedBrick& brick) {
  const int steps = 40;
  std::vector<Vec3<>> points;
  for (int i = 0; i <= steps; ++i) {
    const Pose<> X_WB = pose_along(brick, i / static_cast<double>(steps));
    for (int k = 0; k < 8; ++k) points.push_back(transform_point(X_WB, corner(brick, k)));
  }
  return points;
}

/// The whole grid squares under the origin and the way of the brick.
Frame floor_under(const CarriedBrick& brick) {
  Frame box{0.0, 0.0, 0.0, 0.0};
  for (const Vec3<>& p : swept_corners(brick))
    box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x), std::max(box.bottom, p.y)};
  const auto down = [](double x) { return kGridStep * std::floor(x / kGridStep); };
  const auto up = [](double x) { return kGridStep * std::ceil(x / kGridStep); };
  return {down(box.left), down(box.top), up(box.right), up(box.bottom)};
}

class Picture {
 public:
  explicit Picture(const CarriedBrick& brick)
      : brick_(brick),
        screw_(screw_of(displacement_of(brick))),
        foot_A_(foot_on_axis(brick.X_WA.translation)),
        foot_B_(foot_on_axis(brick.X_WB.translation)),
        floor_(floor_under(brick)),
        view_(kAzimuth, kElevation, extent(), kFrame),
        svg_(kWidth, kHeight, "One screw carries the brick from start to end", kBackground) {
    const int ghosts = 3;
    for (int i = 0; i <= ghosts + 1; ++i) {
      const double part = i / (ghosts + 1.0);
      const bool is_end = i == 0 || i == ghosts + 1;
      stations_.push_back({pose_along(brick_, part), mix(kBlue, kVermilion, part), is_end ? 1.0 : 0.5});
    }
    std::stable_sort(stations_.begin(), stations_.end(), [this](const Station& a, const Station& b) {
      return view_.depth(a.X_WB.translation) < view_.depth(b.X_WB.translation);
    });
  }

  std::string draw() {
    draw_floor();
    draw_world_frame();
    add_axis();
    add_spokes();
    add_paths();
    draw_pieces_and_bricks();
    draw_labels();
    return svg_.str();
  }

 private:
  Vec3<> foot_on_axis(const Vec3<>& point) const {
    return fma(dot(screw_.direction, point - screw_.point), screw_.direction, screw_.point);
  }

  Vec3<> axis_tail() const { return fma(-0.35, screw_.direction, foot_A_); }
  Vec3<> axis_head() const { return fma(0.45, screw_.direction, foot_B_); }

  /// What has to fit into the picture.
  std::vector<Vec3<>> extent() const {
    std::vector<Vec3<>> points = swept_corners(brick_);
    for (const double x : {floor_.left, floor_.right})
      for (const double y : {floor_.top, floor_.bottom}) points.push_back({x, y, 0.0});
    points.push_back(axis_tail());
    points.push_back(axis_head());
    return points;
  }

  void line(const Vec3<>& from, const Vec3<>& to, const Look& look) {
    const std::array<Point, 2> points{view_.project(from), view_.project(to)};
    svg_.polyline(points, look);
  }

  /// A grid around the origin and the brick, and the shadows of the brick under a light from above.
  void draw_floor() {
    for (const Station& station : stations_)
      for (int axis = 0; axis < 3; ++axis)
        for (const bool positive : {false, true}) draw_shadow(station, axis, positive);
    for (double x = floor_.left; x <= floor_.right; x += kGridStep)
      line({x, floor_.top, 0.0}, {x, floor_.bottom, 0.0}, {.stroke = std::string(kGrid)});
    for (double y = floor_.top; y <= floor_.bottom; y += kGridStep)
      line({floor_.left, y, 0.0}, {floor_.right, y, 0.0}, {.stroke = std::string(kGrid)});
  }

  void draw_shadow(const Station& station, int axis, bool positive) {
    std::vector<Point> corners;
    for (const Vec3<>& p : face(station, axis, positive)) corners.push_back(view_.project({p.x, p.y, 0.0}));
    svg_.polygon(corners, {.fill = std::string(kShadow), .stroke = std::string(kShadow)});
  }

  void draw_world_frame() {
    const Vec3<> origin{0.0, 0.0, 0.0};
    const std::array<Vec3<>, 3> tips{{{0.25, 0.0, 0.0}, {0.0, 0.25, 0.0}, {0.0, 0.0, 0.25}}};
    const std::array<std::string_view, 3> names{"x", "y", "z"};
    for (std::size_t i = 0; i < 3; ++i) {
      svg_.arrow(view_.project(origin), view_.project(tips[i]), kFrameColour, 2.0);
      const Point place = view_.project(1.3 * tips[i]);
      svg_.text({place.x, place.y + 5.0}, names[i],
                {.size = 16, .colour = std::string(kFrameColour), .anchor = "middle"});
    }
  }

  /// Dashes and dots, each a piece of its own so that a brick in front covers it.
  void add_axis() {
    const double length = norm(axis_head() - axis_tail());
    const Look look{.stroke = std::string(kAxis), .width = 2.0};
    for (double at = 0.0; at < length - 0.1; at += 0.13) {
      add_axis_piece(at, at + 0.08, look);
      add_axis_piece(at + 0.104, at + 0.106, look);
    }
  }

  void add_axis_piece(double from, double to, const Look& look) {
    pieces_.push_back({fma(from, screw_.direction, axis_tail()), fma(to, screw_.direction, axis_tail()), look});
  }

  void add_curve(const std::vector<Vec3<>>& points, const Look& look) {
    for (std::size_t i = 1; i < points.size(); ++i) pieces_.push_back({points[i - 1], points[i], look});
  }

  /// From the axis to the centre of the brick, at the start and at the end.
  void add_spokes() {
    const auto spoke = [this](const Vec3<>& foot, const Vec3<>& centre, const Colour& colour) {
      const int pieces = 80;
      std::vector<Vec3<>> points;
      for (int i = 0; i <= pieces; ++i) points.push_back(fma(i / static_cast<double>(pieces), centre - foot, foot));
      add_curve(points, {.stroke = text_of(colour), .width = 1.6});
    };
    spoke(foot_A_, brick_.X_WA.translation, kBlue);
    spoke(foot_B_, brick_.X_WB.translation, kVermilion);
  }

  void add_paths() {
    const int pieces = 90;
    for (const int k : {0, 3, 5}) {
      std::vector<Vec3<>> points;
      for (int i = 0; i <= pieces; ++i)
        points.push_back(transform_point(pose_along(brick_, i / static_cast<double>(pieces)), corner(brick_, k)));
      add_curve(points, {.stroke = std::string(kPaths), .width = 2.2});
    }
  }

  /// Bricks from the farthest to the nearest; each piece just before the first brick that covers it.
  void draw_pieces_and_bricks() {
    std::vector<Piece> waiting = pieces_;
    for (const Station& station : stations_) {
      const auto is_covered = [&](const Piece& piece) {
        return covers(brick_, station, 0.5 * (piece.from + piece.to), view_);
      };
      const auto rest = std::stable_partition(waiting.begin(), waiting.end(), is_covered);
      for (auto piece = waiting.begin(); piece != rest; ++piece) line(piece->from, piece->to, piece->look);
      waiting.erase(waiting.begin(), rest);
      draw_brick(station);
    }
    for (const Piece& piece : waiting) line(piece.from, piece.to, piece.look);
  }

  void draw_brick(const Station& station) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3<> along = column(station.X_WB.rotation, axis);
      const bool positive = dot(along, view_.to_viewer()) > 0.0;
      draw_face(station, axis, positive, positive ? along : -along);
    }
  }

  /// The corners of the face across `axis`, on its positive or negative side.
  std::array<Vec3<>, 4> face(const Station& station, int axis, bool positive) const {
    const int side = positive ? 1 << axis : 0, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    const auto at = [&](int k) { return transform_point(station.X_WB, corner(brick_, k)); };
    return {at(side), at(side | u), at(side | u | v), at(side | v)};
  }

  void draw_face(const Station& station, int axis, bool positive, const Vec3<>& normal) {
    std::vector<Point> corners;
    for (const Vec3<>& p : face(station, axis, positive)) corners.push_back(view_.project(p));
    const double light = 0.5 + 0.5 * dot(normal, normalized(kToLight));
    svg_.polygon(corners, {.fill = text_of(mix(station.colour, kWhite, 0.7 * light * light)),
                           .stroke = text_of(mix(station.colour, kBlack, 0.5)),
                           .width = 1.5,
                           .opacity = station.opacity});
  }

  void draw_labels() {
    const Point tail = view_.project(axis_tail()), head = view_.project(axis_head());
    const Point neck{head.x - 0.05 * (head.x - tail.x), head.y - 0.05 * (head.y - tail.y)};
    svg_.arrow(neck, head, kAxis, 2.4);
    svg_.text({head.x + 14.0, head.y + 14.0}, "screw axis", {.size = 17});
    svg_.circle(view_.project(foot_A_), 4.5, {.fill = text_of(kBlue), .stroke = "#ffffff", .width = 1.2});
    svg_.circle(view_.project(foot_B_), 4.5, {.fill = text_of(kVermilion), .stroke = "#ffffff", .width = 1.2});
    label_brick("start", brick_.X_WA, kBlue, false);
    label_brick("end", brick_.X_WB, kVermilion, true);
    draw_caption();
  }

  void label_brick(std::string_view name, const Pose<>& X_WB, const Colour& colour, bool above) {
    double left = kWidth, right = 0.0, top = kHeight, bottom = 0.0;
    for (int k = 0; k < 8; ++k) {
      const Point p = view_.project(transform_point(X_WB, corner(brick_, k)));
      left = std::min(left, p.x);
      right = std::max(right, p.x);
      top = std::min(top, p.y);
      bottom = std::max(bottom, p.y);
    }
    svg_.text({0.5 * (left + right), above ? top - 12.0 : bottom + 24.0}, name,
              {.size = 19, .colour = text_of(mix(colour, kBlack, 0.25)), .anchor = "middle", .weight = "bold"});
  }

  void draw_caption() {
    const double angle = screw_.magnitude, advance = screw_.pitch * angle;
    svg_.text({50.0, 54.0}, "One screw carries the brick from start to end", {.size = 26, .weight = "bold"});
    svg_.text(
        {50.0, 646.0},
        fmt::format(
            "Turn {:.1f}° about the axis while advancing {:.3f} m along it: pitch {:.4f} m/rad, lead {:.2f} m/rev.",
            angle * 180.0 / std::numbers::pi, advance, screw_.pitch, screw_.pitch * 2.0 * std::numbers::pi),
        {.size = 17});
    svg_.text({50.0, 672.0}, "Every corner runs on a helix about the axis (green). Grid: 0.5 m.",
              {.size = 15, .colour = std::string(kFrameColour)});
  }

  CarriedBrick brick_;
  Screw<> screw_;
  Vec3<> foot_A_, foot_B_;
  Frame floor_;  ///< x from left to right, y from top to bottom [m]
  View view_;
  Svg svg_;
  std::vector<Station> stations_;
  std::vector<Piece> pieces_;
};

}  // namespace

Pose<> displacement_of(const CarriedBrick& brick) {
  return brick.X_WB * inverse(brick.X_WA);
}

Pose<> pose_along(const CarriedBrick& brick, double part) {
  return exp(part * log(displacement_of(brick))) * brick.X_WA;
}

std::string picture_of(const CarriedBrick& brick) {
  return Picture(brick).draw();
}

}  // namespace pintle::cli
