// A body in free flight: on its own free joint on the world, with only its weight acting on it. Plain data for the
// kernel of free_flight_impl.h.
#pragma once

#include <cstdint>

#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

struct FlightBody {
  int q = 0, v = 0;        ///< where its values begin in a configuration and in a velocity
  double mass = 0.0;       ///< [kg]
  Vec3<> center{};         ///< the centre of mass in the link's frame [m]
  SymMat3<> inertia{};     ///< about the centre of mass [kg m^2]
  SymMat3<> mobility{};    ///< the inverse of `inertia`
  double slowest = 0.0;    ///< lower bound of the smallest principal value of `inertia` [kg m^2]
  double largest = 0.0;    ///< upper bound of the largest principal value [kg m^2]
  Vec3<> gravity{};        ///< [m/s^2] in the axes of the joint on the world's side
  Pose<> X_WJ{};           ///< of that frame
  Vec3<> weight{};         ///< [N] in world axes
  Vec3<> turning{};        ///< of principal axes (I_yy - I_zz)/I_xx and so on: dw_x/dt = turning.x w_y w_z
  bool principal = false;  ///< the centre of mass is the link's origin, the axes are principal
  int axis = -1;           ///< of symmetry: 0 x, 1 y, 2 z; -1 where there is none, or the axes are not principal
};

/// Steps of one length on the grid of a run: step n ends at t0 + n h to the bit.
struct FlightSteps {
  double t0 = 0.0, h = 0.0;  ///< [s]
  std::int64_t grid = 0;     ///< the number of steps already made
  std::int64_t count = 0;    ///< to be made

  /// The end of step i of them [s].
  double end_of(std::int64_t i) const { return t0 + static_cast<double>(grid + i + 1) * h; }
};

/// The steps of bodies in flight, one function per instruction set.
struct FlightKernels {
  /// One step of RK4 of length h [s] of all bodies, in place. `weight_impulse`: adds the impulse of all weights about
  /// the world's origin in the step; nullptr if it is not wanted. False if a body rotates too far within the step for
  /// the short series; nothing is then written.
  bool (*step)(const FlightBody* bodies, int count, double h, double* q, double* v, Wrench<>* weight_impulse);
  /// So many steps from time t, which becomes the end of the last one made. Returns their number: it stops before a
  /// step that `step` refuses.
  std::int64_t (*steps)(const FlightBody* bodies, int count, const FlightSteps& steps, double& t, double* q, double* v,
                        Wrench<>* weight_impulse);
};

/// The kernels of the instruction set in use.
const FlightKernels& flight_kernels_in_use();

}  // namespace pintle
