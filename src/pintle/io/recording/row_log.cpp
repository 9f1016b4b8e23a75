#include "pintle/io/recording/row_log.h"

#include <array>
#include <bit>

#include "pintle/base/usage_error.h"
#include "pintle/io/recording/contact_numbers.h"

namespace pintle {
namespace {

constexpr std::string_view kMagic = "PINTLERL";
constexpr std::size_t kHeadBytes = 16, kEventBytes = 1 + 4 * 8 + 5 * 4, kChunk = 1 << 16;
constexpr std::size_t kImpactNumbers = 28, kImpactBytes = 1 + kImpactNumbers * 8 + 2 * 4;
constexpr std::size_t kContactsHead = 1 + 4;
constexpr std::uint32_t kLongestName = 1 << 20, kMaxContacts = 1 << 24;

template <class Word>
void put(std::string& text, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i) text += static_cast<char>(word >> (8 * i) & 0xff);
}

template <class Word>
Word word_at(std::string_view bytes, std::size_t place) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    word |= static_cast<Word>(static_cast<unsigned char>(bytes[place + i])) << (8 * i);
  return word;
}

void put(std::string& text, double number) {
  put(text, std::bit_cast<std::uint64_t>(number));
}

double double_at(std::string_view bytes, std::size_t place) {
  return std::bit_cast<double>(word_at<std::uint64_t>(bytes, place));
}

int int_at(std::string_view bytes, std::size_t place) {
  return static_cast<int>(word_at<std::uint32_t>(bytes, place));
}

std::string head_of(std::size_t columns) {
  std::string head(kMagic);
  put(head, kRowLogVersion);
  put(head, static_cast<std::uint32_t>(columns));
  return head;
}

/// The event of a record; false if it is not valid.
bool event_of(std::string_view record, EventRecord& event) {
  const int kind = int_at(record, 33);
  if (kind < 0 || kind >= kEventKinds) return false;
  event.t = double_at(record, 1);
  event.values = {double_at(record, 9), double_at(record, 17), double_at(record, 25)};
  event.kind = static_cast<EventKind>(kind);
  event.joint = int_at(record, 37);
  event.dof = int_at(record, 41);
  event.body = int_at(record, 45);
  event.name = record.substr(kEventBytes);
  return true;
}

/// The values of an impact, in the order of the log.
std::array<double, kImpactNumbers> numbers_of(const ImpactRecord& i) {
  return {i.t,
          i.point.x,
          i.point.y,
          i.point.z,
          i.normal.x,
          i.normal.y,
          i.normal.z,
          i.penetration,
          i.approach,
          i.slip,
          i.normal_impulse,
          i.tangential_impulse,
          i.restitution,
          i.energy,
          i.scale,
          i.gains_energy ? 1.0 : 0.0,
          i.certificate.momentum,
          i.certificate.energy,
          i.certificate.complementarity,
          i.certificate.cone,
          i.certificate.dissipation,
          i.certificate.restitution,
          i.slip_before.x,
          i.slip_before.y,
          i.slip_before.z,
          i.slip_after.x,
          i.slip_after.y,
          i.slip_after.z};
}

ImpactRecord impact_of(std::string_view record) {
  std::array<double, kImpactNumbers> x;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = double_at(record, 1 + 8 * k);
  ImpactRecord impact;
  impact.t = x[0];
  impact.point = {x[1], x[2], x[3]};
  impact.normal = {x[4], x[5], x[6]};
  impact.penetration = x[7];
  impact.approach = x[8];
  impact.slip = x[9];
  impact.normal_impulse = x[10];
  impact.tangential_impulse = x[11];
  impact.restitution = x[12];
  impact.energy = x[13];
  impact.scale = x[14];
  impact.gains_energy = x[15] != 0.0;
  impact.certificate = {x[16], x[17], x[18], x[19], x[20], x[21]};
  impact.slip_before = {x[22], x[23], x[24]};
  impact.slip_after = {x[25], x[26], x[27]};
  impact.body_a = int_at(record, 1 + 8 * x.size());
  impact.body_b = int_at(record, 5 + 8 * x.size());
  return impact;
}

Diagnostic damaged(const std::string& path) {
  return make_error("log-damaged", Origin(path), "the rows before the checkpoint are damaged",
                    "'" + path + "' is not as it was when the checkpoint was written", "run the scene from the start");
}

}  // namespace

/// Reads the records of a log up to a mark, in pieces.
class RowLog::Reader {
 public:
  Reader(const GrowingFile& file, std::int64_t end) : file_(file), end_(end) {}

  /// The next `count` bytes, valid until the next call; empty if there are fewer, or if they cannot be read.
  std::string_view take(std::size_t count) {
    const std::string_view bytes = look(count);
    at_ += bytes.size();
    return bytes;
  }

  /// The same, without consuming them.
  std::string_view look(std::size_t count) {
    if (buffer_.size() - at_ < count) fill(count);
    return buffer_.size() - at_ < count ? std::string_view() : std::string_view(buffer_).substr(at_, count);
  }

  bool at_end() const { return at_ == buffer_.size() && place_ == end_; }
  const Diagnostics& problems() const { return problems_; }

 private:
  void fill(std::size_t count) {
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t wanted = count > kChunk ? count : kChunk;
    const std::int64_t left = end_ - place_;
    const std::size_t more = static_cast<std::int64_t>(wanted) < left ? wanted : static_cast<std::size_t>(left);
    const std::size_t before = buffer_.size();
    buffer_.resize(before + more);
    const Result<std::size_t> got = file_.read(place_, buffer_.data() + before, more);
    if (!got) problems_ = got.diagnostics();
    buffer_.resize(before + (got ? *got : 0));
    place_ += static_cast<std::int64_t>(buffer_.size() - before);
  }

