// RowWriter: computes the values of a row of a recording, and its certificate.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/dynamics/reactions.h"
#include "pintle/simulation/hybrid/energy_balance.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/recording/sensor.h"

namespace pintle {

class RowWriter {
 public:
  /// UsageError when two columns have the same name.
  RowWriter(SceneSystem& system, EnergyBalance& energy_balance);

  std::span<const Column> columns() const { return columns_; }

  /// Computes all values of a row at a state. False if the system has no accelerations there.
  bool fill(const MotionState& state);
  /// The values of the last `fill`, one for each column.
  std::span<const double> numbers() const { return numbers_; }
  /// Of the last `fill`; zeros if certificates are off.
  const Certificate& certificate() const { return certificate_; }
  /// The same for the contacts.
  const SceneSystem::ContactVerdict& contact_verdict() const { return contact_verdict_; }
  /// The contact forces at the last `fill`; none if nothing needs them.
  std::span<const ContactForceRecord> contacts() const { return contacts_; }
  std::span<const double> vdot() const { return vdot_; }

 private:
  SceneSystem& system_;
  EnergyBalance& energy_balance_;
  SensorSet sensors_;
  std::vector<Column> columns_;
  std::size_t state_count_;    // of state_columns
  std::size_t coupled_count_;  // of coupled_columns
  std::size_t shown_count_;    // by elements
  std::vector<double> numbers_, vdot_, auxiliary_derivative_;
  ReactionsWorkspace reactions_;
  CertificateWorkspace certificates_;
  Certificate certificate_;
  SceneSystem::ContactVerdict contact_verdict_;
  std::vector<ContactForceRecord> contacts_;
};

}  // namespace pintle
