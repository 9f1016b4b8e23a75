#include "pintle/io/diagnostics/sarif.h"

#include <doctest/doctest.h>

#include "pintle/io/diagnostics/problem_rules.h"
#include "pintle/text/json.h"

using namespace pintle;

namespace {

Diagnostic problem(const char* code, Severity severity, Origin origin) {
  Diagnostic one;
  one.code = code;
  one.severity = severity;
  one.origin = std::move(origin);
  one.what = "what is wrong";
  one.why = "a reason";
  one.fix = "a way";
  return one;
}

Json run_of(const Diagnostics& problems, std::span<const SarifFile> files) {
  return Json::parse(sarif_text(problems, files)).value()["runs"][0];
}

}  // namespace

TEST_CASE("problem rules: every row of the page gives its codes, with meaning, remedy and place") {
  const std::vector<ProblemRule> rules = problem_rules();
  CHECK(rules.size() > 190);
  for (const ProblemRule& rule : rules) {
    CAPTURE(rule.code);
    CHECK_FALSE(rule.code.empty());
    CHECK(rule.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
    CHECK_FALSE(rule.meaning.empty());
    CHECK_FALSE(rule.remedy.empty());
    CHECK(rule.place.starts_with("docs/formats/problems.md#"));
  }
  CHECK(rules[0].code == "toml-syntax");
  CHECK(rules[0].meaning == "the file is not TOML: a quote, a comma, a bracket");
  CHECK(rules[0].remedy == "the message says which");
  CHECK(rules[0].place == "docs/formats/problems.md#files");
  CHECK(rules[1].code == "file-open");
  CHECK(rules[2].code == "file-read");
  CHECK(rules[2].meaning == rules[1].meaning);
}

TEST_CASE("SARIF: rules once each, results with their place, in the order of the problems") {
  const SarifFile files[] = {{"robots/my arm.toml", "robots/my arm.toml", "a\nb = \"\xC3\xA4\xC3\xB6\" # x\r\nc\n"},
                             {"away.toml", "/else where/away.toml", "a\n"}};
  const Diagnostics problems{problem("scene-key", Severity::error, {"robots/my arm.toml", 2, 12}),
                             problem("inertia-density", Severity::warning, {"away.toml", 1, 1}),
                             problem("scene-key", Severity::error, {"robots/my arm.toml", 3}),
                             problem("scene-setting", Severity::error, {"--set", 1, 4}),
                             problem("scene-more", Severity::note, {})};
  const Json run = run_of(problems, files);
  const Json& rules = run["tool"]["driver"]["rules"];
  REQUIRE(rules.size() == 4);
  CHECK(rules[0]["id"] == "scene-key");
  CHECK(rules[0]["name"] == "SceneKey");
  CHECK(rules[0]["shortDescription"]["text"] == "a key that does not exist");
  CHECK(rules[0]["help"]["text"] == "the nearest one is named\nSee docs/formats/problems.md#keys-and-values");
  CHECK(rules[0]["defaultConfiguration"]["level"] == "error");
  CHECK(rules[1]["defaultConfiguration"]["level"] == "warning");
  CHECK(rules[3]["defaultConfiguration"]["level"] == "note");
  const Json& results = run["results"];
  REQUIRE(results.size() == 5);
  for (const Json& result : results) CHECK(rules[result["ruleIndex"].as<std::size_t>()]["id"] == result["ruleId"]);
  CHECK(results[0]["level"] == "error");
  CHECK(results[1]["level"] == "warning");
  CHECK(results[4]["level"] == "note");
  CHECK(results[0]["message"]["text"] == "what is wrong\nwhy: a reason\nfix: a way");
  // Byte 12 of the line is its tenth character; a relative path is a URI below the root, an absolute one a whole one.
  const Json& place = results[0]["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "robots/my%20arm.toml");
  CHECK(place["artifactLocation"]["uriBaseId"] == "%SRCROOT%");
  CHECK(place["region"] == Json{{"startLine", 2}, {"startColumn", 10}});
  const Json& away = results[1]["locations"][0]["physicalLocation"];
  CHECK(away["artifactLocation"] == Json{{"uri", "file:///else%20where/away.toml"}});
  CHECK(results[2]["locations"][0]["physicalLocation"]["region"] == Json{{"startLine", 3}});
  const Json whole = run_of({problem("scene-bodies", Severity::error, {"away.toml"})}, files);
  CHECK(whole["results"][0]["locations"][0]["physicalLocation"]["region"] == Json{{"startLine", 1}});
  CHECK(results[3]["locations"][0]["logicalLocations"][0]["name"] == "--set");
  CHECK_FALSE(results[4].contains("locations"));
}

TEST_CASE(
    "SARIF: rules without signs of Markdown; a code that no page has is still a rule; nothing wrong is a whole log") {
  const Json run =
      run_of({problem("expression-empty", Severity::error, {}), problem("of-nobody", Severity::error, {})}, {});
  const Json& rules = run["tool"]["driver"]["rules"];
  CHECK(rules[0]["help"]["text"] == "see expressions.md\nSee docs/formats/problems.md#what-acts");
  CHECK(rules[0]["help"]["markdown"] ==
        "see [expressions.md](expressions.md)\n\nSee `docs/formats/problems.md#what-acts`");
  CHECK(rules[1] == Json{{"id", "of-nobody"}, {"name", "OfNobody"}});
  const Json none = run_of({}, {});
  CHECK(none["results"].empty());
  CHECK(none["tool"]["driver"]["rules"].is_array());
  CHECK(sarif_text({}, {}) == sarif_text({}, {}));
  CHECK(sarif_text({}, {}).ends_with("}\n"));
}

TEST_CASE("SARIF: bytes that are no UTF-8, and columns beyond the line, do no harm") {
  const SarifFile files[] = {{"a", "a", "\xFF\xFE"}};
  Diagnostic odd = problem("scene-key", Severity::error, {"a", 1, 50});
  odd.what = "\xFF";
  const Json run = run_of({odd, problem("scene-key", Severity::error, {"a", 9, 3})}, files);
  CHECK(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"].as<int>() >= 1);
  CHECK(run["results"][1]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 1);
}
