// ForceElement: something that acts on a mechanism, with the energy it stores and the work it does.
//
// Motors, springs, controllers and loads are force elements; users derive their own. An element is made for one run: it
// may keep values between steps (held samples), which it exposes for checkpoints.
#pragma once

#include <span>
#include <string_view>

#include "pintle/dynamics/kinematics.h"

namespace pintle {

/// The input of an element at one instant.
struct ForceInput {
  double t = 0.0;                  ///< [s]
  std::span<const double> q, v;    ///< of the independent joints
  std::span<const double> states;  ///< its own integrated states
  /// Places and velocities of all links at (q, v); null unless some element of the scene needs places.
  const KinematicsWorkspace* kinematics = nullptr;
  /// How often each event of the scene has happened in this run; empty unless some element of the scene counts events.
  std::span<const double> event_counts{};
};

/// The output of an element.
struct ForceOutput {
  std::span<double> tau;  ///< [N m or N] on the independent dofs: to be added to
  std::span<Wrench<>>
      external;  ///< on each body, in its frame: to be added to (add_external); empty without kinematics
  std::span<double> state_derivatives;  ///< of its own states: to be written
};

/// Its power at that instant. With the energy E that it stores, the power into the mechanism is
///
///     tau.v + sum of F.V over the bodies = power - dE/dt
///
/// so `power` is negative where energy is dissipated: -c v^2 of a damper.  [eq. element-power]
struct ForcePower {
  double power = 0.0;    ///< [W] into the mechanism, without the exchange with stored energy
  double clipped = 0.0;  ///< [W] that an effort limit clipped
  bool ok = true;        ///< false: it has no value here (a spring of no length, a formula that is not finite)
};

class ForceElement {
 public:
  virtual ~ForceElement() = default;

  /// For the energy balance, columns and errors.
  virtual std::string_view name() const = 0;

  /// Adds its forces. Called at every stage of every step: no allocation, and the same output for the same input.
  virtual ForcePower apply(const Model& model, const ForceInput& in, const ForceOutput& out) = 0;

  /// The stored energy [J]: of springs; zero for others.
  virtual double energy(const Model& model, const ForceInput& in) const;

  /// Whether it reads ForceInput::kinematics.
  virtual bool needs_places() const { return false; }

  /// Whether it reads ForceInput::event_counts. Its forces may jump where an event happens.
  virtual bool counts_events() const { return false; }

  /// Whether an effort limit may clip it: the energy balance then counts ForcePower::clipped.
  virtual bool has_limit() const { return false; }

  /// Values of its own that the recording of its scene shows (a controller its target and its error), and how many.
  virtual int shown_count() const { return 0; }
  virtual void show(const Model& model, const ForceInput& in, std::span<double> values);

  /// How many states of its own are integrated (the integral part of a controller); they start at zero.
  virtual int state_count() const { return 0; }

  /// Values whose change of sign is a kink of `apply` (an effort limit reached): steps end there, so that integrators
  /// keep their order.
  virtual int switch_count() const { return 0; }
  virtual void switches(const Model& model, const ForceInput& in, std::span<double> values);
  /// Chooses the active side of each switch; called at the start of a step, and kept within it. Sides follow from the
  /// input alone, and a zero belongs to the side beyond (negative values). An element for which it has not been called
  /// since construction or reset goes by its values.
  virtual void choose_sides(const Model& model, const ForceInput& in);

  /// The first time [s] after t at which `sample` must be called, infinite for continuous elements. Steps end there.
  virtual double next_sample(double t) const;
  /// Reads its inputs again and holds them until the next sample (discrete controllers), or lets an earlier sample take
  /// effect (delays); does nothing if neither is due. Called at the start of a run too: a sample may be due there.
  virtual void sample(const Model& model, const ForceInput& in);

  /// What it keeps between calls, for checkpoints: reading and writing these values saves and restores it.
  virtual std::span<double> memory() { return {}; }
  /// Resets to the state after construction.
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

  /// Releases ownership of the element: to a std::unique_ptr, say.
  ForceElement* release() {
    ForceElement* const element = element_;
    element_ = nullptr;
    return element;
  }

 private:
  ForceElement* element_ = nullptr;
};

}  // namespace pintle
