// EdgeContacts: flat ends of cylinders and cones tip over their true edge, not over the patch polygon of eight contacts
// in it.
//
// A normal speed or acceleration of a rigid end is mean + x cos(phi) + y sin(phi) around its edge, so the vertices of
// the polygon tell where on the whole circle it is minimal. The polygon gets a vertex there.
#pragma once

#include <span>

#include "pintle/constraints/contact_solver.h"
#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

class EdgeContacts {
 public:
  EdgeContacts(const SceneSystem& system, ContactCandidates& candidates) : system_(system), candidates_(candidates) {}

  /// If an end approaches its face between two vertices of its polygon, one of them is moved there. False: no end does.
  /// Uses the speeds that the candidates have read.
  bool rotate_to_approach();

  /// Bisection for the place where an end tips: it lies between two others.
  struct TippingSearch {
    std::size_t first = static_cast<std::size_t>(-1);  ///< candidate: the first vertex of the polygon
    int low = 0, high = 0, middle = 0;
  };
  /// If the accelerations `solved` press an end into its face between two vertices of its polygon, one of them is moved
  /// closer to that place. `contacts`: the candidates of the contacts solved. False: no end is pressed in, or the
  /// vertex is close enough.
  bool rotate_to_tipping(std::span<const std::size_t> contacts, const ContactWorkspace& solved, TippingSearch& search);

 private:
  struct PatchPolygon;
  bool polygon_of(std::size_t candidate, PatchPolygon& polygon) const;
  bool rotate(const PatchPolygon& polygon, int place);

  const SceneSystem& system_;
  ContactCandidates& candidates_;
};

}  // namespace pintle
