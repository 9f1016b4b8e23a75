#include "results.h"

#include <fmt/format.h>

#include <algorithm>

namespace peers {
namespace {

std::string engine_of(const std::string& candidate) {
  return candidate.substr(0, candidate.find(' '));
}

std::string duration(double ns) {
  return ns < 9999.5     ? fmt::format("{:.0f} ns", ns)
         : ns < 9999.5e3 ? fmt::format("{:.1f} us", ns / 1e3)
                         : fmt::format("{:.1f} ms", ns / 1e6);
}

}  // namespace

const Timing* best_of(const Results& results, const Task& task, const std::string& engine) {
  if (engine == engine_of(results.names[0])) return task.timings[0].ns > 0 ? &task.timings[0] : nullptr;
  const Timing* best = nullptr;
  for (std::size_t i = 0; i < results.names.size(); ++i) {
    const Timing& timing = task.timings[i];
    if (engine_of(results.names[i]) == engine && timing.ns > 0 && (best == nullptr || timing.ns < best->ns))
      best = &timing;
  }
  return best;
}

std::vector<std::string> engines_of(const Results& results) {
  std::vector<std::string> engines;
  for (const std::string& name : results.names)
    if (std::find(engines.begin(), engines.end(), engine_of(name)) == engines.end()) engines.push_back(engine_of(name));
  return engines;
}

std::string as_text(const Results& results) {
  std::string text;
  for (const std::string& fact : results.facts) text += fact + "\n";
  std::size_t samples = 0, dropped = 0;
  for (const Task& task : results.tasks) {
    for (const Timing& timing : task.timings) {
      samples += timing.samples;
      dropped += timing.dropped;
    }
  }
  text += fmt::format("{} samples in turns, {} more dropped for a context switch.\n", samples, dropped);
  text += "Median time of a call and, in brackets, the spread of its middle half; ~: no sample was undisturbed.\n";
  for (const Function function : kFunctions) {
    bool first = true;
    for (const Task& task : results.tasks) {
      if (task.function != function) continue;
      if (first) {
        text += fmt::format("\n{:<16}", name_of(function));
        for (const std::string& name : results.names) text += fmt::format(" {:>21}", name);
        text += "\n";
        first = false;
      }
      text += fmt::format("{:<16}", task.mechanism);
      for (const Timing& timing : task.timings)
        text += timing.ns > 0 ? fmt::format(" {:>14} ({:3.0f} %)", (timing.disturbed ? "~" : "") + duration(timing.ns),
                                            100 * timing.spread)
                              : fmt::format(" {:>21}", "-");
      text += "\n";
    }
  }
  return text;
}

std::string as_markdown(const Results& results) {
  const std::vector<std::string> engines = engines_of(results);
  std::string text;
  for (const std::string& fact : results.facts) text += "- " + fact + "\n";
  text += fmt::format(
      "\nTime of a call of {}, and how many times as long the best build and convention of each other engine "
      "takes:\n\n",
      results.names[0]);
  text += "| mechanism | function | " + engines[0];
  for (std::size_t e = 1; e < engines.size(); ++e) text += " | " + engines[e] + " / " + engines[0];
  text += " |\n|---|---|---";
  for (std::size_t e = 1; e < engines.size(); ++e) text += "|---";
  text += "|\n";
  for (const Task& task : results.tasks) {
    const Timing* const ours = best_of(results, task, engines[0]);
    text += fmt::format("| {} | {} | {}", task.mechanism, name_of(task.function),
                        ours == nullptr ? "-" : duration(ours->ns));
    for (std::size_t e = 1; e < engines.size(); ++e) {
      const Timing* const theirs = best_of(results, task, engines[e]);
      text += ours == nullptr || theirs == nullptr ? " | -" : fmt::format(" | {:.2f}", theirs->ns / ours->ns);
    }
    text += " |\n";
  }
  text += fmt::format(
      "\nArithmetic of a call of Pintle (a fused multiply-add is two operations, a sine with its cosine two) and its "
      "share of "
      "the measured peak of fused multiply-adds, {:.1f} operations per ns with four lanes and {:.1f} with one:\n\n",
      results.peak.four_lanes, results.peak.one_lane);
  text += "| mechanism | function | operations | per link | of four lanes | of one lane |\n|---|---|---|---|---|---|\n";
  for (const Task& task : results.tasks) {
    const Timing* const ours = best_of(results, task, engines[0]);
    if (task.operations == 0 || ours == nullptr) continue;
    const double operations = static_cast<double>(task.operations), rate = operations / ours->ns;
    text += fmt::format("| {} | {} | {} | {:.0f} | {:.0f} % | {:.0f} % |\n", task.mechanism, name_of(task.function),
                        task.operations, operations / static_cast<double>(task.links),
                        100 * rate / results.peak.four_lanes, 100 * rate / results.peak.one_lane);
  }
  return text;
}

}  // namespace peers
