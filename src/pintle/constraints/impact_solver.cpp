#include "pintle/constraints/impact_solver.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr int kHalvings = 40;        // in the search for the largest admissible scale of the restitution
constexpr int kMaxSweeps = 20000;    // with all of the restitution, and with none
constexpr int kTrialSweeps = 500;    // in between: the one before is a good start
constexpr int kMaxUnsolved = 8;      // trials without a solution, before the best one so far is accepted
constexpr double kLargest = 1e6;     // of the speeds: larger terms that cancel are no solution
constexpr double kApproach = 1e-13;  // of the speeds: slower is no approach
constexpr double kPointWork = 2e3;   // multiplications of an impact at one point
constexpr double kLeft = 1e-9;       // likewise: a faster one that remains at the end is no solution
class Impact {
 public:
  Impact(const ImpactProblem& problem, ImpactWorkspace& work, std::span<double> P)
      : p_(problem), work_(work), P_(P), n_(problem.before.size()), contacts_(problem.friction.size()) {}

  ImpactReport solve() {
    speed_ = 0.0;
    for (const double u : p_.before) speed_ = max(speed_, std::abs(u));
    reset();
    if (contacts_ == 1 && n_ == 3) {
      resolve_contact(0, p_.law, p_.restitution[0]);
    } else if (p_.several == SeveralImpacts::sequential) {
      sequential();
    } else if (!together()) {
      reset();
      report_ = {.fell_back = true, .work = report_.work};
      sequential();
    }
    if (!report_.ok) take_smooth();
    report_.energy_change = energy_change(P_.data(), work_.after.data());
    for (const double u : work_.after) report_.ok = report_.ok && std::isfinite(u);
    return report_;
  }

 private:
  double A(std::size_t i, std::size_t j) const { return p_.A[i * n_ + j]; }
  std::size_t limits() const { return n_ - 3 * contacts_; }

  void reset() {
    for (std::size_t i = 0; i < n_; ++i) {
      P_[i] = 0.0;
      work_.after[i] = p_.before[i];
    }
    for (Buffer<double>* const values : {&work_.compression, &work_.lost, &work_.approach, &work_.slip, &work_.rebound})
      for (double& number : *values) number = 0.0;
  }

  void add(std::size_t row, double impulse) {
    P_[row] += impulse;
    for (std::size_t i = 0; i < n_; ++i) work_.after[i] = fma(A(i, row), impulse, work_.after[i]);
  }

