#include "pintle/io/npz_writer.h"

#include <bit>
#include <string_view>

#include "pintle/base/usage_error.h"
#include "pintle/io/utf8.h"
#include "pintle/io/zip_writer.h"

namespace pintle {
namespace {

/// Columns that make one array.
struct NpzArray {
  std::string name;
  std::size_t first, count;
  bool matrix;
};

constexpr std::string_view kMatrices[] = {"q", "v", "a", "tau"};

/// A name that is no path.
std::string file_name(std::string_view name) {
  std::string safe;
  for (const char c : name) safe += c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return safe;
}

class ArrayNames {
 public:
  /// The name, with "_2", "_3", ... after it where it is taken.
  std::string make_new(std::string_view wanted) {
    const std::string base = file_name(wanted);
    std::string name = base;
    for (int i = 2; taken(name); ++i) name = base + "_" + std::to_string(i);
    names_.push_back(name);
    return name;
  }

 private:
  bool taken(const std::string& name) const {
    for (const std::string& other : names_)
      if (other == name) return true;
    return false;
  }
  std::vector<std::string> names_;
};

/// The matrices are the columns that follow the time, in their order; later columns of such names are arrays.
std::vector<NpzArray> arrays_of(std::span<const Column> columns) {
  std::vector<NpzArray> arrays;
  ArrayNames names;
  names.make_new("columns");
  if (columns.empty()) return arrays;
  arrays.push_back({names.make_new(columns[0].name), 0, 1, false});
  std::size_t next = 1;
  for (const std::string_view matrix : kMatrices) {
    const std::string prefix = std::string(matrix) + ".";
    const std::size_t first = next;
    while (next < columns.size() && columns[next].name.starts_with(prefix)) ++next;
    if (next == first) continue;
    arrays.push_back({names.make_new(matrix), first, next - first, true});
    names.make_new(prefix + "columns");
  }
  for (; next < columns.size(); ++next) arrays.push_back({names.make_new(columns[next].name), next, 1, false});
  return arrays;
}

/// The beginning of a .npy file of version 1: the type of its numbers, their order and the shape.
std::string npy_header(const std::string& type, const std::string& shape) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': True, 'shape': " + shape + ", }";
  constexpr std::size_t kBefore = 10, kMultiple = 64;
  header.append(kMultiple - 1 - (kBefore + header.size()) % kMultiple, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

constexpr const char* kByteOrder = std::endian::native == std::endian::little ? "<" : ">";

std::string_view bytes_of(std::span<const double> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

Result<void> write_file(ZipWriter& zip, const std::string& name, std::string_view bytes) {
  if (Result<void> done = zip.begin_file(name, static_cast<std::int64_t>(bytes.size())); !done) return done;
  if (Result<void> done = zip.write(bytes); !done) return done;
  return zip.end_file();
}

/// The names of columns, with units, as an array of texts.
Result<void> write_names(ZipWriter& zip, const std::string& name, std::span<const Column> columns) {
  std::vector<std::u32string> labels;
  std::size_t longest = 1;
  for (const Column& column : columns) {
    labels.push_back(characters_of(label(column)));
    if (labels.back().size() > longest) longest = labels.back().size();
  }
  std::string bytes =
      npy_header(kByteOrder + ("U" + std::to_string(longest)), "(" + std::to_string(columns.size()) + ",)");
  for (std::u32string& text : labels) {
    text.resize(longest);
    bytes.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return write_file(zip, name + ".npy", bytes);
}

}  // namespace

NpzWriter::NpzWriter(std::string path, std::size_t memory_numbers, FileGroup* group)
    : path_(std::move(path)), memory_numbers_(memory_numbers), group_(group) {}

NpzWriter::~NpzWriter() = default;

RecordReport NpzWriter::begin(std::span<const Column> columns) {
  trouble_.clear();
  columns_.assign(columns.begin(), columns.end());
  block_rows_ = columns.empty() || memory_numbers_ < columns.size() ? 1 : memory_numbers_ / columns.size();
  block_.resize(block_rows_ * columns.size());
  filled_ = 0;
  blocks_ = 0;
  rows_ = 0;
  scratch_.close();
  begun_ = true;
  const RecordReport opened = trouble_.report(probe_.open(path_));
  probe_.discard();
  return opened;
}

RecordReport NpzWriter::row(std::span<const double> numbers) {
  require(begun_, "NpzWriter::row", "numbers", "begin comes before the first row");
  require_size("NpzWriter::row", "numbers", numbers.size(), columns_.size());
  if (const RecordReport before = trouble_.report(); !before.ok()) return before;
  if (filled_ == block_rows_)
    if (const RecordReport spilt = trouble_.report(spill()); !spilt.ok()) return spilt;
  for (std::size_t c = 0; c < numbers.size(); ++c) block_[c * block_rows_ + filled_] = numbers[c];
  ++filled_;
  ++rows_;
  return {};
}

RecordReport NpzWriter::event(const EventRecord&) {
  return trouble_.report();
}

Result<void> NpzWriter::spill() {
  if (!scratch_.is_open())
    if (Result<void> opened = scratch_.open(path_); !opened) return opened;
  if (Result<void> written = scratch_.append(bytes_of(block_)); !written) return written;
  ++blocks_;
  filled_ = 0;
  return {};
}

RecordReport NpzWriter::end() {
  if (!begun_) return {};
  begun_ = false;
  const RecordReport before = trouble_.report();
  const RecordReport report = before.ok() ? trouble_.report(write_archive()) : before;
  scratch_.close();
  block_ = {};
  return report;
}

Result<void> NpzWriter::write_archive() {
  ZipWriter zip;
  if (Result<void> done = zip.open(path_); !done) return done;
  std::vector<double> segment(block_rows_);
  const std::string number_type = kByteOrder + std::string("f8"), rows = std::to_string(rows_);
  for (const NpzArray& array : arrays_of(columns_)) {
    const std::string header =
        npy_header(number_type, "(" + rows + "," + (array.matrix ? " " + std::to_string(array.count) : "") + ")");
    const std::int64_t numbers = rows_ * static_cast<std::int64_t>(array.count);
    const std::int64_t bytes =
        static_cast<std::int64_t>(header.size() + sizeof(double) * static_cast<std::size_t>(numbers));
    if (Result<void> done = zip.begin_file(array.name + ".npy", bytes); !done) return done;
    if (Result<void> done = zip.write(header); !done) return done;
    for (std::size_t c = array.first; c < array.first + array.count; ++c) {
      for (std::int64_t block = 0; block < blocks_; ++block) {
        const std::int64_t place =
            block * static_cast<std::int64_t>(block_.size()) + static_cast<std::int64_t>(c * block_rows_);
        if (Result<void> done = scratch_.read(place * 8, reinterpret_cast<char*>(segment.data()), 8 * block_rows_);
            !done)
          return done;
        if (Result<void> done = zip.write(bytes_of(segment)); !done) return done;
      }
      const std::span<const double> rest(block_.data() + c * block_rows_, filled_);
      if (Result<void> done = zip.write(bytes_of(rest)); !done) return done;
    }
    if (Result<void> done = zip.end_file(); !done) return done;
    const std::span<const Column> columns(columns_.data() + array.first, array.count);
    if (array.matrix)
      if (Result<void> done = write_names(zip, array.name + ".columns", columns); !done) return done;
  }
  if (Result<void> done = write_names(zip, "columns", columns_); !done) return done;
  return zip.commit(group_);
}

}  // namespace pintle
