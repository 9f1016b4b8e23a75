#include "pintle/io/recording/npz_writer.h"

#include <bit>
#include <string_view>

#include "pintle/base/usage_error.h"
#include "pintle/files/zip_writer.h"
#include "pintle/io/recording/contact_numbers.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

/// The element type of an array.
enum class NpzType : unsigned char { real, whole, flag };

/// Columns that form one array.
struct NpzArray {
  std::string name;
  std::size_t first, count;
  bool matrix;
  NpzType type = NpzType::real;
};

constexpr std::string_view kMatrices[] = {"q", "v", "a", "tau"};

/// The arrays of contacts: the row, then the values of a contact in their order.
const NpzArray kContactArrays[] = {{"contact.row", 0, 1, false, NpzType::whole},
                                   {"contact.bodies", 1, 2, true, NpzType::whole},
                                   {"contact.shapes", 3, 2, true, NpzType::whole},
                                   {"contact.point", 5, 3, true},
                                   {"contact.normal", 8, 3, true},
                                   {"contact.normal_force", 11, 1, false},
                                   {"contact.friction", 12, 3, true},
                                   {"contact.moment", 15, 3, true},
                                   {"contact.slip", 18, 1, false},
                                   {"contact.slides", 19, 1, false, NpzType::flag}};
constexpr std::string_view kContactNames = "contact.names";

/// A name without path separators.
std::string file_name(std::string_view name) {
  std::string safe;
  for (const char c : name) safe += c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return safe;
}

