// What was measured, and how it is written down.
#pragma once

#include <string>

#include "arithmetic.h"
#include "load_engines.h"
#include "sampling.h"

namespace peers {

/// One function on one mechanism with every candidate that can.
struct Task {
  std::string mechanism;
  std::size_t links = 0;
  std::size_t nv = 0;
  Function function{};
  std::vector<Timing> timings;      ///< per candidate; ns is 0 where it has no answer
  std::vector<double> allocations;  ///< per candidate, of one call; -1 where it has no answer
  long operations = 0;              ///< of Pintle, 0 where they are not counted
};

struct Results {
  std::vector<std::string> facts;  ///< machine, versions, flags: one line each
  std::vector<std::string> names;  ///< of the candidates
  std::vector<Task> tasks;
  Peak peak{};
};

/// The fastest of the candidates of an engine at a task, null where none has an answer. Of Pintle always the first
/// candidate, the build that users get.
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
