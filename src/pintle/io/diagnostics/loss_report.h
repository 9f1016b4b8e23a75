// LossReport: what became of every element and attribute of a file, so that nothing is lost in silence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/diagnostic.h"

namespace pintle {

/// What became of a part of a file.
enum class ElementStatus : unsigned char {
  ignored,       ///< it has no meaning here: a loss
  approximated,  ///< used, but not as exactly as it is written: a loss
  idle,          ///< understood, and without effect: the axis of a fixed joint
  read,          ///< used as it is written
};

/// "ignored", "approximated", "idle" or "read".
const char* name(ElementStatus status);

/// One element, attribute or text of a file.
struct LossEntry {
  std::string element{};    ///< "mesh"
  std::string attribute{};  ///< "scale"; empty for the element itself; "text()" for what stands between its tags
  std::string owner{};      ///< the named thing it is part of: "link 'forearm'"; empty at the top
  int line = 0, column = 0;
  int value_line = 0, value_column = 0;  ///< of an attribute: where its value begins
  ElementStatus status = ElementStatus::ignored;
  std::string how{};       ///< of a loss: why, or what it was made of
  std::size_t inside = 0;  ///< so many of the entries behind it are parts of it
  bool within = false;     ///< part of something that is ignored as a whole

  bool is_loss() const { return status == ElementStatus::ignored || status == ElementStatus::approximated; }
};

/// Every part of one file, in the order of the file.
struct LossReport {
  std::string file{};
  std::vector<LossEntry> entries{};

  std::size_t count(ElementStatus status) const;
  bool has_losses() const;
  /// Those that a person wants to hear of: what is within something ignored is left out.
  std::vector<LossEntry> losses() const;
  /// Notes another fate of what stands at a place (of an attribute also that of its value), and of all parts of it when
  /// it is ignored or idle. Nothing happens where nothing begins at that place, or in another file.
  void mark(const Origin& origin, ElementStatus status, const std::string& how);
};

/// `<mesh scale> of link 'forearm'`.
std::string text_of(const LossEntry& entry);

/// The losses as problems (urdf-loss) of that severity.
Diagnostics loss_problems(const LossReport& losses, Severity severity);

}  // namespace pintle