  /// [J] of impulses that lead to the velocities `after`.
  double energy_change(const double* P, const double* after) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_; ++i) sum = fma(0.5 * P[i], p_.before[i] + after[i], sum);
    return sum;
  }

  void resolve_contact(std::size_t c, ImpactLaw law, double restitution) {
    const std::size_t i = 3 * c;
    if (!(A(i, i) > 0.0)) return;  // nothing there can move
    const double* const u = work_.after.data() + i;
    const CoulombPoint point{
        A(i, i), {A(i, i + 1), A(i, i + 2)}, {A(i + 1, i + 1), A(i + 1, i + 2), A(i + 2, i + 2)}, {u[0], u[1], u[2]}};
    const PointImpactSolution solution = point_impact({point, restitution, p_.friction[c]}, law);
    report_.ok = report_.ok && solution.ok;
    work_.compression[c] += solution.compression;
    ++report_.impacts;
    report_.work += kPointWork + static_cast<double>(3 * n_);
    const std::array<double, 3> before{u[0], u[1], u[2]};
    for (std::size_t k = 0; k < 3; ++k) add(i + k, solution.P[k]);
    note_impact(c, solution.P.data(), before.data(), solution.after.data());
    // Keep the velocity of the point law exactly.
    if (contacts_ == 1 && n_ == 3)
      for (std::size_t k = 0; k < 3; ++k) work_.after[k] = solution.after[k];
  }

  /// Records an impact at contact c, whose velocity changed from `before` to `after` by the impulse P.
  void note_impact(std::size_t c, const double* P, const double* before, const double* after) {
    for (std::size_t k = 0; k < 3; ++k) work_.lost[c] = fma(-0.5 * P[k], before[k] + after[k], work_.lost[c]);
    if (-before[0] < work_.approach[c]) return;
    work_.approach[c] = -before[0];
    work_.slip[c] = std::sqrt(fma(before[1], before[1], before[2] * before[2]));
    work_.rebound[c] = after[0];
  }

  /// The row with the most energy in its approach; n where none approaches.
  std::size_t hardest() const {
    std::size_t row = n_;
    double largest = kApproach * speed_;
    for (std::size_t i = 0; i < n_; i += i < 3 * contacts_ ? 3 : 1) {
      if (!(A(i, i) > 0.0)) continue;
      const double approach = -work_.after[i];
      if (!(approach > kApproach * speed_)) continue;
      const double weight = approach / std::sqrt(A(i, i));
      if (row == n_ || weight > largest) {
        largest = weight;
        row = i;
      }
    }
    return row;
  }

  void sequential() {
    const long max_steps = static_cast<long>(p_.max_rounds) * static_cast<long>(contacts_ + limits());
    for (long k = 0; report_.ok; ++k) {
      const std::size_t row = hardest();
      if (row == n_) return;
      const bool plastic = k >= max_steps;
      report_.cut_short = report_.cut_short || plastic;
      if (k >= 3 * max_steps) {
        report_.ok = -work_.after[row] <= kLeft * speed_;
        return;
      }
      if (row < 3 * contacts_) {
        const std::size_t c = row / 3;
        resolve_contact(c, plastic ? ImpactLaw::stronge : p_.law, plastic ? 0.0 : p_.restitution[c]);
      } else {
        const double e = plastic ? 0.0 : p_.restitution[contacts_ + row - 3 * contacts_];
        const double before = work_.after[row], impulse = -(1.0 + e) * before / A(row, row);
        add(row, impulse);
        work_.lost[row - 2 * contacts_] -= 0.5 * impulse * (before + work_.after[row]);
        ++report_.impacts;
      }
    }
  }

  /// Solves with normal impulses of at least 1 + `scale` times restitution of each point's plastic one.
  bool solve_with(double scale, double* P) {
    for (std::size_t c = 0; c < contacts_; ++c) {
      const double min_normal = scale > 0.0 ? fma(scale, p_.restitution[c], 1.0) * work_.plastic[3 * c] : 0.0;
      const double friction = smooth_ ? 0.0 : p_.friction[c];
      work_.laws[c] = {friction, friction, {}, min_normal};
    }
    for (std::size_t i = 3 * contacts_; i < n_; ++i) {
      const std::size_t limit = i - 3 * contacts_;
      work_.lower[limit] = scale > 0.0 ? fma(scale, p_.restitution[contacts_ + limit], 1.0) * work_.plastic[i] : 0.0;
      work_.upper[limit] = kInfinity<double>;
    }
    const ContactProblem problem{p_.A,
                                 p_.before,
                                 {work_.laws.data(), contacts_},
                                 {work_.lower.data(), limits()},
                                 {work_.upper.data(), limits()},
                                 {},
                                 scale > 0.0 && scale < 1.0 ? kTrialSweeps : kMaxSweeps};
    const ContactReport report = solve_contacts(problem, work_.solver, {P, n_});
    report_.work += report.work;
    bool sound = report.converged;
    for (std::size_t i = 0; i < n_; ++i) sound = sound && work_.solver.scale[i] <= kLargest * speed_;
    if (sound) report_.residual = max(report_.residual, report.residual);
    return sound;
  }

  /// Fallback for points that friction wedges against each other or against a motor, so that no impulse was found: they
  /// are treated as frictionless, and nothing rebounds.
  void take_smooth() {
    reset();
    report_ = {.cut_short = true, .fell_back = true, .smooth = true, .work = report_.work};
    smooth_ = true;
    for (std::size_t i = 0; i < n_; ++i) work_.plastic[i] = 0.0;
    report_.ok = solve_with(0.0, work_.plastic.data());
    take(work_.plastic.data());
  }

  /// Accepts these impulses, applied simultaneously.
  void take(const double* P) {
    for (std::size_t i = 0; i < n_; ++i) P_[i] = P[i];
    velocities(P_.data(), work_.after.data());
    for (std::size_t c = 0; c < contacts_; ++c)
      note_impact(c, P_.data() + 3 * c, p_.before.data() + 3 * c, work_.after.data() + 3 * c);
    for (std::size_t i = 3 * contacts_; i < n_; ++i)
      work_.lost[i - 2 * contacts_] = -0.5 * P_[i] * (p_.before[i] + work_.after[i]);
  }

  void velocities(const double* P, double* u) const {
    for (std::size_t i = 0; i < n_; ++i) {
      double sum = p_.before[i];
      for (std::size_t j = 0; j < n_; ++j) sum = fma(A(i, j), P[j], sum);
      u[i] = sum;
    }
  }

  bool together() {
    for (std::size_t i = 0; i < n_; ++i) work_.plastic[i] = 0.0;
    if (!solve_with(0.0, work_.plastic.data())) return false;
    // The work of the normal impulses in compression, and how much of it must stay dissipated.
    velocities(work_.plastic.data(), work_.velocity.data());
    double lost = 0.0;
    bool rebounds = false;
    for (std::size_t i = 0; i < n_; i += i < 3 * contacts_ ? 3 : 1) {
      const bool contact = i < 3 * contacts_;
      const double e = p_.restitution[contact ? i / 3 : contacts_ + i - 3 * contacts_];
      const double work = 0.5 * work_.plastic[i] * (p_.before[i] + work_.velocity[i]);
      lost = fma((1.0 - e) * (1.0 + e), work, lost);
      rebounds = rebounds || (e > 0.0 && work_.plastic[i] > 0.0);
      if (contact) work_.compression[i / 3] = work_.plastic[i];
    }
    const double allowed = lost < 0.0 ? lost : 0.0;
    for (std::size_t i = 0; i < n_; ++i) work_.best[i] = work_.plastic[i];
    report_.scale = rebounds ? search_scale(allowed) : 1.0;
    take(work_.best.data());
    return true;
  }

  /// The largest scale found whose impact leaves no more energy than allowed; `best` has its impulses.
  double search_scale(double allowed) {
    double low = 0.0, high = 1.0;
    int unsolved = 0;
    const double rounding = 64 * kEpsilon<double> * energy_size();
    for (int k = 0; k < kHalvings; ++k) {
      const double scale = k == 0 ? 1.0 : 0.5 * (low + high);
      for (std::size_t i = 0; i < n_; ++i) work_.trial[i] = work_.best[i];
      bool good = solve_with(scale, work_.trial.data());
      if (!good && ++unsolved == kMaxUnsolved) break;
      if (good) {
        velocities(work_.trial.data(), work_.velocity.data());
        good = energy_change(work_.trial.data(), work_.velocity.data()) <= allowed + rounding;
      }
      if (!good) {
        high = scale;
        continue;
      }
      for (std::size_t i = 0; i < n_; ++i) work_.best[i] = work_.trial[i];
      low = scale;
      if (k == 0) break;
    }
    return low;
  }

  double energy_size() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_; ++i) sum = fma(std::abs(work_.plastic[i]), std::abs(p_.before[i]), sum);
    return sum;
  }

  const ImpactProblem& p_;
  ImpactWorkspace& work_;
  std::span<double> P_;
  std::size_t n_, contacts_;
  double speed_ = 0.0;
  bool smooth_ = false;  // without friction
  ImpactReport report_;
};

}  // namespace

