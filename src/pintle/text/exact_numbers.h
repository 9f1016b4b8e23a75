// Numbers for files that people edit: the shortest decimals that are read back as the same bits.
#pragma once

#include <string>

#include "pintle/math/mat3.h"
#include "pintle/spatial/spatial_inertia.h"

namespace pintle {

/// The shortest decimal that is read as this double: "0.1", "-0", "1e-07".
std::string exact_text(double number);

/// The number with the fewest digits within `distance` of `number`.
double shortest_within(double number, double distance);

/// Whether the bits are the same; zeros of either sign are.
bool same_number(double a, double b);
bool same_numbers(const Vec3<>& a, const Vec3<>& b);
bool same_numbers(const Mat3<>& a, const Mat3<>& b);
bool same_numbers(const SpatialInertia<>& a, const SpatialInertia<>& b);

/// Rotations about the fixed axes x, then y, then z, as in scene and URDF files.
Mat3<> rotation_of_rpy(const Vec3<>& rpy);

/// Roll, pitch and yaw of a rotation [rad].
struct RpyNumbers {
  Vec3<> rpy{0.0, 0.0, 0.0};
  double error = 0.0;  ///< the largest error of an entry of the matrix when it is read back; 0: the same bits
};

/// The angles whose rotation is nearest to R, among those with few digits and their neighbours; of several with the
/// same bits the shortest. The error is at most 2^-50, also where the pitch is 90 degrees.
RpyNumbers rpy_of(const Mat3<>& R);

/// Mass, centre of mass and inertia about it.
struct CentralInertia {
  double mass = 0.0;             ///< [kg]
  Vec3<> center{0.0, 0.0, 0.0};  ///< [m]
  SymMat3<> inertia{};           ///< [kg m^2] about the centre, in the body's axes
};

/// The values with the fewest digits from which `spatial_inertia` computes I again, bit for bit. When there are none,
/// those nearest to it: a product of mass and centre cannot be every double.
CentralInertia central_inertia(const SpatialInertia<>& I);

}  // namespace pintle
