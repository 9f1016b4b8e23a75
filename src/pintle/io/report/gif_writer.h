// GIF animations: few colours, small files, supported everywhere.
#pragma once

#include <string>
#include <vector>

namespace pintle {

/// A sequence of pictures of one size.
struct PictureSequence {
  int width = 0, height = 0;        ///< [pixels], at most 65535
  std::vector<std::string> frames;  ///< red, green, blue of each pixel, row by row from the top
  std::vector<int> delays;          ///< [1/100 s] display time of each
};

/// The bytes of an animation that loops forever: at most 255 colours, chosen by median cut over all pictures; later
/// pictures store only what has changed. The same pictures give the same bytes. UsageError if the sizes do not match.
std::string gif_animation(const PictureSequence& pictures);

}  // namespace pintle
