// The report of a run: one HTML file that shows the mechanism in motion, its plots and the checks of the run,
// in any browser, without a network. docs/formats/report.md describes the data within it.
#pragma once

#include <string>
#include <string_view>

#include "pintle/io/recording/recording_outline.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// What a report says beside what a recording holds.
struct ReportFacts {
  std::string_view run_json{};  ///< the text of run.json
  std::string command{};        ///< that repeats the run
  std::string about{};          ///< the scene, in a sentence
};

/// How large a report may grow: numbers in its plots, and in its moving picture.
struct ReportLimits {
  std::size_t plot_numbers = 750000;
  std::size_t motion_numbers = 750000;
  std::size_t events = 2000;
};

/// The data of a report, as JSON: the scene, its motion at some of the rows that the outline kept, and all columns at
/// them. Long runs are thinned to the limits; what was left out is said.
std::string report_data(const Scene& scene, const RecordingOutline& outline, const ReportFacts& facts,
                        const ReportLimits& limits = {});

/// The whole page.
std::string report_html(const Scene& scene, const RecordingOutline& outline, const ReportFacts& facts,
                        const ReportLimits& limits = {});

/// A page with its data put in: nothing in them can end the element they are in.
std::string page_with_data(std::string_view page, std::string_view json);

}  // namespace pintle
