#include "pintle/io/recording/contact_csv_writer.h"

#include "pintle/base/usage_error.h"
#include "pintle/io/recording/contact_numbers.h"
#include "pintle/text/csv_text.h"

namespace pintle {
namespace {

constexpr std::string_view kHead =
    "row,t [s],body_a,body_b,shape_a,shape_b,x [m],y [m],z [m],nx [1],ny [1],nz [1],normal_force [N],"
    "fx [N],fy [N],fz [N],mx [N m],my [N m],mz [N m],slip [m/s],mode\n";

}  // namespace

std::vector<std::string> contact_names(const Model& model) {
  std::vector<std::string> names;
  for (const ModelBody& body : model.bodies()) names.push_back(body.name);
  names.emplace_back(kWorld);
  return names;
}

ContactCsvWriter::ContactCsvWriter(std::string path, std::vector<std::string> names, FileGroup* group,
                                   const UnitSystem& units)
    : path_(std::move(path)), names_(std::move(names)), group_(group), head_(units.labels(kHead)) {
  for (std::string& name : names_) name = csv_word(name);
}

ContactCsvWriter::~ContactCsvWriter() = default;

RecordReport ContactCsvWriter::begin(std::span<const Column>) {
  error_.clear();
  rows_ = 0;
  begun_ = true;
  if (const RecordReport opened = error_.report(file_.open(path_)); !opened.ok()) return opened;
  return error_.report(file_.write(head_));
}

RecordReport ContactCsvWriter::row(std::span<const double> numbers) {
  require(begun_, "ContactCsvWriter::row", "numbers", "begin comes before the first row");
  t_ = numbers.empty() ? 0.0 : numbers[0];
  ++rows_;
  return error_.report();
}

RecordReport ContactCsvWriter::event(const EventRecord&) {
  return error_.report();
}

RecordReport ContactCsvWriter::contacts(std::span<const ContactForceRecord> contacts) {
  require(rows_ > 0, "ContactCsvWriter::contacts", "contacts", "record a row before its contacts");
  if (const RecordReport before = error_.report(); !before.ok()) return before;
  const int bodies = static_cast<int>(names_.size()) - 1;
  line_.clear();
  for (const ContactForceRecord& contact : contacts) {
    for (const int body : {contact.body_a, contact.body_b})
      require(body >= -1 && body < bodies, "ContactCsvWriter::contacts", "contacts", "there is no such body");
    line_ += std::to_string(rows_ - 1) + ',';
    append_csv_number(line_, t_);
    for (const int body : {contact.body_a, contact.body_b})
      line_ += ',' + names_[static_cast<std::size_t>(body < 0 ? bodies : body)];
    const std::array<double, kContactNumbers> numbers = numbers_of(contact);
    for (std::size_t i = 2; i + 1 < kContactNumbers; ++i) {
      line_ += ',';
      append_csv_number(line_, numbers[i]);
    }
    line_ += contact.slides ? ",slip\n" : ",stick\n";
  }
  return error_.report(file_.write(line_));
}

RecordReport ContactCsvWriter::end() {
  if (!begun_) return {};
  begun_ = false;
  return error_.report(file_.commit(group_));
}

}  // namespace pintle
