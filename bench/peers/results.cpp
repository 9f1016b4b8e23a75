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

/// The mark before a time without an undisturbed sample.
std::string mark(const Timing& timing) {
  return timing.disturbed ? "~" : "";
}

/// A row per mechanism, a column per function; columns with only empty cells are left out.
template <class Cell>
std::string table(const Results& results, Cell cell) {
  std::vector<std::string> rows;
  std::vector<Function> columns;
  for (const Task& task : results.tasks) {
    if (std::find(rows.begin(), rows.end(), task.mechanism) == rows.end()) rows.push_back(task.mechanism);
    if (std::find(columns.begin(), columns.end(), task.function) == columns.end() && !std::string(cell(task)).empty())
      columns.push_back(task.function);
  }
  std::string head = "| |", line = "|---|", body;
  for (const Function function : columns) {
    head += fmt::format(" {} |", name_of(function));
    line += "---|";
  }
  for (const std::string& row : rows) {
    body += fmt::format("| {} |", row);
    for (const Task& task : results.tasks)
      if (task.mechanism == row && std::find(columns.begin(), columns.end(), task.function) != columns.end())
        body += fmt::format(" {} |", std::string(cell(task)));
    body += "\n";
  }
  return head + "\n" + line + "\n" + body;
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
  text +=
      "Median time of a call and, in brackets, the spread of its middle half; ~: every sample was disturbed, the "
      "fastest counts.\n";
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
        text += timing.ns > 0
                    ? fmt::format(" {:>14} ({:3.0f} %)", mark(timing) + duration(timing.ns), 100 * timing.spread)
                    : fmt::format(" {:>21}", "-");
      text += "\n";
    }
  }
  return text;
}

