// Words and numbers in comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The word, quoted according to RFC 4180 when it contains a comma, a quote or an end of line.
std::string csv_word(std::string_view word);

/// The shortest text that reads back as the same double; "nan", "inf" or "-inf" where it is not finite.
void append_csv_number(std::string& text, double number);

}  // namespace pintle
