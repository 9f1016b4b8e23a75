// Witness functions of contacts: the gaps of pairs of shapes, and the speeds at which active contacts slide and rotate.
// For the files of this layer.
#pragma once

#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// Stands for a zero that is not yet passed, where a mode determines the sign of a value.
inline constexpr double kNotYet = 0x1p-1022;

inline double not_yet_passed(double x) {
  return x == 0.0 ? kNotYet : x;
}

/// The poses of all links at successive instants, for the gaps of pairs.
class ContactPlaces {
 public:
  explicit ContactPlaces(SceneSystem& system) : system_(&system), places_(system.model()) {}

  const KinematicsWorkspace& at(const MotionInstant& instant) {
    const bool same_number = instant.number != 0 && instant.number == number_;
    number_ = instant.number;
    if (known_ && same_number) return places_;
    if (known_ && instant.t == t_ && equal(instant.q, q_) && equal(instant.v, v_)) return places_;
    system_->place_links(instant, places_);
    t_ = instant.t;
    q_.assign(instant.q.begin(), instant.q.end());
    v_.assign(instant.v.begin(), instant.v.end());
    known_ = true;
    ++version_;
    return places_;
  }
  /// Identifies the instant of the present poses.
  std::uint64_t version() const { return version_; }
  void forget() { known_ = false; }
  const Contacts& contacts() const { return system_->contacts(); }

 private:
  static bool equal(std::span<const double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < b.size(); ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

  SceneSystem* system_;
  KinematicsWorkspace places_;
  std::vector<double> q_, v_;
  double t_ = 0.0;
  std::uint64_t version_ = 0, number_ = 0;
  bool known_ = false;
};

/// The gap of a pair of shapes [m].
class ContactGap final : public EventFunction {
 public:
  ContactGap(ContactPlaces& places, std::size_t pair) : places_(&places), pair_(pair) {}

  double value(const MotionInstant& at) override { return gap(at).distance; }
  double rate(const MotionInstant& at, std::span<const double>) override { return gap(at).rate; }
  bool rate_needs_accelerations() const override { return false; }
  double size(const MotionInstant& at) override { return gap(at).size; }

  std::size_t pair() const { return pair_; }

 private:
  const Contacts::Gap& gap(const MotionInstant& at) {
    const KinematicsWorkspace& places = places_->at(at);
    // The points left out depend on the active contacts.
    if (version_ == places_->version() && places_->contacts().active().empty()) return gap_;
    gap_ = places_->contacts().gap(pair_, places);
    version_ = places_->contacts().active().empty() ? places_->version() : 0;
    return gap_;
  }

  ContactPlaces* places_;
  std::size_t pair_;
  Contacts::Gap gap_{};
  std::uint64_t version_ = 0;  // of its poses; 0: none
};

/// The speed at which an active contact slides or rotates, in the direction of its motion when the step began.
class ContactSpeed final : public EventFunction {
 public:
  ContactSpeed(ContactPlaces& places, std::size_t number, FrictionKind kind)
      : places_(&places), number_(number), kind_(kind) {}

  double value(const MotionInstant& at) override {
    const Contacts& contacts = places_->contacts();
    if (number_ >= contacts.active().size()) return 1.0;
    return not_yet_passed(contacts.speed_left(kind_, contacts.active()[number_], places_->at(at)));
  }
  bool rate_needs_accelerations() const override { return false; }

  std::size_t number() const { return number_; }
  FrictionKind kind() const { return kind_; }

 private:
  ContactPlaces* places_;
  std::size_t number_;
  FrictionKind kind_;
};

}  // namespace pintle
