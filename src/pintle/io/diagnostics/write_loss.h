// WriteLoss: a part of a scene that the written file format cannot express.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/diagnostics/loss_report.h"

namespace pintle {

struct WriteLoss {
  ElementStatus status = ElementStatus::ignored;  ///< ignored or approximated
  std::string what{};                             ///< "motor 'push'"
  std::string how{};                              ///< the reason, or what replaced it
};
using WriteLosses = std::vector<WriteLoss>;

}  // namespace pintle
