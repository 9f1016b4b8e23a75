// FreedomModes: what holds each freedom of a mechanism, or which way it slides.
//
// Within a step the modes are constant, so that what is integrated is smooth; they change at events, in mode_change.h.
#pragma once

#include <vector>

namespace pintle {

/// What keeps a freedom at rest.
enum class Hold : unsigned char {
  none,
  friction,    ///< its Coulomb friction: it sticks
  lower_stop,  ///< it rests at its lower limit
  upper_stop,
  both_stops,  ///< its limits leave one position only
};

/// One entry per independent freedom.
struct FreedomModes {
  explicit FreedomModes(std::size_t freedoms) : hold(freedoms), slide(freedoms) {}

  bool operator==(const FreedomModes&) const = default;

  std::vector<Hold> hold;
  std::vector<signed char> slide;  ///< the direction in which it slides against its friction: -1, 1; 0 without friction
};

}  // namespace pintle
