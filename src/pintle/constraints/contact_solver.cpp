#include "pintle/constraints/contact_solver.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/constraints/coulomb_point.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kSolved = 1e-13;    // a residual at rounding level
constexpr double kAccepted = 1e-10;  // one that counts as a solution
constexpr double kAtLimit = 1e-11;   // relative to the largest force: friction that exceeds its limit by less holds
constexpr int kFirstSweeps = 16;
constexpr int kPatience = 500;  // sweeps after which contacts that work against each other are under-relaxed
constexpr int kNewtonSteps = 12;
constexpr double kMinNormWork = 3.0;  // multiplications of solve_min_norm, relative to the cube of the unknowns

class CoulombSolver {
 public:
  CoulombSolver(const ContactProblem& problem, ContactWorkspace& work, std::span<double> f)
      : p_(problem), work_(work), f_(f), n_(problem.b.size()), contacts_(problem.contacts.size()) {
    number_rows();
  }

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
    while (report_.sweeps < p_.max_sweeps) {
      for (int k = 0; k < sweeps; ++k) sweep();
      report_.work += static_cast<double>(sweeps) * static_cast<double>(n_ * n_);
      if (report_.sweeps >= kPatience) part_ = 0.4;
      report_.sweeps += sweeps;
      if (judge()) break;
      for (std::size_t i = 0; i < n_; ++i) work_.step[i] = f_[i];
      if (polish() && judge()) break;
      if (report_.sweeps >= kPatience && hold_closed() && (judge() || best <= kAccepted)) break;
      for (std::size_t i = 0; i < n_; ++i) f_[i] = work_.step[i];
      find_w();
      sweeps = 2 * sweeps;
    }
    for (std::size_t i = 0; i < n_; ++i) f_[i] = work_.best[i];
    if (best <= kAccepted) trim_friction();
    find_w();
    report_.residual = find_residual();
    read_states();
    report_.converged = report_.residual <= kAccepted;
    report_.wedges = find_painleve_impact();
    return report_;
  }

 private:
  /// Friction in some rows that is bounded by a normal multiplier.
  struct Friction {
    std::size_t normal, first, rows;
    double hold, slide;               ///< maximum ratio to the normal multiplier, at rest and sliding
    std::array<double, 2> direction;  ///< slip direction where it already slides
    bool moves() const { return direction[0] != 0.0 || direction[1] != 0.0; }
  };

  Friction friction(std::size_t number) const {
    if (number < contacts_) {
      const ContactLaw& law = p_.contacts[number];
      return {3 * number, 3 * number + 1, 2, law.static_friction, law.kinetic_friction, law.slip};
    }
    const MomentLaw& law = p_.moments[number - contacts_];
    return {3 * law.contact, work_.moment_row[number - contacts_], law.rows, law.friction, law.friction, law.direction};
  }
  std::size_t frictions() const { return contacts_ + p_.moments.size(); }

  void number_rows() {
    std::size_t row = 3 * contacts_, moment = 0;
    for (std::size_t i = 0; i < n_; ++i) work_.friction_of[i] = -1;
    for (std::size_t c = 0; c < contacts_; ++c) {
      work_.first_moment[c] = moment;
      for (; moment < p_.moments.size() && p_.moments[moment].contact == c; ++moment) {
        work_.moment_row[moment] = row;
        row += p_.moments[moment].rows;
      }
    }
    work_.first_moment[contacts_] = moment;
    limit_rows_ = row;
    for (std::size_t number = 0; number < frictions(); ++number) {
      const Friction of = friction(number);
      for (std::size_t k = 0; k < of.rows; ++k) work_.friction_of[of.first + k] = static_cast<int>(number);
    }
  }

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
    for (std::size_t c = 0; c < contacts_; ++c) {
      relax_contact(c);
      for (std::size_t moment = work_.first_moment[c]; moment < work_.first_moment[c + 1]; ++moment)
        relax_moment(contacts_ + moment);
    }
    for (std::size_t i = limit_rows_; i < n_; ++i) {
      const double a = A(i, i), old = f_[i];
      if (!(a > 0.0)) continue;
      const std::size_t bar = i - limit_rows_;
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
    const CoulombSolution solution = solve_point(point(c), p_.contacts[c]);
    work_.state[c] = solution.state;
    work_.holds[c] = solution.state == ContactState::sticks;
    for (std::size_t k = 0; k < 3; ++k) relax_to(i + k, solution.f[k]);
  }

  void relax_to(std::size_t row, double f) {
    const double by = part_ * (f - f_[row]);
    f_[row] = part_ == 1.0 ? f : f_[row] + by;
    change(row, by);
  }

  void relax_moment(std::size_t number) {
    const Friction of = friction(number);
    const std::size_t i = of.first;
    const double bound = of.slide * f_[of.normal];
    if (of.moves()) {
      for (std::size_t k = 0; k < of.rows; ++k) {
        const double old = f_[i + k];
        f_[i + k] = -bound * of.direction[k];
        change(i + k, f_[i + k] - old);
      }
    } else if (of.rows == 1) {
      if (!(A(i, i) > 0.0)) return;
      const double hold = f_[i] - work_.w[i] / A(i, i), f = clamp_to(hold, -bound, bound);
      work_.holds[number] = f == hold;
      relax_to(i, f);
    } else {
      const std::array<double, 3> tt{A(i, i), A(i, i + 1), A(i + 1, i + 1)};
      if (!(tt[0] > 0.0) || !(tt[2] > 0.0)) return;
      const std::array<double, 2> c{work_.w[i] - fma(tt[0], f_[i], tt[1] * f_[i + 1]),
                                    work_.w[i + 1] - fma(tt[1], f_[i], tt[2] * f_[i + 1])};
      const TangentSolution solution = solve_tangents(tt, c, bound, bound);
      work_.holds[number] = solution.sticks;
      for (std::size_t k = 0; k < 2; ++k) relax_to(i + k, solution.f[k]);
    }
  }

  /// The size of a vector in the rows of a friction.
  static double size(const Friction& of, const double* x) {
    return of.rows == 1 ? std::abs(x[of.first])
                        : std::sqrt(fma(x[of.first], x[of.first], x[of.first + 1] * x[of.first + 1]));
  }

  double scale(const Friction& of) const {
    return of.rows == 1 ? work_.scale[of.first] : max(work_.scale[of.first], work_.scale[of.first + 1]);
  }

  /// The violation of a contact's law, without friction.
  double normal_breach(std::size_t c) const {
    const std::size_t i = 3 * c;
    const double all = max(work_.scale[i], scale(friction(c))), w = work_.w[i];
    const double off = f_[i] > p_.contacts[c].min_normal ? std::abs(w) : max(-w, 0.0);
    return all > 0.0 ? off / all : 0.0;
  }

  double friction_breach(std::size_t number) const {
    const Friction of = friction(number);
    const double fn = f_[of.normal];
    if (of.moves() || !(of.hold > 0.0) || !(fn > 0.0)) return 0.0;
    double all = scale(of);
    if (number < contacts_) all = max(all, work_.scale[of.normal]);
    const double hold = size(of, f_.data()), slip = size(of, work_.w.data());
    double off = slip;
    if (hold > 0.0 && hold >= of.slide * fn * (1.0 - 1e-12)) {
      double square = 0.0;
      for (std::size_t i = of.first; i < of.first + of.rows; ++i) square += sq(fma(slip, f_[i] / hold, work_.w[i]));
      off = min(off, std::sqrt(square));
    }
    if (hold > of.hold * fn * (1.0 + 1e-9)) off = max(off, (hold - of.hold * fn) / sq(unit(of.first)));
    return all > 0.0 ? off / all : 0.0;
  }

  static double sq(double x) { return x * x; }

  double find_residual() {
    double worst = 0.0;
    report_.worst = -1;
    for (const double f : f_)
      if (!std::isfinite(f)) return __builtin_inf();
    const auto take = [&](double residual, std::size_t of) {
      if (residual <= worst) return;
      worst = residual;
      report_.worst = static_cast<int>(of);
    };
    for (std::size_t c = 0; c < contacts_; ++c) take(normal_breach(c), c);
    for (std::size_t number = 0; number < frictions(); ++number)
      take(friction_breach(number), friction(number).normal / 3);
    for (std::size_t i = limit_rows_; i < n_; ++i) {
      const std::size_t bar = i - limit_rows_;
      const double w = work_.w[i];
      double off = std::abs(w);
      if (f_[i] <= p_.lower[bar]) off = max(-w, 0.0);
      if (f_[i] >= p_.upper[bar]) off = f_[i] <= p_.lower[bar] ? 0.0 : max(w, 0.0);
      if (work_.scale[i] > 0.0) take(off / work_.scale[i], i);
    }
    return worst;
  }

  /// Newton's method with the set of open, sticking and sliding contacts fixed. False where it diverges.
  bool polish() {
    for (int k = 0; k < kNewtonSteps; ++k) {
      const std::size_t m = collect_equations();
      if (m == 0) return true;
      report_.work += kMinNormWork * static_cast<double>(m * m * m);
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

  /// Forces that hold all contacts that are not open, and all joints within their bounds; if there are none, what is
  /// overloaded most slides. False where that leads to no solution.
  bool hold_closed() {
    for (std::size_t number = 0; number < frictions(); ++number) work_.holds[number] = 1;
    const std::size_t m = collect_equations();
    if (m == 0) return false;
    for (std::size_t i = 0; i < n_; ++i) work_.place[i] = n_;
    for (std::size_t a = 0; a < m; ++a) work_.place[work_.unknown[a]] = a;
    const std::size_t cones = collect_cones();
    // The equations in units in which the cones are round.
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t j = 0; j < m; ++j) work_.J[a * m + j] *= work_.root[work_.unknown[j]] * unit(work_.unknown[j]);
      for (std::size_t j = 0; j < m; ++j) work_.cone_work.G[a * m + j] = work_.J[a * m + j];
    }
    double* const x = work_.best.data() + n_;
    report_.work += kMinNormWork * static_cast<double>(m * m * m);
    const std::size_t rank = solve_min_norm(m, work_.J.data(), work_.r.data(), work_.linear, x);
    double size = 0.0;
    for (std::size_t a = 0; a < m; ++a) {
      x[a] = f_[work_.unknown[a]] / unit(work_.unknown[a]) - x[a];
      size = max(size, std::abs(x[a]));
      for (std::size_t j = 0; j < m; ++j) work_.J[a * m + j] = work_.cone_work.G[a * m + j];
    }
    const ConeReport report = move_into_cones(m, m, work_.J.data(), std::span(work_.cones.data(), cones),
                                              kAtLimit * size, work_.cone_work, x, rank);
    report_.work += report.work;
    for (std::size_t a = 0; a < m; ++a) f_[work_.unknown[a]] = x[a] * unit(work_.unknown[a]);
    set_dependent();
    if (report.found) return within_bounds();
    slide_overloaded();
    return polish();
  }

  /// Friction that exceeds its limit by the accepted residual is reduced to it.
  void trim_friction() {
    for (std::size_t number = 0; number < frictions(); ++number) {
      const Friction of = friction(number);
      const double fn = f_[of.normal], load = size(of, f_.data()), limit = fn > kTiny ? of.hold * fn : 0.0;
      if (limit > 0.0 && (of.moves() || !(load > limit * (1.0 + 1e-9)))) continue;
      for (std::size_t i = of.first; i < of.first + of.rows; ++i) f_[i] = limit > 0.0 ? f_[i] * (limit / load) : 0.0;
    }
  }

  /// Friction beyond its limit slides, at its limit.
  void slide_overloaded() {
    for (std::size_t number = 0; number < frictions(); ++number) {
      const Friction of = friction(number);
      const double load = size(of, f_.data()), limit = of.slide * max(f_[of.normal], 0.0);
      if (of.moves() || !(load > limit)) continue;
      work_.holds[number] = 0;
      if (number < contacts_) work_.state[number] = ContactState::slides;
      for (std::size_t i = of.first; i < of.first + of.rows; ++i) f_[i] *= limit / load;
    }
    find_w();
  }

  /// A multiplier of one unit in this row causes an acceleration of about 1; the same in all rows of a friction.
  double unit(std::size_t row) const {
    const int number = work_.friction_of[row];
    if (number < 0) return 1.0 / work_.root[row];
    const Friction of = friction(static_cast<std::size_t>(number));
    return 1.0 / (of.rows == 1 ? work_.root[of.first] : max(work_.root[of.first], work_.root[of.first + 1]));
  }

  /// The conditions on the unknowns, in their units; returns how many.
  std::size_t collect_cones() {
    std::size_t count = 0;
    for (std::size_t c = 0; c < contacts_; ++c) {
      if (work_.place[3 * c] == n_) continue;
      const Friction of = friction(c);
      const double normal_unit = unit(3 * c), least = p_.contacts[c].min_normal;
      if (of.moves() || !(of.hold > 0.0) || least > 0.0)
        work_.cones[count++] = {work_.place[3 * c], 1.0, -least / normal_unit};
    }
    for (std::size_t number = 0; number < frictions(); ++number) {
      const Friction of = friction(number);
      ForceCone cone;
      for (std::size_t row = of.first; row < of.first + of.rows; ++row)
        if (work_.place[row] != n_ && cone.rows++ == 0) cone.first = work_.place[row];
      if (cone.rows == 0) continue;
      const double hold = of.hold / unit(of.first);
      const bool closed = work_.place[of.normal] != n_;
      if (closed) cone.normal = work_.place[of.normal];
      cone.slope = closed ? hold * unit(of.normal) : 0.0;
      cone.offset = closed ? 0.0 : hold * f_[of.normal];
      work_.cones[count++] = cone;
    }
    for (std::size_t i = limit_rows_; i < n_; ++i) {
      if (work_.place[i] == n_) continue;
      const double lower = p_.lower[i - limit_rows_], upper = p_.upper[i - limit_rows_];
      if (lower > -__builtin_inf()) work_.cones[count++] = {work_.place[i], 1.0, -lower / unit(i)};
      if (upper < __builtin_inf()) work_.cones[count++] = {work_.place[i], -1.0, upper / unit(i)};
    }
    return count;
  }

  /// Friction of contacts that already slide or rotate follows the normal force.
  void set_dependent() {
    for (std::size_t number = 0; number < frictions(); ++number) {
      const Friction of = friction(number);
      if (!of.moves()) continue;
      for (std::size_t k = 0; k < of.rows; ++k) f_[of.first + k] = -of.slide * f_[of.normal] * of.direction[k];
    }
  }

  bool within_bounds() {
    for (std::size_t c = 0; c < contacts_; ++c) {
      const double slack = 64 * kEpsilon<double> * work_.scale[3 * c] / max(A(3 * c, 3 * c), kTiny);
      if (f_[3 * c] < p_.contacts[c].min_normal) {
        if (f_[3 * c] < p_.contacts[c].min_normal - slack) return false;
        f_[3 * c] = p_.contacts[c].min_normal;
      }
    }
    for (std::size_t i = limit_rows_; i < n_; ++i) {
      const std::size_t bar = i - limit_rows_;
      if (f_[i] < p_.lower[bar] || f_[i] > p_.upper[bar]) return false;
    }
    set_dependent();
    return true;
  }

  /// The equations of Newton's method, in unknowns f_i root_i and divided by root_i: J and r. Returns how many.
  std::size_t collect_equations() {
    std::size_t m = 0;
    const auto closed = [&](std::size_t c) { return work_.state[c] != ContactState::open; };
    for (std::size_t c = 0; c < contacts_; ++c)
      if (closed(c) && work_.root[3 * c] > 0.0) work_.unknown[m++] = 3 * c;
    for (std::size_t number = 0; number < frictions(); ++number) {
      const Friction of = friction(number);
      const std::size_t c = of.normal / 3;
      if (of.moves() || !(of.hold > 0.0) || !(work_.root[of.normal] > 0.0)) continue;
      if (!closed(c) && !(p_.contacts[c].min_normal > 0.0)) continue;
      for (std::size_t i = of.first; i < of.first + of.rows; ++i)
        if (work_.root[i] > 0.0) work_.unknown[m++] = i;
    }
    for (std::size_t i = limit_rows_; i < n_; ++i) {
      const std::size_t bar = i - limit_rows_;
      if (work_.root[i] > 0.0 && f_[i] > p_.lower[bar] && f_[i] < p_.upper[bar]) work_.unknown[m++] = i;
    }
    for (std::size_t a = 0; a < m; ++a) write_equation(a, m);
    return m;
  }

  /// dw_row/df_column, including friction that depends on a normal force where a contact already slides.
  double slope(std::size_t row, std::size_t column) const {
    double value = A(row, column);
    if (column >= 3 * contacts_ || column % 3 != 0) return value;
    const std::size_t c = column / 3;
    const auto follow = [&](const Friction& of) {
      if (!of.moves()) return;
      double along = 0.0;
      for (std::size_t k = 0; k < of.rows; ++k) along = fma(A(row, of.first + k), of.direction[k], along);
      value = fma(-of.slide, along, value);
    };
    follow(friction(c));
    for (std::size_t moment = work_.first_moment[c]; moment < work_.first_moment[c + 1]; ++moment)
      follow(friction(contacts_ + moment));
    return value;
  }

  void write_equation(std::size_t a, std::size_t m) {
    const std::size_t row = work_.unknown[a];
    double* const J = work_.J.data() + a * m;
    if (const int number = work_.friction_of[row]; number >= 0 && work_.holds[static_cast<std::size_t>(number)] == 0) {
      const Friction of = friction(static_cast<std::size_t>(number));
      const double slip = size(of, work_.w.data());
      if (slip > 0.0) {
        write_sliding(row, of, slip, J, m);
        work_.r[a] = fma(of.slide * f_[of.normal], work_.w[row] / slip, f_[row]) * work_.root[row];
        return;
      }
    }
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t column = work_.unknown[j];
      J[j] = slope(row, column) / (work_.root[row] * work_.root[column]);
    }
    work_.r[a] = work_.w[row] / work_.root[row];
  }

  /// f + mu f_n w/|w| = 0 in one row of a friction, in units of a velocity.
  void write_sliding(std::size_t row, const Friction& of, double slip, double* J, std::size_t m) const {
    const double own = work_.w[row] / slip;
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t column = work_.unknown[j];
      double value = column == row ? 1.0 : 0.0;
      if (column == of.normal) value = of.slide * own;
      double along = 0.0;
      for (std::size_t i = of.first; i < of.first + of.rows; ++i)
        along = fma(work_.w[i] / slip, slope(i, column), along);
      value = fma(of.slide * f_[of.normal] / slip, fma(-own, along, slope(row, column)), value);
      J[j] = value * work_.root[row] / work_.root[column];
    }
  }

  void read_states() {
    for (std::size_t c = 0; c < contacts_; ++c) {
      const std::size_t i = 3 * c;
      const Friction of = friction(c);
      ContactState& state = work_.state[c];
      const bool rests = of.hold > 0.0 && size(of, work_.w.data()) <= kAccepted * max(work_.scale[i], scale(of));
      if (!(f_[i] > p_.contacts[c].min_normal)) {
        state = ContactState::open;
      } else {
        state = !of.moves() && rests ? ContactState::sticks : ContactState::slides;
      }
      work_.holds[c] = state == ContactState::sticks;
    }
    for (std::size_t number = contacts_; number < frictions(); ++number) {
      const Friction of = friction(number);
      const bool closed = work_.state[of.normal / 3] != ContactState::open;
      work_.holds[number] = closed && !of.moves() && size(of, work_.w.data()) <= kAccepted * scale(of);
    }
  }

  /// A sliding contact that closes although it has no force, or closes faster the larger its force.
  int find_painleve_impact() const {
    if (report_.converged) return -1;
    for (std::size_t c = 0; c < contacts_; ++c) {
      if (!friction(c).moves() || !(work_.w[3 * c] < 0.0)) continue;
      if (!(slope(3 * c, 3 * c) > 0.0)) return static_cast<int>(c);
    }
    return -1;
  }

  static constexpr double kTiny = 0x1p-1022;

  const ContactProblem& p_;
  ContactWorkspace& work_;
  std::span<double> f_;
  std::size_t n_, contacts_, limit_rows_ = 0;  // limit_rows_: the first row of those with bounds
  double part_ = 1.0;                          // relaxation factor: fraction of the step to the solution of one contact
  ContactReport report_;
};

}  // namespace

