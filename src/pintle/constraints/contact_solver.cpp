#include "pintle/constraints/contact_solver.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/constraints/coulomb_point.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kSolved = 1e-13;    // a residual that is as good as rounding lets it be
constexpr double kAccepted = 1e-10;  // one that counts as an answer
constexpr int kFirstSweeps = 16;
constexpr int kMostSweeps = 20000;
constexpr int kPatience = 500;  // sweeps after which contacts that work against each other go only part of their ways
constexpr int kNewtonSteps = 12;

class Solver {
 public:
  Solver(const ContactProblem& problem, ContactWorkspace& work, std::span<double> f)
      : p_(problem), work_(work), f_(f), n_(problem.b.size()), contacts_(problem.contacts.size()) {}

  ContactReport solve() {
    for (std::size_t i = 0; i < n_; ++i) work_.root[i] = std::sqrt(max(p_.A[i * n_ + i], 0.0));
    double best = __builtin_inf();
    const auto judge = [&] {
      find_w();
      const double residual = find_residual();
      if (residual < best) {
        best = residual;
        for (std::size_t i = 0; i < n_; ++i) work_.best[i] = f_[i];
      }
      return best <= kSolved;
    };
    find_w();
    int sweeps = kFirstSweeps;
    while (report_.sweeps < kMostSweeps) {
      for (int k = 0; k < sweeps; ++k) sweep();
      if (report_.sweeps >= kPatience) part_ = 0.4;
      report_.sweeps += sweeps;
      if (judge()) break;
      for (std::size_t i = 0; i < n_; ++i) work_.step[i] = f_[i];
      if (polish() && judge()) break;
      for (std::size_t i = 0; i < n_; ++i) f_[i] = work_.step[i];
      find_w();
      sweeps = 2 * sweeps;
    }
    for (std::size_t i = 0; i < n_; ++i) f_[i] = work_.best[i];
    find_w();
    report_.residual = find_residual();
    read_states();
    report_.converged = report_.residual <= kAccepted;
    report_.jams = find_jam();
    return report_;
  }

 private:
  double A(std::size_t i, std::size_t j) const { return p_.A[i * n_ + j]; }

  void find_w() {
    for (std::size_t i = 0; i < n_; ++i) {
      double sum = p_.b[i], size = std::abs(p_.b[i]);
      for (std::size_t j = 0; j < n_; ++j) {
        sum = fma(A(i, j), f_[j], sum);
        size = fma(work_.root[i] * work_.root[j], std::abs(f_[j]), size);
      }
      work_.w[i] = sum;
      work_.scale[i] = size;
    }
  }

  void change(std::size_t row, double by) {
    if (by == 0.0) return;
    for (std::size_t i = 0; i < n_; ++i) work_.w[i] = fma(A(i, row), by, work_.w[i]);
  }

  void sweep() {
    for (std::size_t c = 0; c < contacts_; ++c) relax_contact(c);
    for (std::size_t i = 3 * contacts_; i < n_; ++i) {
      const double a = A(i, i), old = f_[i];
      if (!(a > 0.0)) continue;
      const std::size_t bar = i - 3 * contacts_;
      f_[i] = clamp_to(old - work_.w[i] / a, p_.lower[bar], p_.upper[bar]);
      change(i, f_[i] - old);
    }
  }

