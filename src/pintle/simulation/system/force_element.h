// ForceElement: something that acts on a mechanism, with what it stores and what it does for the energy balance.
//
// Motors, springs, controllers and loads are force elements; users derive their own. An element is made for one run: it
// may keep numbers between steps (held samples), which it hands out for checkpoints.
#pragma once

#include <span>
#include <string_view>

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// What an element sees at one instant.
struct ForceInput {
  double t = 0.0;                  ///< [s]
  std::span<const double> q, v;    ///< of the independent joints
  std::span<const double> states;  ///< its own numbers that are integrated
  /// Places and velocities of all links at (q, v); null unless some element of the scene needs places.
  const KinematicsWorkspace* kinematics = nullptr;
};

/// Where it writes.
struct ForceOutput {
  std::span<double> tau;  ///< [N m or N] on the independent dofs: to be added to
  std::span<Wrench<>>
      external;  ///< on each body, in its frame: to be added to (add_external); empty without kinematics
  std::span<double> state_derivatives;  ///< of its own numbers: to be written
};

/// What it does at that instant. With the energy E that it stores, all that reaches the mechanism is
///
///     tau.v + sum of F.V over the bodies = power - dE/dt
///
/// so `power` is negative where energy is lost: -c v^2 of a damper.  [eq. element-power]
struct ForcePower {
  double power = 0.0;    ///< [W] into the mechanism, without what comes from or goes into stored energy
  double clipped = 0.0;  ///< [W] that an effort limit kept from it
  bool ok = true;        ///< false: it has no value here (a spring of no length, a formula that is not finite)
};

class ForceElement {
 public:
  virtual ~ForceElement() = default;

  /// For energy balances, columns and errors.
  virtual std::string_view name() const = 0;

  /// Adds what acts. Called at every stage of every step: no allocation, and the same answer for the same input.
  virtual ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) = 0;

  /// The energy [J] it stores: of springs, zero for others.
  virtual double energy(const Model& model, const ForceInput& in) const;

  /// Whether it reads ForceInput::kinematics.
  virtual bool needs_places() const { return false; }

  /// Whether an effort limit may clip it: the energy balance then counts ForcePower::clipped.
  virtual bool has_limit() const { return false; }

  /// How many numbers of its own are integrated (the integral part of a controller); they start at zero.
  virtual int state_count() const { return 0; }

  /// Values whose change of sign is a kink of `apply` (an effort limit met): steps end there, so that integrators keep
  /// their order.
  virtual int switch_count() const { return 0; }
  virtual void switches(const Model& model, const ForceInput& in, std::span<double> values);
  /// Which side of each switch is in force is chosen at the start of a step and kept within it: told by this. Sides
  /// follow from the input alone, and a zero belongs to the side beyond (negative values). An element that was told
  /// nothing since it was made or reset goes by its values.
  virtual void choose_sides(const Model& model, const ForceInput& in);

  /// The first time [s] after t at which `sample` must be called, infinite for continuous elements. Steps end there.
  virtual double next_sample(double t) const;
  /// Reads its inputs anew and holds them until the next sample (discrete controllers), or lets an earlier sample take
  /// effect (delays); does nothing where neither is due. Called at the start of a run too: a sample may be due there.
  virtual void sample(const Model& model, const ForceInput& in);

  /// What it keeps between calls, for checkpoints: reading and writing these numbers saves and restores it.
  virtual std::span<double> memory() { return {}; }
  /// Back to the state it was made in.
  virtual void reset() {}
};

/// Owns an element: as much of std::unique_ptr as is needed here, without the cost of its header.
class ForceElementPointer {
 public:
  ForceElementPointer() = default;
  /// Takes an element that was made by `new`.
  explicit ForceElementPointer(ForceElement* element) : element_(element) {}
  ForceElementPointer(ForceElementPointer&& other) noexcept : element_(other.release()) {}
  ForceElementPointer& operator=(ForceElementPointer&& other) noexcept;
  ~ForceElementPointer();

  ForceElement* get() const { return element_; }
  ForceElement& operator*() const { return *element_; }
  ForceElement* operator->() const { return element_; }
  explicit operator bool() const { return element_ != nullptr; }

  /// Gives the element away: to a std::unique_ptr, say.
  ForceElement* release() {
    ForceElement* const element = element_;
    element_ = nullptr;
    return element;
  }

 private:
  ForceElement* element_ = nullptr;
};

}  // namespace pintle
