#include <algorithm>
#include <array>
#include <utility>

#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"
#include "pintle/expression/expression_tokens.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/model/spec/spec_place.h"
#include "pintle/simulation/recording/sensor.h"

namespace pintle {
namespace {

struct Part {
  const char *name, *unit;
};

constexpr Part kPose[] = {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}, {"qw", "1"}};
constexpr Part kTwist[] = {{"vx", "m/s"},   {"vy", "m/s"},   {"vz", "m/s"},
                           {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}};
constexpr Part kImu[] = {{"ax", "m/s^2"}, {"ay", "m/s^2"}, {"az", "m/s^2"},
                         {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}};
constexpr Part kWrench[] = {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"nx", "N m"}, {"ny", "N m"}, {"nz", "N m"}};
constexpr Part kMomentum[] = {{"px", "N s"},   {"py", "N s"},   {"pz", "N s"},
                              {"Lx", "N m s"}, {"Ly", "N m s"}, {"Lz", "N m s"}};
constexpr Part kDistance[] = {{"distance", "m"}, {"rate", "m/s"}};

/// The columns that a kind of sensor always has; none for those of joints and formulas.
std::span<const Part> fixed_parts(SensorKind kind) {
  switch (kind) {
    case SensorKind::frame_pose:
      return kPose;
    case SensorKind::frame_twist:
      return kTwist;
    case SensorKind::imu:
      return kImu;
    case SensorKind::joint_wrench:
    case SensorKind::contact_force:
      return kWrench;
    case SensorKind::distance:
      return kDistance;
    case SensorKind::momentum:
      return kMomentum;
    default:
      return {};
  }
}

}  // namespace

class SensorCompiler {
 public:
  SensorCompiler(const Model& model, std::span<const SensorSpec> specs, std::span<const Column> others)
      : model_(model), specs_(specs), others_(others), set_(model) {}

