#include "pintle/io/recording/npz_writer.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <array>
#include <cstring>
#include <map>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "support/scratch_folder.h"
#include "support/stored_zip.h"

namespace pintle {
namespace {

/// An array of a .npy file.
struct NpyArray {
  std::string header, bytes;

  std::vector<double> numbers() const {
    std::vector<double> all(bytes.size() / sizeof(double));
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }
};

std::map<std::string, NpyArray> read_npz(const std::string& zip) {
  std::map<std::string, NpyArray> arrays;
  for (const StoredFile& file : read_stored_zip(zip)) {
    REQUIRE(file.name.ends_with(".npy"));
    REQUIRE(file.bytes.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
    const std::size_t length = number_at(file.bytes, 8, 2);
    CHECK((10 + length) % 64 == 0);
    CHECK(file.bytes.at(9 + length) == '\n');
    const std::string name = file.name.substr(0, file.name.size() - 4);
    CHECK(arrays.count(name) == 0);
    arrays[name] = {file.bytes.substr(10, length), file.bytes.substr(10 + length)};
  }
  return arrays;
}

const std::vector<Column> kColumns{
    {"t", "s"},      {"q.a", "rad"},   {"q.b", "m"},     {"v.a", "rad/s"}, {"v.b", "m/s"}, {"energy.total", "J"},
    {"q.late", "m"}, {"columns", "1"}, {"up/../é", "1"}, {"q", "m"}};

TEST_CASE("the arrays of an archive are the columns of the rows, however much fits into memory") {
  for (const std::size_t memory : {1u, 30u, 70u, 1000u, 1u << 20}) {
    for (const int rows : {0, 1, 6, 7, 100}) {
      const ScratchFolder folder;
      NpzWriter writer(folder / "run.npz", memory);
      RandomStream stream(0, 2);
      std::vector<std::vector<double>> columns(kColumns.size());
      REQUIRE(writer.begin(kColumns).ok());
      for (int i = 0; i < rows; ++i) {
        std::vector<double> row;
        for (std::size_t c = 0; c < kColumns.size(); ++c) row.push_back(stream.uniform(-1.0, 1.0));
        for (std::size_t c = 0; c < kColumns.size(); ++c) columns[c].push_back(row[c]);
        REQUIRE(writer.row(row).ok());
        CHECK(folder.files().empty());
      }
      REQUIRE(writer.end().ok());
      CHECK(folder.files() == std::vector<std::string>{"run.npz"});
      const auto arrays = read_npz(folder.read("run.npz"));
      const auto joined = [&](std::size_t first, std::size_t last) {
        std::vector<double> all;
        for (std::size_t c = first; c <= last; ++c) all.insert(all.end(), columns[c].begin(), columns[c].end());
        return all;
      };
      CHECK(arrays.size() == 11);
      CHECK(arrays.at("t").numbers() == joined(0, 0));
      CHECK(arrays.at("q").numbers() == joined(1, 2));
      CHECK(arrays.at("v").numbers() == joined(3, 4));
      CHECK(arrays.at("energy.total").numbers() == joined(5, 5));
      CHECK(arrays.at("q.late").numbers() == joined(6, 6));
      CHECK(arrays.at("columns_2").numbers() == joined(7, 7));
      CHECK(arrays.at("up_.._é").numbers() == joined(8, 8));
      CHECK(arrays.at("q_2").numbers() == joined(9, 9));
      const std::string n = std::to_string(rows);
      CHECK(arrays.at("t").header.starts_with("{'descr': '<f8', 'fortran_order': True, 'shape': (" + n + ",), }"));
      CHECK(arrays.at("q").header.starts_with("{'descr': '<f8', 'fortran_order': True, 'shape': (" + n + ", 2), }"));
      CHECK(arrays.at("q.columns").header.starts_with("{'descr': '<U9', 'fortran_order': True, 'shape': (2,), }"));
      CHECK(arrays.at("q.columns").bytes.size() == 2 * 9 * 4);
      CHECK(number_at(arrays.at("columns").bytes, 4 * (8 * 16 + 6), 4) == 0xe9);  // the é of column 8
    }
  }
}

TEST_CASE("the points that touch are flat arrays with the number of their row, however much fits into memory") {
  for (const std::size_t memory : {1u, 50u, 1u << 20}) {
    const ScratchFolder folder;
    NpzWriter writer(folder / "run.npz", memory);
    writer.expect_contacts({"box", "größe", "world"});
    const std::vector<Column> columns{{"t", "s"}, {"contact.slip", "m/s"}};
    REQUIRE(writer.begin(columns).ok());
    CHECK_THROWS_AS((void)writer.contacts({}), UsageError);
    std::vector<double> points, row_numbers, forces;
    for (int row = 0; row < 6; ++row) {
      REQUIRE(writer.row(std::array{0.1 * row, 7.0}).ok());
      std::vector<ContactForceRecord> contacts(static_cast<std::size_t>(row % 3));
      for (ContactForceRecord& contact : contacts) {
        contact.body_b = 1;
        contact.shape_b = 4;
        contact.point.x = static_cast<double>(points.size());
        contact.normal_force = 0.1 + row;
        contact.slides = row == 2;
        points.push_back(contact.point.x);
        forces.push_back(contact.normal_force);
        row_numbers.push_back(row);
      }
      REQUIRE(writer.contacts(contacts).ok());
    }
    REQUIRE(writer.end().ok());
    const auto arrays = read_npz(folder.read("run.npz"));
    CHECK(arrays.size() == 3 + 11);
    CHECK(arrays.at("contact.slip_2").numbers() == std::vector<double>(6, 7.0));
    const auto whole = [&](const char* name, std::size_t i) {
      return static_cast<std::int64_t>(number_at(arrays.at(name).bytes, 8 * i, 8));
    };
    REQUIRE(points.size() == 6);
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(whole("contact.row", i) == row_numbers[i]);
      CHECK(whole("contact.bodies", i) == -1);
      CHECK(whole("contact.bodies", 6 + i) == 1);
      CHECK(whole("contact.shapes", 6 + i) == 4);
      CHECK(arrays.at("contact.point").numbers()[i] == points[i]);
      CHECK(arrays.at("contact.slides").bytes[i] == (row_numbers[i] == 2 ? 1 : 0));
    }
    CHECK(arrays.at("contact.normal_force").numbers() == forces);
    CHECK(arrays.at("contact.row").header.starts_with("{'descr': '<i8', 'fortran_order': True, 'shape': (6,), }"));
    CHECK(arrays.at("contact.point").header.starts_with("{'descr': '<f8', 'fortran_order': True, 'shape': (6, 3), }"));
    CHECK(arrays.at("contact.slides").header.starts_with("{'descr': '|b1', 'fortran_order': True, 'shape': (6,), }"));
    CHECK(arrays.at("contact.names").header.starts_with("{'descr': '<U5', 'fortran_order': True, 'shape': (3,), }"));
  }
}

TEST_CASE("an archive that cannot be written says why and leaves nothing") {
  const ScratchFolder folder;
  NpzWriter nowhere(folder / "none/run.npz");
  CHECK(nowhere.begin(kColumns).outcome == RecordOutcome::failed);
  CHECK(nowhere.end().outcome == RecordOutcome::failed);
  CHECK(nowhere.problems().at(0).code == "write-path");
  NpzWriter early(folder / "run.npz");
  CHECK_THROWS_AS((void)early.row(std::vector<double>(10)), UsageError);

  for (const std::size_t memory : {100u, 1u << 20}) {  // full while rows come, and at the end
    NpzWriter writer(folder / "run.npz", memory);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{20000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    RecordReport report = writer.begin(kColumns);
    for (int i = 0; report.ok() && i < 1000; ++i) report = writer.row(std::vector<double>(10, 0.1));
    CHECK(report.ok() == (memory > 1000));
    const RecordReport ended = writer.end();
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(ended.outcome == RecordOutcome::full);
    CHECK(folder.files().empty());
  }
}

}  // namespace
}  // namespace pintle
