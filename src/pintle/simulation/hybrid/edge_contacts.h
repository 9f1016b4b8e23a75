// EdgeContacts: flat ends of cylinders and cones tip over their true edge, not over the polygon of eight contacts in
// it.
//
// A normal speed or acceleration of a rigid end is mean + x cos(phi) + y sin(phi) around its edge, so the corners of
// the polygon tell where on the whole circle it is least. There the polygon is given a corner.
#pragma once

#include <span>

#include "pintle/constraints/contact_solver.h"
#include "pintle/simulation/hybrid/contact_candidates.h"
#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

class EdgeContacts {
 public:
  EdgeContacts(const SceneSystem& system, ContactCandidates& candidates) : system_(system), candidates_(candidates) {}

  /// Where an end approaches its face between two corners of its polygon, one of them is put there. False: nowhere.
  /// By the speeds that the candidates have read.
  bool turn_to_approach();

  /// The place where one end tips lies between two others, of which the distance is halved.
  struct TippingSearch {
    std::size_t first = static_cast<std::size_t>(-1);  ///< candidate: the first corner of the polygon
    int low = 0, high = 0, middle = 0;
  };
  /// Where accelerations that were `solved` press an end into its face between two corners of its polygon, one of them
  /// is put nearer to that place. `contacts`: the candidates of the contacts solved. False: nowhere, or near enough.
  bool turn_to_tipping(std::span<const std::size_t> contacts, const ContactWorkspace& solved, TippingSearch& search);

 private:
  struct PatchPolygon;
  bool polygon_of(std::size_t candidate, PatchPolygon& polygon) const;
  bool turn(const PatchPolygon& polygon, int place);

  const SceneSystem& system_;
  ContactCandidates& candidates_;
};

}  // namespace pintle
