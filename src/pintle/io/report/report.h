// The report of a run: one HTML file that shows the mechanism in motion, its plots and the checks of the run, in any
// browser, without a network. docs/formats/report.md describes its data.
#pragma once

#include <string>
#include <string_view>

#include "pintle/io/recording/recording_outline.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// The content of a report that is not in the recording.
struct ReportFacts {
  std::string_view run_json{};  ///< the text of run.json
  std::string command{};        ///< the command that repeats the run
  std::string about{};          ///< the scene, in one sentence
};

/// The maximum size of a report: values in its plots, and in its animation.
struct ReportLimits {
  std::size_t plot_numbers = 750000;
  std::size_t motion_numbers = 750000;
  std::size_t events = 2000;
};

/// The data of a report, as JSON: the scene, its motion at some of the rows that the outline kept, and all columns at
/// these rows. Long runs are thinned to the limits; the report says what was omitted.
std::string report_data(const Scene& scene, const RecordingOutline& outline, const ReportFacts& facts,
                        const ReportLimits& limits = {});

/// The complete page.
std::string report_html(const Scene& scene, const RecordingOutline& outline, const ReportFacts& facts,
                        const ReportLimits& limits = {});

/// Inserts the data into a page; nothing in the data can close the element that contains it.
std::string page_with_data(std::string_view page, std::string_view json);

}  // namespace pintle