class ArrayNames {
 public:
  /// The name, with "_2", "_3", ... appended if it is taken.
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

/// The matrices are the columns that follow the time, in their order; later columns with such names are separate
/// arrays.
std::vector<NpzArray> arrays_of(std::span<const Column> columns, bool contacts) {
  std::vector<NpzArray> arrays;
  ArrayNames names;
  names.make_new("columns");
  if (contacts) names.make_new(kContactNames);
  for (std::size_t i = 0; contacts && i < std::size(kContactArrays); ++i) names.make_new(kContactArrays[i].name);
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

/// The header of a .npy file of version 1: element type, memory order and shape.
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

template <typename T>
void append_as(std::span<const double> numbers, std::string& bytes) {
  for (const double number : numbers) {
    const T value = static_cast<T>(number);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
}

std::size_t bytes_each(NpzType type) {
  return type == NpzType::flag ? 1 : 8;
}

std::string descr(NpzType type) {
  return type == NpzType::flag ? "|b1" : kByteOrder + std::string(type == NpzType::whole ? "i8" : "f8");
}

Result<void> write_file(ZipWriter& zip, const std::string& name, std::string_view bytes) {
  if (Result<void> done = zip.begin_file(name, static_cast<std::int64_t>(bytes.size())); !done) return done;
  if (Result<void> done = zip.write(bytes); !done) return done;
  return zip.end_file();
}

/// An array of texts.
Result<void> write_texts(ZipWriter& zip, const std::string& name, std::span<const std::string> texts) {
  std::vector<std::u32string> labels;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    labels.push_back(characters_of(text));
    if (labels.back().size() > longest) longest = labels.back().size();
  }
  std::string bytes =
      npy_header(kByteOrder + ("U" + std::to_string(longest)), "(" + std::to_string(texts.size()) + ",)");
  for (std::u32string& text : labels) {
    text.resize(longest);
    bytes.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return write_file(zip, name + ".npy", bytes);
}

/// The names of columns, with units.
Result<void> write_names(ZipWriter& zip, const std::string& name, std::span<const Column> columns) {
  std::vector<std::string> labels;
  for (const Column& column : columns) labels.push_back(label(column));
  return write_texts(zip, name, labels);
}

/// Columns of a table as an array.
Result<void> write_array(ZipWriter& zip, ColumnStore& table, const NpzArray& array) {
  const std::string shape = "(" + std::to_string(table.rows()) + "," +
                            (array.matrix ? " " + std::to_string(array.count) : std::string()) + ")";
  const std::string header = npy_header(descr(array.type), shape);
  const std::int64_t numbers = table.rows() * static_cast<std::int64_t>(array.count * bytes_each(array.type));
  if (Result<void> done = zip.begin_file(array.name + ".npy", static_cast<std::int64_t>(header.size()) + numbers);
      !done)
    return done;
  if (Result<void> done = zip.write(header); !done) return done;
  std::string bytes;
  for (std::size_t c = array.first; c < array.first + array.count; ++c) {
    for (std::int64_t k = 0; k < table.pieces(); ++k) {
      const Result<std::span<const double>> piece = table.piece(c, k);
      if (!piece) return piece.diagnostics();
      bytes.clear();
      if (array.type == NpzType::real) append_as<double>(*piece, bytes);
      if (array.type == NpzType::whole) append_as<std::int64_t>(*piece, bytes);
      if (array.type == NpzType::flag) append_as<unsigned char>(*piece, bytes);
      if (Result<void> done = zip.write(bytes); !done) return done;
    }
  }
  return zip.end_file();
}

}  // namespace

NpzWriter::NpzWriter(std::string path, std::size_t memory_numbers, FileGroup* group)
    : path_(std::move(path)), memory_numbers_(memory_numbers), group_(group) {}

NpzWriter::~NpzWriter() = default;

void NpzWriter::expect_contacts(std::vector<std::string> names) {
  contact_names_ = std::move(names);
}

RecordReport NpzWriter::begin(std::span<const Column> columns) {
  error_.clear();
  columns_.assign(columns.begin(), columns.end());
  table_.begin(columns.size(), memory_numbers_, path_);
  contacts_.begin(1 + kContactNumbers, memory_numbers_, path_);
  rows_ = 0;
  begun_ = true;
  const RecordReport opened = error_.report(probe_.open(path_));
  probe_.discard();
  return opened;
}

RecordReport NpzWriter::row(std::span<const double> numbers) {
  require(begun_, "NpzWriter::row", "numbers", "begin comes before the first row");
  require_size("NpzWriter::row", "numbers", numbers.size(), columns_.size());
  if (const RecordReport before = error_.report(); !before.ok()) return before;
  ++rows_;
  return error_.report(table_.add(numbers));
}

RecordReport NpzWriter::event(const EventRecord&) {
  return error_.report();
}

RecordReport NpzWriter::contacts(std::span<const ContactForceRecord> contacts) {
  require(rows_ > 0, "NpzWriter::contacts", "contacts", "record a row before its contacts");
  for (const ContactForceRecord& contact : contacts) {
    if (const RecordReport before = error_.report(); !before.ok()) return before;
    std::array<double, 1 + kContactNumbers> numbers{static_cast<double>(rows_ - 1)};
    const std::array<double, kContactNumbers> own = numbers_of(contact);
    for (std::size_t i = 0; i < kContactNumbers; ++i) numbers[1 + i] = own[i];
    (void)error_.report(contacts_.add(numbers));
  }
  return error_.report();
}

RecordReport NpzWriter::end() {
  if (!begun_) return {};
  begun_ = false;
  const RecordReport before = error_.report();
  const RecordReport report = before.ok() ? error_.report(write_archive()) : before;
  table_.clear();
  contacts_.clear();
  return report;
}

Result<void> NpzWriter::write_archive() {
  ZipWriter zip;
  if (Result<void> done = zip.open(path_); !done) return done;
  const bool has_contacts = !contact_names_.empty() || contacts_.rows() > 0;
  for (const NpzArray& array : arrays_of(columns_, has_contacts)) {
    if (Result<void> done = write_array(zip, table_, array); !done) return done;
    const std::span<const Column> columns(columns_.data() + array.first, array.count);
    if (array.matrix)
      if (Result<void> done = write_names(zip, array.name + ".columns", columns); !done) return done;
  }
  if (Result<void> done = write_names(zip, "columns", columns_); !done) return done;
  for (std::size_t i = 0; has_contacts && i < std::size(kContactArrays); ++i)
    if (Result<void> done = write_array(zip, contacts_, kContactArrays[i]); !done) return done;
  if (!contact_names_.empty())
    if (Result<void> done = write_texts(zip, std::string(kContactNames), contact_names_); !done) return done;
  return zip.commit(group_);
}

}  // namespace pintle
