#include <algorithm>

#include "pintle/expression/expression_tokens.h"
#include "pintle/io/scene/scene_reader.h"

namespace pintle {
namespace {

/// Run settings that cannot be invalid, keeping what others depend on.
RunSpec harmless_run(const RunSpec& run) {
  RunSpec harmless;
  harmless.origin = run.origin;
  harmless.t0 = run.t0;
  harmless.duration = run.duration;
  harmless.method = run.method;
  harmless.momentum_state = run.momentum_state;
  return harmless;
}

/// What is wrong with the formula of an event whatever the joints are; names with a dot may be theirs.
void check_formula(TomlTable& table, const EventSpec& event) {
  ExpressionProblems ignored(event.expression, event.origin);
  ExpressionOptions options{{"t"}, event.origin};
  for (const ExpressionToken& token : expression_tokens(event.expression, ignored)) {
    const bool of_joint = token.text.find('.') != std::string_view::npos && is_expression_name(token.text);
    if (of_joint && std::find(options.variables.begin(), options.variables.end(), token.text) == options.variables.end())
      options.variables.emplace_back(token.text);
  }
  if (const Result<Expression> formula = parse_expression(event.expression, options); !formula)
    table.file().add(formula.diagnostics());
}

}  // namespace

void read_run(SceneReader& scene, TomlTable& table) {
  RunSpec run = scene.spec.run;
  run.origin = table.origin();
  run.t0 = table.quantity("start", run.t0);
  run.duration = table.quantity("duration", run.duration);
  if (!table.is_valid()) scene.times_unclear = true;
  run.method = static_cast<Method>(table.word("integrator", static_cast<int>(run.method)));
  run.step = table.quantity("step", run.step);
  run.any_method = true;
  for (const char* const key : {"integrator", "step", "fixed_step", "row_every"})
    run.any_method = run.any_method && !table.has(key);
  run.fixed_step = table.flag("fixed_step", run.fixed_step);
  run.tolerances.relative = table.quantity("relative_tolerance", run.tolerances.relative);
  run.tolerances.absolute = table.quantity("absolute_tolerance", run.tolerances.absolute);
  run.smallest_step = table.quantity("smallest_step", run.smallest_step);
  run.largest_step = table.quantity("largest_step", run.largest_step);
  run.rows = table.count("rows", run.rows);
  run.row_every = table.count("row_every", run.row_every);
  run.energy_balance = table.flag("energy_balance", run.energy_balance);
  run.certificate = table.flag("certificate", run.certificate);
  run.certificate_limit = table.quantity("certificate_limit", run.certificate_limit);
  run.contact_forces = table.flag("contact_forces", run.contact_forces);
  run.contact = static_cast<ContactMethod>(table.word("contact", static_cast<int>(run.contact)));
  run.min_rebound_time = table.quantity("min_rebound_time", run.min_rebound_time);
  run.momentum_state = table.flag("momentum_state", run.momentum_state);
  run.momentum_point = table.vector("momentum_point", run.momentum_point);
  table.finish();
  scene.spec.run = table.is_valid() ? run : harmless_run(run);
}

void read_event(SceneReader& scene, TomlTable& table) {
  EventSpec event;
  event.name = scene.names.give(table, NameKind::event);
  event.expression = table.text("zero_of");
  event.origin = table.text_origin_of("zero_of");
  event.direction = static_cast<EventDirection>(table.word("direction", 0));
  event.terminal = table.flag("terminal", false);
  table.finish();
  if (!table.is_valid() && !event.expression.empty()) check_formula(table, event);
  keep(scene.spec.events, std::move(event), table);
}

void read_sensor(SceneReader& scene, TomlTable& table) {
  SensorSpec sensor;
  sensor.origin = table.origin_of("name");
  sensor.name = scene.names.give(table, NameKind::sensor);
  const int kind = table.word("type", -1);
  if (kind < 0) {
    table.ignore_all();
    table.finish();
    scene.unclear.push_back(sensor.name);
    return;
  }
  sensor.kind = static_cast<SensorKind>(kind);
  const SensorFacts& reads = facts(sensor.kind);
  const auto needs = [&](bool is_read, const char* key) {
    if (is_read && !table.has(key)) {
      table.problem("type", "scene-missing", std::string("it has no '") + key + "'",
                    "a sensor of the type " + std::string(reads.name) + " needs one",
                    "add " + std::string(key) + " = ...");
    }
    return is_read;
  };
  if (needs(reads.place, "place")) sensor.place = scene.names.use(table, NameKind::place, "place");
  if (reads.reference) sensor.reference = scene.names.use(table, NameKind::place, "reference");
  if (needs(reads.joint, "joint")) sensor.joint = scene.names.use(table, NameKind::joint, "joint");
  if (reads.axes) sensor.axes = static_cast<Axes>(table.word("axes", 0));
  if (needs(reads.expression, "expression")) {
    sensor.expression = table.text("expression");
    sensor.expression_origin = table.text_origin_of("expression");
    sensor.unit = table.text("unit");
  }
  table.finish("sensors of this type do not read it");
  if (!table.is_valid()) scene.unclear.push_back(sensor.name);
  keep(scene.spec.sensors, std::move(sensor), table);
}

}  // namespace pintle
