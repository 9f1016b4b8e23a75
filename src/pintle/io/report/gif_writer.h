// GIF animations: few colours, small files, shown everywhere.
#pragma once

#include <string>
#include <vector>

namespace pintle {

/// Pictures of one size, one after the other.
struct PictureSequence {
  int width = 0, height = 0;        ///< [pixels], at most 65535
  std::vector<std::string> frames;  ///< red, green, blue of each pixel, row by row from the top
  std::vector<int> delays;          ///< [1/100 s] that each is shown
};

/// The bytes of an animation that repeats for ever: at most 255 colours, chosen by median cut over all pictures; of
/// later pictures only what has changed. The same pictures give the same bytes. UsageError when sizes do not fit
/// together.
std::string gif_animation(const PictureSequence& pictures);

}  // namespace pintle
