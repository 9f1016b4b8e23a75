#include "pintle/simulation/trajectory/trajectory_efforts.h"

#include <cmath>
#include <utility>

#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/math/number_text.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

/// Keeps the largest absolute value and its time; a NaN stays.
void keep_peak(double number, double t, double& peak, double& time) {
  const double size = std::fabs(number);
  if (std::isnan(peak) || size <= peak) return;
  peak = size;
  time = t;
}

/// Accumulates a duty, sample after sample.
class DutyMeter {
 public:
  explicit DutyMeter(double t0) : first_(t0), time_(t0) {
    duty_.peak_effort_time = duty_.peak_speed_time = duty_.peak_power_time = t0;
  }

  void add(double t, double effort, double speed) {
    const double power = effort * speed, h = t - time_;
    keep_peak(effort, t, duty_.peak_effort, duty_.peak_effort_time);
    keep_peak(speed, t, duty_.peak_speed, duty_.peak_speed_time);
    keep_peak(power, t, duty_.peak_power, duty_.peak_power_time);
    if (samples_ > 0) {
      squares_ += h * (effort_ * effort_ + effort_ * effort + effort * effort) / 3.0;
      add_work(h, power_, power);
    }
    ++samples_;
    time_ = t;
    effort_ = effort;
    power_ = power;
  }

  Duty finish() {
    const double duration = time_ - first_;
    if (samples_ > 1) {
      duty_.rms_effort = std::sqrt(squares_ / duration);
      duty_.mean_power = (duty_.positive_work - duty_.negative_work) / duration;
    } else {
      duty_.rms_effort = std::fabs(effort_);
      duty_.mean_power = std::fabs(power_);
    }
    return duty_;
  }

 private:
  /// The straight line from power a to power b, with its parts above and below zero separate.
  void add_work(double h, double a, double b) {
    if ((a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0)) {
      const double zero = a / (a - b);
      (a > 0.0 ? duty_.positive_work : duty_.negative_work) += 0.5 * h * zero * a;
      (b > 0.0 ? duty_.positive_work : duty_.negative_work) += 0.5 * h * (1.0 - zero) * b;
    } else {
      (a < 0.0 || b < 0.0 ? duty_.negative_work : duty_.positive_work) += 0.5 * h * (a + b);
    }
  }

  Duty duty_;
  double first_, time_, effort_ = 0.0, power_ = 0.0, squares_ = 0.0;
  std::size_t samples_ = 0;
};

/// Motors and loads by indices instead of names.
class PartFinder {
 public:
  PartFinder(const Model& model, const TrajectoryOptions& options) : model_(model) {
    for (const MotorSize& motor : options.motors) find_motor(motor);
    for (const TrajectoryLoad& load : options.loads) find_load(load);
  }

  Diagnostics problems;
  std::vector<std::size_t> dofs;  // of the motors
  std::vector<Place> places;      // of the loads

 private:
  void add(const Origin& origin, const char* code, std::string what, const char* why, std::string fix) {
    problems.push_back(make_error(code, origin, std::move(what), why, std::move(fix)));
  }

  void find_motor(const MotorSize& motor) {
    const std::string name = "the motor of joint '" + motor.joint + "'";
    if (!std::isfinite(motor.gear_ratio) || motor.gear_ratio == 0.0) {
      add(motor.origin, "motor-gear", name + " has the gear ratio " + number_text(motor.gear_ratio),
          "it must be finite and not zero", "give motor speed over joint speed");
    }
    if (!(motor.rotor_inertia >= 0.0 && std::isfinite(motor.rotor_inertia))) {
      add(motor.origin, "motor-rotor", name + " has the rotor inertia " + number_text(motor.rotor_inertia),
          "an inertia is not negative", "give it in kg m^2, 0 where it does not matter");
    }
    const auto joints = model_.joints();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (joints[i].name != motor.joint) continue;
      for (const ModelCoupling& coupling : model_.couplings()) {
        if (coupling.joint != static_cast<int>(i)) continue;
        add(motor.origin, "motor-joint-coupled", "joint '" + motor.joint + "' is coupled and has no motor of its own",
            "its driver moves it", "put the motor on '" + joints[static_cast<std::size_t>(coupling.driver)].name + "'");
        return;
      }
      const int nv = facts(joints[i].kind).nv;
      if (motor.dof < 0 || motor.dof >= nv) {
        add(motor.origin, "motor-dof",
            name + " is on dof " + std::to_string(motor.dof) + ", and the joint has " + std::to_string(nv),
            "dofs are counted from 0", "choose one that the joint has");
        return;
      }
      const CoordinateSource& source = model_.v_sources()[static_cast<std::size_t>(joints[i].v + motor.dof)];
      dofs.push_back(static_cast<std::size_t>(source.source));
      return;
    }
    Diagnostic problem = unknown_name("joint", motor.joint, "a motor", names_of(joints));
    problem.origin = motor.origin;
    problems.push_back(std::move(problem));
  }

  void find_load(const TrajectoryLoad& load) {
    for (const double x : to_array(load.wrench)) {
      if (std::isfinite(x)) continue;
      add(load.origin, "load-not-finite", "the load on '" + load.place + "' is not finite", "", "give finite numbers");
      break;
    }
    Place place{-1, identity_pose<double>()};
    int found = 0;
    for (std::size_t i = 0; i < model_.bodies().size(); ++i) {
      if (model_.bodies()[i].name != load.place) continue;
      place = body_place(model_, static_cast<int>(i));
      ++found;
    }
    for (std::size_t i = 0; i < model_.frames().size(); ++i) {
      if (model_.frames()[i].name != load.place) continue;
      place = frame_place(model_, static_cast<int>(i));
      ++found;
    }
    if (found > 1) {
      add(load.origin, "place-ambiguous", "a load is on '" + load.place + "', which is a body and a frame",
          "the two need not be at the same place", "rename the frame");
    } else if (found == 0 && load.place != kWorld) {
      std::vector<std::string> known = names_of(model_.bodies());
      for (const std::string& other : names_of(model_.frames())) known.push_back(other);
      const std::string nearest = nearest_name(load.place, known);
      add(load.origin, "place-unknown", "a load is on '" + load.place + "', which is neither a body nor a frame", "",
          nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    } else if (place.body < 0) {
      add(load.origin, "load-world", "a load is on '" + load.place + "', which does not move",
          "it would have no effect", "name a body, or a frame on one");
    }
    places.push_back(place);
  }

  const Model& model_;
};

