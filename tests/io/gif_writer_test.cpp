#include "pintle/io/report/gif_writer.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"

using namespace pintle;

namespace {

/// A reader of GIFs as the standard describes them, for what the writer makes.
struct Reader {
  const std::string& bytes;
  std::size_t at = 0;

  unsigned one() { return static_cast<unsigned char>(bytes.at(at++)); }
  unsigned two() {
    const unsigned low = one();
    return low | one() << 8;
  }
};

struct Movie {
  unsigned width = 0, height = 0;
  std::vector<std::string> frames;  // as they are seen
  std::vector<unsigned> delays;
};

std::vector<unsigned> unpacked(Reader& in) {
  const unsigned least = in.one();
  std::vector<unsigned char> data;
  for (unsigned n = in.one(); n != 0; n = in.one())
    for (unsigned i = 0; i < n; ++i) data.push_back(static_cast<unsigned char>(in.one()));
  std::vector<unsigned> out;
  std::vector<std::vector<unsigned>> table;
  const unsigned clear = 1U << least, end = clear + 1;
  unsigned bits = least + 1;
  std::size_t bit = 0;
  std::vector<unsigned> last;
  const auto reset = [&] {
    table.clear();
    for (unsigned i = 0; i < clear + 2; ++i) table.push_back({i});
    bits = least + 1;
    last.clear();
  };
  reset();
  while (true) {
    unsigned code = 0;
    for (unsigned k = 0; k < bits; ++k, ++bit) code |= (data.at(bit / 8) >> (bit % 8) & 1U) << k;
    if (code == end) break;
    if (code == clear) {
      reset();
      continue;
    }
    REQUIRE(code <= table.size());
    std::vector<unsigned> text = code < table.size() ? table[code] : last;
    if (code == table.size()) text.push_back(last.at(0));
    out.insert(out.end(), text.begin(), text.end());
    if (!last.empty() && table.size() < 4096) {
      last.push_back(text[0]);
      table.push_back(last);
      if (table.size() == 1U << bits && bits < 12) ++bits;
    }
    last = text;
  }
  CHECK(bit <= 8 * data.size());
  CHECK(bit + 8 > 8 * data.size());
  return out;
}

Movie read(const std::string& gif) {
  REQUIRE(gif.substr(0, 6) == "GIF89a");
  Reader in{gif, 6};
  Movie movie;
  movie.width = in.two();
  movie.height = in.two();
  REQUIRE(in.one() == 0xf7);
  in.two();
  const std::string palette = gif.substr(in.at, 768);
  in.at += 768;
  std::string screen(3 * std::size_t{movie.width} * movie.height, '?');
  unsigned transparent = 256;
  for (unsigned block = in.one(); block != 0x3b; block = in.one()) {
    if (block == 0x21) {
      if (in.one() == 0xf9) {
        in.two();
        movie.delays.push_back(in.two());
        transparent = in.one();
        in.one();
      } else {
        for (unsigned n = in.one(); n != 0; n = in.one()) in.at += n;
      }
      continue;
    }
    REQUIRE(block == 0x2c);
    const unsigned left = in.two(), top = in.two(), width = in.two(), height = in.two();
    in.one();
    const std::vector<unsigned> indices = unpacked(in);
    REQUIRE(indices.size() == std::size_t{width} * height);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] == transparent) continue;
      const std::size_t pixel = (top + i / width) * movie.width + left + i % width;
      for (std::size_t k = 0; k < 3; ++k) screen.at(3 * pixel + k) = palette.at(3 * indices[i] + k);
    }
    movie.frames.push_back(screen);
  }
  CHECK(in.at == gif.size());
  return movie;
}

}  // namespace

TEST_CASE("gif: pictures of few colours come back exactly, with their delays") {
  PictureSequence pictures{.width = 7, .height = 5, .frames = {}, .delays = {10, 3, 300}};
  for (int f = 0; f < 3; ++f) {
    std::string frame;
    for (int i = 0; i < 35; ++i) {
      const bool on = i == 3 * f + 9 || (i == 30 && f < 2);
      frame += on ? std::string("\xff\x10\x20", 3) : std::string("\xf0\xf4\xfa", 3);
    }
    pictures.frames.push_back(frame);
  }
  pictures.frames.push_back(pictures.frames.back());  // nothing changes
  pictures.delays.push_back(1);
  const Movie movie = read(gif_animation(pictures));
  CHECK(movie.width == 7);
  CHECK(movie.height == 5);
  CHECK(movie.frames == pictures.frames);
  CHECK(movie.delays == std::vector<unsigned>{10, 3, 300, 1});
}

TEST_CASE("gif: pictures that do not compress, over many tables of codes") {
  // 200 colours, each in a bin of its own, in an order without any pattern.
  RandomStream random(7);
  PictureSequence pictures{.width = 160, .height = 120, .frames = {}, .delays = {4, 4}};
  for (int f = 0; f < 2; ++f) {
    std::string frame;
    for (int i = 0; i < 160 * 120; ++i) {
      const auto colour = static_cast<int>(200.0 * random.uniform());
      frame.push_back(static_cast<char>(colour % 40 * 6));
      frame.push_back(static_cast<char>(colour / 40 * 40));
      frame.push_back(static_cast<char>(17));
    }
    pictures.frames.push_back(frame);
  }
  CHECK(read(gif_animation(pictures)).frames == pictures.frames);
}

TEST_CASE("gif: of many colours the nearest is near") {
  PictureSequence pictures{.width = 256, .height = 64, .frames = {std::string()}, .delays = {10}};
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 256; ++x)
      for (const int channel : {x, 4 * y, 128}) pictures.frames[0].push_back(static_cast<char>(channel));
  const Movie movie = read(gif_animation(pictures));
  int worst = 0;
  for (std::size_t i = 0; i < movie.frames[0].size(); ++i) {
    const int d = static_cast<unsigned char>(movie.frames[0][i]) - static_cast<unsigned char>(pictures.frames[0][i]);
    worst = std::max(worst, d < 0 ? -d : d);
  }
  CHECK(worst <= 16);  // 255 boxes of 16 x 16 would give 8; cuts at means are a little uneven
}

TEST_CASE("gif: sizes that do not fit are refused") {
  CHECK_THROWS_AS(gif_animation({}), UsageError);
  CHECK_THROWS_AS(gif_animation({.width = 1, .height = 1, .frames = {"ab"}, .delays = {1}}), UsageError);
  CHECK_THROWS_AS(gif_animation({.width = 1, .height = 1, .frames = {"abc"}, .delays = {}}), UsageError);
  CHECK_THROWS_AS(gif_animation({.width = 70000, .height = 1, .frames = {"abc"}, .delays = {1}}), UsageError);
}
