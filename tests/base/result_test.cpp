#include "pintle/base/result.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

const Diagnostic kError = {
    .code = "no-mass", .origin = {"a.urdf", 3, 5}, .what = "a link has no mass", .fix = "add it"};
const Diagnostic kWarning = {.code = "unused", .severity = Severity::warning, .what = "a material is not used"};
const Diagnostic kNote = {.code = "merged", .severity = Severity::note, .what = "a weld was merged"};

template <class F>
std::string usage_error(const F& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a success gives its value by every way of access") {
  Result<std::string> result = std::string("arm");
  const Result<std::string>& view = result;
  CHECK(result.ok());
  CHECK(static_cast<bool>(view));
  CHECK(result.value() == "arm");
  CHECK(view.value() == "arm");
  CHECK(*result == "arm");
  CHECK(*view == "arm");
  CHECK(result->size() == 3);
  CHECK(view->size() == 3);
  CHECK(result.diagnostics().empty());
  *result += "s";
  result->push_back('!');
  result.value() += "?";
  CHECK(*view == "arms!?");
}

TEST_CASE("the value can be moved out") {
  Result<std::string> result = std::string(100, 'x');
  const char* data = result->data();
  const std::string taken = std::move(result).value();
  CHECK(taken.data() == data);
  CHECK(*Result<std::string>(std::string("y")) == "y");
}

TEST_CASE("a value that can only be moved, and one without a default, will do") {
  const auto make = [](int n) -> Result<std::unique_ptr<int>> {
    if (n < 0) return kError;
    return std::make_unique<int>(n);
  };
  Result<std::unique_ptr<int>> made = make(7);
  Result<std::unique_ptr<int>> moved = std::move(made);
  CHECK(**moved == 7);
  const std::unique_ptr<int> taken = std::move(moved).value();
  CHECK(*taken == 7);
  CHECK_FALSE(make(-1).ok());

  struct NoDefault {
    explicit NoDefault(int n) : value(n) {}
    int value;
  };
  const Result<NoDefault> plain = NoDefault(4);
  CHECK(plain->value == 4);
}

TEST_CASE("a success may carry warnings and notes, in their order") {
  const Result<int> result(5, {kWarning, kNote});
  CHECK(result.ok());
  CHECK(*result == 5);
  REQUIRE(result.diagnostics().size() == 2);
  CHECK(result.diagnostics()[0].code == "unused");
  CHECK(result.diagnostics()[1].code == "merged");
}

TEST_CASE("a failure has no value, and asking for it tells the first error") {
  Result<std::string> result = Diagnostics{kWarning, kError, {.code = "later"}};
  const Result<std::string>& view = result;
  CHECK_FALSE(result.ok());
  CHECK_FALSE(static_cast<bool>(view));
  CHECK(view.diagnostics().size() == 3);
  const std::string expected = "Result::value: there is no value: " + format(kError);
  CHECK(usage_error([&] { result.value(); }) == expected);
  CHECK(usage_error([&] { view.value(); }) == expected);
  CHECK(usage_error([&] { *result; }) == expected);
  CHECK(usage_error([&] { *view; }) == expected);
  CHECK(usage_error([&] { result->clear(); }) == expected);
  CHECK(usage_error([&] { (void)view->size(); }) == expected);
  CHECK(usage_error([&] { (void)std::move(result).value(); }) == expected);
  CHECK(usage_error([&] { (void)*std::move(result); }) == expected);
}

TEST_CASE("diagnostics can be handed on to the result of another type") {
  const auto inner = []() -> Result<int> { return kError; };
  const auto outer = [&]() -> Result<std::string> {
    Result<int> n = inner();
    if (!n) return std::move(n).diagnostics();
    return std::to_string(*n);
  };
  const Result<std::string> result = outer();
  REQUIRE(result.diagnostics().size() == 1);
  CHECK(result.diagnostics()[0].code == "no-mass");
}

TEST_CASE("a failure without an error and a success with one are wrong calls") {
  const std::string no_error = "Result: argument 'diagnostics': a failure needs at least one error";
  const std::string no_success = "Result: argument 'warnings': a success can carry warnings and notes, but no error";
  CHECK(usage_error([] { Result<int> r = Diagnostics{}; }) == no_error);
  CHECK(usage_error([] { Result<int> r = Diagnostics{kWarning, kNote}; }) == no_error);
  CHECK(usage_error([] { Result<int> r = kWarning; }) == no_error);
  CHECK(usage_error([] { Result<int> r(5, {kWarning, kError}); }) == no_success);
  CHECK(usage_error([] { Result<void> r = Diagnostics{}; }) == no_error);
  CHECK(usage_error([] { Result<void> r = kNote; }) == no_error);
  CHECK(usage_error([] { (void)Result<void>::success({kError}); }) == no_success);
}

TEST_CASE("a result without a value obeys the same laws") {
  const Result<void> good;
  CHECK(good.ok());
  CHECK(static_cast<bool>(good));
  CHECK_NOTHROW(good.value());
  CHECK(good.diagnostics().empty());

  const Result<void> warned = Result<void>::success({kWarning});
  CHECK(warned.ok());
  CHECK_NOTHROW(warned.value());
  CHECK(warned.diagnostics().size() == 1);

  Result<void> bad = kError;
  CHECK_FALSE(bad.ok());
  CHECK_FALSE(static_cast<bool>(bad));
  CHECK(usage_error([&] { bad.value(); }) == "Result::value: there is no value: " + format(kError));
  CHECK(Result<void>(Diagnostics{kNote, kError}).diagnostics().size() == 2);
  const Diagnostics taken = std::move(bad).diagnostics();
  CHECK(taken.size() == 1);
  CHECK(usage_error([&] { bad.value(); }) == "Result::value: there is no value: it was moved from");
}

}  // namespace
}  // namespace pintle
