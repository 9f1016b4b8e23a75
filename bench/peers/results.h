// The measured results and their output formats.
#pragma once

#include <string>

#include "arithmetic.h"
#include "load_engines.h"
#include "sampling.h"

namespace peers {

/// One function on one mechanism with every candidate that supports it.
struct Task {
  std::string mechanism;
  std::size_t links = 0;
  std::size_t nv = 0;
  Function function{};
  std::vector<Timing> timings;      ///< per candidate; ns is 0 if not supported
  std::vector<double> allocations;  ///< per candidate, for one call; -1 if not supported
  long operations = 0;              ///< of Pintle; 0 if not counted
};

struct Results {
  std::vector<std::string> facts;  ///< machine, versions, flags: one line each
  std::vector<std::string> names;  ///< of the candidates
  std::vector<Task> tasks;
  Peak peak{};
};

/// The fastest candidate of an engine at a task, null if none supports it. For Pintle always the first candidate, the
/// released build.
const Timing* best_of(const Results& results, const Task& task, const std::string& engine);

/// The engines of the candidates, each once, Pintle first.
std::vector<std::string> engines_of(const Results& results);

/// Every timing, as text for a terminal.
std::string as_text(const Results& results);

/// The table of ratios and the one of operations, in Markdown.
std::string as_markdown(const Results& results);

/// Cost of chains against their length, one panel per function, both axes logarithmic.
std::string as_svg(const Results& results);

}  // namespace peers
