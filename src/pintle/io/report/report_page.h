// The report page without data: viewer/ built into one file, which is embedded in the library.
#pragma once

#include <string_view>

namespace pintle {

std::string_view report_page();

}  // namespace pintle
