#include "pintle/io/report/gif_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr int kBitsKept = 6;  // per channel when colours are counted
constexpr std::size_t kBins = std::size_t{1} << (3 * kBitsKept);
constexpr std::size_t kMaxColours = 255;
constexpr std::uint8_t kSame = 255;  // the index that leaves a pixel unchanged

using Colour = std::array<double, 3>;

std::uint8_t byte_of(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

std::size_t bin_of(std::string_view rgb, std::size_t pixel) {
  std::size_t bin = 0;
  for (std::size_t k = 0; k < 3; ++k) bin = bin << kBitsKept | byte_of(rgb, 3 * pixel + k) >> (8 - kBitsKept);
  return bin;
}

struct Bin {
  std::size_t number = 0;
  Colour mean{};
  double weight = 0.0;
};

/// Colour bins [first, last) with their spread about their mean.
struct ColourBox {
  std::size_t first = 0, last = 0;
  std::size_t axis = 0;  // with the largest spread
  double spread = 0.0;
  Colour mean{};
};

/// The colours that occur. The weight of a colour grows with the square root of its pixel count, so that small objects
/// keep their colours.
std::vector<Bin> count_colours(const PictureSequence& pictures) {
  struct Sum {
    std::array<double, 3> rgb{};
    double pixels = 0.0;
  };
  std::vector<Sum> sums(kBins);
  for (const std::string& frame : pictures.frames) {
    for (std::size_t pixel = 0; pixel < frame.size() / 3; ++pixel) {
      Sum& sum = sums[bin_of(frame, pixel)];
      for (std::size_t k = 0; k < 3; ++k) sum.rgb[k] += byte_of(frame, 3 * pixel + k);
      sum.pixels += 1.0;
    }
  }
  std::vector<Bin> bins;
  for (std::size_t number = 0; number < kBins; ++number) {
    const Sum& sum = sums[number];
    if (sum.pixels == 0.0) continue;
    Bin bin{.number = number, .weight = std::sqrt(sum.pixels)};
    for (std::size_t k = 0; k < 3; ++k) bin.mean[k] = sum.rgb[k] / sum.pixels;
    bins.push_back(bin);
  }
  return bins;
}

ColourBox box_of(const std::vector<Bin>& bins, std::size_t first, std::size_t last) {
  ColourBox box{.first = first, .last = last};
  double weight = 0.0;
  for (std::size_t i = first; i < last; ++i) {
    weight += bins[i].weight;
    for (std::size_t k = 0; k < 3; ++k) box.mean[k] += bins[i].weight * bins[i].mean[k];
  }
  for (double& x : box.mean) x /= weight;
  for (std::size_t k = 0; k < 3; ++k) {
    double spread = 0.0;
    for (std::size_t i = first; i < last; ++i) {
      const double d = bins[i].mean[k] - box.mean[k];
      spread += bins[i].weight * d * d;
    }
    if (spread > box.spread) {
      box.spread = spread;
      box.axis = k;
    }
  }
  return box;
}

/// Splits the box with the largest spread at its mean until there are enough; the means are the palette.
std::vector<ColourBox> median_cut(std::vector<Bin>& bins) {
  std::vector<ColourBox> boxes{box_of(bins, 0, bins.size())};
  while (boxes.size() < kMaxColours) {
    const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                         [](const ColourBox& a, const ColourBox& b) { return a.spread < b.spread; });
    if (widest->spread <= 0.0) break;
    const ColourBox box = *widest;
    const auto begin = bins.begin() + static_cast<std::ptrdiff_t>(box.first);
    const auto end = bins.begin() + static_cast<std::ptrdiff_t>(box.last);
    const auto middle =
        std::stable_partition(begin, end, [&](const Bin& bin) { return bin.mean[box.axis] < box.mean[box.axis]; });
    if (middle == begin || middle == end) {
      widest->spread = 0.0;  // rounding: its colours are equal
      continue;
    }
    const std::size_t cut = box.first + static_cast<std::size_t>(middle - begin);
    *widest = box_of(bins, box.first, cut);
    boxes.push_back(box_of(bins, cut, box.last));
  }
  return boxes;
}

struct Palette {
  std::vector<std::array<std::uint8_t, 3>> colours;
  std::vector<std::uint8_t> index_of_bin;
};

Palette palette_of(const PictureSequence& pictures) {
  std::vector<Bin> bins = count_colours(pictures);
  const std::vector<ColourBox> boxes = median_cut(bins);
  Palette palette;
  palette.index_of_bin.resize(kBins);
  for (const ColourBox& box : boxes) {
    std::array<std::uint8_t, 3> colour{};
    for (std::size_t k = 0; k < 3; ++k) colour[k] = static_cast<std::uint8_t>(std::lround(box.mean[k]));
    palette.colours.push_back(colour);
  }
  for (const Bin& bin : bins) {
    double min_distance = 1e300;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      double distance = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = bin.mean[k] - boxes[i].mean[k];
        distance += d * d;
      }
      if (distance >= min_distance) continue;
      min_distance = distance;
      palette.index_of_bin[bin.number] = static_cast<std::uint8_t>(i);
    }
  }
  return palette;
}

/// Codes of 9 to 12 bits, the lowest bit first, in blocks of at most 255 bytes.
class CodeWriter {
 public:
  explicit CodeWriter(std::string& out) : out_(out) {}

