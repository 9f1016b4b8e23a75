#include "pintle/io/recording/run_checkpoint.h"

#include "pintle/base/hash.h"
#include "pintle/base/isa.h"
#include "pintle/simulation/run/checkpoint.h"

namespace pintle {
namespace {

/// Takes the place of the scene hash in the checkpoint of a simulation.
constexpr std::uint64_t kRun = 0x6e75722d656c746e;  // "ntle-run"

/// "'chain' with run.step=1 ms, run.duration=2 s"
std::string named(const RunCheckpoint& checkpoint) {
  std::string text = "'" + checkpoint.scene + "'";
  for (std::size_t i = 0; i < checkpoint.settings.size(); ++i)
    text += (i == 0 ? " with " : ", ") + checkpoint.settings[i];
  return text;
}

}  // namespace

std::string run_checkpoint_bytes(const RunCheckpoint& checkpoint) {
  CheckpointWriter writer;
  writer.section("scene").write(checkpoint.scene).write(checkpoint.path).write(checkpoint.settings.size());
  for (const std::string& setting : checkpoint.settings) writer.write(setting);
  writer.section("run").write(checkpoint.bit_family).write(checkpoint.recording_id);
  writer.write(checkpoint.every).write(checkpoint.t);
  writer.section("log").write(checkpoint.log.bytes).write(checkpoint.log.records).write(checkpoint.log.hash);
  writer.section("simulation").write(checkpoint.simulation);
  return writer.finish(kRun);
}

Result<RunCheckpoint> read_run_checkpoint(std::string_view bytes, const Origin& origin) {
  Result<CheckpointReader> opened = open_checkpoint(bytes, kRun, origin);
  if (!opened && opened.diagnostics()[0].code == "checkpoint-scene") {
    return make_error("checkpoint-kind", origin, "this is the checkpoint of a simulation, not of a run",
                      "it does not name its scene and has no rows", "name the folder of a run");
  }
  if (!opened) return opened.diagnostics();
  CheckpointReader& reader = *opened;
  RunCheckpoint checkpoint;
  std::int64_t settings = 0, recording = 0, hash = 0;
  reader.section("scene").read_all(checkpoint.scene).read_all(checkpoint.path).read(settings);
  for (std::int64_t i = 0; i < settings && reader.ok(); ++i) reader.read_all(checkpoint.settings.emplace_back());
  reader.section("run").read_all(checkpoint.bit_family).read(recording);
  reader.read(checkpoint.every).read(checkpoint.t);
  reader.section("log").read(checkpoint.log.bytes).read(checkpoint.log.records).read(hash);
  reader.section("simulation").read_all(checkpoint.simulation);
  if (Result<void> all = reader.finish(); !all) return all.diagnostics();
  checkpoint.recording_id = static_cast<std::uint64_t>(recording);
  checkpoint.log.hash = static_cast<std::uint64_t>(hash);
  return checkpoint;
}

std::uint64_t recording_id(const Scene& scene) {
  StateHash hash;
  const RunSpec& run = scene.run();
  hash.add(run.duration);
  hash.add(run.rows);
  hash.add(run.row_every);
  hash.add(run.contact_forces);
  hash.add(run.momentum_state);
  for (const double x : {run.momentum_point.x, run.momentum_point.y, run.momentum_point.z}) hash.add(x);
  for (const SensorSpec& sensor : scene.spec().sensors) {
    hash.add(static_cast<int>(sensor.kind));
    hash.add(static_cast<int>(sensor.axes));
    for (const std::string* const text :
         {&sensor.name, &sensor.place, &sensor.reference, &sensor.joint, &sensor.expression, &sensor.unit})
      hash.add(std::string_view(*text));
  }
  return hash.value();
}

Result<void> resume(Simulation& simulation, const RunCheckpoint& checkpoint, const Origin& origin) {
  const char* const family = bit_family(active_isa());
  if (checkpoint.bit_family != family) {
    return make_error("checkpoint-bits", origin,
                      "the run was started in the bit family '" + checkpoint.bit_family + "', this is '" + family + "'",
                      "the last bits of its results would differ from those of an uninterrupted run",
                      "resume it on a machine of that family (PINTLE_ISA), or run it from the start");
  }
  Result<void> resumed = simulation.resume(checkpoint.simulation, origin);
  if (!resumed && resumed.diagnostics()[0].code == "checkpoint-scene") {
    return make_error("checkpoint-scene", origin, "the checkpoint is of another scene: " + named(checkpoint),
                      "a state is valid only for the scene it was saved from; the file may have changed since",
                      "give the scene and the settings of that run, or run this one from the start");
  }
  if (!resumed) return resumed;
  if (checkpoint.recording_id != recording_id(simulation.scene())) {
    return make_error("checkpoint-recording", origin,
                      "the run was started with another duration, other rows or other sensors: " + named(checkpoint),
                      "its rows would not be those of an uninterrupted run", "resume it with its original settings");
  }
  return resumed;
}

}  // namespace pintle
