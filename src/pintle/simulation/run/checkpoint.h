// Checkpoint: the state of a run as bytes, from which it resumes later, on any machine, bit for bit.
//
// The bytes, all numbers little-endian:
//
//     8 bytes   "PINTLECP"
//     uint32    version of this layout (kCheckpointVersion)
//     uint64    hash of the scene that the state belongs to
//     uint64    number of bytes of the sections
//     sections  each: uint32 length of its name, the name, uint64 number of bytes of its items, the items
//     uint64    StateHash of all bytes before it, as one string
//
// An item is a letter and a uint64 count n, then n doubles ('d', IEEE bits), n int64 ('i') or n bytes ('s').
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

inline constexpr std::uint32_t kCheckpointVersion = 1;

/// Collects the values of a state in named sections:
///
///     CheckpointWriter writer;
///     writer.section("motion").write(state.t).write(state.q).write(state.v);
///     writer.section("energy_balance").write(energy_balance);
///     const std::string bytes = writer.finish(scene_hash);
///
/// Before the first section, and with the name of an earlier one, a call is a UsageError.
class CheckpointWriter {
 public:
  CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  ~CheckpointWriter();

  /// Begins a section; what is written next belongs to it.
  CheckpointWriter& section(std::string_view name);

  /// One value, or an array with its count; NaNs keep their payload and zeros their sign.
  CheckpointWriter& write(double number);
  CheckpointWriter& write(std::span<const double> numbers);
  template <class Integer>
  requires std::is_integral_v<Integer> CheckpointWriter& write(Integer number) {
    return write_int(static_cast<std::int64_t>(number));
  }
  CheckpointWriter& write(std::span<const std::int64_t> numbers);
  /// A text, or any bytes.
  CheckpointWriter& write(std::string_view bytes);
  CheckpointWriter& write(const char* text) { return write(std::string_view(text)); }

  /// All bytes of the checkpoint of a scene, known by its hash. The writer is empty afterwards.
  std::string finish(std::uint64_t scene_hash);

 private:
  CheckpointWriter& write_int(std::int64_t number);
  void begin_item(char letter, std::size_t count);
  void end_section();

  std::string sections_;
  std::vector<std::string> names_;
  std::size_t items_ = 0;  // where the items of the open section begin
};

/// Reads a checkpoint: sections by their names in any order, items in the order in which they were written.
///
///     Result<CheckpointReader> reader = open_checkpoint(bytes, scene_hash);
///     if (!reader) return reader.diagnostics();
///     reader->section("motion").read(copy.t).read(copy.q).read(copy.v);
///     reader->section("energy_balance").read(copy_of_energy_balance);
///     if (Result<void> all = reader->finish(); !all) return all;
///
/// A read that does not find what it asks for writes nothing, and so do all after it; `finish` reports the first.
/// Therefore read into a copy, and use it once `finish` has succeeded.
class CheckpointReader {
 public:
  CheckpointReader(const CheckpointReader&);
  CheckpointReader(CheckpointReader&&) noexcept;
  CheckpointReader& operator=(const CheckpointReader&);
  CheckpointReader& operator=(CheckpointReader&&) noexcept;
  ~CheckpointReader();

  /// Whether there is a section of that name.
  bool has_section(std::string_view name) const;

  /// Goes to the beginning of a section; the items of the section before must have been read to their end.
  CheckpointReader& section(std::string_view name);

  /// One value.
  CheckpointReader& read(double& number);
  CheckpointReader& read(std::int64_t& number);
  /// As many values as the span has: another count is an error.
  CheckpointReader& read(std::span<double> numbers);
  CheckpointReader& read(std::span<std::int64_t> numbers);
  /// As many values as were written: the vector is resized.
  CheckpointReader& read_all(std::vector<double>& numbers);
  CheckpointReader& read_all(std::vector<std::int64_t>& numbers);
  CheckpointReader& read_all(std::string& bytes);

  /// Whether everything so far was found.
  bool ok() const { return problem_.code.empty(); }

  /// Success if everything was found and nothing is left unread, else the first mismatch.
  Result<void> finish();

 private:
  friend Result<CheckpointReader> open_checkpoint(std::string_view, std::uint64_t, const Origin&);
  CheckpointReader();

  bool find_sections();
  /// The position of an item's first value and their count; false if the item has another letter.
  bool item(char letter, std::size_t& count, std::size_t& place);
  bool item(char letter, std::size_t& count, std::size_t& place, std::size_t expected);
  void fail(const char* code, std::string what, const char* why, const char* fix);
  void leave_section();

  struct Section {
    std::string name;
    std::size_t begin, end;  // of its items, in the bytes
    bool opened;
  };
  std::string bytes_;
  std::vector<Section> sections_;
  int open_ = -1;       // index of the open section
  std::size_t at_ = 0;  // the next item
  Diagnostic problem_;  // the first; its code is empty while there is none
  Origin origin_;
};

/// Opens the bytes of a checkpoint and validates all of them: bytes that are truncated, damaged, of another version of
/// the layout or of another scene are refused (`checkpoint-cut`, `-damaged`, `-version`, `-scene`, `-foreign`).
/// `origin` says where the bytes are from, for errors.
Result<CheckpointReader> open_checkpoint(std::string_view bytes, std::uint64_t scene_hash, const Origin& origin = {});

}  // namespace pintle
