#include "pintle/simulation/scene/check_run.h"

#include <doctest/doctest.h>

using namespace pintle;

namespace {

constexpr double kNan = __builtin_nan("");

std::string codes_of(const SceneSpec& spec) {
  std::string codes;
  for (const Diagnostic& problem : check_run(spec)) {
    CHECK(problem.origin.line == 5);
    CHECK((!problem.what.empty() && !problem.why.empty() && !problem.fix.empty()));
    codes += (codes.empty() ? "" : " ") + problem.code;
  }
  return codes;
}

template <class Change>
std::string codes_after(Change change) {
  SceneSpec spec;
  spec.run.origin = Origin("scene.toml", 5);
  change(spec.run);
  return codes_of(spec);
}

}  // namespace

TEST_CASE("check_run: each setting out of its range") {
  const auto none = [](RunSpec&) {};
  CHECK(codes_after(none) == "");
  for (const double wrong : {kNan, kInfinity<double>, -kInfinity<double>}) {
    CHECK(codes_after([=](RunSpec& run) { run.t0 = wrong; }) == "run-start");
    CHECK(codes_after([=](RunSpec& run) { run.duration = wrong; }) == "run-duration");
    CHECK(codes_after([=](RunSpec& run) { run.step = wrong; }) == "run-step");
    CHECK(codes_after([=](RunSpec& run) { run.min_rebound_time = wrong; }) == "run-min-rebound-time");
  }
  CHECK(codes_after([](RunSpec& run) { run.duration = -1e-300; }) == "run-duration");
  CHECK(codes_after([](RunSpec& run) { run.duration = 0.0; }) == "");
  CHECK(codes_after([](RunSpec& run) { run.t0 = run.duration = 1e308; }) == "run-duration");
  CHECK(codes_after([](RunSpec& run) { run.step = -1.0; }) == "run-step");
  CHECK(codes_after([](RunSpec& run) {
          run.t0 = 1e20;
          run.step = 1e-3;
        }) == "run-step");
  CHECK(codes_after([](RunSpec& run) {  // the end counts as well
          run.duration = 1e10;
          run.step = 1e-7;
        }) == "run-step");
  for (const double wrong : {0.0, -1.0, kNan, kInfinity<double>}) {
    CHECK(codes_after([=](RunSpec& run) { run.tolerances.relative = wrong; }) == "run-tolerance");
    CHECK(codes_after([=](RunSpec& run) { run.tolerances.absolute = wrong; }) == "run-tolerance");
  }
  CHECK(codes_after([](RunSpec& run) { run.smallest_step = -1.0; }) == "run-step-limits");
  CHECK(codes_after([](RunSpec& run) { run.smallest_step = kNan; }) == "run-step-limits");
  CHECK(codes_after([](RunSpec& run) { run.largest_step = 0.0; }) == "run-step-limits");
  CHECK(codes_after([](RunSpec& run) {
          run.smallest_step = 1e-3;
          run.largest_step = 1e-4;
        }) == "run-step-limits");
  CHECK(codes_after([](RunSpec& run) { run.rows = 0; }) == "run-rows");
  CHECK(codes_after([](RunSpec& run) { run.row_every = -1; }) == "run-rows");
  CHECK(codes_after([](RunSpec& run) { run.certificate_limit = 0.0; }) == "run-certificate");
  CHECK(codes_after([](RunSpec& run) { run.certificate_limit = kNan; }) == "run-certificate");
  CHECK(codes_after([](RunSpec& run) { run.min_rebound_time = -1e-9; }) == "run-min-rebound-time");
}

TEST_CASE("check_run: settings that do not go together") {
  CHECK(codes_after([](RunSpec& run) { run.certificate = false; }).empty());
  CHECK(codes_after([](RunSpec& run) {
          run.certificate = false;
          run.certificate_limit = 1e-9;
        }) == "run-certificate");
  CHECK(codes_after([](RunSpec& run) {
          run.method = Method::dormand_prince;
          run.row_every = 10;
        }) == "run-rows");
  CHECK(codes_after([](RunSpec& run) {
          run.method = Method::dormand_prince;
          run.fixed_step = true;
          run.row_every = 10;
        }) == "");
  SceneSpec spec;
  spec.run.origin = Origin("scene.toml", 5);
  spec.run.method = Method::symplectic_midpoint;
  CHECK(codes_of(spec) == "");
  spec.prescribed.resize(1);
  CHECK(codes_of(spec) == "run-method");
}

TEST_CASE("check_run: all at once") {
  CHECK(codes_after([](RunSpec& run) {
          run.t0 = kNan;
          run.duration = -1.0;
          run.step = kNan;
          run.rows = -5;
          run.min_rebound_time = kNan;
        }) == "run-start run-duration run-step run-rows run-min-rebound-time");
}
