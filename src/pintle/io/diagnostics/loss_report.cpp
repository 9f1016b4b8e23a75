#include "pintle/io/diagnostics/loss_report.h"

#include <algorithm>
#include <utility>

namespace pintle {

const char* name(ElementStatus status) {
  constexpr const char* kNames[] = {"ignored", "approximated", "idle", "read"};
  return kNames[static_cast<std::size_t>(status)];
}

std::size_t LossReport::count(ElementStatus status) const {
  std::size_t count = 0;
  for (const LossEntry& entry : entries) count += entry.status == status ? 1 : 0;
  return count;
}

bool LossReport::has_losses() const {
  return std::any_of(entries.begin(), entries.end(), [](const LossEntry& entry) { return entry.is_loss(); });
}

std::vector<LossEntry> LossReport::losses() const {
  std::vector<LossEntry> result;
  for (const LossEntry& entry : entries)
    if (entry.is_loss() && !entry.within) result.push_back(entry);
  return result;
}

void LossReport::mark(const Origin& origin, ElementStatus status, const std::string& how) {
  const std::pair place(origin.line, origin.column);
  const auto behind = std::upper_bound(
      entries.begin(), entries.end(), place,
      [](const auto& wanted, const LossEntry& entry) { return wanted < std::pair(entry.line, entry.column); });
  if (behind == entries.begin() || origin.file != file) return;
  const auto found = behind - 1;
  if (std::pair(found->line, found->column) != place && std::pair(found->value_line, found->value_column) != place)
    return;
  found->status = status;
  found->how = how;
  if (status != ElementStatus::ignored && status != ElementStatus::idle) return;
  for (std::size_t i = 1; i <= found->inside; ++i) {
    LossEntry& part = found[static_cast<std::ptrdiff_t>(i)];
    part.status = status;
    part.within = status == ElementStatus::ignored;
  }
}

std::string text_of(const LossEntry& entry) {
  std::string text;
  if (entry.attribute == "text()") {
    text = "the text in <" + entry.element + ">";
  } else {
    text = "<" + entry.element + (entry.attribute.empty() ? "" : " " + entry.attribute) + ">";
  }
  const bool is_owner = entry.attribute.empty() && entry.owner.starts_with(entry.element + " '");
  if (is_owner) return text + entry.owner.substr(entry.element.size());
  return entry.owner.empty() ? text : text + " of " + entry.owner;
}

Diagnostics loss_problems(const LossReport& losses, Severity severity) {
  Diagnostics problems;
  for (const LossEntry& entry : losses.losses()) {
    problems.push_back(make_error("urdf-loss", Origin(losses.file, entry.line, entry.column),
                                  text_of(entry) + " is " + name(entry.status), entry.how));
    problems.back().severity = severity;
  }
  return problems;
}

}  // namespace pintle