  Result<SensorSet> compile() {
    set_.others_ = others_.size();
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      const std::size_t problems = problems_.size();
      check_name(i);
      check_members(specs_[i]);
      add_sensor(specs_[i]);
      if (problems_.size() > problems) faulty_.push_back(specs_[i].name);
    }
    check_columns();
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (specs_[i].kind == SensorKind::expression && !is_unknown(i)) add_formula(i);
    if (!problems_.empty()) return std::move(problems_);
    std::size_t max_sources = 0;
    for (const SensorSet::Formula& formula : set_.formulas_)
      max_sources = std::max(max_sources, formula.sources.size());
    set_.values_ = Buffer<double>(max_sources);
    return std::move(set_);
  }

 private:
  /// Whether a formula belongs to an invalid sensor, or names one: then its meaning is uncertain.
  bool is_unknown(std::size_t i) const {
    for (const std::string& name : faulty_)
      if (name == specs_[i].name || mentions(specs_[i].expression, name)) return true;
    return false;
  }

  static std::string quoted(const SensorSpec& spec) { return "sensor '" + spec.name + "'"; }

  void add(const SensorSpec& spec, const char* code, std::string what, const char* why, std::string fix) {
    problems_.push_back(make_error(code, spec.origin, std::move(what), why, std::move(fix)));
  }

  void check_name(std::size_t i) {
    const SensorSpec& spec = specs_[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (specs_[j].name != spec.name) continue;
      add(spec, "sensor-repeated", "two sensors are called '" + spec.name + "'",
          "their columns would have the same name", "give one of them another name");
      return;
    }
    if (!is_expression_name(spec.name)) {
      add(spec, "sensor-name", "'" + spec.name + "' cannot be the name of a sensor",
          "it is made of letters, digits, '_' and '.', so that formulas can use it", "write it as in 'left_foot'");
    } else if (is_expression_word(spec.name) || spec.name == "t") {
      add(spec, "sensor-name", "'" + spec.name + "' cannot be the name of a sensor",
          "it means something else in formulas", "choose another name, such as '" + spec.name + "_1'");
    }
  }

  /// Members that a kind does not read must not be set.
  void check_members(const SensorSpec& spec) {
    const SensorFacts& reads = facts(spec.kind);
    const auto check = [&](bool read, bool given, const char* member) {
      if (read || !given) return;
      add(spec, "sensor-member",
          quoted(spec) + " has " + member + ", which a sensor of kind '" + std::string(reads.name) + "' does not read",
          "it would have no effect", std::string("remove ") + member);
    };
    check(reads.place, !spec.place.empty(), "a place");
    check(reads.reference, !spec.reference.empty(), "a reference");
    check(reads.joint, !spec.joint.empty(), "a joint");
    check(reads.axes, spec.axes != Axes::local, "axes");
    check(reads.expression, !spec.expression.empty(), "an expression");
    check(reads.expression, !spec.unit.empty(), "a unit");
  }

  /// The place of a name; a problem if there is none.
  Place find(const SensorSpec& spec, const std::string& name) {
    if (name == kWorld) return {-1, identity_pose<double>()};
    int body = -1, frame = -1;
    for (std::size_t i = 0; i < model_.bodies().size(); ++i)
      if (model_.bodies()[i].name == name) body = static_cast<int>(i);
    for (std::size_t i = 0; i < model_.frames().size(); ++i)
      if (model_.frames()[i].name == name) frame = static_cast<int>(i);
    if (body >= 0 && frame >= 0) {
      add(spec, "place-ambiguous", quoted(spec) + " names '" + name + "', which is a body and a frame",
          "the two need not be at the same place", "rename the frame");
    } else if (body >= 0) {
      return body_place(model_, body);
    } else if (frame >= 0) {
      return frame_place(model_, frame);
    } else if (name.empty()) {
      add(spec, "sensor-place", quoted(spec) + " has no place", "it must be attached to a body or a frame",
          "name a body, a frame or 'world'");
    } else {
      std::vector<std::string> known = names_of(model_.bodies());
      for (const std::string& other : names_of(model_.frames())) known.push_back(other);
      known.emplace_back(kWorld);
      const std::string nearest = nearest_name(name, known);
      add(spec, "place-unknown", quoted(spec) + " names '" + name + "', which is neither a body nor a frame", "",
          nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    return {-1, identity_pose<double>()};
  }

  /// The index of the joint of a name, -1 and a problem if there is none.
  int find_joint(const SensorSpec& spec) {
    for (std::size_t i = 0; i < model_.joints().size(); ++i)
      if (model_.joints()[i].name == spec.joint) return static_cast<int>(i);
    Diagnostic problem = unknown_name("joint", spec.joint, quoted(spec), names_of(model_.joints()));
    problem.origin = spec.origin;
    problems_.push_back(std::move(problem));
    return -1;
  }

  void add_column(const SensorSpec& spec, std::string_view part, std::string_view unit) {
    Column column;
    column.name = part.empty() ? spec.name : spec.name + "." + std::string(part);
    column.unit = unit;
    set_.columns_.push_back(std::move(column));
  }

  void add_sensor(const SensorSpec& spec) {
    const SensorFacts& reads = facts(spec.kind);
    const Place world{-1, identity_pose<double>()};
    SensorSet::Sensor sensor{spec.kind, spec.axes, -1, 0, 0, set_.columns_.size(), 0, world, world};
    if (reads.place) sensor.place = find(spec, spec.place);
    if (spec.kind == SensorKind::contact_force) sensor.reference.body = SensorSet::kAnyBody;
    if (reads.reference && !spec.reference.empty()) sensor.reference = find(spec, spec.reference);
    if (reads.joint) {
      sensor.joint = find_joint(spec);
      if (sensor.joint >= 0) add_joint(spec, sensor);
    }
    if (spec.kind == SensorKind::momentum) check_mass(spec);
    for (const Part& part : fixed_parts(spec.kind)) add_column(spec, part.name, part.unit);
    if (spec.kind == SensorKind::expression) add_column(spec, "", spec.unit.empty() ? "1" : spec.unit);
    set_.needs_places_ = set_.needs_places_ || reads.place;
    set_.needs_reactions_ = set_.needs_reactions_ || spec.kind == SensorKind::joint_wrench;
    set_.needs_contacts_ = set_.needs_contacts_ || spec.kind == SensorKind::contact_force;
    set_.needs_efforts_ = set_.needs_efforts_ || spec.kind == SensorKind::joint_effort;
    set_.sensors_.push_back(sensor);
  }

  void check_mass(const SensorSpec& spec) {
    double mass = 0.0;
    for (const Link& link : model_.links()) mass += link.inertia.mass;
    if (mass > 0.0) return;
    add(spec, "sensor-momentum", quoted(spec) + " measures a momentum, but nothing that moves has mass", "",
        "give a body a mass, or remove the sensor");
  }

  void add_joint(const SensorSpec& spec, SensorSet::Sensor& sensor) {
    const ModelJoint& joint = model_.joints()[static_cast<std::size_t>(sensor.joint)];
    if (spec.kind == SensorKind::joint_wrench) {
      sensor.place = body_place(model_, joint.child_body);
      sensor.place.X_LF = sensor.place.X_LF * joint.X_CJ;
      return;
    }
    if (joint.link < 0) {
      add(spec, "sensor-joint-fixed", quoted(spec) + " is on the fixed joint '" + joint.name + "'",
          "a fixed joint has no coordinates", "measure its wrench, or name a joint that moves");
      return;
    }
    if (spec.kind == SensorKind::joint_effort && is_coupled(sensor.joint)) {
      const int driver = model_.joint_of_dof(model_.v_sources()[static_cast<std::size_t>(joint.v)].source);
      add(spec, "sensor-joint-coupled", quoted(spec) + " is on the coupled joint '" + joint.name + "'",
          "it has no effort of its own",
          "name its driver '" + model_.joints()[static_cast<std::size_t>(driver)].name + "'");
      return;
    }
    const bool position = spec.kind == SensorKind::joint_position;
    sensor.first = position ? joint.q : joint.v;
    sensor.count = position ? facts(joint.kind).nq : facts(joint.kind).nv;
    for (int i = 0; i < sensor.count; ++i) {
      const JointPart part = position                                  ? position_part(joint.kind, i)
                             : spec.kind == SensorKind::joint_velocity ? velocity_part(joint.kind, i)
                                                                       : effort_part(joint.kind, i);
      add_column(spec, sensor.count == 1 ? "" : part.name, part.unit);
    }
  }

  bool is_coupled(int joint) const {
    for (const ModelCoupling& coupling : model_.couplings())
      if (coupling.joint == joint) return true;
    return false;
  }

  /// No two columns with the same name, neither of two sensors nor of a sensor and another column.
  void check_columns() {
    std::vector<Column> all(others_.begin(), others_.end());
    all.insert(all.end(), set_.columns_.begin(), set_.columns_.end());
    const std::size_t repeated = first_repeated(all);
    if (repeated == all.size()) return;
    for (const SensorSpec& spec : specs_) {
      const std::string& name = all[repeated].name;
      if (name != spec.name && !name.starts_with(spec.name + ".")) continue;
      if (std::find(faulty_.begin(), faulty_.end(), spec.name) != faulty_.end()) return;  // perhaps of its own name
      faulty_.push_back(spec.name);
      add(spec, "sensor-column", "two columns are called '" + name + "'", "columns are found by their names",
          "rename " + quoted(spec));
      return;
    }
  }

  /// Parses formula i with all columns it may use, and again with those it does use.
  void add_formula(std::size_t i) {
    const SensorSpec& spec = specs_[i];
    ExpressionOptions options;
    options.origin = spec.expression_origin;
    std::vector<std::size_t> sources;
    const auto offer = [&](const std::string& name, std::size_t source) {
      if (!is_expression_name(name) || is_expression_word(name) || (source > 0 && name == "t")) return;
      const std::vector<std::string>& offered = options.variables;
      if (std::find(offered.begin(), offered.end(), name) != offered.end()) return;  // reported by check_columns
      options.variables.push_back(name);
      sources.push_back(source);
    };
    offer("t", 0);
    for (std::size_t k = 0; k < others_.size(); ++k) offer(others_[k].name, 1 + k);
    for (std::size_t s = 0; s < specs_.size(); ++s) {
      if (specs_[s].kind == SensorKind::expression && s >= i) continue;
      const std::size_t next = s + 1 < specs_.size() ? set_.sensors_[s + 1].column : set_.columns_.size();
      for (std::size_t k = set_.sensors_[s].column; k < next; ++k) offer(set_.columns_[k].name, 1 + others_.size() + k);
    }
    Result<Expression> all = parse_expression(spec.expression, options);
    if (!all) {
      for (const Diagnostic& problem : all.diagnostics()) {
        problems_.push_back(problem);
        problems_.back().what = quoted(spec) + ": " + problem.what;
      }
      return;
    }
    SensorSet::Formula formula;
    std::vector<std::string> used;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (!all->uses(static_cast<int>(k))) continue;
      used.push_back(options.variables[k]);
      formula.sources.push_back(sources[k]);
    }
    options.variables = std::move(used);
    formula.expression = *parse_expression(spec.expression, options);
    set_.sensors_[i].formula = set_.formulas_.size();
    set_.formulas_.push_back(std::move(formula));
  }

  const Model& model_;
  std::span<const SensorSpec> specs_;
  std::span<const Column> others_;
  SensorSet set_;
  std::vector<std::string> faulty_;  // the names of invalid sensors
  Diagnostics problems_;
};

Result<SensorSet> compile_sensors(const Model& model, std::span<const SensorSpec> specs,
                                  std::span<const Column> others) {
  require(first_repeated(others) == others.size(), "compile_sensors", "others", "two columns have the same name");
  return SensorCompiler(model, specs, others).compile();
}

}  // namespace pintle
