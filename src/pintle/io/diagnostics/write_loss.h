// WriteLoss: what a file that is written cannot say of a scene.
#pragma once

#include <string>
#include <vector>

#include "pintle/io/diagnostics/loss_report.h"

namespace pintle {

struct WriteLoss {
  ElementStatus status = ElementStatus::ignored;  ///< ignored or approximated
  std::string what{};                             ///< "motor 'push'"
  std::string how{};                              ///< why, or what it was made of
};
using WriteLosses = std::vector<WriteLoss>;

}  // namespace pintle
