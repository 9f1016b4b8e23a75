#include "pintle/text/csv_table.h"

#include <limits>
#include <unordered_set>

#include "pintle/base/read_number.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr std::size_t kMaxProblems = 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// A part of a line, without surrounding spaces, and its column.
struct Cell {
  std::string_view text;
  int column;
};

Cell trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end && is_space(text[begin])) ++begin;
  while (end > begin && is_space(text[end - 1])) --end;
  return {text.substr(begin, end - begin), static_cast<int>(begin) + 1};
}

/// Whether a character is within quotes: those that begin a cell, up to the next that is not doubled.
class QuoteWatch {
 public:
  bool quoted_after(char c, char separator) {
    if (quoted_) {
      if (c == '"') quoted_ = false;
    } else if (c == '"' && (at_beginning_ || closed_)) {
      quoted_ = true;  // a doubled quote continues the text
    }
    closed_ = c == '"' && !quoted_ && !at_beginning_;
    at_beginning_ = !quoted_ && (c == separator || (at_beginning_ && is_space(c)));
    return quoted_;
  }

 private:
  bool quoted_ = false, at_beginning_ = true, closed_ = false;
};

char separator_of(std::string_view line) {
  return line.find(',') != std::string_view::npos ? ',' : line.find(';') != std::string_view::npos ? ';' : ' ';
}

/// Where the first line of a text ends: a line feed within quotes does not end it.
std::size_t end_of_names(std::string_view text) {
  const std::size_t first = text.find('\n');
  const char separator = separator_of(text.substr(0, first));
  QuoteWatch watch;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!watch.quoted_after(text[i], separator) && text[i] == '\n') return i;
  return first;
}

/// The text of a quoted cell.
std::string without_quotes(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string result;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    result += text[i];
    if (text[i] == '"' && text[i + 1] == '"' && i + 2 < text.size()) ++i;
  }
  return result;
}

/// ',' or ';', or ' ' for any spaces.
std::vector<Cell> split(std::string_view line, char separator) {
  std::vector<Cell> cells;
  if (separator != ' ') {
    std::size_t begin = 0;
    QuoteWatch watch;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      if (i < line.size() && (watch.quoted_after(line[i], separator) || line[i] != separator)) continue;
      cells.push_back(trimmed(line, begin, i));
      begin = i + 1;
    }
    return cells;
  }
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && is_space(line[i])) ++i;
    const std::size_t begin = i;
    bool in_unit = false;  // "time [N m]" is one name
    while (i < line.size() && (in_unit || !is_space(line[i]) || (i + 1 < line.size() && line[i + 1] == '['))) {
      if (line[i] == '[') in_unit = true;
      if (line[i] == ']') in_unit = false;
      ++i;
    }
    if (i > begin) cells.push_back(trimmed(line, begin, i));
  }
  return cells;
}

class CsvReader {
 public:
  CsvReader(const std::string& file, CsvNumbers allowed) : file_(file), allowed_(allowed) {}

