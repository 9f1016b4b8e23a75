#include "pintle/simulation/recording/sensor.h"

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

void write(const Vec3<>& a, double* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

void read_pose(const Pose<>& X, double* to) {
  write(X.translation, to);
  const Quaternion<> r = quaternion(X.rotation);
  to[3] = r.x;
  to[4] = r.y;
  to[5] = r.z;
  to[6] = r.w;
}

void read_imu(const Model& model, const KinematicsWorkspace& places, const Place& place, double* to) {
  const Vec3<> gravity = transpose_times(pose_of(places, place).rotation, model.gravity());
  write(acceleration_of(places, place, Axes::local).linear - gravity, to);
  write(velocity_of(places, place, Axes::local).angular, to + 3);
}

/// Both from the relative pose: as accurate far from the world's origin as near it.
void read_distance(const Model& model, const KinematicsWorkspace& places, const Place& place, const Place& reference,
                   double* to) {
  const Pose<> X_RF = relative_pose(model, places, place, reference);
  const Vec3<>& p = X_RF.translation;
  const Twist<> V_F = velocity_of(places, place, Axes::local), V_R = velocity_of(places, reference, Axes::local);
  const Vec3<> u = X_RF.rotation * V_F.linear - V_R.linear;  // of one origin relative to the other, in R's axes
  to[0] = norm(p);
  to[1] = to[0] == 0.0 ? norm(u) : dot(p, u) / to[0];
}

/// The wrench of contacts on a place's body, of all or of those with the body `other`, about the place.
Wrench<> contact_wrench(const SensorInstant& at, const Place& place, int other, bool any, Axes axes) {
  const Pose<> X_WF = pose_of(*at.places, place);
  Wrench<> sum{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  const auto add = [&](const ContactForceRecord& contact, double sign) {
    const Vec3<> force = sign * contact.force();
    sum += {force, cross(contact.point - X_WF.translation, force) + sign * contact.moment};
  };
  for (const ContactForceRecord& contact : at.contacts) {
    if (contact.body_b == place.body && (any || contact.body_a == other)) add(contact, 1.0);
    if (contact.body_a == place.body && (any || contact.body_b == other)) add(contact, -1.0);
  }
  const Wrench<> in_place{transpose_times(X_WF.rotation, sum.force), transpose_times(X_WF.rotation, sum.torque)};
  return axes == Axes::local_world_aligned ? sum : in_axes(in_place, X_WF, axes);
}

}  // namespace

SensorSet::SensorSet(const Model& model) : model_(model), centroidal_(model) {}
SensorSet::SensorSet(const SensorSet&) = default;
SensorSet::SensorSet(SensorSet&&) noexcept = default;
SensorSet& SensorSet::operator=(const SensorSet&) = default;
SensorSet& SensorSet::operator=(SensorSet&&) noexcept = default;
SensorSet::~SensorSet() = default;

std::span<const Column> SensorSet::columns() const {
  return columns_;
}

void SensorSet::read_formula(const Sensor& sensor, const SensorInstant& at, std::span<double> numbers) {
  const Formula& formula = formulas_[sensor.formula];
  for (std::size_t i = 0; i < formula.sources.size(); ++i) {
    const std::size_t source = formula.sources[i];
    values_[i] = source == 0 ? at.t : source <= others_ ? at.others[source - 1] : numbers[source - 1 - others_];
  }
  numbers[sensor.column] =
      evaluate(formula.expression, std::span<const double>(values_.data(), formula.sources.size()));
}

void SensorSet::read(const SensorInstant& at, std::span<double> numbers) {
  require_size("SensorSet::read", "numbers", numbers.size(), columns_.size());
  require_size("SensorSet::read", "q", at.q.size(), static_cast<std::size_t>(model_.nq()));
  require_size("SensorSet::read", "v", at.v.size(), static_cast<std::size_t>(model_.nv()));
  if (needs_efforts_) {
    require_size("SensorSet::read", "tau", at.tau.size(), static_cast<std::size_t>(model_.nv()));
  }
  require_size("SensorSet::read", "others", at.others.size(), others_);
  require(!needs_places_ || at.places != nullptr, "SensorSet::read", "places", "a sensor needs them");
  require(!needs_reactions_ || at.reactions != nullptr, "SensorSet::read", "reactions", "a sensor needs them");
  const auto joint_numbers = [&](const Sensor& sensor, std::span<const CoordinateSource> sources,
                                 std::span<const double> independent) {
    for (int i = 0; i < sensor.count; ++i) {
      const CoordinateSource& s = sources[static_cast<std::size_t>(sensor.first + i)];
      numbers[sensor.column + static_cast<std::size_t>(i)] =
          s.ratio * independent[static_cast<std::size_t>(s.source)] + s.offset;
    }
  };
  for (const Sensor& sensor : sensors_) {
    double* const to = numbers.data() + sensor.column;
    switch (sensor.kind) {
      case SensorKind::frame_pose:
        read_pose(relative_pose(model_, *at.places, sensor.place, sensor.reference), to);
        break;
      case SensorKind::frame_twist: {
        const Twist<> V = velocity_of(*at.places, sensor.place, sensor.axes);
        write(V.linear, to);
        write(V.angular, to + 3);
        break;
      }
      case SensorKind::imu:
        read_imu(model_, *at.places, sensor.place, to);
        break;
      case SensorKind::joint_wrench: {
        const Wrench<> F = reaction_of(model_, *at.reactions, sensor.joint, sensor.place, sensor.axes);
        write(F.force, to);
        write(F.torque, to + 3);
        break;
      }
      case SensorKind::distance:
        read_distance(model_, *at.places, sensor.place, sensor.reference, to);
        break;
      case SensorKind::joint_position:
        joint_numbers(sensor, model_.q_sources(), at.q);
        break;
      case SensorKind::joint_velocity:
        joint_numbers(sensor, model_.v_sources(), at.v);
        break;
      case SensorKind::joint_effort:
        joint_numbers(sensor, model_.v_sources(), at.tau);
        break;
      case SensorKind::contact_force: {
        const int other = sensor.reference.body;
        const Wrench<> F = contact_wrench(at, sensor.place, other, other == kAnyBody, sensor.axes);
        write(F.force, to);
        write(F.torque, to + 3);
        break;
      }
      case SensorKind::momentum: {
        const Vec3<> about = pose_of(*at.places, sensor.place).translation;
        const Momentum<> M = momentum_about(centroidal_momentum(model_, *at.places, centroidal_), about);
        write(M.linear, to);
        write(M.angular, to + 3);
        break;
      }
      case SensorKind::expression:
        break;
    }
  }
  for (const Sensor& sensor : sensors_)
    if (sensor.kind == SensorKind::expression) read_formula(sensor, at, numbers);
}

}  // namespace pintle
