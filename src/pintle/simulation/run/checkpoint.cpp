#include "pintle/simulation/run/checkpoint.h"

#include <bit>
#include <utility>

#include "pintle/base/hash.h"
#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

constexpr std::string_view kMagic = "PINTLECP";
constexpr std::size_t kVersionAt = 8, kSceneAt = 12, kSizeAt = 20, kHeader = 28, kHash = 8;
constexpr std::size_t kItemHeader = 9;  // a letter and a count

template <class Word>
void append(std::string& bytes, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i) bytes.push_back(static_cast<char>((word >> (8 * i)) & 0xff));
}

template <class Word>
Word word_at(std::string_view bytes, std::size_t at) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    word |= static_cast<Word>(Word{static_cast<unsigned char>(bytes[at + i])} << (8 * i));
  }
  return word;
}

double double_at(std::string_view bytes, std::size_t at) {
  return std::bit_cast<double>(word_at<std::uint64_t>(bytes, at));
}

std::int64_t int_at(std::string_view bytes, std::size_t at) {
  return std::bit_cast<std::int64_t>(word_at<std::uint64_t>(bytes, at));
}

void set_size(std::string& bytes, std::size_t at, std::size_t size) {
  for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>((std::uint64_t{size} >> (8 * i)) & 0xff);
}

const char* item_name(char letter) {
  return letter == 'd' ? "numbers" : letter == 'i' ? "integers" : letter == 's' ? "bytes" : "items of an unknown kind";
}

constexpr const char* kCopyAgain = "copy the file again, or use an earlier checkpoint";
constexpr const char* kOtherBuild = "it was written by another build, or for another set of parts";
constexpr const char* kMakeNew = "make a new checkpoint with this build";

/// The problem of the bytes as a whole; without a code if there is none.
Diagnostic check_bytes(std::string_view bytes, const Origin& origin) {
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size())) {
    return make_error("checkpoint-foreign", origin, "this is not a checkpoint", "its first bytes are not 'PINTLECP'",
                      "give a checkpoint that a run has written");
  }
  const std::string length = "the checkpoint is truncated: it has " + std::to_string(bytes.size()) + " bytes";
  if (bytes.size() < kHeader + kHash) {
    return make_error("checkpoint-cut", origin, length, "its header is incomplete", kCopyAgain);
  }
  const auto version = word_at<std::uint32_t>(bytes, kVersionAt);
  if (version != kCheckpointVersion) {
    return make_error("checkpoint-version", origin,
                      "the checkpoint has version " + std::to_string(version) +
                          " of its layout, this build reads version " + std::to_string(kCheckpointVersion),
                      "this build cannot read that layout",
                      "resume with the build that wrote it, or run from the start");
  }
  const std::uint64_t size = word_at<std::uint64_t>(bytes, kSizeAt), there = bytes.size() - kHeader - kHash;
  if (size > there) return make_error("checkpoint-cut", origin, length, "its header announces more", kCopyAgain);
  StateHash hash;
  hash.add(bytes.substr(0, bytes.size() - kHash));
  if (size < there || hash.value() != word_at<std::uint64_t>(bytes, bytes.size() - kHash)) {
    return make_error("checkpoint-damaged", origin, "the checkpoint is damaged",
                      "the hash of its bytes is not the one stored", kCopyAgain);
  }
  return {};
}

}  // namespace

CheckpointWriter::CheckpointWriter() = default;
CheckpointWriter::~CheckpointWriter() = default;

CheckpointWriter& CheckpointWriter::section(std::string_view name) {
  for (const std::string& known : names_) {
    if (known == name) throw UsageError("CheckpointWriter::section: there is a section '" + known + "' already");
  }
  end_section();
  append(sections_, static_cast<std::uint32_t>(name.size()));
  sections_ += name;
  append(sections_, std::uint64_t{0});  // its size, once it is known
  items_ = sections_.size();
  names_.emplace_back(name);
  return *this;
}

void CheckpointWriter::end_section() {
  if (!names_.empty()) set_size(sections_, items_ - 8, sections_.size() - items_);
}

void CheckpointWriter::begin_item(char letter, std::size_t count) {
  require(!names_.empty(), "CheckpointWriter::write", "section", "there is none yet: call section() first");
  sections_.push_back(letter);
  append(sections_, std::uint64_t{count});
}