  Result<CsvTable> read(std::string_view text) {
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      text.remove_prefix(kByteOrderMark.size());
      mark_ = static_cast<int>(kByteOrderMark.size());
    }
    int number = 0;
    while (!text.empty() && problems_.size() < kMaxProblems) {
      std::size_t end = text.find('\n');
      const Cell whole = trimmed(text, 0, end == std::string_view::npos ? text.size() : end);
      const bool left_out = whole.text.empty() || whole.text.front() == '#', names = table_.columns.empty();
      if (names && !left_out) end = end_of_names(text);
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++number;
      if (left_out) continue;
      if (names) {
        read_names(line, number);
        for (const char c : line) number += c == '\n' ? 1 : 0;
      } else {
        read_row(line, number);
      }
    }
    if (problems_.empty() && table_.columns.empty())
      add({}, 1, "csv-empty", "the table is empty", "its first line names the columns");
    if (problems_.empty() && table_.lines.empty())
      add({}, 1, "csv-empty", "the table has no rows", "add rows of numbers below the names");
    if (!problems_.empty()) return problems_;
    return std::move(table_);
  }

 private:
  void add(const Cell& cell, int line, const char* code, std::string what, std::string fix) {
    const int column = cell.column + (line == 1 && cell.column > 0 ? mark_ : 0);
    problems_.push_back(make_error(code, {file_, line, column}, std::move(what), "", std::move(fix)));
  }

  /// Reads the names, from a line on: quoted ones may span several.
  void read_names(std::string_view line, int number) {
    separator_ = separator_of(line);
    std::unordered_set<std::string> known;
    std::size_t begin = 0;  // of the line of the file that a cell is in
    for (Cell cell : split(line, separator_)) {
      if (problems_.size() >= kMaxProblems) return;
      const std::size_t at = static_cast<std::size_t>(cell.column) - 1;
      for (std::size_t end = 0; (end = line.find('\n', begin)) < at; begin = end + 1) ++number;
      cell.column = static_cast<int>(at - begin) + 1;
      const std::string text = without_quotes(cell.text);
      const std::size_t bracket = text.rfind('[');
      const bool has_unit = bracket != std::string::npos && text.back() == ']';
      const Cell name = trimmed(text, 0, has_unit ? bracket : text.size());
      if (name.text.empty() || read_number(name.text).length == name.text.size()) {
        add(cell, number, "csv-name", "'" + std::string(cell.text) + "' is not a column name",
            "the first line names the columns: time [s], elbow [deg]");
      }
      if (!known.emplace(name.text).second)
        add(cell, number, "csv-name", "two columns are called '" + std::string(name.text) + "'", "rename one of them");
      CsvTable::Column column;
      column.name = std::string(name.text);
      if (has_unit) column.unit = text.substr(bracket + 1, text.size() - bracket - 2);
      column.line = number;
      // Within quotes the bytes of the name may differ from those of the file.
      const bool as_written = text.size() == cell.text.size();
      column.unit_column = as_written ? cell.column + static_cast<int>(has_unit ? bracket : 0) + 1 : 0;
      if (as_written && number == 1) column.unit_column += mark_;
      table_.columns.push_back(std::move(column));
    }
  }

  void read_row(std::string_view line, int number) {
    const std::vector<Cell> cells = split(line, separator_);
    if (cells.size() != table_.columns.size()) {
      add({line, 1}, number, "csv-count",
          "this row has " + std::to_string(cells.size()) + " values, the first line names " +
              std::to_string(table_.columns.size()) + " columns",
          "give one value for each column");
      return;
    }
    for (const Cell& cell : cells) {
      if (problems_.size() >= kMaxProblems) return;
      const ReadNumber read = number_of(cell.text);
      if (read.found != NumberText::number || read.length != cell.text.size()) {
        add(cell, number, "csv-number",
            cell.text.empty() ? std::string("a number is missing here")
                              : "'" + std::string(cell.text) + "' is not a " +
                                    (allowed_ == CsvNumbers::finite ? "finite number" : "number"),
            "write decimal numbers with a point: 0.25, -1e-3");
      }
      table_.numbers.push_back(read.value);
    }
    table_.lines.push_back(number);
  }

  ReadNumber number_of(std::string_view text) const {
    if (allowed_ == CsvNumbers::any) {
      if (text == "nan") return {NumberText::number, std::numeric_limits<double>::quiet_NaN(), text.size()};
      if (text == "inf") return {NumberText::number, kInfinity<double>, text.size()};
      if (text == "-inf") return {NumberText::number, -kInfinity<double>, text.size()};
    }
    return read_number(text);
  }

  const std::string& file_;
  CsvNumbers allowed_;
  char separator_ = ',';
  int mark_ = 0;  // bytes of the byte order mark before the first line
  CsvTable table_;
  Diagnostics problems_;
};

}  // namespace

int CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return static_cast<int>(i);
  return -1;
}

Result<CsvTable> read_csv(std::string_view text, const std::string& file, CsvNumbers allowed) {
  return CsvReader(file, allowed).read(text);
}

}  // namespace pintle
