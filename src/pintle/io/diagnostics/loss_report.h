// LossReport: the status of every element and attribute of a file, so that nothing is lost silently.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// Element status: how a part of a file was used.
enum class ElementStatus : unsigned char {
  ignored,       ///< not supported: a loss
  approximated,  ///< used, but not exactly as written: a loss
  idle,          ///< recognised, but without effect: the axis of a fixed joint
  read,          ///< used as written
};

/// "ignored", "approximated", "idle" or "read".
const char* name(ElementStatus status);

/// One element, attribute or text of a file.
struct LossEntry {
  std::string element{};    ///< "mesh"
  std::string attribute{};  ///< "scale"; empty for the element itself; "text()" for the text between its tags
  std::string owner{};      ///< the named element that contains it: "link 'forearm'"; empty at the top level
  int line = 0, column = 0;
  int value_line = 0, value_column = 0;  ///< of an attribute: where its value begins
  ElementStatus status = ElementStatus::ignored;
  std::string how{};       ///< for a loss: the reason, or what replaced it
  std::size_t inside = 0;  ///< number of entries after this one that are parts of it
  bool within = false;     ///< part of an element that is ignored as a whole

  bool is_loss() const { return status == ElementStatus::ignored || status == ElementStatus::approximated; }
};

/// Every part of one file, in the order of the file.
struct LossReport {
  std::string file{};
  std::vector<LossEntry> entries{};

  std::size_t count(ElementStatus status) const;
  bool has_losses() const;
  /// The losses to report: entries inside an ignored element are omitted.
  std::vector<LossEntry> losses() const;
  /// Sets the status of the entry that begins at a place (for an attribute also the place of its value), and of all its
  /// parts when the status is ignored or idle. Has no effect if no entry begins there, or if the place is in another
  /// file.
  void mark(const Origin& origin, ElementStatus status, const std::string& how);
};

/// `<mesh scale> of link 'forearm'`.
std::string text_of(const LossEntry& entry);

/// The losses as problems (urdf-loss) of the given severity.
Diagnostics loss_problems(const LossReport& losses, Severity severity);

}  // namespace pintle
