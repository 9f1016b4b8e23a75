#include "pintle/simulation/scene/check_run.h"

#include <cmath>

namespace pintle {

Diagnostics check_run(const SceneSpec& spec) {
  const RunSpec& run = spec.run;
  Diagnostics problems;
  const auto add = [&](bool wrong, const char* code, const char* what, const char* why, const char* fix) {
    if (!wrong) return;
    problems.push_back(make_error(code, run.origin, what, why, fix));
  };
  const double end = run.t0 + run.duration, latest = std::abs(end) > std::abs(run.t0) ? end : run.t0;
  add(!std::isfinite(run.t0), "run-start", "the run starts at a time that is not finite",
      "every time of the run is counted from it", "choose t0 in seconds");
  add(!(run.duration >= 0.0) || !std::isfinite(run.duration) || (std::isfinite(run.t0) && !std::isfinite(end)),
      "run-duration", "the duration of the run is negative or not finite", "a run goes forward in time and ends",
      "choose a duration in seconds");
  add(!(run.step >= 0.0) || !std::isfinite(run.step), "run-step", "the step is negative or not finite",
      "a step goes forward in time", "choose a step in seconds, or 0 to have it estimated");
  add(run.step > 0.0 && std::isfinite(end) && latest + run.step == latest, "run-step",
      "the step is so short that adding it to the time changes nothing", "doubles near that time are further apart",
      "choose a longer step, or a t0 nearer to zero");
  add(!(run.tolerances.relative > 0.0) || !(run.tolerances.absolute > 0.0) || !(run.tolerances.relative < 1.0) ||
          !std::isfinite(run.tolerances.absolute),
      "run-tolerance", "a tolerance is not above zero, or too large",
      "the error of a step is compared with absolute + relative * size", "choose numbers such as 1e-9");
  add(!(run.smallest_step >= 0.0) || !(run.largest_step > 0.0) || !(run.smallest_step <= run.largest_step),
      "run-step-limits", "smallest_step and largest_step leave no step size",
      "error control needs a range to choose from",
      "choose 0 <= smallest_step <= largest_step, and largest_step above 0");
  add(run.rows < 1, "run-rows", "a recording needs at least one row",
      "the first and the last state are always recorded", "choose rows >= 1");
  add(run.row_every < 0, "run-rows", "row_every is negative", "it counts steps", "choose 0 or a number of steps");
  add(run.row_every > 0 && facts(run.method).estimates_error && !run.fixed_step, "run-rows",
      "row_every is given for a method that chooses its steps", "it counts steps of one length",
      "choose rows instead, or fixed_step");
  add(!(run.certificate_limit > 0.0), "run-certificate", "certificate_limit is not above zero",
      "rounding errors alone exceed it, so every run would stop", "choose a number such as 1e-9");
  add(!run.certificate && run.certificate_limit < kCertificateLimit, "run-certificate",
      "certificate_limit is given but certificates are off", "nothing would ever be compared with it",
      "switch certificates on or leave the limit out");
  add(!(run.min_rebound_time >= 0.0) || !std::isfinite(run.min_rebound_time), "run-min-rebound-time",
      "min_rebound_time is negative or not finite", "shorter rebounds are truncated",
      "choose a short time in seconds, such as 1e-9");
  add(run.method == Method::symplectic_midpoint && !spec.prescribed.empty(), "run-method",
      "symplectic-midpoint cannot run prescribed motions",
      "it integrates the momenta of all joints, and a prescribed joint has no free momentum",
      "choose rk4 or dormand-prince");
  return problems;
}

}  // namespace pintle
