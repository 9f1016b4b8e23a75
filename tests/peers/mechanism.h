// Mechanism: one table from which every engine builds its own model, in plain numbers. Links are in depth-first order;
// a link's frame is the frame of the joint that carries it, on the child's side.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace peers {

enum class Kind : int { revolute, prismatic, screw, cylindrical, universal, planar, spherical, translational, free };

/// Numbers in a configuration and in a velocity (docs/joints.md says what they mean).
constexpr int nq_of(Kind kind) {
  constexpr int numbers[] = {1, 1, 1, 2, 2, 3, 4, 3, 7};
  return numbers[static_cast<int>(kind)];
}
constexpr int nv_of(Kind kind) {
  constexpr int numbers[] = {1, 1, 1, 2, 2, 3, 3, 3, 6};
  return numbers[static_cast<int>(kind)];
}

struct Link {
  int parent = -1;  ///< an earlier link, or -1 for the world
  Kind kind = Kind::revolute;
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< of the joint at zero, in the parent's frame, row after row
  double translation[3] = {0, 0, 0};                 ///< [m] likewise
  double axis[3] = {0, 0, 1};                        ///< of unit length; of a planar joint always z, its x axis x
  double second_axis[3] = {1, 0, 0};                 ///< universal: at right angles to the first
  double pitch = 0;                                  ///< screw [m/rad]
  double armature = 0;                               ///< of every dof [kg m^2 or kg]; of planar and free joints 0
  double mass = 1;                                   ///< [kg]
  double center[3] = {0, 0, 0};                      ///< of mass [m], in the link's frame
  double inertia[6] = {1, 0, 0, 1, 0, 1};            ///< xx xy xz yy yz zz about it [kg m^2], in the link's axes
};

struct Mechanism {
  std::string name;
  double gravity[3] = {0, 0, -9.81};  ///< [m/s^2]
  std::vector<Link> links;

  std::size_t nq() const {
    int sum = 0;
    for (const Link& link : links) sum += nq_of(link.kind);
    return static_cast<std::size_t>(sum);
  }
  std::size_t nv() const {
    int sum = 0;
    for (const Link& link : links) sum += nv_of(link.kind);
    return static_cast<std::size_t>(sum);
  }
};

/// Where a mechanism is and what it does, in Pintle's numbers: quaternions xyzw, velocities of ball and free joints in
/// the child's axes, of planar joints in the parent's.
struct State {
  std::vector<double> q, v, vdot, tau;
};

}  // namespace peers