void check_sizes(const Model& model, const Trajectory& trajectory) {
  const std::size_t n = trajectory.times.size();
  require(n > 0, "trajectory_efforts", "trajectory", "has no samples");
  require_size("trajectory_efforts", "trajectory.q", trajectory.q.size(), n * static_cast<std::size_t>(model.nq()));
  require_size("trajectory_efforts", "trajectory.v", trajectory.v.size(), n * static_cast<std::size_t>(model.nv()));
  require_size("trajectory_efforts", "trajectory.vdot", trajectory.vdot.size(), trajectory.v.size());
  for (std::size_t i = 1; i < n; ++i) {
    require(trajectory.times[i - 1] < trajectory.times[i], "trajectory_efforts", "trajectory.times",
            "they do not increase");
  }
}

/// Fills efforts and certificate.
void find_efforts(const Model& model, const Trajectory& trajectory, const TrajectoryOptions& options,
                  std::span<const Place> places, TrajectoryEfforts& result) {
  const std::size_t nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  InverseDynamicsWorkspace<> inverse(model);
  CertificateWorkspace checks(model);
  KinematicsWorkspace moving(model);
  std::vector<Wrench<>> external(options.loads.empty() ? 0 : model.bodies().size());
  DynamicsOptions dynamics;
  dynamics.passive = options.passive;
  dynamics.external = external;
  result.efforts.resize(trajectory.v.size());
  result.certificate_time = trajectory.times.front();
  double worst = -1.0;
  for (std::size_t i = 0; i < trajectory.times.size(); ++i) {
    const std::span<const double> q = std::span(trajectory.q).subspan(i * nq, nq);
    const std::span<const double> v = std::span(trajectory.v).subspan(i * nv, nv);
    const std::span<const double> vdot = std::span(trajectory.vdot).subspan(i * nv, nv);
    const std::span<double> tau = std::span(result.efforts).subspan(i * nv, nv);
    if (!places.empty()) {
      kinematics(model, q, v, vdot, moving);
      for (Wrench<>& F : external) F = zero_wrench();
      for (std::size_t k = 0; k < places.size(); ++k)
        add_external(model, moving, places[k], options.loads[k].wrench, options.loads[k].axes, external);
    }
    inverse_dynamics(model, q, v, vdot, inverse, tau, dynamics);
    if (!options.certificate || std::isnan(worst)) continue;
    Claim claim{q, v, vdot, tau};
    claim.options = dynamics;
    const Certificate certificate = certify(model, claim, checks);
    if (certificate.worst() <= worst) continue;
    worst = certificate.worst();
    result.certificate = certificate;
    result.certificate_time = trajectory.times[i];
  }
}

}  // namespace

Result<TrajectoryEfforts> trajectory_efforts(const Model& model, const Trajectory& trajectory,
                                             const TrajectoryOptions& options) {
  check_sizes(model, trajectory);
  PartFinder parts(model, options);
  if (!parts.problems.empty()) return std::move(parts.problems);
  TrajectoryEfforts result;
  find_efforts(model, trajectory, options, parts.places, result);
  const std::size_t nv = static_cast<std::size_t>(model.nv());
  const auto duty = [&](auto effort, auto speed) {
    DutyMeter meter(trajectory.times.front());
    for (std::size_t i = 0; i < trajectory.times.size(); ++i) meter.add(trajectory.times[i], effort(i), speed(i));
    return meter.finish();
  };
  for (const IndependentJoint& joint : model.independent_joints()) {
    for (int k = 0; k < facts(joint.kind).nv; ++k) {
      const std::size_t at = static_cast<std::size_t>(joint.v + k);
      result.joints.push_back({joint.joint, k,
                               duty([&](std::size_t i) { return result.efforts[i * nv + at]; },
                                    [&](std::size_t i) { return trajectory.v[i * nv + at]; })});
    }
  }
  for (std::size_t m = 0; m < options.motors.size(); ++m) {
    const MotorSize& motor = options.motors[m];
    const std::size_t at = parts.dofs[m];
    const double gear = motor.gear_ratio, J = motor.rotor_inertia;
    result.motors.push_back(duty(
        [&](std::size_t i) { return result.efforts[i * nv + at] / gear + gear * J * trajectory.vdot[i * nv + at]; },
        [&](std::size_t i) { return gear * trajectory.v[i * nv + at]; }));
  }
  return result;
}

}  // namespace pintle
