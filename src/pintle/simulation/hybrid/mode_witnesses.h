// The witness functions of a simulation: joint limits, friction, active constraints, speed limits, contacts, switches
// of force elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// The purpose of a witness function.
enum class WitnessKind : unsigned char {
  user,         ///< an event of the scene, or of the caller
  limit,        ///< a dof reaches a limit
  rest,         ///< a sliding dof comes to rest
  turn,         ///< a prescribed dof with friction reverses, or starts from rest
  gives_way,    ///< a held dof breaks away or leaves its limit: it needs more than can hold it
  speed_limit,  ///< a dof exceeds its speed limit, or is within it again
  force_switch,
  touch,              ///< the shapes of a pair touch, or touch at further points
  contact_rest,       ///< the slip of a contact ends
  contact_breakaway,  ///< contacts need more than their laws allow
};

struct WitnessRole {
  WitnessKind kind = WitnessKind::user;
  int number = -1;                             ///< of the event, dof, element or contact
  FrictionKind friction = FrictionKind::slip;  ///< of a contact that comes to rest
};

class ContactGap;
class ContactPlaces;
class ContactSpeed;

/// The witness functions in force, for the modes of a system.
class ModeWitnesses {
 public:
  /// `events` are the user's; they come first and are always in force.
  ModeWitnesses(SceneSystem& system, std::span<const Witness> events);
  ~ModeWitnesses();

  /// Chooses the witness functions for the present modes of the system, and marks those that have just had their zero:
  /// those in `hits` (a mark for each of the previous witnesses, or empty), and those that start from zero.
  void choose(const MotionState& state, std::span<const unsigned char> hits);
  /// Of all pairs that may touch, selects those that can come near each other in a step of length h [s]: to be called
  /// before every search. Returns how long [s] the step may be: less than h if one shape may pass through another
  /// without being seen.  [eq. swept-pairs]
  double look_at_step(const MotionState& from, double h, const MotionState& to);
  /// Whether a held dof or the contacts need more than their laws allow at a state, so that the witness functions of
  /// their margins have no falling zero left to find.
  bool any_beyond_limits(const MotionState& state);
  /// Margins are found anew: friction has other directions now.
  void forget_margins();
  /// The accelerations at a state in the present modes.
  std::span<const double> accelerations(const MotionState& state);
  /// The marks of all witnesses, as if all pairs that may touch were near: to be saved, and as saved.
  std::vector<std::int64_t> saved_marks() const;
  void set_fired(std::span<const std::int64_t> marks);
  /// No witness function had its zero just now.
  void clear_fired();

  std::span<const Witness> witnesses() const { return {witnesses_.data(), count_}; }
  std::span<const WitnessRole> roles() const { return {roles_.data(), count_}; }
  /// Whether only gaps of pairs that may touch are in force.
  bool only_touches() const { return count_ == touch_count_; }
  /// One mark for each witness, as EventFinder::search takes them.
  std::span<const unsigned char> fired() const { return {fired_.data(), count_}; }
  /// The maximum number of witnesses without an allocation. Grows with the number of contacts, and of pairs that are
  /// near each other.
  std::size_t capacity() const { return witnesses_.size(); }

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
  double longest_step(const MotionState& from, double h, const MotionState& to);
  unsigned char mark(std::size_t witness, const MotionInstant& at, bool hit) const;

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
  std::int64_t near_search_ = 0;  // by which those in force were found
  std::vector<ContactGap> gaps_;  // of all pairs
  std::vector<ContactSpeed> contact_speeds_;
  std::vector<ContactMargin> contact_margin_;  // one
  std::vector<Witness> witnesses_;
  std::vector<WitnessRole> roles_;
  std::vector<unsigned char> fired_;
  std::vector<const EventFunction*> hit_;
  // First those of joints, elements and the user; then pairs that may touch; then active contacts.
  std::size_t first_count_ = 0, touch_count_ = 0, count_ = 0;
  std::size_t touch_room_ = 0;
};

}  // namespace pintle