CheckpointWriter& CheckpointWriter::write(double number) {
  return write(std::span<const double>(&number, 1));
}

CheckpointWriter& CheckpointWriter::write(std::span<const double> numbers) {
  begin_item('d', numbers.size());
  for (const double number : numbers) append(sections_, std::bit_cast<std::uint64_t>(number));
  return *this;
}

CheckpointWriter& CheckpointWriter::write_int(std::int64_t number) {
  return write(std::span<const std::int64_t>(&number, 1));
}

CheckpointWriter& CheckpointWriter::write(std::span<const std::int64_t> numbers) {
  begin_item('i', numbers.size());
  for (const std::int64_t number : numbers) append(sections_, std::bit_cast<std::uint64_t>(number));
  return *this;
}

CheckpointWriter& CheckpointWriter::write(std::string_view bytes) {
  begin_item('s', bytes.size());
  sections_ += bytes;
  return *this;
}

std::string CheckpointWriter::finish(std::uint64_t scene_hash) {
  end_section();
  std::string bytes(kMagic);
  append(bytes, kCheckpointVersion);
  append(bytes, scene_hash);
  append(bytes, std::uint64_t{sections_.size()});
  bytes += sections_;
  StateHash hash;
  hash.add(std::string_view(bytes));
  append(bytes, hash.value());
  sections_.clear();
  names_.clear();
  items_ = 0;
  return bytes;
}

CheckpointReader::CheckpointReader() = default;
CheckpointReader::CheckpointReader(const CheckpointReader&) = default;
CheckpointReader::CheckpointReader(CheckpointReader&&) noexcept = default;
CheckpointReader& CheckpointReader::operator=(const CheckpointReader&) = default;
CheckpointReader& CheckpointReader::operator=(CheckpointReader&&) noexcept = default;
CheckpointReader::~CheckpointReader() = default;

bool CheckpointReader::has_section(std::string_view name) const {
  for (const Section& known : sections_)
    if (known.name == name) return true;
  return false;
}

void CheckpointReader::fail(const char* code, std::string what, const char* why, const char* fix) {
  if (ok()) problem_ = make_error(code, origin_, std::move(what), why, fix);
}

void CheckpointReader::leave_section() {
  if (open_ < 0 || !ok()) return;
  const Section& left = sections_[static_cast<std::size_t>(open_)];
  if (at_ != left.end) {
    fail("checkpoint-contents", "section '" + left.name + "' has more items than were read", kOtherBuild, kMakeNew);
  }
}

CheckpointReader& CheckpointReader::section(std::string_view name) {
  leave_section();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (sections_[i].name != name) continue;
    open_ = static_cast<int>(i);
    at_ = sections_[i].begin;
    sections_[i].opened = true;
    return *this;
  }
  std::vector<std::string> known;
  for (const Section& other : sections_) known.push_back(other.name);
  const std::string nearest = nearest_name(name, known);
  open_ = -1;
  fail("checkpoint-section",
       "the checkpoint has no section '" + std::string(name) + "'" +
           (nearest.empty() ? "" : "; there is '" + nearest + "'"),
       "it was written by another build, or without this part", kMakeNew);
  return *this;
}

bool CheckpointReader::item(char letter, std::size_t& count, std::size_t& place) {
  if (!ok()) return false;
  require(open_ >= 0, "CheckpointReader::read", "section", "there is none yet: call section() first");
  const Section& section = sections_[static_cast<std::size_t>(open_)];
  if (at_ == section.end) {
    fail("checkpoint-contents", "section '" + section.name + "' ends before the " + item_name(letter) + " expected",
         kOtherBuild, kMakeNew);
    return false;
  }
  const bool whole = section.end - at_ >= kItemHeader;
  const std::size_t room = whole ? section.end - at_ - kItemHeader : 0;
  const char found = bytes_[at_];
  const std::uint64_t n = whole ? word_at<std::uint64_t>(bytes_, at_ + 1) : 0;
  if (!whole || n > (found == 's' ? room : room / 8)) {
    fail("checkpoint-damaged", "section '" + section.name + "' ends within an item", "its bytes have changed",
         kCopyAgain);
    return false;
  }
  if (found != letter) {
    fail("checkpoint-contents",
         "section '" + section.name + "' holds " + item_name(found) + " where " + item_name(letter) + " are expected",
         kOtherBuild, kMakeNew);
    return false;
  }
  count = static_cast<std::size_t>(n);
  place = at_ + kItemHeader;
  return true;
}

