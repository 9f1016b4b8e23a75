#include "pintle/simulation/run/checkpoint.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "pintle/base/hash.h"
#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"

using namespace pintle;

namespace {

constexpr std::uint64_t kScene = 0x123456789abcdef0;

std::string sample() {
  CheckpointWriter writer;
  writer.section("motion").write(0.25).write(std::vector<double>{1.0, -0.0, std::numeric_limits<double>::denorm_min()});
  writer.section("modes").write(7).write(true).write(std::vector<std::int64_t>{-1, INT64_MAX, INT64_MIN}).write("held");
  writer.section("nothing");
  return writer.finish(kScene);
}

std::string code_of(std::string_view bytes, std::uint64_t scene = kScene) {
  const Result<CheckpointReader> reader = open_checkpoint(bytes, scene, Origin("run.checkpoint"));
  if (reader) return "";
  CHECK(reader.diagnostics().size() == 1);
  CHECK(reader.diagnostics()[0].origin.file == "run.checkpoint");
  CHECK(!reader.diagnostics()[0].fix.empty());
  return reader.diagnostics()[0].code;
}

/// The code of the first read that failed.
std::string code_of(CheckpointReader& reader) {
  const Result<void> all = reader.finish();
  return all ? "" : all.diagnostics()[0].code;
}

}  // namespace

TEST_CASE("checkpoint: what was written is read, bit for bit: NaN payloads, signs of zero, empty arrays, any bytes") {
  RandomStream stream(401);
  std::vector<std::uint64_t> bits{0x7ff8000000000001, 0xfff0dead0000beef, 0x8000000000000000, 0x7ff0000000000000, 1, 0};
  for (int i = 0; i < 1000; ++i) bits.push_back(stream.bits());
  std::vector<double> numbers;
  for (const std::uint64_t word : bits) numbers.push_back(std::bit_cast<double>(word));
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes.push_back(static_cast<char>(i));
  CheckpointWriter writer;
  writer.section("b").write(numbers).write(std::span<const double>()).write(all_bytes);
  writer.section("a").write(-5).write(std::vector<std::int64_t>{INT64_MIN}).write(std::string_view());
  const std::string bytes = writer.finish(kScene);

  Result<CheckpointReader> reader = open_checkpoint(bytes, kScene);
  REQUIRE(reader);
  CHECK(reader->has_section("a"));
  CHECK(!reader->has_section("c"));
  std::vector<double> read(numbers.size()), none{1.0};
  std::vector<std::int64_t> whole;
  std::int64_t five = 0;
  std::string text, empty = "full";
  reader->section("a").read(five).read_all(whole).read_all(empty);  // in another order than written
  reader->section("b").read(read).read_all(none).read_all(text);
  CHECK(reader->finish().ok());
  for (std::size_t i = 0; i < bits.size(); ++i) CHECK(std::bit_cast<std::uint64_t>(read[i]) == bits[i]);
  CHECK(none.empty());
  CHECK(text == all_bytes);
  CHECK(five == -5);
  CHECK(whole == std::vector<std::int64_t>{INT64_MIN});
  CHECK(empty.empty());
}

TEST_CASE("checkpoint: the layout of the bytes is the documented one") {
  CheckpointWriter writer;
  writer.section("m").write(1.0);
  const std::string bytes = writer.finish(0x0807060504030201);
  const std::string expected(
      "PINTLECP\x01\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08\x1e\0\0\0\0\0\0\0"  // header
      "\x01\0\0\0m\x11\0\0\0\0\0\0\0"                                         // section
      "d\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f",
      58);
  CHECK(bytes.substr(0, 58) == expected);
  CHECK(bytes.size() == 66);
  // The writer is empty again.
  writer.section("m").write(1.0);
  CHECK(writer.finish(0x0807060504030201) == bytes);
}

TEST_CASE("checkpoint: every change of one byte, every truncation and every extension is refused") {
  const std::string bytes = sample();
  REQUIRE(code_of(bytes).empty());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int flip = 1; flip < 256; ++flip) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flip);
      if (code_of(damaged).empty()) FAIL("byte " << i << " changed by " << flip << " was accepted");
    }
    const std::string code = code_of(std::string_view(bytes).substr(0, i));
    CHECK(code == "checkpoint-cut");
  }
  CHECK(code_of(bytes + '\0') == "checkpoint-damaged");
  CHECK(code_of(bytes + bytes) == "checkpoint-damaged");
}

