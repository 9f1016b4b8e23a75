// StepContacts: the points that may touch within a step, with their Jacobians by trees.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/time_stepping/tree_rows.h"

namespace pintle {

/// A point that may touch within a step.
struct StepContact {
  ActiveContact contact;
  ContactFrame frame;
  double gap = 0.0;  ///< [m] at the start of the step; negative: penetration
  double tolerance = 0.0;  ///< [m] of the gap: Contacts::tolerance
  /// The trees that move the surfaces, and J for each, row-major in its dofs. A contact within one tree has that tree
  /// first and -1 second, with the difference of both sides.
  std::array<int, 2> trees{-1, -1};
  std::array<std::size_t, 2> first{};  ///< of J
  std::array<double, 2> surface_speed{};  ///< [m/s] of moving surfaces, along the tangents
  bool was_active = false;  ///< in the previous step or by events; then its mode and mean force are those it had
  std::size_t rows() const { return row_count(frame); }
};

class StepContacts {
 public:
  /// `contacts` must outlive this object. `all_pairs`: NearPairs.
  StepContacts(const Model& model, const Trees& trees, const Contacts& contacts, bool all_pairs);

  /// The points that could close within a time [s] at the velocities of `places`. `was` are the contacts that were
  /// active so far. Trees that are not flagged do not move. Allocates at a new maximum only.
  void find(const KinematicsWorkspace& places, double time, std::span<const ActiveContact> was,
            std::span<const unsigned char> movable);

  std::span<const StepContact> all() const { return contacts_; }
  const double* J(std::size_t contact, std::size_t side) const { return J_.data() + contacts_[contact].first[side]; }

 private:
  void add(int pair, const ContactPoint& point, const KinematicsWorkspace& places, std::span<const ActiveContact> was,
           std::span<const unsigned char> movable);

  const Model& model_;
  const Trees& trees_;
  const Contacts& contacts_of_;
  NearPairs near_;
  std::vector<StepContact> contacts_;
  std::vector<std::size_t> by_pair_;  // of `was`, sorted by pair
  std::vector<double> J_;
};

}  // namespace pintle
