// Sparklines: a time history as a line of blocks, "▁▂▄▇█▆▃▁".
#pragma once

#include <span>
#include <string>

#include "pintle/io/recording/recording_outline.h"

namespace pintle {

/// Each of `width` characters shows the mean of its interval, so that a smooth curve stays smooth and one that
/// oscillates faster than the characters shows its middle; a short peak, which a mean would hide, shows its extreme. An
/// interval without finite values is a space. Values that differ by no more than `flat`, or by rounding, make a line in
/// the middle.
std::string sparkline(std::span<const double> values, int width, double flat = 0.0);

/// The same of a line over time, whose characters are equal intervals of time.
std::string sparkline(std::span<const OutlinePoint> line, int width, double flat = 0.0);

}  // namespace pintle