  void put(unsigned code, int bits) {
    held_ |= static_cast<std::uint32_t>(code) << count_;
    count_ += bits;
    while (count_ >= 8) shift_out();
  }

  void finish() {
    while (count_ > 0) shift_out();
    end_block();
    out_.push_back('\0');
  }

 private:
  void shift_out() {
    block_.push_back(static_cast<char>(held_ & 255U));
    held_ >>= 8;
    count_ -= 8;
    if (block_.size() == 255) end_block();
  }

  void end_block() {
    if (block_.empty()) return;
    out_.push_back(static_cast<char>(block_.size()));
    out_ += block_;
    block_.clear();
  }

  std::string& out_;
  std::string block_;
  std::uint32_t held_ = 0;
  int count_ = 0;
};

/// GIF's LZW compression with 8 bits per pixel.
void put_compressed(std::string& out, const std::vector<std::uint8_t>& indices) {
  constexpr unsigned kClear = 256, kEnd = 257, kFirst = 258, kMaxCodes = 4096;
  out.push_back(8);
  CodeWriter codes(out);
  std::vector<std::uint16_t> longer(std::size_t{kMaxCodes} * 256, 0);  // code and next index -> code; 0: none
  unsigned next = kFirst;
  int bits = 9;
  codes.put(kClear, bits);
  unsigned code = indices[0];
  for (std::size_t i = 1; i < indices.size(); ++i) {
    std::uint16_t& known = longer[std::size_t{code} * 256 + indices[i]];
    if (known != 0) {
      code = known;
      continue;
    }
    codes.put(code, bits);
    if (next < kMaxCodes) {
      if (next == 1U << bits) ++bits;
      known = static_cast<std::uint16_t>(next++);
    } else {
      codes.put(kClear, bits);
      std::fill(longer.begin(), longer.end(), std::uint16_t{0});
      next = kFirst;
      bits = 9;
    }
    code = indices[i];
  }
  codes.put(code, bits);
  if (next < kMaxCodes && next == 1U << bits) ++bits;
  codes.put(kEnd, bits);
  codes.finish();
}

void put_two(std::string& out, int number) {
  out.push_back(static_cast<char>(number & 255));
  out.push_back(static_cast<char>(number >> 8 & 255));
}

struct Rectangle {
  int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are exclusive
};

/// The rectangle that differs between two pictures; one pixel if nothing does, because a picture must not be empty.
Rectangle changed(const std::vector<std::uint8_t>& before, const std::vector<std::uint8_t>& now, int width,
                  int height) {
  Rectangle r{width, height, 0, 0};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      if (before[i] == now[i]) continue;
      r = {std::min(r.left, x), std::min(r.top, y), std::max(r.right, x + 1), std::max(r.bottom, y + 1)};
    }
  }
  return r.right == 0 ? Rectangle{0, 0, 1, 1} : r;
}

void check(const PictureSequence& pictures) {
  if (pictures.width < 1 || pictures.height < 1 || pictures.width > 65535 || pictures.height > 65535)
    throw UsageError("gif_animation: a picture has 1 to 65535 pixels in each direction");
  if (pictures.frames.empty() || pictures.frames.size() != pictures.delays.size())
    throw UsageError("gif_animation: there is one delay for each picture, and at least one picture");
  const std::size_t bytes = 3 * static_cast<std::size_t>(pictures.width) * static_cast<std::size_t>(pictures.height);
  for (const std::string& frame : pictures.frames)
    if (frame.size() != bytes) throw UsageError("gif_animation: a picture has three bytes for each pixel");
}

}  // namespace

std::string gif_animation(const PictureSequence& pictures) {
  check(pictures);
  const int width = pictures.width, height = pictures.height;
  const Palette palette = palette_of(pictures);
  std::string out = "GIF89a";
  put_two(out, width);
  put_two(out, height);
  out += std::string("\xf7\0\0", 3);  // 256 colours for all pictures
  for (std::size_t i = 0; i < 256; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      out.push_back(i < palette.colours.size() ? static_cast<char>(palette.colours[i][k]) : '\0');
  out += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // loops forever
  std::vector<std::uint8_t> before, now(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)), part;
  for (std::size_t f = 0; f < pictures.frames.size(); ++f) {
    const std::string& frame = pictures.frames[f];
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = palette.index_of_bin[bin_of(frame, i)];
    const Rectangle r = f == 0 ? Rectangle{0, 0, width, height} : changed(before, now, width, height);
    part.clear();
    for (int y = r.top; y < r.bottom; ++y) {
      for (int x = r.left; x < r.right; ++x) {
        const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
        part.push_back(f > 0 && before[i] == now[i] ? kSame : now[i]);
      }
    }
    out += std::string("\x21\xf9\x04\x05", 4);  // stays visible below the next one; has a transparent index
    put_two(out, pictures.delays[f]);
    out.push_back(static_cast<char>(kSame));
    out.push_back('\0');
    out.push_back('\x2c');
    put_two(out, r.left);
    put_two(out, r.top);
    put_two(out, r.right - r.left);
    put_two(out, r.bottom - r.top);
    out.push_back('\0');
    put_compressed(out, part);
    before = now;
  }
  out.push_back('\x3b');
  return out;
}

}  // namespace pintle
