// What a simulation watches of its own accord: stops, friction, holds, speed limits, switches of force elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/event_function.h"
#include "pintle/simulation/scene_system.h"

namespace pintle {

/// What a watch is for.
enum class WatchKind : unsigned char {
  user,        ///< an event of the scene, or of the caller
  lower_stop,  ///< a freedom that meets its limit
  upper_stop,
  rest,         ///< a sliding freedom that comes to rest
  turn,         ///< a prescribed freedom with friction that turns back
  gives_way,    ///< some held freedom that needs more than can hold it
  speed_limit,  ///< a freedom that becomes faster than it should
  force_switch,
};

struct WatchRole {
  WatchKind kind = WatchKind::user;
  int number = -1;  ///< of the event, freedom or element
};

/// The watches in force, for the modes of a system.
class ModeWatches {
 public:
  /// `events` are the user's; they come first and are always watched.
  ModeWatches(SceneSystem& system, std::span<const EventWatch> events);
  ~ModeWatches();

  /// Chooses the watches for the modes that the system is in. Those of which `hits` (one mark per watch so far, or
  /// none) says that they had their zero just now, and those that start from zero, are marked as fired.
  void choose(const MotionState& state, std::span<const unsigned char> hits);
  /// As saved.
  void set_fired(std::span<const std::int64_t> marks);
  /// No watch had its zero just now.
  void clear_fired();

  std::span<const EventWatch> watches() const { return {watches_.data(), count_}; }
  std::span<const WatchRole> roles() const { return {roles_.data(), count_}; }
  std::span<const unsigned char> fired() const { return {fired_.data(), count_}; }
  std::size_t most() const { return watches_.size(); }

  /// The held freedom that is nearest to giving way, after an evaluation of that watch; -1 without one.
  int nearest_to_give_way() const;

 private:
  class Distance;
  class Speed;
  class SpeedExcess;
  class HoldMargin;
  class SwitchValue;

  void add(EventFunction& function, EventDirection direction, WatchKind kind, int number);

  SceneSystem& system_;
  std::size_t users_ = 0;
  std::vector<Distance> to_lower_, to_upper_;
  std::vector<Speed> speeds_;
  std::vector<SpeedExcess> excesses_;
  std::vector<SwitchValue> switches_;
  std::vector<HoldMargin> margin_;  // one
  std::vector<EventWatch> watches_;
  std::vector<WatchRole> roles_;
  std::vector<unsigned char> fired_;
  std::vector<const EventFunction*> hit_;
  std::size_t count_ = 0;
};

}  // namespace pintle
