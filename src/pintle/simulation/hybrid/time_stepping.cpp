#include "pintle/simulation/hybrid/time_stepping.h"

#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/model/compiled/configuration.h"

namespace pintle {
namespace {

/// Residuals of Coulomb's law, relative to the terms of a velocity, that are good enough, and that are still
/// acceptable.
constexpr double kGood = 1e-7;
constexpr double kAccepted = 1e-2;

/// Of a sum of works, relative to its terms.
constexpr double kRounding = 1e-12;

}  // namespace

TimeStepping::TimeStepping(SceneSystem& system)
    : system_(system),
      space_(system.model()),
      places_(system.model()),
      rows_(system.model(), 0),
      response_(system.model()),
      solver_(0, 0),
      free_modes_(system.modes().hold.size()),
      vdot_(free_modes_.hold.size()),
      auxiliary_derivative_(static_cast<std::size_t>(system.auxiliary_count())),
      jump_(vdot_.size()),
      way_(vdot_.size()),
      joint_work_(vdot_.size()),
      zero_(vdot_.size()),
      efforts_(vdot_.size()),
      carried_(vdot_.size()),
      free_(neutral_state(system)),
      hit_(free_),
      mean_(free_) {
  limit_rows_.reserve(2 * vdot_.size());
}

void TimeStepping::make_room() {
  if (candidates_.size() <= room_ && !A_.empty()) return;
  if (candidates_.size() > room_) room_ = candidates_.size();
  const std::size_t turns = system_.contacts().any_turning() ? room_ : 0;
  const std::size_t limit_rows = 2 * vdot_.size(), n = 3 * room_ + 3 * turns + limit_rows;
  rows_ = ContactRowsWorkspace(system_.model(), room_, 3 * turns);
  solver_ = ContactWorkspace(room_, limit_rows, 2 * turns);
  touches_.resize(room_);
  laws_.resize(room_);
  turns_.reserve(2 * turns);
  A_.resize(n * n);
  for (std::vector<double>* const values : {&b_, &P_, &closing_, &start_}) values->resize(n);
  for (std::vector<double>* const values : {&lower_, &upper_}) values->resize(limit_rows);
}

TimeSteppingReport TimeStepping::step(double length, MotionState& state) {
  TimeSteppingReport report;
  for (double& work : joint_work_) work = 0.0;
  system_.complete_weight(state);
  surface_work_.assign(system_.surface_count(), 0.0);
  report.ok = release(state, report);
  if (!report.ok) return report;
  free_ = state;
  for (std::size_t i = 0; i < vdot_.size(); ++i) free_.v[i] = fma(length, vdot_[i], state.v[i]);
  kinematics(system_.model(), free_.q, free_.v, zero_, places_);
  find_candidates(length);
  make_room();
  find_limit_rows(state, length);
  report.ok = solve(length, report);
  if (!report.ok) return report;
  find_start_speeds(state);
  apply(state, report);
  report.ok = move(length, state);
  if (!report.ok) {
    report.joint = system_.derivatives_error().joint;
    return report;
  }
  keep_pressed(length);
  system_.stabilise_contacts(state);
  return report;
}

/// The accelerations without contacts, joint limits and friction of joints.
bool TimeStepping::release(const MotionState& state, TimeSteppingReport& report) {
  system_.contacts().active().clear();
  system_.set_modes(free_modes_);
  if (system_.derivatives(state.t, state.q, state.v, state.auxiliary, vdot_, auxiliary_derivative_)) return true;
  report.joint = system_.derivatives_error().joint;
  return false;
}

/// The points whose gap is no larger than their bodies can move within the step.
void TimeStepping::find_candidates(double length) {
  const Contacts& contacts = system_.contacts();
  candidates_.clear();
  for (std::size_t pair = 0; pair < contacts.setup().pairs.size(); ++pair) {
    const ContactManifold manifold = contacts.within_reach(pair, places_, length);
    for (int k = 0; k < manifold.count; ++k) {
      const ContactPoint& point = manifold.points[static_cast<std::size_t>(k)];
      Candidate candidate;
      candidate.contact.pair = static_cast<int>(pair);
      candidate.contact.feature = point.feature;
      candidate.touch = contacts.contact_frame_of(pair, point, places_);
      candidate.gap = max(point.distance, 0.0);
      candidates_.push_back(candidate);
    }
  }
}

/// The dofs with friction, and those with joint limits, of which the nearer one counts.
void TimeStepping::find_limit_rows(const MotionState& state, double length) {
  const std::span<const double> friction = system_.friction_limits();
  limit_rows_.clear();
  const auto add = [&](std::size_t i, double sign, double b, double low, double high) {
    lower_[limit_rows_.size()] = low;
    upper_[limit_rows_.size()] = high;
    b_[limit_rows_.size()] = b;  // moved behind the rows of contacts later
    limit_rows_.push_back({static_cast<int>(i), sign});
  };
  for (std::size_t i = 0; i < vdot_.size(); ++i) {
    if (system_.prescribed()[i] != 0) continue;
    if (friction[i] > 0.0) add(i, 1.0, free_.v[i], -friction[i] * length, friction[i] * length);
    if (space_.q_number[i] < 0) continue;
    const double q = state.q[static_cast<std::size_t>(space_.q_number[i])];
    const double below = q - space_.lower[i], above = space_.upper[i] - q;
    const double sign = below <= above ? 1.0 : -1.0, room = min(below, above);
    if (room < kInfinity<double>) add(i, sign, fma(sign, free_.v[i], max(room, 0.0) / length), 0.0, kInfinity<double>);
  }
}

/// The impulses P_: what approaches may just close, what slides is slowed by friction and no more.
bool TimeStepping::solve(double length, TimeSteppingReport& report) {
  const Model& model = system_.model();
  const std::size_t k = candidates_.size();
  for (std::size_t c = 0; c < k; ++c) touches_[c] = candidates_[c].touch;
  contact_rows(model, places_, {touches_.data(), k}, rows_, RowDerivatives::zero);
  const DynamicsReport prepared = prepare_response(model, free_.q, response_, system_.prescribed());
  report.joint = prepared.singular_joint;
  if (!prepared.ok()) return false;
  const std::size_t n = rows_.rows + limit_rows_.size();
  contact_delassus(model, limit_rows_, response_, rows_, std::span(A_).first(n * n));
  for (std::size_t s = limit_rows_.size(); s-- > 0;) b_[rows_.rows + s] = b_[s];
  for (std::size_t row = 0; row < rows_.rows; ++row) b_[row] = rows_.speed[row];
  for (std::size_t row = 0; row < n; ++row) closing_[row] = 0.0;
  turns_.clear();
  for (std::size_t c = 0; c < k; ++c) {
    const Surface& surface = system_.contacts().surface(static_cast<std::size_t>(candidates_[c].contact.pair));
    closing_[3 * c] = candidates_[c].gap / length;
    b_[3 * c] += closing_[3 * c];
    laws_[c] = {surface.static_friction, surface.friction, {}, 0.0};
    if (touches_[c].spins) turns_.push_back({c, 1, surface.spinning_friction, {}});
    if (touches_[c].rolls) turns_.push_back({c, 2, surface.rolling_friction, {}});
  }
  for (std::size_t s = 0; s < limit_rows_.size(); ++s) {
    const std::size_t i = static_cast<std::size_t>(limit_rows_[s].dof);
    closing_[rows_.rows + s] = b_[rows_.rows + s] - limit_rows_[s].sign * free_.v[i];
  }
  return solve_rows(report);
}

/// With Coulomb's law; if static friction exceeds kinetic friction it may have no solution, and kinetic friction takes
/// its place. What the solver reaches without a solution pushes and stays within its cones; it is used if it gains no
/// energy, else friction is left out, which makes the problem convex. The report keeps the residual of Coulomb's law.
bool TimeStepping::solve_rows(TimeSteppingReport& report) {
  const std::size_t n = rows_.rows + limit_rows_.size(), k = candidates_.size();
  const auto find = [&] {
    for (std::size_t i = 0; i < n; ++i) P_[i] = 0.0;
    const ContactReport solved = solve_contacts({std::span(A_).first(n * n),
                                                 std::span(b_).first(n),
                                                 {laws_.data(), k},
                                                 std::span(lower_).first(limit_rows_.size()),
                                                 std::span(upper_).first(limit_rows_.size()),
                                                 turns_,
                                                 kMaxSweeps},
                                                solver_, std::span(P_).first(n));
    return solved.residual;
  };
  report.residual = find();
  if (report.residual <= kGood) return true;
  for (std::size_t c = 0; c < k; ++c) laws_[c].static_friction = laws_[c].kinetic_friction;
  report.residual = find();
  if (report.residual <= kAccepted) return true;
  if (std::isfinite(report.residual) && !gains_energy()) return true;
  for (std::size_t c = 0; c < k; ++c) laws_[c].static_friction = laws_[c].kinetic_friction = 0.0;
  for (MomentLaw& law : turns_) law.friction = 0.0;
  const bool found = std::isfinite(find());
  report.residual = std::isfinite(report.residual) ? report.residual : 1.0;
  return found;
}

/// Whether the impulses increase the kinetic energy: P'(u + u_free)/2 > 0.
bool TimeStepping::gains_energy() const {
  double work = 0.0, size = 0.0;
  for (std::size_t row = 0; row < rows_.rows + limit_rows_.size(); ++row) {
    work += P_[row] * (0.5 * (b_[row] + solver_.w[row]) - closing_[row]);
    size += std::abs(P_[row]) * (std::abs(b_[row]) + std::abs(closing_[row]));
  }
  return work > kRounding * size;
}

/// The speeds of the rows at the start of the step: J v, and the velocities of moving surfaces.
void TimeStepping::find_start_speeds(const MotionState& state) {
  for (std::size_t row = 0; row < rows_.rows; ++row) {
    start_[row] = 0.0;
    for (std::size_t i = 0; i < rows_.nv; ++i) start_[row] = fma(rows_.J[row * rows_.nv + i], state.v[i], start_[row]);
  }
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (!touches_[c].surfaces_move) continue;
    const Vec3<> surfaces = surface_velocity_of_b(touches_[c]) - surface_velocity_of_a(touches_[c]);
    start_[3 * c + 1] += surfaces.y;
    start_[3 * c + 2] += surfaces.z;
  }
  for (std::size_t s = 0; s < limit_rows_.size(); ++s)
    start_[rows_.rows + s] = limit_rows_[s].sign * state.v[static_cast<std::size_t>(limit_rows_[s].dof)];
}

