// The values of a contact force record in a fixed order, for files.
#pragma once

#include <array>

#include "pintle/simulation/recording/recording.h"

namespace pintle {

inline constexpr std::size_t kContactNumbers = 19;

/// In the order of ContactForceRecord; `slides` as 0 or 1.
inline std::array<double, kContactNumbers> numbers_of(const ContactForceRecord& c) {
  return {static_cast<double>(c.body_a),
          static_cast<double>(c.body_b),
          static_cast<double>(c.shape_a),
          static_cast<double>(c.shape_b),
          c.point.x,
          c.point.y,
          c.point.z,
          c.normal.x,
          c.normal.y,
          c.normal.z,
          c.normal_force,
          c.friction.x,
          c.friction.y,
          c.friction.z,
          c.moment.x,
          c.moment.y,
          c.moment.z,
          c.slip,
          c.slides ? 1.0 : 0.0};
}

/// The inverse of numbers_of.
inline ContactForceRecord contact_of(const std::array<double, kContactNumbers>& x) {
  return {.body_a = static_cast<int>(x[0]),
          .body_b = static_cast<int>(x[1]),
          .shape_a = static_cast<int>(x[2]),
          .shape_b = static_cast<int>(x[3]),
          .point = {x[4], x[5], x[6]},
          .normal = {x[7], x[8], x[9]},
          .normal_force = x[10],
          .friction = {x[11], x[12], x[13]},
          .moment = {x[14], x[15], x[16]},
          .slip = x[17],
          .slides = x[18] != 0.0};
}

}  // namespace pintle
