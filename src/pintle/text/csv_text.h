// Words and numbers as a table of comma-separated values has them.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// Quoted as RFC 4180 says where it has a comma, a quote or an end of line.
std::string csv_word(std::string_view word);

/// The shortest text that reads back as the same double; "nan", "inf" or "-inf" where it is not finite.
void append_csv_number(std::string& text, double number);

}  // namespace pintle