ImpactWorkspace::ImpactWorkspace(std::size_t contacts, std::size_t limits)
    : solver(contacts, limits),
      after(3 * contacts + limits),
      compression(contacts),
      lost(contacts + limits),
      approach(contacts),
      slip(contacts),
      rebound(contacts),
      laws(contacts),
      plastic(after.size()),
      trial(after.size()),
      velocity(after.size()),
      lower(limits),
      upper(limits),
      best(after.size()) {}

ImpactReport solve_impact(const ImpactProblem& problem, ImpactWorkspace& work, std::span<double> P) {
  const char* const function = "solve_impact";
  const std::size_t n = problem.before.size(), contacts = problem.friction.size();
  require(n >= 3 * contacts, function, "problem.before", "every contact has three rows");
  require(contacts <= work.compression.size() && n <= work.after.size(), function, "work",
          "it was made for fewer rows");
  require_size(function, "problem.A", problem.A.size(), n * n);
  require_size(function, "problem.restitution", problem.restitution.size(), n - 2 * contacts);
  require_size(function, "P", P.size(), n);
  for (const double e : problem.restitution)
    require(e >= 0.0 && e <= 1.0, function, "problem.restitution", "it must be within [0, 1]");
  for (const double mu : problem.friction) require(mu >= 0.0, function, "problem.friction", "it must not be negative");
  return Impact(problem, work, P).solve();
}

}  // namespace pintle
