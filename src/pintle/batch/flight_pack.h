// Free bodies in flight, several side by side: data of the kernels of flight_pack_impl.h. All quantities of a body are
// about its centre of mass c: under its weight alone r_c follows a parabola, p changes linearly in time and L_c is
// constant. A pack of bodies is the same structs with a pack in place of each scalar.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pintle/math/mat3.h"
#include "pintle/math/quaternion.h"

namespace pintle {

/// A body with a contact shape: the Minkowski sum of a ball, a box and a disc (normal to z), centred at a place.
template <class T>
struct FlightParameters {
  T mass, inverse_mass;
  SymMat3<T> mobility;  ///< the inverse of the inertia about c, body axes
  Vec3<T> place;        ///< of the shape from c [m], body axes
  T ball, disc;         ///< radii [m]
  Vec3<T> extent;       ///< half the sides of the box [m]
  T reach;              ///< no point of the shape is farther from c [m]
};

template <class T>
struct FlightMotion {
  Vec3<T> position;           ///< r_c [m]
  Quaternion<T> orientation;  ///< R_WB
  Vec3<T> momentum;           ///< p [kg m/s]
  Vec3<T> spin;               ///< L_c [kg m^2/s], world axes
};

inline constexpr int kFlightParameters = sizeof(FlightParameters<double>) / sizeof(double);
inline constexpr int kFlightMotion = sizeof(FlightMotion<double>) / sizeof(double);

/// The environment of all bodies.
struct FlightField {
  Vec3<> gravity;          ///< [m/s^2]
  bool ground = false;     ///< there is a plane
  Vec3<> normal{};         ///< of it, of unit length
  double place = 0.0;      ///< [m] normal . x of its points
  bool principal = false;  ///< the axes of every body are principal
};

/// Kernels for packs of one scalar type.
template <class T>
struct FlightPacks {
  int width;  ///< lanes of a pack
  /// Makes up to `count` steps of RK4 of length h [s] of two packs, one after the other in memory, in place; ends after
  /// one that takes a body below the plane or makes a value non-finite. Returns the number of steps; `touched` are
  /// these lanes, one bit each, and `before` the motions at the start of the last step. Addresses are multiples of 64.
  std::int64_t (*steps)(const FlightField& field, const T* bodies, double h, std::int64_t count, T* motion, T* before,
                        unsigned* touched);
};

/// One table per instruction set.
struct FlightPackKernels {
  FlightPacks<double> doubles;
  FlightPacks<float> floats;
  /// One step of one body, bitwise as in a lane of doubles.
  void (*step)(const FlightField& field, const FlightParameters<double>& body, double h, FlightMotion<double>& motion);
  /// The gap between one body and the plane [m].
  double (*gap)(const FlightField& field, const FlightParameters<double>& body, const FlightMotion<double>& motion);
};

/// The entry of value k of the body in a lane of two packs, with `numbers` values per body.
constexpr int flight_entry(int width, int numbers, int lane, int k) {
  return (lane / width * numbers + k) * width + lane % width;
}

/// The kernels of the instruction set in use.
const FlightPackKernels& flight_pack_kernels_in_use();

template <class T>
const FlightPacks<T>& flight_packs_in_use() {
  if constexpr (sizeof(T) == sizeof(float)) {
    return flight_pack_kernels_in_use().floats;
  } else {
    return flight_pack_kernels_in_use().doubles;
  }
}

}  // namespace pintle
