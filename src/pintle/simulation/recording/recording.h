// Recording: the output of a run. Rows of named columns and events go to a RecordSink, which writes them to a file,
// sends them on or keeps them. docs/formats/recording.md names the columns.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/constraints/contact_residuals.h"
#include "pintle/math/vec3.h"
#include "pintle/simulation/recording/column.h"

namespace pintle {

/// What can happen at an instant of a run, with the values that EventFacts names.
enum class EventKind : unsigned char {
  limit_impact,              ///< a dof hits its limit
  limit_hold,                ///< a joint limit becomes active
  limit_release,             ///< a joint limit is released
  stick,                     ///< friction brings a dof to rest
  slip,                      ///< a dof that stuck breaks away
  speed_over,                ///< a dof exceeds its speed limit
  speed_under,               ///< and is within it again
  user,                      ///< a user's witness function has a zero
  contact_hold,              ///< two bodies begin to rest, roll or slide on each other
  contact_release,           ///< they separate
  contact_stick,             ///< the slip of a contact ends
  contact_slip,              ///< a contact that stuck breaks away
  impact_without_collision,  ///< Coulomb's law has no solution; an impact without collision follows
  contact_rotation_slip,     ///< rolling or spinning friction breaks away
  contact_rotation_stick,    ///< and such a rotation ends
  slip_reversal,             ///< a sliding dof comes to rest and slides back at once: friction cannot hold it
  contact_slip_reversal,     ///< so does the slip of a contact
};

/// The facts of a kind of event.
struct EventFacts {
  EventKind kind;
  std::string_view name;
  int count;  ///< of its values
  /// What they are. For a rotational dof an impulse is in N m s, an effort in N m, a speed in rad/s.
  std::array<std::string_view, 3> values;
};

inline constexpr int kEventKinds = 17;
inline constexpr EventFacts kEventFacts[kEventKinds] = {
    {EventKind::limit_impact, "limit-impact", 3, {"impulse [N s]", "energy lost [J]", "speed before [m/s]"}},
    {EventKind::limit_hold, "limit-hold", 1, {"position [m]"}},
    {EventKind::limit_release, "limit-release", 1, {"position [m]"}},
    {EventKind::stick, "stick", 1, {"friction [N]"}},
    {EventKind::slip, "slip", 1, {"friction [N]"}},
    {EventKind::speed_over, "speed-over", 2, {"speed [m/s]", "limit [m/s]"}},
    {EventKind::speed_under, "speed-under", 2, {"speed [m/s]", "limit [m/s]"}},
    {EventKind::user, "user", 2, {"value", "direction"}},
    {EventKind::contact_hold, "contact-hold", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::contact_release, "contact-release", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::contact_stick, "contact-stick", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::contact_slip, "contact-slip", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::impact_without_collision, "impact-without-collision", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::contact_rotation_slip, "contact-rotation-slip", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::contact_rotation_stick, "contact-rotation-stick", 3, {"x [m]", "y [m]", "z [m]"}},
    {EventKind::slip_reversal, "slip-reversal", 1, {"friction [N]"}},
    {EventKind::contact_slip_reversal, "contact-slip-reversal", 3, {"x [m]", "y [m]", "z [m]"}},
};

constexpr const EventFacts& facts(EventKind kind) {
  return kEventFacts[static_cast<int>(kind)];
}

/// One event. Unknown values are zero, and indices that do not apply -1.
struct EventRecord {
  double t = 0.0;  ///< [s]
  EventKind kind = EventKind::user;
  std::string_view name{};         ///< of the user's function, the joint or the body; valid during the call
  int joint = -1;                  ///< Model::joints
  int dof = -1;                    ///< of the model's independent ones
  int body = -1;                   ///< Model::bodies
  std::array<double, 3> values{};  ///< as facts(kind).values says
  bool operator==(const EventRecord&) const = default;
};

/// An impact at one point of contact.
struct ImpactRecord {
  double t = 0.0;                   ///< [s]
  int body_a = -1, body_b = -1;     ///< Model::bodies; -1: the world
  Vec3<> point{}, normal{};         ///< [m] in the world; the normal, a unit vector, points from A to B
  double penetration = 0.0;         ///< [m] when it was found
  double approach = 0.0;            ///< [m/s] before
  double slip = 0.0;                ///< [m/s] before
  /// [m/s] velocities of B's point over A's in the tangent plane, in world axes: the direction in which it slips.
  Vec3<> slip_before{0.0, 0.0, 0.0}, slip_after{0.0, 0.0, 0.0};
  double normal_impulse = 0.0;      ///< [N s]
  double tangential_impulse = 0.0;  ///< [N s]
  double restitution = 0.0;         ///< the result: normal speed after over that before
  double energy = 0.0;              ///< [J] dissipated; negative where the law gained some
  double scale = 1.0;               ///< the fraction of the restitution applied (SeveralImpacts::simultaneous)
  /// Whether all impacts of the instant together gained energy, and this one some of it: Newton's law does in some
  /// eccentric impacts (Kane's paradox), and so does seed 004's.
  bool gains_energy = false;
  ContactResiduals certificate{};  ///< of this impact and those at the same instant; zeros if certificates are off
};

/// An active contact at the instant of a row, and the forces of body A on body B there; B acts on A with the opposite
/// ones. In a contact with the ground A is the world. All vectors are in world axes. Where many points share a load
/// that rigid bodies do not determine (a brick on four corners), these are forces that obey the laws and cause the same
/// motion.
struct ContactForceRecord {
  int body_a = -1, body_b = -1;    ///< Model::bodies; -1: the world
  int shape_a = 0, shape_b = 0;    ///< of these bodies, counted from 0 in the order of ContactSpec::shapes
  Vec3<> point{}, normal{};        ///< [m] in the world; the normal, a unit vector, points from A to B
  double normal_force = 0.0;       ///< [N] along the normal
  Vec3<> friction{0.0, 0.0, 0.0};  ///< [N] in the tangents
  Vec3<> moment{0.0, 0.0, 0.0};    ///< [N m] of friction against rolling and spinning
  double slip = 0.0;               ///< [m/s] how fast B slides over A
  bool slides = false;             ///< false: it sticks, or rolls without slip

