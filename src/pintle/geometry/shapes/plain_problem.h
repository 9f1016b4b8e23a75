// A diagnostic for a value that came from no file. For the checks of this layer.
#pragma once

#include <string>
#include <utility>

#include "pintle/base/diagnostic.h"

namespace pintle {

inline Diagnostic plain_problem(const char* code, std::string what, const char* why, const char* fix) {
  Diagnostic problem;
  problem.code = code;
  problem.what = std::move(what);
  problem.why = why;
  problem.fix = fix;
  return problem;
}

}  // namespace pintle
