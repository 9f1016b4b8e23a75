#include "man_page.h"

#include <fmt/core.h>

#include "exit_code.h"
#include "pintle/base/version.h"
#include "pintle/text/first_comment.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

/// Escapes a text: troff interprets backslashes, and dots and quotes at the beginning of a line.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool begins = result.empty() || result.back() == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
  }
  return result;
}

std::string value_of(const OptionFacts& option) {
  return option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", plain(option.value));
}

/// "pintle run [OPTIONS] [SCENE]".
std::string usage(const CommandFacts& command) {
  std::string line = fmt::format("\\fBpintle {}\\fR [\\fIOPTIONS\\fR]", plain(command.name));
  for (const OptionFacts& option : command.options) {
    if (!option.positional) continue;
    const std::string name = fmt::format("\\fI{}\\fR", plain(option.names[0]));
    line += option.required ? " " + name : " [" + name + "]";
  }
  return line;
}

void add_option(std::string& page, const OptionFacts& option) {
  page += ".TP\n";
  if (option.positional) {
    page += fmt::format("\\fI{}\\fR\n", plain(option.names[0]));
  } else {
    std::string names;
    for (const std::string& name : option.names)
      names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", plain(name));
    page += names + value_of(option) + "\n";
  }
  page += plain(option.about) + (option.repeated ? " (may be given several times)" : "") + "\n";
}

void add_command(std::string& page, const CommandFacts& command) {
  page += fmt::format(".SS {}\n{}\n.PP\n{}.\n", plain(command.name), usage(command), plain(command.about));
  for (const OptionFacts& option : command.options)
    if (option.names[0] != "-h") add_option(page, option);
  if (!command.footer.empty()) page += ".PP\n" + plain(command.footer) + "\n";
}

struct ExitFacts {
  ExitCode code;
  const char* about;
};
constexpr ExitFacts kExitFacts[] = {
    {ExitCode::ok, "done; of check: no errors; of diff: the runs are equal"},
    {ExitCode::internal, "an internal error"},
    {ExitCode::usage, "invalid arguments"},
    {ExitCode::bad_model, "the scene is wrong; of diff: the runs differ"},
    {ExitCode::io, "a file cannot be read or written"},
    {ExitCode::diverged, "the computation did not converge"},
    {ExitCode::failed_checks, "with --strict: a run ended, but its checks failed: its results are wrong"},
    {ExitCode::interrupted, "stopped by the user"},
    {ExitCode::terminated, "stopped by the system"},
};

constexpr const char* kEnd = R"(.SH ENVIRONMENT
.TP
\fBPINTLE_ISA\fR
the instruction set of the kernels: baseline, avx2 or avx512. Without it the widest one of the processor is used.
.TP
\fBNO_COLOR\fR
when it is set and not empty nothing is printed in colour.
.SH FILES
Nothing is written but what is named on the command line, and report.html by \fBreport\fR; and nothing is ever fetched from a network.
.SH EXAMPLES
.TP
\fBpintle run screw\fR
runs a scene that comes with the program.
.TP
\fBpintle scenes screw > my.toml; pintle check my.toml; pintle run my.toml \-\-out results\fR
starts a scene of your own from it, checks it, runs it and keeps the results.
.TP
\fBpintle run arm \-\-time "5 s" \-\-integrator dormand\-prince \-\-set "world.gravity=[0, 0, \-1.62]"\fR
runs it longer, by another method, on the moon.
)";

}  // namespace

std::string man_page(const std::vector<CommandFacts>& tree) {
  std::string page = fmt::format(".TH PINTLE 1 \"\" \"pintle {}\" \"User Commands\"\n", kVersion);
  page += fmt::format(".SH NAME\npintle \\- {}\n", plain(tree[0].about));
  page += ".SH SYNOPSIS\n\\fBpintle\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n";
  page += ".SH DESCRIPTION\nPintle simulates mechanisms of rigid bodies, described by scene files in TOML.\n";
  for (const OptionFacts& option : tree[0].options) add_option(page, option);
  page += ".SH COMMANDS\n";
  for (std::size_t i = 1; i < tree.size(); ++i) add_command(page, tree[i]);
  page += ".SH SCENES\nThese come with the program:\n";
  for (const EmbeddedScene& scene : embedded_scenes())
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(std::string(scene.name)), plain(first_comment(scene.text)));
  page += ".SH EXIT STATUS\n";
  for (const ExitFacts& exit : kExitFacts)
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(exit.code), plain(exit.about));
  return page + kEnd;
}

}  // namespace pintle::cli