  Vec3<> force() const { return normal_force * normal + friction; }
};

enum class RecordOutcome : unsigned char {
  done,
  full,     ///< the limit is reached
  failed,   ///< it could not be written: a disk, a connection
  stopped,  ///< the receiver wants no more
};

/// The outcome of recording something. A run stops at the first that is not done, and keeps everything before it.
struct [[nodiscard]] RecordReport {
  RecordOutcome outcome = RecordOutcome::done;
  std::string_view reason{};  ///< as text; valid until the next call of the sink

  bool ok() const { return outcome == RecordOutcome::done; }
};

/// Receives a recording: `begin` once, rows and events in the order of time, `end` once, also after a failure.
class RecordSink {
 public:
  virtual ~RecordSink() = default;

  /// The columns of all rows to come; the first is the time.
  virtual RecordReport begin(std::span<const Column> columns) = 0;

  /// One row: a value for each column. The values are valid during the call only.
  virtual RecordReport row(std::span<const double> values) = 0;

  /// Something that happened after the last row and not after the next one.
  virtual RecordReport event(const EventRecord& event) = 0;

  /// An impact, likewise.
  virtual RecordReport impact(const ImpactRecord&) { return {}; }

  /// The contacts of the row just recorded, if there are any and RunSpec::contact_forces asks for them. They are valid
  /// during the call only.
  virtual RecordReport contacts(std::span<const ContactForceRecord>) { return {}; }

  /// There will be no more.
  virtual RecordReport end() { return {}; }
};

/// The capacity of a MemoryRecording.
struct MemoryLimits {
  std::int64_t rows = -1;    ///< at most so many, allocated at once; -1: any number, allocated as needed
  std::int64_t events = -1;  ///< likewise
};

/// An event that owns its name.
struct RecordedEvent {
  EventRecord event;  ///< its own name is no longer valid
  std::string name;
};

/// A recording kept in memory. A new `begin` discards the previous one.
class MemoryRecording : public RecordSink {
 public:
  explicit MemoryRecording(const MemoryLimits& limits = {});
  ~MemoryRecording() override;

  RecordReport begin(std::span<const Column> columns) override;
  RecordReport row(std::span<const double> values) override;
  RecordReport event(const EventRecord& event) override;
  RecordReport impact(const ImpactRecord& impact) override;
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override;

  std::span<const Column> columns() const;
  std::size_t rows() const { return rows_; }

  /// Row i, in the order of the columns; valid until the next row. UsageError if there is none.
  std::span<const double> row_at(std::size_t i) const;

  /// The index of a column; UsageError, with the nearest name, if there is none.
  std::size_t column_number(std::string_view name) const;

  /// All values of a column, one per row.
  std::vector<double> column(std::string_view name) const;

  std::span<const RecordedEvent> events() const;

  std::span<const ImpactRecord> impacts() const;

  /// The contacts of row i; valid until the next row. UsageError if there is no such row.
  std::span<const ContactForceRecord> contacts_at(std::size_t i) const;

 private:
  MemoryLimits limits_;
  std::vector<Column> columns_;
  std::vector<double> numbers_;  // row after row
  std::size_t rows_ = 0;
  std::vector<RecordedEvent> events_;
  std::vector<ImpactRecord> impacts_;
  std::vector<ContactForceRecord> contacts_;  // row after row
  std::vector<std::size_t> first_contact_;    // of each row
};

}  // namespace pintle