/// The velocities jump, and the work P'(u_start + u_end)/2 is recorded: with M (v_end - v_start) = h F + J'P the
/// kinetic energy changes by it and by the work of F at the mean velocity.
void TimeStepping::apply(const MotionState& state, TimeSteppingReport& report) {
  const std::size_t n = rows_.rows + limit_rows_.size();
  hit_ = free_;
  for (std::size_t i = 0; i < jump_.size(); ++i) {
    jump_[i] = efforts_[i] = 0.0;
    for (std::size_t row = 0; row < n; ++row) jump_[i] = fma(rows_.responses[row * rows_.nv + i], P_[row], jump_[i]);
    for (std::size_t row = 0; row < rows_.rows; ++row)
      efforts_[i] = fma(rows_.J[row * rows_.nv + i], P_[row], efforts_[i]);
    hit_.v[i] += jump_[i];
  }
  const auto work = [&](std::size_t row) { return P_[row] * 0.5 * (start_[row] + solver_.w[row] - closing_[row]); };
  for (std::size_t row = 0; row < rows_.rows; ++row) report.contact_work += work(row);
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    system_.add_surface_work(static_cast<std::size_t>(candidates_[c].contact.pair), touches_[c], &P_[3 * c],
                             surface_work_);
  for (std::size_t s = 0; s < limit_rows_.size(); ++s)
    joint_work_[static_cast<std::size_t>(limit_rows_[s].dof)] += work(rows_.rows + s);
  record_motor_work(state);
}

