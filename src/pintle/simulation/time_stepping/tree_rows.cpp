#include "pintle/simulation/time_stepping/tree_rows.h"

#include "pintle/base/size.h"

namespace pintle {

void add_tree_rows(const Model& model, const Trees& trees, const KinematicsWorkspace& places, const Place& place,
                   double sign, const ContactFrame& frame, std::size_t columns, double* J) {
  const auto motion = places.motion.view();
  const std::span<const Link> links = model.links();
  Pose<> X_CL = inverse(place.X_LF);  // of the current link
  for (int at = place.link; at >= 0; at = links[size(at)].parent) {
    const Link& link = links[size(at)];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const CoordinateSource& source = model.v_sources()[size(k)];
      const Twist<> column = sign * source.ratio * (X_CL * motion.S[k]);
      double* row = J + trees.place(size(source.source));
      const auto add = [&](double entry) {
        *row += entry;
        row += columns;
      };
      add(column.linear.x);
      add(column.linear.y);
      add(column.linear.z);
      if (frame.spins) add(column.angular.x);
      if (!frame.rolls) continue;
      add(column.angular.y);
      add(column.angular.z);
    }
    if (link.parent >= 0) X_CL = X_CL * inverse(motion.X_PL[at]);
  }
}

}  // namespace pintle
