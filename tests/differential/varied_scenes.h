// Scenes of many kinds with random parameters: driven, thrown, bouncing, sliding, rolling, stiff, with limits, friction,
// events and sensors.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "pintle/base/random.h"

namespace test {

/// A kind of scene. `smooth`: no events change its motion, so that every method keeps its order.
struct SceneKind {
  std::string_view name;
  bool smooth;
  std::string (*text)(pintle::RandomStream&);
};

namespace varied {

using pintle::RandomStream;

inline std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

inline std::string uniform(RandomStream& random, double low, double high) {
  return number(random.uniform(low, high));
}

inline std::string vector(RandomStream& random, double size) {
  return "[" + uniform(random, -size, size) + ", " + uniform(random, -size, size) + ", " + uniform(random, -size, size) +
         "]";
}

/// Three rods on skew axes; the joint of the first and those of the others have properties. `starts`: where the first is,
/// and how fast.
inline std::string chain(RandomStream& random, const std::string& first, const std::string& others, bool starts = true) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "link" + std::to_string(i);
    text += "[[body]]\nname = \"" + name + "\"\nmass = " + uniform(random, 0.5, 2.0) +
            "\nshape = { capsule = { radius = 0.03, length = 0.3 }, at = [0, 0, -0.2] }\njoint = { type = \"revolute\", " +
            (i == 0 ? std::string() : "parent = \"link" + std::to_string(i - 1) + "\", at = [0, 0, -0.4], ") +
            "axis = [" + uniform(random, -0.5, 0.5) + ", 1, " + uniform(random, -0.5, 0.5) + "]" +
            (i == 0 ? first : others) + " }\n";
    if (i > 0 || starts)
      text += "initial = { q = " + uniform(random, -0.8, 0.8) + ", v = " + uniform(random, -2.0, 2.0) + " }\n";
  }
  return text;
}

inline std::string driven(RandomStream& random) {
  return chain(random, ", damping = 0.02", "") + "[[motor]]\njoint = \"link0\"\neffort = \"" + uniform(random, 0.5, 3.0) +
         " * sin(" + uniform(random, 5.0, 20.0) + "*t) - 0.1*v\"\n";
}

/// The first joint has a prescribed motion.
inline std::string prescribed(RandomStream& random) {
  std::string text = chain(random, "", ", damping = 0.02", false);
  const std::string w = uniform(random, 3.0, 12.0), a = uniform(random, 0.1, 0.6);
  return text + "[[motor]]\njoint = \"link0\"\nposition = \"" + a + " * sin(" + w + "*t)\"\n";
}

inline std::string thrown(RandomStream& random) {
  std::string text;
  for (int i = 0; i < 2; ++i)
    text += "[[body]]\nname = \"stone" + std::to_string(i) + "\"\nmass = 1\ninertia = [" + uniform(random, 0.01, 0.013) +
            ", 0.014, " + uniform(random, 0.015, 0.02) + "]\ncenter = " + vector(random, 0.1) +
            "\njoint = { type = \"free\", at = [" + number(0.5 * i) + ", 0, 0] }\ninitial = { v = [" + uniform(random, -3, 3) + ", " + uniform(random, -3, 3) +
            ", " + uniform(random, -3, 3) + ", " + uniform(random, -6, 6) + ", " + uniform(random, -6, 6) + ", " +
            uniform(random, -6, 6) + "] }\n";
  return text + "[[spring]]\nfrom = \"stone0\"\nto = \"stone1\"\nstiffness = " + uniform(random, 5.0, 40.0) +
         "\nrest = 0.2\n";
}

inline std::string stiff(RandomStream& random) {
  return chain(random, ", stiffness = " + uniform(random, 50.0, 300.0) + ", damping = " + uniform(random, 0.5, 2.0),
               ", stiffness = " + uniform(random, 20.0, 60.0) + ", damping = 0.3");
}

inline std::string ground(double friction, double restitution) {
  return "[material.m]\nfriction = " + number(friction) + "\nrestitution = " + number(restitution) +
         "\n[[ground]]\nshape = { plane = {} }\nmaterial = \"m\"\n";
}

inline std::string ball(RandomStream& random, double height, const std::string& velocity) {
  return "[[body]]\nname = \"ball\"\nmass = " + uniform(random, 0.5, 2.0) +
         "\nmaterial = \"m\"\nshape = { sphere = { radius = 0.05 } }\njoint = { type = \"free\", at = [0, 0, " +
         number(0.05 + height) + "] }\ninitial = { v = " + velocity + " }\n";
}

