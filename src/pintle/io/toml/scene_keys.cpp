#include "pintle/io/toml/scene_keys.h"

#include <array>

#include "pintle/model/links/joint_kind.h"
#include "pintle/simulation/contact/contact_method.h"
#include "pintle/simulation/contact/contact_spec.h"
#include "pintle/simulation/integrators/stepper.h"
#include "pintle/simulation/recording/sensor.h"

namespace pintle {
namespace {

template <class Facts, std::size_t n>
constexpr std::array<std::string_view, n> names_of(const Facts (&facts)[n]) {
  std::array<std::string_view, n> names;
  for (std::size_t i = 0; i < n; ++i) names[i] = facts[i].name;
  return names;
}

constexpr auto kJointWords = names_of(kJointFacts);
constexpr auto kMethodWords = names_of(kMethodFacts);
constexpr auto kSensorWords = names_of(kSensorFacts);
// Each in the order of its enumeration.
constexpr std::string_view kEndsWords[] = {"natural", "clamped", "periodic"};
constexpr std::string_view kOutsideWords[] = {"refuse", "hold"};
constexpr std::string_view kDirectionWords[] = {"both", "rising", "falling"};
constexpr std::string_view kForceAxesWords[] = {"world", "body"};
constexpr std::string_view kSensorAxesWords[] = {"local", "world", "local-world-aligned"};

constexpr std::string_view kBaseWords[] = {"fixed", "free"};

constexpr auto kLawWords = kImpactLawNames;
constexpr auto kContactMethodWords = kContactMethodNames;
constexpr auto kSeveralWords = kSeveralImpactsNames;

constexpr KeyRange kPositive = KeyRange::above_zero, kNotNegative = KeyRange::not_negative;
using K = KeyKind;

constexpr SceneKey of_table(std::string_view name, K kind, std::string_view fallback, std::string_view meaning,
                            const SceneTable& table) {
  return {name, kind, "", fallback, meaning, KeyRange::any, {}, &table};
}

constexpr SceneKey of_words(std::string_view name, std::string_view fallback, std::string_view meaning,
                            std::span<const std::string_view> words) {
  return {name, K::word, "", fallback, meaning, KeyRange::any, words};
}

// ---- shapes

constexpr SceneKey kBoxKeys[] = {{"size", K::vector, "m", "required", "lengths of the edges along x, y, z", kPositive}};
constexpr SceneTable kBox{"box", "box = {...}", "A box with its centre at the origin.", kBoxKeys};

constexpr SceneKey kSphereKeys[] = {{"radius", K::quantity, "m", "required", "", kPositive}};
constexpr SceneTable kSphere{"sphere", "sphere = {...}", "A sphere with its centre at the origin.", kSphereKeys};

constexpr SceneKey kEllipsoidKeys[] = {
    {"semi_axes", K::vector, "m", "required", "half the lengths along x, y, z", kPositive}};
constexpr SceneTable kEllipsoid{"ellipsoid", "ellipsoid = {...}", "An ellipsoid with its centre at the origin.",
                                kEllipsoidKeys};

constexpr SceneKey kCylinderKeys[] = {{"radius", K::quantity, "m", "required", "", kPositive},
                                      {"length", K::quantity, "m", "required", "along z", kPositive}};
constexpr SceneTable kCylinder{"cylinder", "cylinder = {...}", "A cylinder along z with its centre at the origin.",
                               kCylinderKeys};

constexpr SceneKey kCapsuleKeys[] = {
    {"radius", K::quantity, "m", "required", "", kPositive},
    {"length", K::quantity, "m", "required", "along z, between the centres of the two hemispheres", kPositive}};
constexpr SceneTable kCapsule{"capsule", "capsule = {...}",
                              "A cylinder along z with hemispheres at its ends, its centre at the origin.",
                              kCapsuleKeys};

constexpr SceneKey kConeKeys[] = {{"radius", K::quantity, "m", "required", "of the base, at z = 0", kPositive},
                                  {"height", K::quantity, "m", "required", "the apex is at z = height", kPositive}};
constexpr SceneTable kCone{"cone", "cone = {...}", "A right circular cone with its base at z = 0.", kConeKeys};

constexpr SceneKey kMeshKeys[] = {
    {"file", K::text, "", "required", "an .stl (binary or ASCII) or .obj file, relative to the scene"},
    {"unit", K::text, "m", "\"m\"", "the unit of its coordinates: \"mm\", or \"25.4 mm\" for inches"}};
constexpr SceneTable kMesh{
    "mesh", "mesh = {...}",
    "A closed surface from a file. On a body with an `inertia` it is only drawn and may be open; other bodies collide "
    "with its convex hull. On a ground it may be open, and bodies collide with its triangles, from the side on which "
    "their vertices run counter-clockwise.",
    kMeshKeys};

constexpr SceneTable kPlane{"plane", "plane = {}", "Everything below the plane z = 0. Ground only.", {}};

constexpr SceneKey kHeightFieldKeys[] = {
    {"size", K::quantities, "1", "required", "[nx, ny]: the number of heights along x and along y, at least two"},
    {"spacing", K::quantity, "m", "required", "from one to the next, along x and along y", kPositive},
    {"heights", K::quantities, "m", "required", "nx times ny of them: those along x at y = 0, then the next row"}};
constexpr SceneTable kHeightField{
    "height_field", "height_field = {...}",
    "Heights over a grid that begins at the origin; everything below is inside. Ground only.", kHeightFieldKeys};

constexpr SceneKey kBowlKeys[] = {
    {"radius", K::quantity, "m", "required", "of the sphere that it is a part of", kPositive},
    {"depth", K::quantity, "m", "as `radius`",
     "from its lowest point to its opening; twice the radius: a closed hollow sphere", kPositive}};
constexpr SceneTable kBowl{
    "bowl", "bowl = {...}",
    "A thin shell, part of a sphere, with its lowest point at the origin and its opening upwards. Spheres collide with "
    "it "
    "from "
    "inside, from outside and at its rim; all other solids but ellipsoids collide only with a closed hollow "
    "sphere. Ground only.",
    kBowlKeys};

constexpr SceneKey kRotationKeys[] = {
    {"axis", K::vector, "1", "", "with `angle`: the axis of rotation, of any length"},
    {"angle", K::quantity, "rad", "", "with `axis`"},
    {"rpy", K::vector, "rad", "", "roll, pitch, yaw: rotations about the fixed axes x, then y, then z"},
    {"quaternion", K::quantities, "1", "", "[x, y, z, w], of length 1"},
    {"matrix", K::quantities, "1", "", "nine entries, row by row; used as they are, so they need at least 12 digits"}};
constexpr SceneTable kRotation{"rotation", "rotation = {...}",
                               "A rotation: `axis` and `angle`, or `rpy`, or `quaternion`, or `matrix`.",
                               kRotationKeys};

constexpr SceneKey kHoleKeys[] = {
    of_table("box", K::table, "", "give one of these six", kBox),
    of_table("sphere", K::table, "", "", kSphere),
    of_table("ellipsoid", K::table, "", "", kEllipsoid),
    of_table("cylinder", K::table, "", "", kCylinder),
    of_table("capsule", K::table, "", "", kCapsule),
    of_table("cone", K::table, "", "", kCone),
    {"at", K::vector, "m", "[0, 0, 0]", "position of the hole's origin in the frame of the shape"},
    of_table("rotation", K::table, "none", "rotation of the hole there", kRotation),
};
constexpr SceneTable kHole{
    "subtract", "subtract = [{...}]",
    "A hole in a shape of a body, within it: it may end in the surface, and overlaps no other hole. It counts for the "
    "mass and the picture; in contact it counts as filled.",
    kHoleKeys};

constexpr SceneKey kBeltKeys[] = {
    {"axis", K::vector, "1", "required", "that it runs around, right-handed; its length does not matter"},
    {"speed", K::quantity, "m/s", "required", "where the surface is parallel to the axis"}};
constexpr SceneTable kBelt{"belt", "belt = {...}",
                           "A closed conveyor belt around the shape: its surface moves with speed * axis x normal.",
                           kBeltKeys};

constexpr SceneKey kShapeKeys[] = {
    of_table("box", K::table, "", "give one of these seven", kBox),
    of_table("sphere", K::table, "", "", kSphere),
    of_table("ellipsoid", K::table, "", "", kEllipsoid),
    of_table("cylinder", K::table, "", "", kCylinder),
    of_table("capsule", K::table, "", "", kCapsule),
    of_table("cone", K::table, "", "", kCone),
    of_table("mesh", K::table, "", "", kMesh),
    of_table("plane", K::table, "", "on a ground also one of these three", kPlane),
    of_table("height_field", K::table, "", "", kHeightField),
    of_table("bowl", K::table, "", "", kBowl),
    {"at", K::vector, "m", "[0, 0, 0]", "position of the shape's origin on the body, or in the world"},
    of_table("rotation", K::table, "none", "rotation of the shape there", kRotation),
    of_table("subtract", K::tables, "", "holes in it, in its own frame; not in a mesh, not in a ground", kHole),
    {"mass", K::quantity, "kg", "", "of this shape", kPositive},
    {"density", K::quantity, "kg/m^3", "the body's", "of this shape", kPositive},
    {"material", K::text, "", "the body's", "of this shape"},
    {"color", K::text, "", "the body's", "\"#rrggbb\", or a name of CSS: \"orange\""},
    {"contact", K::flag, "", "true", "false: it does not collide, but is drawn and counts for the mass"},
    {"visible", K::flag, "", "true", "false: it is not drawn, but collides and counts for the mass"},
    {"surface_velocity", K::vector, "m/s", "[0, 0, 0]",
     "of its surface against the shape itself, in the shape's axes, as of a conveyor belt: the part along the surface "
     "counts"},
    of_table("belt", K::table, "", "instead of `surface_velocity`, all around the shape", kBelt),
};
constexpr SceneTable kShape{"shape", "shape = {...}", "A solid on a body, or a part of a ground.", kShapeKeys};

// ---- bodies and joints

constexpr SceneKey kJointKeys[] = {
    of_words("type", "required", "how the body can move relative to its parent (docs/joints.md)", kJointWords),
    {"name", K::text, "", "the body's name", "by which motors, springs and so on refer to the joint"},
    {"parent", K::text, "", "\"world\"", "the parent body"},
    {"at", K::vector, "m", "[0, 0, 0]", "position of the joint on the parent"},
    of_table("rotation", K::table, "none", "rotation of the joint on the parent", kRotation),
    {"child_at", K::vector, "m", "[0, 0, 0]", "position of the joint on the body itself"},
    of_table("child_rotation", K::table, "none", "rotation of the joint on the body itself", kRotation),
    {"axis", K::vector, "1", "[0, 0, 1]",
     "of a revolute, prismatic, screw or cylindrical joint; the parent's axis of a universal one; the normal of a "
     "planar "
     "one. Its length does not matter"},
    {"second_axis", K::vector, "1", "[1, 0, 0]", "the body's axis of a universal joint; x of a planar one"},
    {"lead", K::quantity, "m/rev", "", "of a screw: translation per revolution; a bare number is in m per revolution"},
    {"pitch", K::quantity, "m/rad", "", "of a screw, instead of `lead`: translation per radian"},
    {"lower", K::quantities, "rad or m", "no limit", "minimum position"},
    {"upper", K::quantities, "rad or m", "no limit", "maximum position"},
    {"restitution", K::quantity, "1", "0", "fraction of the speed that is left after reaching a limit, from 0 to 1",
     kNotNegative},
    {"speed_limit", K::quantities, "rad/s or m/s", "no limit", "maximum speed", kNotNegative},
    {"effort_limit", K::quantities, "N m or N", "no limit", "maximum effort of motors and controllers", kNotNegative},
    {"damping", K::quantities, "N m s/rad or N s/m", "0", "effort per speed", kNotNegative},
    {"friction", K::quantities, "N m or N", "0", "Coulomb friction", kNotNegative},
    {"stiffness", K::quantities, "N m/rad or N/m", "0", "of a spring in the joint", kNotNegative},
    {"rest", K::quantities, "rad or m", "0", "position at which that spring is unloaded"},
    {"armature", K::quantities, "kg m^2 or kg", "0", "inertia of a geared rotor, reflected to the joint", kNotNegative},
    {"first_parent", K::text, "", "\"world\"", "with `repeat`: the parent of the first body of a chain"},
    {"first_at", K::vector, "m", "[0, 0, 0]", "with `repeat`: position of the joint on that parent"},
    of_table("first_rotation", K::table, "none", "with `repeat`: rotation of the joint on that parent", kRotation),
};
constexpr SceneTable kJoint{
    "joint", "joint = {...}",
    "How a body moves relative to its parent. Values are one for all degrees of freedom, or an array with one for "
    "each in the order of docs/joints.md.",
    kJointKeys};

constexpr SceneKey kWorldVelocityKey{
    "velocity", K::vector, "m/s", "[0, 0, 0]",
    "of a free body, instead of `v`: of its centre of mass, in the world's axes"};
constexpr SceneKey kWorldAngularVelocityKey{"angular_velocity", K::vector, "rad/s", "[0, 0, 0]",
                                            "likewise, in the world's axes"};

constexpr SceneKey kInitialKeys[] = {
    {"q", K::quantities, "rad or m", "0", "position: one value, or an array in the order of docs/joints.md"},
    {"v", K::quantities, "rad/s or m/s", "0", "velocity, likewise"},
    kWorldVelocityKey,
    kWorldAngularVelocityKey,
};
constexpr SceneTable kInitial{"initial", "initial = {...}", "Initial position and velocity of the joint of a body.",
                              kInitialKeys};

constexpr SceneKey kBodyKeys[] = {
    {"name", K::text, "", "required", "by which others refer to it, and by default to its joint"},
    of_table("shape", K::table, "", "a solid: its appearance and, with a density or a mass, its inertia", kShape),
    of_table("shapes", K::tables, "", "several solids that make one body", kShape),
    {"material", K::text, "", "", "of the shapes: one of the scene's own, or a common one (steel, oak, water, ...)"},
    {"density", K::quantity, "kg/m^3", "", "of the shapes, instead of a material", kPositive},
    {"mass", K::quantity, "kg", "", "of the whole body, instead of a density; distributed over its shapes by volume",
     kNotNegative},
    {"inertia", K::quantities, "kg m^2", "",
     "about the centre of mass, in the body's axes: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]. Shapes are then only "
     "drawn"},
    {"center", K::vector, "m", "[0, 0, 0]", "the centre of mass, if it does not follow from shapes"},
    {"color", K::text, "", "the material's", "\"#rrggbb\" or a name, of the shapes"},
    {"contact", K::flag, "", "true", "false: its shapes do not collide"},
    {"group", K::text, "", "none", "bodies of one group, such as the links of a robot, do not collide with each other"},
    of_table("joint", K::table, "a free joint", "its joint to the parent; without it the body floats", kJoint),
    of_table("initial", K::table, "at zero, at rest", "", kInitial),
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kBody{"body", "[[body]]", "A rigid body and the joint to its parent.", kBodyKeys};

constexpr SceneKey kWorldKeys[] = {{"gravity", K::vector, "m/s^2", "[0, 0, -9.81]", "in the world's axes"}};
constexpr SceneTable kWorldTable{"world", "[world]", "Properties of the world.", kWorldKeys};

constexpr SceneKey kRestitutionKey{
    "restitution", K::quantity, "1", "0", "fraction of the normal speed that is left after an impact, from 0 to 1",
    kNotNegative};
constexpr SceneKey kFrictionKey{"friction",  K::quantity, "1", "0", "ratio of tangential to normal force while sliding",
                                kNotNegative};
constexpr SceneKey kStaticFrictionKey{
    "static_friction", K::quantity, "1", "as `friction`", "the same while sticking, not less than `friction`",
    kNotNegative};
constexpr SceneKey kRollingFrictionKey{
    "rolling_friction", K::quantity, "m", "0", "ratio of the moment against rolling to the normal force", kNotNegative};
constexpr SceneKey kSpinningFrictionKey{"spinning_friction",
                                        K::quantity,
                                        "m",
                                        "0",
                                        "ratio of the moment against rotation about the normal to the normal force",
                                        kNotNegative};

constexpr SceneKey kMaterialKeys[] = {
    {"density", K::quantity, "kg/m^3", "", "may be omitted if surface parameters follow", kPositive},
    {"color", K::text, "", "", "\"#rrggbb\" or a name, of the shapes made of it"},
    kRestitutionKey,
    kFrictionKey,
    kStaticFrictionKey,
    kRollingFrictionKey,
    kSpinningFrictionKey,
};
constexpr SceneTable kMaterial{"material", "[material.NAME]", "A material of the scene's own.", kMaterialKeys};

constexpr SceneKey kFrameKeys[] = {
    {"name", K::text, "", "required", ""},
    {"body", K::text, "", "required", "the body it is fixed to, or \"world\""},
    {"at", K::vector, "m", "[0, 0, 0]", "its origin on the body"},
    of_table("rotation", K::table, "none", "its rotation on the body", kRotation),
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kFrame{"frame", "[[frame]]", "A named place on a body, for springs, sensors and so on.",
                            kFrameKeys};

constexpr SceneKey kCouplingKeys[] = {
    {"joint", K::text, "", "required", "the joint that follows"},
    {"driver", K::text, "", "required", "the joint it follows"},
    {"ratio", K::quantity, "as q of joint over q of driver", "1", "a rack on a pinion has m/rad", KeyRange::not_zero},
    {"offset", K::quantity, "rad or m", "0", ""},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kCoupling{"coupling", "[[coupling]]", "A gear: q of `joint` = ratio * q of `driver` + offset.",
                               kCouplingKeys};

// ---- contacts

constexpr SceneKey kGroundKeys[] = {
    {"name", K::text, "", "ground", ""},
    of_table("shape", K::table, "", "a part of the world that bodies collide with", kShape),
    of_table("shapes", K::tables, "", "several of them", kShape),
    {"material", K::text, "", "", "of the shapes: one of the scene's own, or a common one"},
    {"color", K::text, "", "the material's", "\"#rrggbb\" or a name, of the shapes"},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kGround{"ground", "[[ground]]",
                             "A fixed part of the world that bodies collide with. With one the scene has contacts.",
                             kGroundKeys};

constexpr SceneKey kPairKeys[] = {
    {"materials", K::texts, "", "required", "two of them, or twice the same"},
    kRestitutionKey,
    kFrictionKey,
    kStaticFrictionKey,
    kRollingFrictionKey,
    kSpinningFrictionKey,
};
constexpr SceneTable kPair{"pair", "[[contact.pair]]",
                           "Parameters of two materials in contact, instead of the geometric means of their own.",
                           kPairKeys};

constexpr SceneKey kRuleKeys[] = {
    {"bodies", K::texts, "", "required", "two of them, \"world\" for the ground"},
    {"touch", K::flag, "", "required", "whether the two can collide"},
};
constexpr SceneTable kRule{"rule", "[[contact.rule]]",
                           "Whether two bodies can collide. By default all can but those that a joint connects to each "
                           "other, or to the world.",
                           kRuleKeys};

constexpr SceneKey kContactKeys[] = {
    of_words("law", "\"stronge\"", "definition of restitution: ratio of speeds, impulses or work", kLawWords),
    of_words("several", "\"simultaneous\"", "how an impact at several points is resolved", kSeveralWords),
    {"single_point", K::flag, "", "false", "one nearest point for each pair of shapes, with an impact law of its own"},
    of_table("pair", K::tables, "", "", kPair),
    of_table("rule", K::tables, "", "", kRule),
};
constexpr SceneTable kContact{
    "contact", "[contact]", "Contact between bodies. With it, or with a ground, the scene has contacts.", kContactKeys};

// ---- force elements

constexpr SceneKey kDriveTableKeys[] = {
    {"file", K::text, "", "required", "a table of numbers: a line of column names with units, then rows"},
    {"time", K::text, "", "the first column", "the column of times"},
    {"value", K::text, "", "the second column", "the column of values"},
    of_words("ends", "\"natural\"", "of the spline through the rows", kEndsWords),
    {"first_rate", K::quantity, "value's per s", "0", "with clamped ends: the slope at the first row"},
    {"last_rate", K::quantity, "value's per s", "0", "with clamped ends: the slope at the last row"},
    of_words("outside", "\"refuse\"", "behaviour before the first and after the last row", kOutsideWords),
};
constexpr SceneTable kDriveTable{"table", "{ file = ... }",
                                 "Values over time from a file, interpolated by a cubic spline.", kDriveTableKeys};

constexpr SceneKey kDofKey{"dof", K::text, "", "the only one",
                           "which degree of freedom of the joint, by name: \"travel\", \"angle\", \"x\", \"wz\", ..."};

constexpr SceneKey kMotorKeys[] = {
    {"joint", K::text, "", "required", "the joint it drives"},
    {"name", K::text, "", "JOINT_motor", ""},
    kDofKey,
    of_table("effort", K::drive, "", "give one of these four [N m or N]: a number, a table, a formula of t, q, v, other joints and sensors",
             kDriveTable),
    of_table("position", K::drive, "", "[rad or m] of t alone, and smooth", kDriveTable),
    of_table("velocity", K::drive, "", "[rad/s or m/s] of t alone, and smooth", kDriveTable),
    of_table("acceleration", K::drive, "", "[rad/s^2 or m/s^2] of t, q and v", kDriveTable),
    {"gear", K::quantity, "1", "1", "with `effort`: the effort at the joint is gear times that of the motor",
     KeyRange::not_zero},
    {"rotor_inertia", K::quantity, "kg m^2 or kg", "0", "with `effort`: at the motor", kNotNegative},
    {"effort_limit", K::quantity, "N m or N", "no limit", "with `effort`: at the motor", kPositive},
    {"sample_time", K::quantity, "s", "0: none", "with `effort`: it is held between samples", kNotNegative},
    {"sample_offset", K::quantity, "s", "0", "of the first sample", kNotNegative},
    {"delay", K::quantity, "s", "0", "from a sample to its effort", kNotNegative},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kMotor{"motor", "[[motor]]", "Drives a joint by an effort, or by prescribing its motion.",
                            kMotorKeys};

constexpr SceneKey kControllerKeys[] = {
    {"joint", K::text, "", "required", "the joint it holds"},
    {"name", K::text, "", "JOINT_controller", ""},
    kDofKey,
    of_table("target", K::drive, "0", "[rad or m] a function of time, other joints and sensors", kDriveTable),
    {"kp", K::quantity, "N m/rad or N/m", "0", "proportional", kNotNegative},
    {"ki", K::quantity, "N m/(rad s) or N/(m s)", "0", "integral", kNotNegative},
    {"kd", K::quantity, "N m s/rad or N s/m", "0", "derivative", kNotNegative},
    of_table("feed_forward", K::drive, "0", "[N m or N] added; likewise", kDriveTable),
    {"integral_limit", K::quantity, "N m or N", "no limit", "of the integral part", kPositive},
    {"gear", K::quantity, "1", "1", "the effort at the joint is gear times that of the motor", kPositive},
    {"rotor_inertia", K::quantity, "kg m^2 or kg", "0", "at the motor", kNotNegative},
    {"effort_limit", K::quantity, "N m or N", "no limit", "at the motor", kPositive},
    {"sample_time", K::quantity, "s", "0: none", "the effort is held between samples", kNotNegative},
    {"sample_offset", K::quantity, "s", "0", "of the first sample", kNotNegative},
    {"delay", K::quantity, "s", "0", "from a sample to its effort", kNotNegative},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kController{"controller", "[[controller]]", "Holds a joint at a target (PID, docs/forces.md).",
                                 kControllerKeys};

constexpr SceneKey kControlKeys[] = {
    {"name", K::text, "", "control", ""},
    {"joints", K::texts, "", "required",
     "the joints that its efforts act on; one degree of freedom of several: \"base.wx\""},
    {"states", K::formulas, "", "required", "x: formulas of joints and sensors, \"q.pole\""},
    {"gains", K::matrix, "", "required", "K [N m or N per unit of the state]: a row for each joint, an entry for each state"},
    {"reference", K::formulas, "", "all 0", "x0: one for each state"},
    {"feed_forward", K::formulas, "", "all 0", "u0 [N m or N]: one for each joint"},
    {"effort_limit", K::quantities, "N m or N", "no limit", "one for each joint, or one for all", kPositive},
    {"sample_time", K::quantity, "s", "0: none", "the efforts are held between samples", kNotNegative},
    {"sample_offset", K::quantity, "s", "0", "of the first sample", kNotNegative},
    {"delay", K::quantity, "s", "0", "from a sample to its efforts", kNotNegative},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kControl{"control", "[[control]]",
                              "State feedback on several joints: efforts u = u0 - K (x - x0) (docs/forces.md).",
                              kControlKeys};

constexpr SceneKey kPlaceKeys[] = {{"on", K::text, "", "required", "a body, a frame or \"world\""},
                                   {"at", K::vector, "m", "[0, 0, 0]", "a point on it, in its axes"}};
constexpr SceneTable kPlace{"place", "{ on = ... }", "A point. The name alone means its origin.", kPlaceKeys};

constexpr SceneKey kSpringKeys[] = {
    {"joint", K::text, "", "", "a spring on a joint; or else"},
    of_table("from", K::place, "", "a spring along the line from here", kPlace),
    of_table("to", K::place, "", "to here", kPlace),
    {"name", K::text, "", "JOINT_spring", ""},
    {"dof", K::text, "", "the only one", "of the joint, see motor"},
    {"stiffness", K::quantity, "N m/rad or N/m", "0", "", kNotNegative},
    {"damping", K::quantity, "N m s/rad or N s/m", "0", "", kNotNegative},
    {"rest", K::quantity, "rad or m", "0", "position or length at which its effort is the preload"},
    {"preload", K::quantity, "N m or N", "0", "of a line: its tension"},
    {"tension_only", K::flag, "", "false", "of a line: a rope, which cannot push"},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kSpring{"spring", "[[spring]]", "A spring with a damper, on a joint or along a line.",
                             kSpringKeys};

constexpr SceneKey kBushingKeys[] = {
    {"from", K::text, "", "required", "a body, a frame or \"world\"; all values are in its axes"},
    {"to", K::text, "", "required", "a body, a frame or \"world\"; unloaded, the two coincide"},
    {"name", K::text, "", "TO_bushing", ""},
    {"stiffness", K::vector, "N/m", "[0, 0, 0]", "along x, y, z", kNotNegative},
    {"damping", K::vector, "N s/m", "[0, 0, 0]", "", kNotNegative},
    {"preload", K::vector, "N", "[0, 0, 0]", "on `to`, at ease"},
    {"rotational_stiffness", K::vector, "N m/rad", "[0, 0, 0]", "about x, y, z", kNotNegative},
    {"rotational_damping", K::vector, "N m s/rad", "[0, 0, 0]", "", kNotNegative},
    {"rotational_preload", K::vector, "N m", "[0, 0, 0]", "on `to`, at ease"},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kBushing{"bushing", "[[bushing]]", "Springs and dampers in all six directions.", kBushingKeys};

constexpr SceneKey kForceKeys[] = {
    of_table("on", K::place, "required", "where it acts", kPlace),
    {"name", K::text, "", "ON_force", ""},
    {"force", K::drives, "N", "[0, 0, 0]", "x, y, z, each a number or a formula of t"},
    {"torque", K::drives, "N m", "[0, 0, 0]", "likewise"},
    of_words("axes", "\"world\"", "axes in which it is given", kForceAxesWords),
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kForceTable{"force", "[[force]]", "A force and a torque on a body, over time.", kForceKeys};

constexpr SceneKey kDragKeys[] = {
    of_table("on", K::place, "required", "where it acts: the centre of pressure", kPlace),
    {"name", K::text, "", "ON_drag", ""},
    {"linear", K::quantity, "N s/m", "0", "force per speed", kNotNegative},
    {"quadratic", K::quantity, "N s^2/m^2", "0", "force per speed squared", kNotNegative},
    {"rotational_linear", K::quantity, "N m s/rad", "0", "torque per angular speed", kNotNegative},
    {"rotational_quadratic", K::quantity, "N m s^2/rad^2", "0", "torque per angular speed squared", kNotNegative},
    {"wind", K::vector, "m/s", "[0, 0, 0]", "velocity of the medium, in the world's axes"},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kDrag{"drag", "[[drag]]", "The drag of a uniform medium on a body.", kDragKeys};

// ---- events, sensors and the run

constexpr SceneKey kEventKeys[] = {
    {"name", K::text, "", "required", ""},
    {"zero_of", K::formula, "", "required",
     "a formula of t, q.JOINT, v.JOINT and sensors (docs/formats/expressions.md)"},
    of_words("direction", "\"both\"", "which zeros count", kDirectionWords),
    {"terminal", K::flag, "", "false", "the run ends there"},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kEvent{"event", "[[event]]", "A formula whose zeros are recorded (docs/events.md).", kEventKeys};

constexpr SceneKey kSensorKeys[] = {
    {"name", K::text, "", "required", "of its columns"},
    of_words("type", "required", "what is measured (docs/formats/recording.md)", kSensorWords),
    {"place", K::text, "", "", "of a pose, twist, imu, distance or contact force: a body, a frame or \"world\""},
    {"reference", K::text, "", "\"world\"",
     "of a pose or distance: likewise; of a contact force: the body in contact, by default all"},
    {"joint", K::text, "", "", "of a joint's wrench, position, velocity or effort"},
    of_words("axes", "\"local\"", "of a twist or wrench", kSensorAxesWords),
    {"expression", K::formula, "", "", "a formula of t and other columns"},
    {"unit", K::text, "", "\"1\"", "of the formula's value"},
    {"repeat", K::count, "", "", "number of copies", kPositive},
};
constexpr SceneTable kSensor{"sensor", "[[sensor]]", "A measurement, as columns of the recording.", kSensorKeys};

constexpr SceneKey kRunKeys[] = {
    {"start", K::quantity, "s", "0", "initial time"},
    {"duration", K::quantity, "s", "1", "", kNotNegative},
    of_words("integrator", "\"rk4\", or what fits", "docs/integrators.md", kMethodWords),
    {"step", K::quantity, "s", "0: estimated", "length of fixed steps, otherwise of the first one", kNotNegative},
    {"fixed_step", K::flag, "", "false", "keeps an integrator with error control at its step"},
    {"relative_tolerance", K::quantity, "1", "1e-9", "of integrators with error control", kPositive},
    {"absolute_tolerance", K::quantity, "1", "1e-9", "likewise, in SI units", kPositive},
    {"smallest_step", K::quantity, "s", "1e-14", "", kNotNegative},
    {"largest_step", K::quantity, "s", "no limit", "", kPositive},
    {"rows", K::count, "", "1000", "about so many rows are recorded, at round times, with one more for each event",
     kPositive},
    {"row_every", K::count, "", "0", "with fixed steps: number of steps per row instead", kNotNegative},
    {"energy_balance", K::flag, "", "true", "computes the energy balance"},
    {"certificate", K::flag, "", "true", "checks every recorded row by independent equations"},
    {"certificate_limit", K::quantity, "1", "0.5", "a larger residual stops the run", kPositive},
    {"contact_forces", K::flag, "", "true", "records the forces of the contact points with every row"},
    of_words("contact", "\"auto\"", "how contacts are treated (docs/contact.md)", kContactMethodWords),
    {"min_rebound_time", K::quantity, "s", "1e-9", "shorter rebounds are truncated", kNotNegative},
    {"momentum_state", K::flag, "", "false", "integrates the momentum of a floating mechanism (docs/integrators.md)"},
    {"momentum_point", K::vector, "m", "[0, 0, 0]", "reference point of the momentum on its root body"},
};
constexpr SceneTable kRun{"run", "[run]", "Duration, method and accuracy of the run.", kRunKeys};

// ---- a robot from another file

constexpr SceneKey kStartKeys[] = {
    {"joint", K::text, "", "required", "a joint of the robot"},
    {"q", K::quantities, "rad or m", "0", "position: one value, or an array in the order of docs/joints.md"},
    {"v", K::quantities, "rad/s or m/s", "0", "velocity, likewise"},
    kWorldVelocityKey,
    kWorldAngularVelocityKey,
};
constexpr SceneTable kStart{"start", "[[model.initial]]", "Initial position and velocity of a joint of the robot.",
                            kStartKeys};

constexpr SceneKey kModelKeys[] = {
    {"file", K::text, "", "", "a URDF file (docs/formats/urdf.md), relative to this one"},
    of_words("base", "\"fixed\"", "joint of the robot's root link to the world", kBaseWords),
    {"at", K::vector, "m", "[0, 0, 0]", "position of the root link in the world"},
    of_table("rotation", K::table, "none", "rotation of the root link in the world", kRotation),
    {"material", K::text, "", "", "of all surfaces of the robot, for contacts"},
    {"contact", K::flag, "", "true", "whether the collision shapes collide, where the scene has contacts"},
    {"self_contact", K::flag, "", "false", "whether links of the robot collide with each other"},
    {"meshes", K::flag, "", "true", "whether mesh files are read"},
    {"packages", K::texts, "", "", "\"NAME=FOLDER\": the folder of package://NAME, relative to this file"},
    of_table("initial", K::tables, "", "", kStart),
};
constexpr SceneTable kModel{"model", "[model]", "A robot from a file of its own. The name of the file alone suffices.",
                            kModelKeys};

constexpr SceneKey kRootKeys[] = {
    {"name", K::text, "", "", "of the scene"},
    {"include", K::texts, "", "", "other scene files whose tables are added"},
    of_table("model", K::place, "", "", kModel),
    of_table("world", K::table, "", "", kWorldTable),
    of_table("material", K::named_tables, "", "", kMaterial),
    of_table("body", K::tables, "", "", kBody),
    of_table("ground", K::tables, "", "", kGround),
    of_table("contact", K::table, "", "", kContact),
    of_table("frame", K::tables, "", "", kFrame),
    of_table("coupling", K::tables, "", "", kCoupling),
    of_table("motor", K::tables, "", "", kMotor),
    of_table("controller", K::tables, "", "", kController),
    of_table("control", K::tables, "", "", kControl),
    of_table("spring", K::tables, "", "", kSpring),
    of_table("bushing", K::tables, "", "", kBushing),
    of_table("force", K::tables, "", "", kForceTable),
    of_table("drag", K::tables, "", "", kDrag),
    of_table("event", K::tables, "", "", kEvent),
    of_table("sensor", K::tables, "", "", kSensor),
    of_table("run", K::table, "", "", kRun),
};
constexpr SceneTable kRoot{"scene", "the file itself", "A mechanism, the forces on it, and the settings of the run.",
                           kRootKeys};

constexpr const SceneTable* kTables[] = {
    &kRoot,       &kModel,     &kStart,    &kWorldTable, &kMaterial,   &kBody,    &kShape, &kHole,   &kBox,
    &kSphere,     &kEllipsoid, &kCylinder, &kCapsule,    &kCone,       &kMesh,    &kPlane, &kHeightField,
    &kBowl,       &kBelt,      &kJoint,     &kRotation, &kInitial,    &kGround,     &kContact, &kPair,  &kRule,
    &kFrame,      &kCoupling,  &kMotor,    &kDriveTable, &kController, &kControl, &kSpring,  &kPlace, &kBushing,
    &kForceTable, &kDrag,      &kEvent,    &kSensor,     &kRun};

}  // namespace

const SceneKey* SceneTable::find(std::string_view key) const {
  for (const SceneKey& one : keys)
    if (one.name == key) return &one;
  return nullptr;
}

const SceneTable& scene_root() {
  return kRoot;
}

std::span<const SceneTable* const> scene_tables() {
  return kTables;
}

}  // namespace pintle
