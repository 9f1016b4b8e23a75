// Diagnostic: one problem of an input, described so that a person can fix it: where, what, why, and how to fix it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

/// The severity of a problem. An `error` makes the operation fail; a `warning` or a `note` accompanies its value.
enum class Severity : unsigned char { error, warning, note };

/// "error", "warning" or "note".
const char* name(Severity severity);

/// A position in an input file. Unknown members are empty or 0.
///
/// It has constructors on purpose: g++ 12 destroys the strings of an aggregate inside an aggregate twice when a later
/// member throws while it is initialised, and every element of a model carries an Origin.
struct Origin {
  Origin();
  Origin(std::string file_name, int line_number = 0, int column_number = 0);

  std::string file;  ///< as the user named it
  int line = 0;      ///< counted from 1
  int column = 0;    ///< counted from 1, in bytes of the line
};

/// One problem of an input.
struct Diagnostic {
  std::string code{};                   ///< a stable name to search for, such as "inertia-triangle"
  Severity severity = Severity::error;  ///< whether the operation failed because of it
  Origin origin{};                      ///< where it is
  std::string what{};                   ///< the problem, in one line
  std::string why{};                    ///< the consequence, or the rule it violates; may be empty
  std::string fix{};                    ///< what to write instead; may be empty
};

/// A problem of each severity. An unknown origin is `{}`; `why` and `fix` may be empty.
Diagnostic make_error(std::string code, Origin origin, std::string what, std::string why = {}, std::string fix = {});
Diagnostic make_warning(std::string code, Origin origin, std::string what, std::string why = {}, std::string fix = {});
Diagnostic make_note(std::string code, Origin origin, std::string what, std::string why = {}, std::string fix = {});

/// All problems of one operation, in the order in which they were found.
using Diagnostics = std::vector<Diagnostic>;

/// Whether any of the problems is an error.
bool has_errors(const Diagnostics& diagnostics);

/// Returns the problem as text, without a final newline; empty or unknown parts are omitted, and control characters
/// from a file appear as spaces:
///
///     arm.urdf:42:7: error[inertia-triangle]: link 'forearm' has an impossible inertia
///       why: Ixx + Iyy < Izz
///       fix: check the order of the six numbers
std::string format(const Diagnostic& diagnostic);

/// The same, with the line at fault quoted under the first line and a caret under its column:
///
///       42 |   <inertia ixx="1" iyy="1" izz="3"/>
///          |            ^
///
/// `source_text` is the whole text of the file. Lines end in LF or CR LF. Each UTF-8 character counts as one cell, tabs
/// stay aligned, other control characters appear as spaces, and of a very long line only the part around the caret is
/// quoted. Nothing is quoted when the line is unknown or not in the text; a column past the end of its line puts the
/// caret after the last character.
std::string format(const Diagnostic& diagnostic, std::string_view source_text);

}  // namespace pintle
