#include "pintle/files/zip_writer.h"

#include "pintle/base/usage_error.h"
#include "pintle/files/crc32.h"

namespace pintle {
namespace {

/// Integers in little-endian order, as in ZIP.
class Bytes {
 public:
  Bytes& u16(std::uint64_t number) { return put(number, 2); }
  Bytes& u32(std::uint64_t number) { return put(number, 4); }
  Bytes& u64(std::uint64_t number) { return put(number, 8); }
  Bytes& text(std::string_view bytes) {
    text_ += bytes;
    return *this;
  }
  const std::string& str() const { return text_; }

 private:
  Bytes& put(std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i) text_ += static_cast<char>(number >> (8 * i) & 0xff);
    return *this;
  }
  std::string text_;
};

constexpr std::uint64_t kIn64 = 0xffffffff;  // "see the Zip64 record"
constexpr std::int64_t kCrcPlace = 14;       // in a local header
constexpr std::uint64_t kVersion = 20, kVersion64 = 45, kUtf8Names = 1 << 11, kFirstDate = 0x21;

}  // namespace

Result<void> ZipWriter::open(const std::string& path) {
  entries_.clear();
  in_file_ = false;
  return file_.open(path);
}

/// The local header of a file, or its entry in the central directory.
std::string ZipWriter::header(const Entry& entry, bool central) const {
  const bool large = entry.bytes >= zip64_from_, far = central && entry.place >= zip64_from_;
  const std::uint64_t bytes = static_cast<std::uint64_t>(entry.bytes), place = static_cast<std::uint64_t>(entry.place);
  Bytes more;
  if (large) more.u64(bytes).u64(bytes);
  if (far) more.u64(place);
  Bytes auxiliary;
  if (large || far) auxiliary.u16(1).u16(more.str().size()).text(more.str());
  const std::uint64_t version = large || far ? kVersion64 : kVersion;
  Bytes header;
  header.u32(central ? 0x02014b50 : 0x04034b50);
  if (central) header.u16(version);
  header.u16(version).u16(kUtf8Names).u16(0).u16(0).u16(kFirstDate).u32(entry.crc);
  header.u32(large ? kIn64 : bytes).u32(large ? kIn64 : bytes).u16(entry.name.size()).u16(auxiliary.str().size());
  if (central) header.u16(0).u16(0).u16(0).u32(0).u32(far ? kIn64 : place);
  return header.text(entry.name).text(auxiliary.str()).str();
}

Result<void> ZipWriter::begin_file(const std::string& name, std::int64_t bytes) {
  require(!in_file_, "ZipWriter::begin_file", "name", "the previous file has not been ended");
  require(name.size() < 0xffff, "ZipWriter::begin_file", "name", "it is too long for an archive");
  in_file_ = true;
  entries_.push_back({name, file_.size(), bytes, 0, 0});
  return file_.write(header(entries_.back(), false));
}

Result<void> ZipWriter::write(std::string_view bytes) {
  require(in_file_, "ZipWriter::write", "bytes", "no file has been begun");
  Entry& entry = entries_.back();
  entry.crc = crc32(bytes, entry.crc);
  entry.written += static_cast<std::int64_t>(bytes.size());
  return file_.write(bytes);
}

Result<void> ZipWriter::end_file() {
  require(in_file_, "ZipWriter::end_file", "file", "no file has been begun");
  const Entry& entry = entries_.back();
  require(entry.written == entry.bytes, "ZipWriter::end_file", "file", "its size differs from the announced one");
  in_file_ = false;
  return file_.write_at(entry.place + kCrcPlace, Bytes().u32(entry.crc).str());
}

Result<void> ZipWriter::commit(FileGroup* group) {
  require(!in_file_, "ZipWriter::commit", "file", "the last file has not been ended");
  const std::int64_t first = file_.size();
  for (const Entry& entry : entries_)
    if (Result<void> written = file_.write(header(entry, true)); !written) return written;
  const std::int64_t after = file_.size();
  const std::uint64_t count = entries_.size(), size = static_cast<std::uint64_t>(after - first);
  const bool large = first >= zip64_from_ || after - first >= zip64_from_ || count >= 0xffff;
  Bytes end;
  if (large) {
    const std::uint64_t place = static_cast<std::uint64_t>(first);
    end.u32(0x06064b50).u64(44).u16(kVersion64).u16(kVersion64).u32(0).u32(0);
    end.u64(count).u64(count).u64(size).u64(place);
    end.u32(0x07064b50).u32(0).u64(static_cast<std::uint64_t>(after)).u32(1);
  }
  const std::uint64_t short_count = large ? 0xffff : count;
  end.u32(0x06054b50).u16(0).u16(0).u16(short_count).u16(short_count);
  end.u32(large ? kIn64 : size).u32(large ? kIn64 : static_cast<std::uint64_t>(first)).u16(0);
  if (Result<void> written = file_.write(end.str()); !written) return written;
  return file_.commit(group);
}

void ZipWriter::discard() {
  file_.discard();
  in_file_ = false;
}

}  // namespace pintle
