#include "pintle/io/scene/scene_writer.h"

namespace pintle {

void write_witnesses(SceneWriter& writer) {
  for (const EventSpec& event : writer.spec.events) {
    constexpr const char* kDirections[] = {"both", "rising", "falling"};
    TomlLines lines;
    lines.text("name", event.name);
    lines.text("zero_of", event.expression);
    lines.text_unless("direction", kDirections[static_cast<std::size_t>(event.direction)], kDirections[0]);
    lines.flag_unless("terminal", event.terminal, false);
    writer.add_table("[[event]]", lines);
  }
  for (const SensorSpec& sensor : writer.spec.sensors) {
    constexpr const char* kAxes[] = {"local", "world", "local-world-aligned"};
    const SensorFacts& reads = facts(sensor.kind);
    TomlLines lines;
    lines.text("name", sensor.name);
    lines.text("type", std::string(reads.name));
    if (reads.place) lines.text("place", sensor.place);
    if (reads.reference) lines.text_unless("reference", sensor.reference, "");
    if (reads.joint) lines.text("joint", sensor.joint);
    if (reads.axes) lines.text_unless("axes", kAxes[static_cast<std::size_t>(sensor.axes)], kAxes[0]);
    if (reads.expression) lines.text("expression", sensor.expression);
    if (reads.expression) lines.text_unless("unit", sensor.unit, "");
    writer.add_table("[[sensor]]", lines);
  }
}

void write_run(SceneWriter& writer) {
  const RunSpec& run = writer.spec.run;
  const RunSpec usual;
  TomlLines lines;
  lines.number_unless("start", run.t0, usual.t0, "s");
  lines.number_unless("duration", run.duration, usual.duration, "s");
  const bool named = !run.any_method && run.step == 0.0 && !run.fixed_step;  // or reading it would choose one
  if (run.method != usual.method || named) lines.text("integrator", std::string(facts(run.method).name));
  lines.number_unless("step", run.step, usual.step, "s");
  lines.flag_unless("fixed_step", run.fixed_step, usual.fixed_step);
  lines.number_unless("relative_tolerance", run.tolerances.relative, usual.tolerances.relative);
  lines.number_unless("absolute_tolerance", run.tolerances.absolute, usual.tolerances.absolute);
  lines.number_unless("smallest_step", run.smallest_step, usual.smallest_step, "s");
  lines.number_unless("largest_step", run.largest_step, usual.largest_step, "s");
  lines.number_unless("rows", run.rows, usual.rows);
  lines.number_unless("row_every", run.row_every, usual.row_every);
  lines.flag_unless("energy_balance", run.energy_balance, usual.energy_balance);
  lines.flag_unless("certificate", run.certificate, usual.certificate);
  lines.number_unless("certificate_limit", run.certificate_limit, usual.certificate_limit);
  lines.flag_unless("contact_forces", run.contact_forces, usual.contact_forces);
  if (run.contact != usual.contact) lines.text("contact", std::string(name(run.contact)));
  lines.number_unless("min_rebound_time", run.min_rebound_time, usual.min_rebound_time, "s");
  lines.flag_unless("momentum_state", run.momentum_state, usual.momentum_state);
  lines.vector_unless("momentum_point", run.momentum_point, usual.momentum_point);
  if (!lines.empty()) writer.add_table("[run]", lines);
}

}  // namespace pintle
