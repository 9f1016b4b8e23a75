// The codes of problems with what they mean: the tables of docs/formats/problems.md, which is part of the library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

/// A code of problems in general; a Diagnostic says more of one case.
struct ProblemRule {
  std::string code;     ///< "inertia-triangle"
  std::string meaning;  ///< what is wrong, in a line of Markdown
  std::string remedy;   ///< what to do, in a line of Markdown
  std::string place;    ///< where it is documented: "docs/formats/problems.md#bodies-and-joints"
};

/// The text of docs/formats/problems.md.
std::string_view problem_page();

/// All codes of that page in its order; codes of one row have the same meaning and remedy.
std::vector<ProblemRule> problem_rules();

}  // namespace pintle