/// Falls, rebounds two or three times, with friction and spin.
inline std::string bouncing(RandomStream& random) {
  return ground(random.uniform(0.1, 0.8), random.uniform(0.6, 0.9)) +
         ball(random, random.uniform(0.1, 0.3),
              "[" + uniform(random, -1, 1) + ", " + uniform(random, -1, 1) + ", 0, " + uniform(random, -20, 20) + ", " +
                  uniform(random, -20, 20) + ", " + uniform(random, -20, 20) + "]");
}

/// Slides, then rolls.
inline std::string rolling(RandomStream& random) {
  return ground(random.uniform(0.1, 0.4), 0.0) +
         ball(random, 0.0,
              "[" + uniform(random, 0.2, 1.5) + ", " + uniform(random, -0.5, 0.5) + ", 0, " + uniform(random, -10, 10) +
                  ", " + uniform(random, -10, 10) + ", " + uniform(random, -10, 10) + "]");
}

/// A block that slides over the ground and stops, or is thrown over it.
inline std::string sliding(RandomStream& random) {
  return ground(random.uniform(0.2, 0.6), 0.0) + "[[body]]\nname = \"block\"\nmass = " + uniform(random, 0.5, 2.0) +
         "\nmaterial = \"m\"\nshape = { box = { size = [0.3, 0.3, 0.05] } }\njoint = { type = \"free\", at = [0, 0, 0.025] }\n"
         "initial = { v = [" + uniform(random, 0.3, 1.2) + ", " + uniform(random, -0.3, 0.3) + ", 0, 0, 0, " +
         uniform(random, -1, 1) + "] }\n";
}

inline std::string limits(RandomStream& random) {
  return chain(random, ", lower = -0.9, upper = 0.9, restitution = " + uniform(random, 0.3, 0.8), "");
}

inline std::string friction(RandomStream& random) {
  return chain(random, ", friction = " + uniform(random, 0.1, 0.5), ", friction = " + uniform(random, 0.02, 0.1)) +
         "[[motor]]\njoint = \"link0\"\neffort = \"" + uniform(random, 1.0, 4.0) + " * sin(" + uniform(random, 4.0, 9.0) +
         "*t)\"\n";
}

/// A ball on a table that is shaken.
inline std::string shaken(RandomStream& random) {
  const std::string w = uniform(random, 12.0, 25.0);
  return "[material.m]\nfriction = 0.3\nrestitution = " + uniform(random, 0.5, 0.8) +
         "\n[[body]]\nname = \"table\"\nmass = 5\nmaterial = \"m\"\nshape = { box = { size = [1, 1, 0.1] }, at = [0, 0, -0.05] }\n"
         "joint = { type = \"prismatic\", axis = [0, 0, 1] }\n[[motor]]\njoint = \"table\"\nposition = \"0.01*sin(" + w +
         "*t)\"\n" + ball(random, random.uniform(0.02, 0.1), "[0, 0, 0, 0, 0, 0]");
}

/// Efforts that switch with time and with position, events and sensors.
inline std::string switched(RandomStream& random) {
  return chain(random, ", damping = 0.05", ", damping = 0.05") + "[[motor]]\njoint = \"link1\"\neffort = \"" +
         uniform(random, 0.5, 2.0) + " * step(sin(" + uniform(random, 6.0, 15.0) + "*t))\"\neffort_limit = " +
         uniform(random, 0.8, 3.0) + "\n[[controller]]\njoint = \"link0\"\ntarget = \"0.4*clamp(4*t - 1, 0, 1)\"\nkp = " +
         uniform(random, 5.0, 20.0) + "\nkd = 0.5\neffort_limit = " + uniform(random, 0.5, 2.0) +
         "\n[[event]]\nname = \"e\"\nzero_of = \"q.link0 - 0.1\"\n[[sensor]]\nname = \"tip\"\ntype = \"frame-pose\"\n"
         "place = \"link2\"\n";
}

}  // namespace varied

inline constexpr std::array kSceneKinds{
    SceneKind{"driven", true, varied::driven},        SceneKind{"prescribed", true, varied::prescribed},
    SceneKind{"thrown", true, varied::thrown},        SceneKind{"stiff", true, varied::stiff},
    SceneKind{"bouncing", false, varied::bouncing},   SceneKind{"rolling", false, varied::rolling},
    SceneKind{"sliding", false, varied::sliding},     SceneKind{"limits", false, varied::limits},
    SceneKind{"friction", false, varied::friction},   SceneKind{"shaken", false, varied::shaken},
    SceneKind{"switched", false, varied::switched},
};

}  // namespace test
