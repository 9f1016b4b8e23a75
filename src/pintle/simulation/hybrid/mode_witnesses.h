// What a simulation watches of its own accord: stops, friction, holds, speed limits, switches of force elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// What a watch is for.
enum class WitnessKind : unsigned char {
  user,         ///< an event of the scene, or of the caller
  limit,        ///< a dof that meets a limit
  rest,         ///< a sliding dof that comes to rest
  turn,         ///< a prescribed dof with friction that turns back, or starts from rest
  gives_way,    ///< a held dof that needs more than can hold it
  speed_limit,  ///< a dof that becomes faster than it should, or is no longer
  force_switch,
  touch,              ///< a pair of shapes that meets, or meets at further points
  contact_rest,       ///< a point of contact whose slip ends
  contact_breakaway,  ///< contacts that need more than their laws allow
};

struct WitnessRole {
  WitnessKind kind = WitnessKind::user;
  int number = -1;                             ///< of the event, dof, element or contact
  FrictionKind friction = FrictionKind::slip;  ///< of a contact that comes to rest
};

class ContactGap;
class ContactPlaces;
class ContactSpeed;

/// The watches in force, for the modes of a system.
class ModeWitnesses {
 public:
  /// `events` are the user's; they come first and are always watched.
  ModeWitnesses(SceneSystem& system, std::span<const Witness> events);
  ~ModeWitnesses();

  /// Chooses the watches for the modes that the system is in, and marks those that have just had their zero: the ones
  /// that `hits` says (a mark for each of the watches so far, or none at all), and those that start from zero.
  void choose(const MotionState& state, std::span<const unsigned char> hits);
  /// Of all shapes that may meet, watches those that can come near each other in a step of length h [s]: to be called
  /// before every search.
  void look_at_step(const MotionState& from, double h, const MotionState& to);
  /// The marks of all watches, as if all shapes that may meet were near: to be saved, and as saved.
  std::vector<std::int64_t> saved_marks() const;
  void set_fired(std::span<const std::int64_t> marks);
  /// No watch had its zero just now.
  void clear_fired();

  std::span<const Witness> watches() const { return {watches_.data(), count_}; }
  std::span<const WitnessRole> roles() const { return {roles_.data(), count_}; }
  /// Whether nothing is watched but shapes that may meet.
  bool only_touches() const { return count_ == touch_count_; }
  /// One mark for each watch, as EventFinder::search takes them.
  std::span<const unsigned char> fired() const { return {fired_.data(), count_}; }
  /// The most watches there is room for. Grows with the number of contacts, and of shapes that are near each other.
  std::size_t most() const { return watches_.size(); }

 private:
  class Distance;
  class SlidingSpeed;
  class SpeedExcess;
  class Margin;
  class Margins;
  class SwitchValue;
  class ContactMargin;

  void make_room(std::size_t moving, std::size_t touches);
  void add(EventFunction& function, EventDirection direction, WitnessKind kind, std::size_t number);
  void witness_contacts();
  unsigned char mark(std::size_t watch, const MotionInstant& at, bool hit) const;

  SceneSystem& system_;
  std::size_t users_ = 0;
  std::vector<Distance> distances_;
  std::vector<SlidingSpeed> speeds_;
  std::vector<Margins> all_margins_;  // one
  std::vector<Margin> margins_;
  std::vector<SpeedExcess> excesses_;
  std::vector<SwitchValue> switches_;
  std::vector<ContactPlaces> contact_places_;  // one
  NearPairs near_pairs_;
  std::int64_t near_search_ = 0;  // by which those that are watched were found
  std::vector<ContactGap> gaps_;  // of all pairs
  std::vector<ContactSpeed> contact_speeds_;
  std::vector<ContactMargin> contact_margin_;  // one
  std::vector<Witness> watches_;
  std::vector<WitnessRole> roles_;
  std::vector<unsigned char> fired_;
  std::vector<const EventFunction*> hit_;
  // First those that joints, elements and the user have; then shapes that may meet; then points that touch.
  std::size_t first_count_ = 0, touch_count_ = 0, count_ = 0;
  std::size_t touch_room_ = 0;
};

}  // namespace pintle