  static double clamp_to(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

  CoulombPoint point(std::size_t c) const {
    const std::size_t i = 3 * c;
    CoulombPoint at{A(i, i), {A(i, i + 1), A(i, i + 2)}, {A(i + 1, i + 1), A(i + 1, i + 2), A(i + 2, i + 2)}, {}};
    for (std::size_t k = 0; k < 3; ++k) {
      double rest = work_.w[i + k];
      for (std::size_t j = 0; j < 3; ++j) rest = fma(-A(i + k, i + j), f_[i + j], rest);
      at.c[k] = rest;
    }
    return at;
  }

  void relax_contact(std::size_t c) {
    const std::size_t i = 3 * c;
    if (!(A(i, i) > 0.0)) return;
    const CoulombAnswer answer = solve_point(point(c), p_.contacts[c]);
    work_.state[c] = answer.state;
    for (std::size_t k = 0; k < 3; ++k) {
      const double by = part_ * (answer.f[k] - f_[i + k]);
      f_[i + k] = part_ == 1.0 ? answer.f[k] : f_[i + k] + by;
      change(i + k, by);
    }
  }

  bool slides_already(std::size_t c) const { return p_.contacts[c].slip[0] != 0.0 || p_.contacts[c].slip[1] != 0.0; }

  bool has_friction(std::size_t c) const { return p_.contacts[c].static_friction > 0.0; }

  /// How badly a contact breaks its law.
  double breach(std::size_t c) const {
    const std::size_t i = 3 * c;
    const double scale = max(work_.scale[i], max(work_.scale[i + 1], work_.scale[i + 2]));
    const double* const w = work_.w.data() + i;
    const double* const f = f_.data() + i;
    const ContactLaw& law = p_.contacts[c];
    double worst = f[0] > law.least ? std::abs(w[0]) : max(-w[0], 0.0);
    if (!slides_already(c) && has_friction(c) && f[0] > 0.0) {
      const double hold = std::sqrt(fma(f[1], f[1], f[2] * f[2]));
      const double slip = std::sqrt(fma(w[1], w[1], w[2] * w[2]));
      double off = slip;
      if (hold > 0.0 && hold >= law.kinetic_friction * f[0] * (1.0 - 1e-12))
        off = min(off, std::sqrt(sq(fma(slip, f[1] / hold, w[1])) + sq(fma(slip, f[2] / hold, w[2]))));
      if (hold > max(law.static_friction, law.kinetic_friction) * f[0] * (1.0 + 1e-9)) off = max(off, scale);
      worst = max(worst, off);
    }
    return scale > 0.0 ? worst / scale : 0.0;
  }

  static double sq(double x) { return x * x; }

  double find_residual() {
    double worst = 0.0;
    report_.worst = -1;
    const auto take = [&](double residual, std::size_t of) {
      if (residual <= worst) return;
      worst = residual;
      report_.worst = static_cast<int>(of);
    };
    for (std::size_t c = 0; c < contacts_; ++c) take(breach(c), c);
    for (std::size_t i = 3 * contacts_; i < n_; ++i) {
      const std::size_t bar = i - 3 * contacts_;
      const double w = work_.w[i];
      double off = std::abs(w);
      if (f_[i] <= p_.lower[bar]) off = max(-w, 0.0);
      if (f_[i] >= p_.upper[bar]) off = f_[i] <= p_.lower[bar] ? 0.0 : max(w, 0.0);
      if (work_.scale[i] > 0.0) take(off / work_.scale[i], i);
    }
    return worst;
  }

  /// Newton's method on what is left when it is taken as known who is open, sticks and slides. False where that leads
  /// away.
  bool polish() {
    for (int k = 0; k < kNewtonSteps; ++k) {
      const std::size_t m = collect_equations();
      if (m == 0) return true;
      solve_min_norm(m, work_.J.data(), work_.r.data(), work_.linear, work_.best.data() + n_);
      double change_size = 0.0, size = 0.0;
      for (std::size_t a = 0; a < m; ++a) {
        const std::size_t row = work_.unknown[a];
        const double by = work_.best[n_ + a] / work_.root[row];
        if (!std::isfinite(by)) return false;
        f_[row] -= by;
        change_size = max(change_size, std::abs(by) * work_.root[row]);
        size = max(size, std::abs(f_[row]) * work_.root[row]);
      }
      set_dependent();
      find_w();
      if (change_size <= 8 * kEpsilon<double> * size) break;
    }
    return within_bounds();
  }

  /// Friction of points that slide already follows the normal force.
  void set_dependent() {
    for (std::size_t c = 0; c < contacts_; ++c) {
      if (!slides_already(c)) continue;
      const double t = -p_.contacts[c].kinetic_friction * f_[3 * c];
      f_[3 * c + 1] = t * p_.contacts[c].slip[0];
      f_[3 * c + 2] = t * p_.contacts[c].slip[1];
    }
  }

  bool within_bounds() {
    for (std::size_t c = 0; c < contacts_; ++c) {
      const double slack = 64 * kEpsilon<double> * work_.scale[3 * c] / max(A(3 * c, 3 * c), kTiny);
      if (f_[3 * c] < p_.contacts[c].least) {
        if (f_[3 * c] < p_.contacts[c].least - slack) return false;
        f_[3 * c] = p_.contacts[c].least;
      }
    }
    for (std::size_t i = 3 * contacts_; i < n_; ++i) {
      const std::size_t bar = i - 3 * contacts_;
      if (f_[i] < p_.lower[bar] || f_[i] > p_.upper[bar]) return false;
    }
    set_dependent();
    return true;
  }

  /// The equations of Newton's method, in unknowns f_i root_i and divided by root_i: J and r. Gives how many.
  std::size_t collect_equations() {
    std::size_t m = 0;
    for (std::size_t c = 0; c < contacts_; ++c) {
      const std::size_t i = 3 * c;
      const bool normal = work_.state[c] != ContactState::open;
      if (!(work_.root[i] > 0.0)) continue;
      if (normal) work_.unknown[m++] = i;
      const bool tangents = !slides_already(c) && has_friction(c) && (normal || p_.contacts[c].least > 0.0);
      for (std::size_t k = 1; k < 3 && tangents; ++k)
        if (work_.root[i + k] > 0.0) work_.unknown[m++] = i + k;
    }
    for (std::size_t i = 3 * contacts_; i < n_; ++i) {
      const std::size_t bar = i - 3 * contacts_;
      if (work_.root[i] > 0.0 && f_[i] > p_.lower[bar] && f_[i] < p_.upper[bar]) work_.unknown[m++] = i;
    }
    for (std::size_t a = 0; a < m; ++a) write_equation(a, m);
    return m;
  }

  /// dw_row/df_column, with what depends on a normal force of a point that slides already.
  double slope(std::size_t row, std::size_t column) const {
    double value = A(row, column);
    const std::size_t c = column / 3;
    if (c < contacts_ && column == 3 * c && slides_already(c)) {
      const ContactLaw& law = p_.contacts[c];
      const double along = fma(A(row, column + 1), law.slip[0], A(row, column + 2) * law.slip[1]);
      value = fma(-law.kinetic_friction, along, value);
    }
    return value;
  }

  void write_equation(std::size_t a, std::size_t m) {
    const std::size_t row = work_.unknown[a];
    const std::size_t c = row / 3;
    double* const J = work_.J.data() + a * m;
    const bool tangent = c < contacts_ && row != 3 * c;
    const double* const w = work_.w.data() + 3 * c;
    const double slip = tangent ? std::sqrt(fma(w[1], w[1], w[2] * w[2])) : 0.0;
    if (tangent && work_.state[c] != ContactState::sticks && slip > 0.0) {
      // f_t + mu f_n w_t/|w_t| = 0, in units of a velocity
      const double mu = p_.contacts[c].kinetic_friction, fn = f_[3 * c];
      const std::size_t k = row - 3 * c;
      const double u[2] = {w[1] / slip, w[2] / slip}, own = u[k - 1];
      const double unit = work_.root[row];
      for (std::size_t j = 0; j < m; ++j) {
        const std::size_t column = work_.unknown[j];
        double value = column == row ? 1.0 : 0.0;
        if (column == 3 * c) value = mu * own;
        const double along = fma(u[0], slope(3 * c + 1, column), u[1] * slope(3 * c + 2, column));
        value = fma(mu * fn / slip, fma(-own, along, slope(row, column)), value);
        J[j] = value * unit / work_.root[column];
      }
      work_.r[a] = fma(mu * fn, own, f_[row]) * unit;
      return;
    }
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t column = work_.unknown[j];
      J[j] = slope(row, column) / (work_.root[row] * work_.root[column]);
    }
    work_.r[a] = work_.w[row] / work_.root[row];
  }