bool CheckpointReader::item(char letter, std::size_t& count, std::size_t& place, std::size_t expected) {
  if (!item(letter, count, place)) return false;
  if (count == expected) return true;
  fail("checkpoint-contents",
       "section '" + sections_[static_cast<std::size_t>(open_)].name + "' holds " + std::to_string(count) + " " +
           item_name(letter) + " where " + std::to_string(expected) + " are expected",
       kOtherBuild, kMakeNew);
  return false;
}

CheckpointReader& CheckpointReader::read(double& number) {
  return read(std::span<double>(&number, 1));
}

CheckpointReader& CheckpointReader::read(std::int64_t& number) {
  return read(std::span<std::int64_t>(&number, 1));
}

CheckpointReader& CheckpointReader::read(std::span<double> numbers) {
  std::size_t count = 0, place = 0;
  if (!item('d', count, place, numbers.size())) return *this;
  for (std::size_t i = 0; i < count; ++i) numbers[i] = double_at(bytes_, place + 8 * i);
  at_ = place + 8 * count;
  return *this;
}

CheckpointReader& CheckpointReader::read(std::span<std::int64_t> numbers) {
  std::size_t count = 0, place = 0;
  if (!item('i', count, place, numbers.size())) return *this;
  for (std::size_t i = 0; i < count; ++i) numbers[i] = int_at(bytes_, place + 8 * i);
  at_ = place + 8 * count;
  return *this;
}

CheckpointReader& CheckpointReader::read_all(std::vector<double>& numbers) {
  std::size_t count = 0, place = 0;
  if (!item('d', count, place)) return *this;
  numbers.resize(count);
  return read(std::span<double>(numbers));
}

CheckpointReader& CheckpointReader::read_all(std::vector<std::int64_t>& numbers) {
  std::size_t count = 0, place = 0;
  if (!item('i', count, place)) return *this;
  numbers.resize(count);
  return read(std::span<std::int64_t>(numbers));
}

CheckpointReader& CheckpointReader::read_all(std::string& bytes) {
  std::size_t count = 0, place = 0;
  if (!item('s', count, place)) return *this;
  bytes.assign(bytes_, place, count);
  at_ = place + count;
  return *this;
}

Result<void> CheckpointReader::finish() {
  leave_section();
  for (const Section& section : sections_) {
    if (section.opened) continue;
    fail("checkpoint-contents", "the checkpoint has a section '" + section.name + "' that nothing reads",
         "it was written by another build, or with an additional part", kMakeNew);
  }
  if (!ok()) return problem_;
  return {};
}

/// Fills the list of sections; false if the bytes are not sections.
bool CheckpointReader::find_sections() {
  const std::size_t end = bytes_.size() - kHash;
  for (std::size_t at = kHeader; at < end;) {
    if (end - at < 12) return false;
    const std::size_t name = word_at<std::uint32_t>(bytes_, at);
    if (name > end - at - 12) return false;
    const std::size_t begin = at + 4 + name + 8;
    const auto items = word_at<std::uint64_t>(bytes_, begin - 8);
    if (items > end - begin) return false;
    sections_.push_back({bytes_.substr(at + 4, name), begin, begin + static_cast<std::size_t>(items), false});
    at = sections_.back().end;
  }
  return true;
}

Result<CheckpointReader> open_checkpoint(std::string_view bytes, std::uint64_t scene_hash, const Origin& origin) {
  Diagnostic problem = check_bytes(bytes, origin);
  if (!problem.code.empty()) return problem;
  const auto scene = word_at<std::uint64_t>(bytes, kSceneAt);
  if (scene != scene_hash) {
    return make_error("checkpoint-scene", origin,
                      "the checkpoint is of another scene: hash " + to_hex(scene) + ", not " + to_hex(scene_hash),
                      "a state is valid only for the scene it was saved from",
                      "load the scene as it was when the checkpoint was made");
  }
  CheckpointReader reader;
  reader.origin_ = origin;
  reader.bytes_ = std::string(bytes);
  if (!reader.find_sections()) {
    return make_error("checkpoint-damaged", origin, "the checkpoint ends within a section", "its bytes have changed",
                      kCopyAgain);
  }
  return reader;
}

}  // namespace pintle
