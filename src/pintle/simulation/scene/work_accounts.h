// The work accounts of the energy balance of a scene, and the columns of its recording.
#pragma once

#include <string>
#include <vector>

#include "pintle/simulation/recording/column.h"
#include "pintle/simulation/scene/scene.h"

namespace pintle {

/// What did the work.
enum class AccountKind : unsigned char {
  element,     ///< a motor, controller, spring, load: its power without what it stores
  prescribed,  ///< a motor that prescribes the motion of a dof
  damper,      ///< of a joint
  friction,    ///< of a dof
  limit,       ///< of a dof: at impacts
  contact,     ///< of all contacts: friction where they slide, and impacts
  surface,     ///< what drives the moving surfaces of a body or of the world against friction
};

/// One line of the energy balance.
struct WorkAccount {
  std::string name;
  AccountKind kind;
  int number;   ///< of the element, prescribed motion, joint (dampers), independent dof or body (-1: the world)
  int work;     ///< its index in the auxiliary state, -1 for joint limits, whose work is done instantaneously
  int clipped;  ///< likewise: what an effort limit clipped; -1 without a limit
};

/// The properties of a force element that its account needs.
struct AccountedElement {
  std::string name;
  bool has_limit;
};

/// The name of an independent dof: that of its joint, with its index there if the joint has several.
std::string dof_name(const Model& model, std::size_t dof);

/// Whether anything that moves has mass, so that there is momentum to balance.
bool moves_mass(const Model& model);

/// The accounts of a scene with these elements, in the order of the recording; none if the scene wants none. Their
/// auxiliary states are numbered from `auxiliary_count` on.
std::vector<WorkAccount> work_accounts(const Scene& scene, std::span<const AccountedElement> elements,
                                       int& auxiliary_count);

/// The columns of a row: the time, those of state_columns, the accounts, the certificate, the sensors.
std::vector<Column> row_columns(const Scene& scene, std::span<const WorkAccount> accounts);

}  // namespace pintle