/// The motors of prescribed joints keep their speeds against the impulses.
void TimeStepping::record_motor_work(const MotionState& state) {
  const std::span<const unsigned char> prescribed = system_.prescribed();
  bool any = false;
  for (const unsigned char given : prescribed) any = any || given != 0;
  if (!any) return;
  for (std::size_t s = 0; s < limit_rows_.size(); ++s)
    efforts_[static_cast<std::size_t>(limit_rows_[s].dof)] += limit_rows_[s].sign * P_[rows_.rows + s];
  apply_mass_inverse(system_.model(), response_, efforts_, {}, {}, way_);
  response_efforts(system_.model(), response_, way_, {}, carried_);
  for (std::size_t i = 0; i < jump_.size(); ++i)
    if (prescribed[i] != 0) joint_work_[i] += (carried_[i] - efforts_[i]) * 0.5 * (state.v[i] + hit_.v[i]);
}

/// Positions follow the velocities at the end; what no impulse has changed follows its parabola. The work of all that
/// is not an impulse is that at the mean velocity. False: there is no such work.
bool TimeStepping::move(double length, MotionState& state) {
  mean_ = state;
  for (std::size_t i = 0; i < way_.size(); ++i) mean_.v[i] = 0.5 * (state.v[i] + hit_.v[i]);
  if (!system_.derivatives(mean_.t, mean_.q, mean_.v, mean_.auxiliary, efforts_, auxiliary_derivative_)) return false;
  for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = length * mean_.v[i];
  integrate(system_.model(), state.q, way_, mean_.q);
  mean_.v = hit_.v;
  for (std::size_t i = 0; i < way_.size(); ++i)
    if (jump_[i] != 0.0) way_[i] = length * hit_.v[i];
  state.v = hit_.v;
  integrate(system_.model(), state.q, way_, state.q);
  for (std::size_t i = 0; i < space_.lower.size(); ++i) {
    if (space_.q_number[i] < 0 || system_.prescribed()[i] != 0) continue;
    double& q = state.q[static_cast<std::size_t>(space_.q_number[i])];
    q = min(max(q, space_.lower[i]), space_.upper[i]);  // rounding beyond the limit
  }
  for (std::size_t k = 0; k < state.auxiliary.size(); ++k)
    state.auxiliary[k] = fma(length, auxiliary_derivative_[k], state.auxiliary[k]);
  state.t += length;
  system_.prescribe(state.t, state.q, state.v, state.auxiliary);
  mean_.t = state.t;
  mean_.auxiliary = state.auxiliary;
  system_.prescribe(mean_.t, mean_.q, mean_.v, mean_.auxiliary);
  return true;
}

