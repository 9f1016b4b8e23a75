// The problem codes and their meanings: the tables of docs/formats/problems.md, which is embedded in the library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

/// A problem code in general; a Diagnostic describes one case of it.
struct ProblemRule {
  std::string code;     ///< "inertia-triangle"
  std::string meaning;  ///< what is wrong, as one line of Markdown
  std::string remedy;   ///< how to fix it, as one line of Markdown
  std::string place;    ///< where the code is documented: "docs/formats/problems.md#bodies-and-joints"
};

/// The text of docs/formats/problems.md.
std::string_view problem_page();

/// All codes of that page, in page order; codes in one row share meaning and remedy.
std::vector<ProblemRule> problem_rules();

}  // namespace pintle