namespace {

/// Whether a Pintle candidate and an engine both support the function, for any mechanism.
bool both_have(const Results& results, Function function, std::size_t candidate, const std::string& engine) {
  for (const Task& task : results.tasks) {
    if (task.function == function && task.timings[candidate].ns > 0 && best_of(results, task, engine) != nullptr)
      return true;
  }
  return false;
}

/// For every kind of batch of the released build: the time of the best other engine, one state at a time, over the time
/// per state of a batch.
std::string batch_tables(const Results& results, const std::vector<std::string>& engines) {
  std::string text;
  for (std::size_t i = 1; i < results.names.size(); ++i) {
    if (results.names[i].rfind(results.names[0] + " batch", 0) != 0) continue;
    for (std::size_t e = 1; e < engines.size(); ++e) {
      text += fmt::format("\nTime of the best {}, one state at a time, over that of a state of {}:\n\n", engines[e],
                          results.names[i]);
      text += table(results, [&](const Task& task) {
        const Timing &ours = task.timings[i], *const theirs = best_of(results, task, engines[e]);
        if (!both_have(results, task.function, i, engines[e])) return std::string();
        if (ours.ns == 0 || theirs == nullptr) return std::string("-");
        return mark(ours.disturbed ? ours : *theirs) + fmt::format("{:.2f}", theirs->ns / ours.ns);
      });
    }
  }
  return text;
}

/// Operations, and their fraction of the processor's peak, one state at a time and in batches.
std::string operation_tables(const Results& results, const std::vector<std::string>& engines) {
  const Peak& peak = results.peak;
  std::string text = fmt::format(
      "\nOperations of a call of Pintle (a fused multiply-add is two, a sine with its cosine two), and in brackets "
      "their share of the peak of fused multiply-adds measured in the same run: {:.1f} operations per ns with one "
      "lane, "
      "{:.1f} with four, {:.1f} with the {} of the kernels in use. The share is that of one lane, of which lane groups "
      "and "
      "columns side by side may have more.\n\n",
      peak.one_lane, peak.four_lanes, peak.widest, peak.lanes);
  text += table(results, [&](const Task& task) {
    const Timing* const ours = best_of(results, task, engines[0]);
    if (task.operations == 0 || ours == nullptr) return std::string();
    const double rate = static_cast<double>(task.operations) / ours->ns;
    return fmt::format("{} ({:.0f} %)", task.operations, 100 * rate / peak.one_lane);
  });
  const auto batch = std::find(results.names.begin(), results.names.end(), results.names[0] + " batch");
  if (batch == results.names.end()) return text;
  const std::size_t i = static_cast<std::size_t>(batch - results.names.begin());
  text += fmt::format(
      "\nOf batches the share of the peak of {} lanes, and in brackets how many times as fast as the best Pinocchio "
      "they "
      "would be at all of that peak:\n\n",
      peak.lanes);
  return text + table(results, [&](const Task& task) {
           const Timing &ours = task.timings[i], *const theirs = best_of(results, task, "Pinocchio");
           if (task.operations == 0 || ours.ns == 0) return std::string();
           const double least = static_cast<double>(task.operations) / peak.widest;  // [ns]
           const std::string share = fmt::format("{:.0f} %", 100 * least / ours.ns);
           return theirs == nullptr ? share : share + fmt::format(" ({:.1f})", theirs->ns / least);
         });
}

/// Allocations per call: for every candidate and function the maximum over all mechanisms.
std::string allocation_table(const Results& results) {
  std::string
      text = "\nAllocations of a call (malloc and its kin, counted in this run), the most over all mechanisms:\n\n| |",
      line = "|---|";
  std::vector<Function> functions;
  for (const Task& task : results.tasks)
    if (std::find(functions.begin(), functions.end(), task.function) == functions.end())
      functions.push_back(task.function);
  for (const Function function : functions) {
    text += fmt::format(" {} |", name_of(function));
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (std::size_t i = 0; i < results.names.size(); ++i) {
    text += fmt::format("| {} |", results.names[i]);
    for (const Function function : functions) {
      double most = -1.0;
      for (const Task& task : results.tasks)
        if (task.function == function) most = std::max(most, task.allocations[i]);
      text += most < 0.0 ? " - |" : fmt::format(" {:.3g} |", most);
    }
    text += "\n";
  }
  return text;
}

/// The cost per link of the longest chain against that of a chain of 30.
std::string chain_costs(const Results& results) {
  std::string text;
  for (const Task& task : results.tasks) {
    if (task.mechanism != "chain 1000" || (task.function != Function::inverse && task.function != Function::forward))
      continue;
    for (const Task& other : results.tasks) {
      if (other.mechanism != "chain 30" || other.function != task.function) continue;
      const auto per_link = [](const Task& of) { return of.timings[0].ns / static_cast<double>(of.links); };
      text +=
          fmt::format("{}{} dynamics {:.2f}", text.empty() ? "\nA link of a chain of 1000 against one of 30: " : ", ",
                      name_of(task.function), per_link(task) / per_link(other));
    }
  }
  return text + ".\n";
}

}  // namespace

std::string as_markdown(const Results& results) {
  const std::vector<std::string> engines = engines_of(results);
  std::string text;
  for (const std::string& fact : results.facts) text += "- " + fact + "\n";
  text +=
      fmt::format("\nTime of a call of {} (~: every sample was disturbed, the fastest counts):\n\n", results.names[0]);
  text += table(results, [&](const Task& task) {
    const Timing* const ours = best_of(results, task, engines[0]);
    return ours == nullptr ? "-" : mark(*ours) + duration(ours->ns);
  });
  for (std::size_t e = 1; e < engines.size(); ++e) {
    text += fmt::format("\nTime of the best {} over that of {}; above 1 Pintle is faster:\n\n", engines[e],
                        results.names[0]);
    text += table(results, [&](const Task& task) {
      const Timing* const ours = best_of(results, task, engines[0]);
      const Timing* const theirs = best_of(results, task, engines[e]);
      if (ours == nullptr || theirs == nullptr) return std::string("-");
      return mark(ours->disturbed ? *ours : *theirs) + fmt::format("{:.2f}", theirs->ns / ours->ns);
    });
  }
  text += batch_tables(results, engines);
  text += operation_tables(results, engines);
  text += allocation_table(results);
  return text + chain_costs(results);
}

}  // namespace peers
