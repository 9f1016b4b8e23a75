#include "losses_text.h"

#include <fmt/core.h>

#include <map>
#include <vector>

#include "pintle/text/json.h"

namespace pintle::cli {
namespace {

/// Losses of one kind and for one reason.
struct Alike {
  LossEntry first;
  std::vector<int> lines;
};

std::vector<Alike> grouped(const LossReport& losses) {
  std::vector<Alike> groups;
  std::map<std::string, std::size_t> index;
  for (const LossEntry& loss : losses.losses()) {
    const std::string key = fmt::format("{}\n{}\n{}\n{}", name(loss.status), loss.element, loss.attribute, loss.how);
    const auto [at, is_new] = index.emplace(key, groups.size());
    if (is_new) groups.push_back({loss, {}});
    groups[at->second].lines.push_back(loss.line);
  }
  return groups;
}

std::string lines_text(const std::vector<int>& lines) {
  constexpr std::size_t kMaxLines = 4;
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size() && i < kMaxLines; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  return lines.size() > kMaxLines ? text + fmt::format(", ... ({} times)", lines.size()) : text;
}

}  // namespace

std::string losses_count(const LossReport& losses) {
  return fmt::format("{}: {} elements and attributes: {} used, {} without effect, {} approximated, {} ignored",
                     losses.file, losses.entries.size(), losses.count(ElementStatus::read),
                     losses.count(ElementStatus::idle), losses.count(ElementStatus::approximated),
                     losses.count(ElementStatus::ignored));
}

std::string losses_text(const LossReport& losses) {
  std::string text;
  for (const Alike& alike : grouped(losses)) {
    LossEntry what = alike.first;
    if (alike.lines.size() > 1) what.owner.clear();
    text += fmt::format("  {:<13} {}: {}{}\n", name(what.status), lines_text(alike.lines), text_of(what),
                        what.how.empty() ? "" : ": " + what.how);
  }
  return text;
}

Json losses_json(const LossReport& losses) {
  if (losses.entries.empty()) return Json();
  Json entries = Json::array();
  for (const LossEntry& entry : losses.entries) {
    entries.push_back({{"element", entry.element},
                       {"attribute", entry.attribute.empty() ? Json() : Json(entry.attribute)},
                       {"in", entry.owner.empty() ? Json() : Json(entry.owner)},
                       {"line", entry.line},
                       {"column", entry.column},
                       {"status", name(entry.status)},
                       {"how", entry.how}});
  }
  return {{"file", losses.file},
          {"read", losses.count(ElementStatus::read)},
          {"idle", losses.count(ElementStatus::idle)},
          {"approximated", losses.count(ElementStatus::approximated)},
          {"ignored", losses.count(ElementStatus::ignored)},
          {"entries", std::move(entries)}};
}

}  // namespace pintle::cli