ContactWorkspace::ContactWorkspace(std::size_t contacts, std::size_t limit_rows, std::size_t moments)
    : max_contacts(contacts),
      max_moments(moments),
      max_rows(3 * contacts + 2 * moments + limit_rows),
      state(contacts),
      holds(contacts + moments),
      w(max_rows),
      scale(max_rows),
      best(2 * max_rows),
      J(max_rows * max_rows),
      r(max_rows),
      step(max_rows),
      root(max_rows),
      unknown(max_rows),
      first_moment(contacts + 1),
      moment_row(moments),
      friction_of(max_rows),
      linear(max_rows),
      cone_work(max_rows),
      cones(2 * contacts + moments + 2 * limit_rows),
      place(max_rows) {}

ContactReport solve_contacts(const ContactProblem& problem, ContactWorkspace& work, std::span<double> f) {
  const char* const function = "solve_contacts";
  const std::size_t n = problem.b.size();
  require(problem.contacts.size() <= work.max_contacts && n <= work.max_rows, function, "work",
          "it was made for fewer contacts or rows");
  require_size(function, "problem.A", problem.A.size(), n * n);
  require(problem.moments.size() <= work.max_moments, function, "work", "it was made for fewer friction moments");
  std::size_t moment_rows = 0, contact = 0;
  for (const MomentLaw& law : problem.moments) {
    require(law.contact < problem.contacts.size() && law.contact >= contact, function, "problem.moments",
            "they must be in the order of their contacts");
    require(law.rows == 1 || law.rows == 2, function, "problem.moments", "they have one or two rows");
    require(law.friction >= 0.0, function, "problem.moments", "`friction` must not be negative");
    contact = law.contact;
    moment_rows += law.rows;
  }
  require_size(function, "problem.b", n, 3 * problem.contacts.size() + moment_rows + problem.lower.size());
  require_size(function, "problem.upper", problem.upper.size(), problem.lower.size());
  require_size(function, "f", f.size(), n);
  for (std::size_t i = 0; i < problem.lower.size(); ++i)
    require(problem.lower[i] <= problem.upper[i], function, "problem.lower", "it must not be above `upper`");
  for (const ContactLaw& law : problem.contacts) {
    require(law.kinetic_friction >= 0.0 && law.static_friction >= law.kinetic_friction, function, "problem.contacts",
            "0 <= kinetic_friction <= static_friction must hold");
    require(law.min_normal >= 0.0, function, "problem.contacts", "`min_normal` must not be negative");
  }
  return CoulombSolver(problem, work, f).solve();
}

}  // namespace pintle
