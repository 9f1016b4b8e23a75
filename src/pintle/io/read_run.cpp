#include <array>

#include "pintle/io/scene_reader.h"

namespace pintle {
namespace {

template <class Facts, std::size_t n>
std::array<std::string_view, n> names_of(const Facts (&facts)[n]) {
  std::array<std::string_view, n> names;
  for (std::size_t i = 0; i < n; ++i) names[i] = facts[i].name;
  return names;
}

}  // namespace

void read_run(SceneReader& scene, TomlTable& table) {
  RunSpec& run = scene.spec.run;
  run.origin = table.origin();
  run.t0 = table.quantity("start", kTime, run.t0);
  run.duration = table.quantity("duration", kTime, run.duration);
  run.method = static_cast<Method>(table.word("integrator", names_of(kMethodFacts), static_cast<int>(run.method)));
  run.step = table.quantity("step", kTime, run.step);
  run.fixed_step = table.flag("fixed_step", run.fixed_step);
  run.tolerances.relative = table.quantity("relative_tolerance", kNumber, run.tolerances.relative);
  run.tolerances.absolute = table.quantity("absolute_tolerance", kNumber, run.tolerances.absolute);
  run.smallest_step = table.quantity("smallest_step", kTime, run.smallest_step);
  run.largest_step = table.quantity("largest_step", kTime, run.largest_step);
  run.rows = table.count("rows", run.rows);
  run.row_every = table.count("row_every", run.row_every);
  run.ledger = table.flag("ledger", run.ledger);
  run.certificate = table.flag("certificate", run.certificate);
  run.certificate_limit = table.quantity("certificate_limit", kNumber, run.certificate_limit);
  run.rest_time = table.quantity("rest_time", kTime, run.rest_time);
  table.finish();
}

void read_event(SceneReader& scene, TomlTable& table) {
  static constexpr std::string_view kDirections[] = {"both", "rising", "falling"};
  EventSpec event;
  event.name = table.required_text("name");
  if (!event.name.empty()) table.set_who("event '" + event.name + "'");
  event.expression = table.required_text("zero_of");
  event.direction = static_cast<EventDirection>(table.word("direction", kDirections, 0));
  event.terminal = table.flag("terminal", false);
  event.origin = table.origin_of("zero_of");
  table.finish();
  scene.spec.events.push_back(std::move(event));
}

void read_sensor(SceneReader& scene, TomlTable& table) {
  static constexpr std::string_view kAxes[] = {"local", "world", "local-world-aligned"};
  SensorSpec sensor;
  sensor.name = table.required_text("name");
  if (!sensor.name.empty()) table.set_who("sensor '" + sensor.name + "'");
  if (!table.has("type")) table.required_text("type");
  sensor.kind = static_cast<SensorKind>(table.word("type", names_of(kSensorFacts), 0));
  sensor.place = table.text("place");
  sensor.reference = table.text("reference");
  sensor.joint = table.text("joint");
  sensor.axes = static_cast<Axes>(table.word("axes", kAxes, 0));
  sensor.expression = table.text("expression");
  sensor.unit = table.text("unit");
  sensor.origin = sensor.expression.empty() ? table.origin() : table.origin_of("expression");
  table.finish();
  scene.spec.sensors.push_back(std::move(sensor));
}

}  // namespace pintle