  void read_states() {
    for (std::size_t c = 0; c < contacts_; ++c) {
      const std::size_t i = 3 * c;
      const ContactLaw& law = p_.contacts[c];
      ContactState& state = work_.state[c];
      if (!(f_[i] > law.least)) {
        state = ContactState::open;
      } else if (slides_already(c)) {
        state = ContactState::slides;
      } else {
        const double scale = max(work_.scale[i], max(work_.scale[i + 1], work_.scale[i + 2]));
        const double slip = std::sqrt(sq(work_.w[i + 1]) + sq(work_.w[i + 2]));
        state = has_friction(c) && slip <= kAccepted * scale ? ContactState::sticks : ContactState::slides;
      }
    }
  }

  /// A sliding contact that is driven together although it has no force, or the more the larger its force.
  int find_jam() const {
    if (report_.converged) return -1;
    for (std::size_t c = 0; c < contacts_; ++c) {
      if (!slides_already(c) || !(work_.w[3 * c] < 0.0)) continue;
      if (!(slope(3 * c, 3 * c) > 0.0)) return static_cast<int>(c);
    }
    return -1;
  }

  static constexpr double kTiny = 0x1p-1022;

  const ContactProblem& p_;
  ContactWorkspace& work_;
  std::span<double> f_;
  std::size_t n_, contacts_;
  double part_ = 1.0;  // of the way to the answer for one contact alone that is gone
  ContactReport report_;
};

}  // namespace

ContactWorkspace::ContactWorkspace(std::size_t contacts, std::size_t bars)
    : most_contacts(contacts),
      most_rows(3 * contacts + bars),
      state(contacts),
      w(most_rows),
      scale(most_rows),
      best(2 * most_rows),
      J(most_rows * most_rows),
      r(most_rows),
      step(most_rows),
      root(most_rows),
      unknown(most_rows),
      linear(most_rows) {}

ContactReport solve_contacts(const ContactProblem& problem, ContactWorkspace& work, std::span<double> f) {
  const char* const function = "solve_contacts";
  const std::size_t n = problem.b.size();
  require(problem.contacts.size() <= work.most_contacts && n <= work.most_rows, function, "work",
          "it is for fewer contacts or rows");
  require_size(function, "problem.A", problem.A.size(), n * n);
  require_size(function, "problem.b", n, 3 * problem.contacts.size() + problem.lower.size());
  require_size(function, "problem.upper", problem.upper.size(), problem.lower.size());
  require_size(function, "f", f.size(), n);
  for (std::size_t i = 0; i < problem.lower.size(); ++i)
    require(problem.lower[i] <= problem.upper[i], function, "problem.lower", "it must not be above `upper`");
  for (const ContactLaw& law : problem.contacts) {
    require(law.kinetic_friction >= 0.0 && law.static_friction >= law.kinetic_friction, function, "problem.contacts",
            "0 <= kinetic_friction <= static_friction must hold");
    require(law.least >= 0.0, function, "problem.contacts", "`least` must not be negative");
  }
  return Solver(problem, work, f).solve();
}

}  // namespace pintle