  const GrowingFile& file_;
  std::int64_t end_, place_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;
  Diagnostics problems_;
};

RowLog::RowLog(std::string path) : path_(std::move(path)) {}

RowLog::~RowLog() = default;

RecordReport RowLog::append(const std::string& record) {
  if (const RecordReport before = error_.report(); !before.ok()) return before;
  hash_.add(std::string_view(record));
  ++records_;
  return error_.report(file_.append(record));
}

RecordReport RowLog::claim() {
  error_.clear();
  return error_.report(file_.claim(path_));
}

RecordReport RowLog::begin(std::span<const Column> columns) {
  error_.clear();
  columns_ = columns.size();
  hash_ = StateHash();
  if (const RecordReport opened = error_.report(file_.create(path_)); !opened.ok()) return opened;
  records_ = -1;  // the header does not count
  return append(head_of(columns_));
}

RecordReport RowLog::row(std::span<const double> numbers) {
  require_size("RowLog::row", "numbers", numbers.size(), columns_);
  record_ = 'r';
  for (const double number : numbers) put(record_, number);
  return append(record_);
}

RecordReport RowLog::event(const EventRecord& event) {
  record_ = 'e';
  put(record_, event.t);
  for (const double number : event.values) put(record_, number);
  for (const int number : {static_cast<int>(event.kind), event.joint, event.dof, event.body})
    put(record_, static_cast<std::uint32_t>(number));
  put(record_, static_cast<std::uint32_t>(event.name.size()));
  record_ += event.name;
  return append(record_);
}

RecordReport RowLog::impact(const ImpactRecord& impact) {
  record_ = 'i';
  for (const double number : numbers_of(impact)) put(record_, number);
  for (const int body : {impact.body_a, impact.body_b}) put(record_, static_cast<std::uint32_t>(body));
  return append(record_);
}

RecordReport RowLog::contacts(std::span<const ContactForceRecord> contacts) {
  record_ = 'c';
  put(record_, static_cast<std::uint32_t>(contacts.size()));
  for (const ContactForceRecord& contact : contacts)
    for (const double number : numbers_of(contact)) put(record_, number);
  return append(record_);
}

bool RowLog::take_row(Reader& reader, std::span<double> numbers, RecordSink& sink, RecordReport& done) {
  const std::string_view record = reader.take(1 + 8 * columns_);
  if (record.empty()) return false;
  for (std::size_t i = 0; i < columns_; ++i) numbers[i] = double_at(record, 1 + 8 * i);
  hash_.add(record);
  done = sink.row(numbers);
  return true;
}

bool RowLog::take_event(Reader& reader, RecordSink& sink, RecordReport& done) {
  const std::string_view fixed = reader.look(kEventBytes);
  if (fixed.empty()) return false;
  const auto name = word_at<std::uint32_t>(fixed, kEventBytes - 4);
  const std::string_view record = name > kLongestName ? std::string_view() : reader.take(kEventBytes + name);
  EventRecord event;
  if (record.empty() || !event_of(record, event)) return false;
  hash_.add(record);
  done = sink.event(event);
  return true;
}

bool RowLog::take_impact(Reader& reader, RecordSink& sink, RecordReport& done) {
  const std::string_view record = reader.take(kImpactBytes);
  if (record.empty()) return false;
  hash_.add(record);
  done = sink.impact(impact_of(record));
  return true;
}

bool RowLog::take_contacts(Reader& reader, RecordSink& sink, RecordReport& done) {
  const std::string_view head = reader.look(kContactsHead);
  if (head.empty()) return false;
  const auto count = word_at<std::uint32_t>(head, 1);
  const std::string_view record =
      count > kMaxContacts ? std::string_view() : reader.take(kContactsHead + 8 * kContactNumbers * count);
  if (record.empty()) return false;
  std::vector<ContactForceRecord> contacts;
  for (std::size_t c = 0; c < count; ++c) {
    std::array<double, kContactNumbers> x;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = double_at(record, kContactsHead + 8 * (kContactNumbers * c + k));
    contacts.push_back(contact_of(x));
  }
  hash_.add(record);
  done = sink.contacts(contacts);
  return true;
}

RecordReport RowLog::go_on(std::span<const Column> columns, const LogMark& mark, RecordSink& sink) {
  error_.clear();
  columns_ = columns.size();
  hash_ = StateHash();
  records_ = 0;
  if (const RecordReport opened = error_.report(file_.reopen(path_)); !opened.ok()) return opened;
  Reader reader(file_, mark.bytes);
  const auto broken = [&] {
    return error_.report(reader.problems().empty() ? Result<void>(damaged(path_)) : reader.problems());
  };
  const std::string_view head = reader.take(kHeadBytes);
  if (head != head_of(columns_)) return broken();
  hash_.add(head);
  std::vector<double> numbers(columns_);
  while (!reader.at_end()) {
    const std::string_view letter = reader.look(1);
    RecordReport done;
    const bool is_record = letter == "r"   ? take_row(reader, numbers, sink, done)
                           : letter == "e" ? take_event(reader, sink, done)
                           : letter == "c" ? take_contacts(reader, sink, done)
                                           : letter == "i" && take_impact(reader, sink, done);
    if (!is_record) return broken();
    if (!done.ok()) return done;
    ++records_;
  }
  if (LogMark{mark.bytes, records_, hash_.value()} != mark) return broken();
  return error_.report(file_.cut(mark.bytes));
}

Result<LogMark> RowLog::mark() {
  if (!error_.problems().empty()) return error_.problems();
  if (const RecordReport flushed = error_.report(file_.flush()); !flushed.ok()) return error_.problems();
  return LogMark{file_.size(), records_, hash_.value()};
}

}  // namespace pintle
