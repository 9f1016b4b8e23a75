// Writes the results of a sample run into a folder, for results_test.py to read; prints the pictures for a terminal.
#include <cstdio>

#include "io/sample_run.h"
#include "pintle/files/zip_writer.h"
#include "pintle/io/recording/csv_writer.h"
#include "pintle/io/recording/events_kept.h"
#include "pintle/io/recording/npz_writer.h"
#include "pintle/io/recording/recording_outline.h"
#include "pintle/io/recording/run_json.h"
#include "pintle/io/recording/sink_group.h"
#include "pintle/io/report/run_plots.h"
#include "pintle/io/report/terminal.h"

namespace {

using namespace pintle;

int write_results(const std::string& folder) {
  CsvWriter csv(folder + "/run.csv");
  NpzWriter npz(folder + "/run.npz", 5000);
  RecordingOutline outline;
  EventsKept events;
  RecordSink* const sinks[] = {&csv, &npz, &outline, &events};
  SinkGroup group(sinks);
  Simulation simulation(compile(sample_spec()).value());
  const RunReport report = simulation.run({.sink = &group});
  std::vector<std::string> files{"run.csv", "run.npz"};
  for (const PlotFile& plot : run_plots(outline, "sample")) {
    files.push_back(plot.name);
    write_whole_file(folder + "/" + plot.name, plot.svg).value();
  }
  write_whole_file(folder + "/run.json",
                   run_json(simulation, report, {.scene = "sample", .events = events.events(), .files = files}))
      .value();
  ZipWriter large(100);
  large.open(folder + "/zip64.zip").value();
  for (const std::string name : {"a", "größe"}) {
    large.begin_file(name, 1000).value();
    large.write(std::string(1000, name[0])).value();
    large.end_file().value();
  }
  large.commit().value();
  for (const int width : {80, 140}) {
    const std::vector<std::size_t> main = main_columns(outline);
    std::printf("%s\n%s\n%s\n", recording_table(outline, main, width).text.c_str(),
                sparkline_lines(outline, main, width).c_str(), quality_lines(run_quality(simulation), width).c_str());
  }
  return report.ok() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  return count == 2 ? write_results(words[1]) : 2;
}