TEST_CASE("checkpoint: bytes that were forged together with their hash are read within their bounds, or refused") {
  const std::string bytes = sample();
  int refused = 0;
  for (std::size_t i = 28; i + 8 < bytes.size(); ++i) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      std::string forged = bytes.substr(0, bytes.size() - 8);
      forged[i] = static_cast<char>(value);
      StateHash hash;
      hash.add(std::string_view(forged));
      for (int k = 0; k < 8; ++k) forged.push_back(static_cast<char>(hash.value() >> (8 * k)));
      Result<CheckpointReader> reader = open_checkpoint(forged, kScene);
      if (!reader) {
        CHECK(reader.diagnostics()[0].code == "checkpoint-damaged");
        ++refused;
        continue;
      }
      double t = 0.0;
      std::int64_t n = 0;
      std::vector<double> numbers;
      std::vector<std::int64_t> whole;
      std::string text;
      reader->section("motion").read(t).read_all(numbers);
      reader->section("modes").read(n).read(n).read_all(whole).read_all(text);
      reader->section("nothing");
      if (!reader->finish().ok()) ++refused;
      CHECK(numbers.size() + whole.size() + text.size() <= bytes.size());
    }
  }
  CHECK(refused > 200);  // the sizes, letters and names; a changed number is a number
}

TEST_CASE("checkpoint: another version, another scene, another file are told apart, each with a fix") {
  const std::string bytes = sample();
  CHECK(code_of(bytes, kScene + 1) == "checkpoint-scene");
  std::string newer = bytes;
  newer[8] = 2;
  CHECK(code_of(newer) == "checkpoint-version");
  CHECK(code_of("<?xml version=\"1.0\"?>") == "checkpoint-foreign");
  std::string damaged = bytes;
  damaged[15] = static_cast<char>(damaged[15] ^ 1);  // within the hash of the scene
  CHECK(code_of(damaged) == "checkpoint-damaged");
}

TEST_CASE("checkpoint: a reader that asks for something else learns what; nothing is written from there on") {
  const std::string bytes = sample();
  const auto open = [&] { return *open_checkpoint(bytes, kScene); };
  double t = -1.0;
  std::int64_t n = -1;
  std::vector<double> two(2), three(3);
  std::string text;
  std::vector<std::int64_t> whole;
  {
    CheckpointReader reader = open();
    reader.section("motion").read(t).read(two).read(three);
    CHECK(two[0] == 0.0);
    CHECK(three[0] == 0.0);
    CHECK(code_of(reader) == "checkpoint-contents");
    CHECK(reader.finish().diagnostics()[0].what == "section 'motion' holds 3 numbers where 2 are expected");
  }
  {
    CheckpointReader reader = open();
    reader.section("motion").read(n);
    CHECK(n == -1);
    CHECK(code_of(reader) == "checkpoint-contents");
  }
  {
    CheckpointReader reader = open();
    reader.section("motin");
    CHECK(code_of(reader) == "checkpoint-section");
    CHECK(reader.finish().diagnostics()[0].what == "the checkpoint has no section 'motin'; there is 'motion'");
  }
  {
    CheckpointReader reader = open();
    reader.section("nothing").read(t);  // past its end
    CHECK(code_of(reader) == "checkpoint-contents");
  }
  {
    CheckpointReader reader = open();
    reader.section("motion").read(t).section("nothing");  // more is left
    CHECK(code_of(reader) == "checkpoint-contents");
  }
  {
    CheckpointReader reader = open();
    reader.section("motion").read(t).read(three);
    reader.section("modes").read(n).read(n).read_all(whole).read_all(text);
    CHECK(reader.ok());
    CHECK(code_of(reader) == "checkpoint-contents");  // 'nothing' was not expected
    CHECK(text == "held");
    CHECK(std::signbit(three[1]));
  }
  CheckpointReader reader = open();
  CHECK_THROWS_AS(reader.read(t), UsageError);
  CheckpointWriter writer;
  CHECK_THROWS_AS(writer.write(1.0), UsageError);
  writer.section("a");
  CHECK_THROWS_AS(writer.section("a"), UsageError);
}