/// The contacts with an impulse are the active ones; they stick or slide as they did.
void TimeStepping::keep_pressed(double length) {
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (!(P_[3 * c] > 0.0)) continue;
    ActiveContact& contact = candidates_[c].contact;
    const Mat3<>& R = candidates_[c].touch.X_AC.rotation;
    const Vec3<> slip{0.0, solver_.w[3 * c + 1], solver_.w[3 * c + 2]};
    const double speed = norm(slip);
    const bool sticks = solver_.state[c] == ContactState::sticks || !(speed > 0.0);
    contact.mode = sticks ? ContactMode::sticks : ContactMode::slides;
    if (!sticks) contact.slip_A = R * (slip / speed);
    contact.mean_force = Vec3<>{P_[3 * c], P_[3 * c + 1], P_[3 * c + 2]} / length;
    contact.mean_axis_A = R * Vec3<>{0.0, 1.0, 0.0};
    keep_turning(c, length, contact);
    system_.contacts().active().push_back(contact);
  }
}

/// The same for rolling and spinning.
void TimeStepping::keep_turning(std::size_t c, double length, ActiveContact& contact) const {
  const std::size_t contacts = candidates_.size();
  std::size_t row = 3 * contacts;
  for (std::size_t t = 0; t < turns_.size(); ++t) {
    const double* const w = solver_.w.data() + row;
    const double* const P = P_.data() + row;
    row += turns_[t].rows;
    if (turns_[t].contact != c) continue;
    const bool spins = turns_[t].rows == 1;
    TurnMode& turn = spins ? contact.spin : contact.roll;
    const Vec3<> rate = spins ? Vec3<>{w[0], 0.0, 0.0} : Vec3<>{0.0, w[0], w[1]};
    contact.mean_moment += (spins ? Vec3<>{P[0], 0.0, 0.0} : Vec3<>{0.0, P[0], P[1]}) / length;
    const double size = norm(rate);
    const bool holds = solver_.holds[contacts + t] != 0 || !(size > 0.0);
    turn.mode = holds ? ContactMode::sticks : ContactMode::slides;
    if (!holds) turn.about_A = candidates_[c].touch.X_AC.rotation * (rate / size);
  }
}

}  // namespace pintle
