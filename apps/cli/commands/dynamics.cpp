#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "counted.h"
#include "exit_code.h"
#include "mechanism_matrices.h"
#include "numbers.h"
#include "pintle/base/nearest_name.h"
#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/reactions.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/text/json.h"
#include "pintle/text/quantity.h"
#include "pintle/text/utf8.h"
#include "scene_input.h"

namespace pintle::cli {
namespace {

struct DynamicsArguments {
  std::string scene, q, v, tau, a;
  SceneOverrides overrides;
  MatrixChoice matrices;
  bool inverse = false, json = false;
};

/// A state of a scene's model and the results computed for it.
struct MechanismState {
  std::vector<double> q, v, tau, vdot;
  std::vector<Wrench<>> joint_wrenches;  // per joint, on its child, in the joint's frame
  Certificate certificate;
};

/// What the scene has and the bare model does not.
struct LeftOut {
  const char* key;
  std::size_t count;
};

std::vector<LeftOut> left_out(const SceneSpec& spec) {
  return {{"motors", spec.motors.size()},
          {"controllers", spec.controllers.size()},
          {"controls", spec.feedbacks.size()},
          {"given_motions", spec.prescribed.size()},
          {"springs", spec.joint_springs.size() + spec.line_springs.size()},
          {"bushings", spec.bushings.size()},
          {"forces", spec.body_forces.size()},
          {"drags", spec.drags.size()}};
}

/// "elbow" of the column "q.elbow".
std::vector<std::string> names_of(std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name.substr(column.name.find('.') + 1));
  return names;
}

/// "elbow=0.3, wrist=20 deg": the named values, the others as they are.
std::vector<double> named_values(const char* option, std::string_view text, std::vector<double> values,
                                 std::span<const Column> columns) {
  const std::vector<std::string> names = names_of(columns);
  const auto fail = [&](const std::string& what) {
    throw CommandError(ExitCode::usage, fmt::format("{}: {}", option, what));
  };
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = without_spaces(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      fail(fmt::format("'{}' has no name; give NAME=VALUE, or {} numbers without names", part, values.size()));
    const std::string name(without_spaces(part.substr(0, equals)));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      const std::string nearest = nearest_name(name, names);
      fail(fmt::format("there is no coordinate '{}'; {}", name,
                       nearest.empty() ? "pintle info lists the joints" : "did you mean '" + nearest + "'?"));
    }
    const std::size_t at = static_cast<std::size_t>(found - names.begin());
    const Result<double> value =
        read_quantity_of(without_spaces(part.substr(equals + 1)), dimension_of(columns[at].unit), "the value");
    if (!value.ok()) {
      const Diagnostic& problem = value.diagnostics()[0];
      fail(fmt::format("'{}': {}", part, problem.why.empty() ? problem.what : problem.why));
    }
    values[at] = value.value();
  }
  return values;
}

/// The values of an option, in the order of the columns or by name, or the default if the option is not given.
std::vector<double> numbers(const char* option, const std::string& text, std::vector<double> otherwise,
                            std::span<const Column> columns) {
  if (text.empty()) return otherwise;
  if (text.find('=') != std::string::npos) return named_values(option, text, std::move(otherwise), columns);
  const std::string count = fmt::format("{}", otherwise.size());
  std::string names;
  for (const std::string& name : names_of(columns)) names += (names.empty() ? "" : ",") + name;
  return parse_numbers({.option = option, .count = count, .names = names}, otherwise.size(), text);
}

/// Computes accelerations from efforts. Throws CommandError if there are none.
void accelerate(const Model& model, MechanismState& state) {
  ForwardDynamicsWorkspace<> forward(model);
  const DynamicsReport report = forward_dynamics(model, state.q, state.v, state.tau, forward, state.vdot);
  if (report.ok()) return;
  if (report.singular_joint < 0) {
    throw CommandError(ExitCode::diverged, "an acceleration is not a finite number: the given values are out of range");
  }
  const ModelJoint& joint = model.joints()[static_cast<std::size_t>(report.singular_joint)];
  throw CommandError(ExitCode::bad_model,
                     fmt::format("joint '{}' moves no inertia in this configuration{}", joint.name,
                                 joint.prescribed ? "; the scene prescribes its motion: use --inverse" : ""));
}

MechanismState compute_state(const Scene& scene, const DynamicsArguments& arguments) {
  const Model& model = scene.model();
  const std::size_t nv = static_cast<std::size_t>(model.nv());
  MechanismState state;
  state.q = numbers("--q", arguments.q, {scene.initial_q().begin(), scene.initial_q().end()}, position_columns(model));
  normalize(model, state.q);
  state.v = numbers("--v", arguments.v, {scene.initial_v().begin(), scene.initial_v().end()}, velocity_columns(model));
  state.tau = numbers("--tau", arguments.tau, std::vector<double>(nv), effort_columns(model));
  state.vdot = numbers("--a", arguments.a, std::vector<double>(nv), acceleration_columns(model));
  InverseDynamicsWorkspace<> inverse(model);
  if (!arguments.inverse) accelerate(model, state);
  if (arguments.inverse) inverse_dynamics(model, state.q, state.v, state.vdot, inverse, state.tau);
  for (const double effort : state.tau) {
    if (std::isfinite(effort)) continue;
    throw CommandError(ExitCode::diverged, "an effort is not a finite number: the given values are out of range");
  }
  ReactionsWorkspace reaction(model);
  reactions(model, state.q, state.v, state.vdot, reaction);
  for (int joint = 0; joint < static_cast<int>(model.joints().size()); ++joint) {
    state.joint_wrenches.push_back(reaction_of(model, reaction, joint));
  }
  std::vector<double> transmission(model.couplings().size());
  std::vector<double> tau(nv);
  inverse_dynamics(model, state.q, state.v, state.vdot, inverse, tau);
  transmission_efforts(model, inverse, transmission);
  CertificateWorkspace work(model);
  state.certificate = certify(model,
                              {.q = state.q,
                               .v = state.v,
                               .vdot = state.vdot,
                               .tau = state.tau,
                               .joint_wrenches = reaction.on_body,
                               .transmission = transmission},
                              work);
  return state;
}

Json body_json(const Model& model, int body) {
  return body < 0 ? Json() : Json(model.bodies()[static_cast<std::size_t>(body)].name);
}

Json joint_json(const Model& model, int joint) {
  return joint < 0 ? Json() : Json(model.joints()[static_cast<std::size_t>(joint)].name);
}

std::string json_of(const Scene& scene, const MechanismState& state, const DynamicsArguments& arguments) {
  const Model& model = scene.model();
  Json json{{"scene", arguments.scene}, {"model", model.name()}, {"inverse", arguments.inverse}};
  json["joints"] = Json::array();
  for (const IndependentJoint& joint : model.independent_joints())
    json["joints"].push_back(joint_json(model, joint.joint));
  json["coordinates"] = names_of(position_columns(model));
  json["dofs"] = names_of(velocity_columns(model));
  json["q"] = state.q;
  json["v"] = state.v;
  json["tau"] = state.tau;
  json["vdot"] = state.vdot;
  json["joint_wrenches"] = Json::array();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    json["joint_wrenches"].push_back({{"joint", model.joints()[j].name},
                                      {"body", body_json(model, model.joints()[j].child_body)},
                                      {"force", Json(state.joint_wrenches[j].force)},
                                      {"torque", Json(state.joint_wrenches[j].torque)}});
  }
  const Certificate& c = state.certificate;
  json["certificate"] = {{"force_balance_relative", c.force_balance_relative},
                         {"worst_body", body_json(model, c.worst_body)},
                         {"joint_balance_relative", c.joint_balance_relative},
                         {"worst_joint", joint_json(model, c.worst_joint)},
                         {"power_balance_relative", c.power_balance_relative}};
  add_matrices(model, arguments.matrices, state.q, state.v, json);
  for (const LeftOut& part : left_out(scene.spec())) json["left_out"][part.key] = part.count;
  return json.dump(2) + "\n";
}

/// Rounding errors that would print as -0 or as 1e-18 next to ordinary values are shown as 0.
double shown(double x, double scale) {
  return abs(x) <= 1e-12 * scale ? 0.0 : x;
}

/// One row for each coordinate of a joint; a quaternion has one more coordinate than speeds.
std::string joint_rows(const ModelJoint& found, const IndependentJoint& joint, const MechanismState& state) {
  std::string rows;
  const int nq = facts(joint.kind).nq, nv = facts(joint.kind).nv;
  for (int i = 0; i < std::max(nq, nv); ++i) {
    const auto cell = [i](const std::vector<double>& values, int first, int count, int digits) {
      return i < count ? fmt::format("{:.{}g}", shown(values[static_cast<std::size_t>(first + i)], 1.0), digits)
                       : std::string();
    };
    rows += fmt::format("{:<16} {:>12} {:>12} {:>15} {:>17}\n", i == 0 ? shortened(found.name, 16) : "",
                        cell(state.q, joint.q, nq, 7), cell(state.v, joint.v, nv, 7), cell(state.tau, joint.v, nv, 9),
                        cell(state.vdot, joint.v, nv, 12));
  }
  return rows;
}

/// Joints that follow others by couplings: their positions and motions.
std::string follower_rows(const Model& model, const MechanismState& state) {
  std::string rows;
  for (const ModelCoupling& coupling : model.couplings()) {
    const ModelJoint& driver = model.joints()[static_cast<std::size_t>(coupling.driver)];
    const auto source = [&](std::span<const CoordinateSource> sources, int number) {
      return static_cast<std::size_t>(sources[static_cast<std::size_t>(number)].source);
    };
    const double q = state.q[source(model.q_sources(), driver.q)], v = state.v[source(model.v_sources(), driver.v)];
    const double vdot = state.vdot[source(model.v_sources(), driver.v)];
    rows += fmt::format("{:<16} {:>12} {:>12} {:>15} {:>17}\n",
                        shortened(model.joints()[static_cast<std::size_t>(coupling.joint)].name, 16),
                        fmt::format("{:.7g}", shown(coupling.ratio * q + coupling.offset, 1.0)),
                        fmt::format("{:.7g}", shown(coupling.ratio * v, 1.0)), "by " + shortened(driver.name, 12),
                        fmt::format("{:.12g}", shown(coupling.ratio * vdot, 1.0)));
  }
  return rows;
}

std::string wrench_rows(const Model& model, const MechanismState& state) {
  double force_scale = 1e-9, torque_scale = 1e-3;
  for (const Wrench<>& F : state.joint_wrenches) {
    force_scale = max(force_scale, norm(F.force));
    torque_scale = max(torque_scale, norm(F.torque));
  }
  const auto vector = [](const Vec3<>& a, double scale) {
    return fmt::format("{:10.4g} {:10.4g} {:10.4g}", shown(a.x, scale), shown(a.y, scale), shown(a.z, scale));
  };
  std::string rows;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Wrench<>& F = state.joint_wrenches[j];
    rows += fmt::format("{:<13} {} {}\n", shortened(model.joints()[j].name, 13), vector(F.force, force_scale),
                        vector(F.torque, torque_scale));
  }
  return rows;
}

std::string certificate_rows(const Model& model, const Certificate& c) {
  const auto worst = [](const Json& name) {
    return name.is_null() ? std::string() : fmt::format("   worst at {}", shortened(name.as_string(), 24));
  };
  return fmt::format(
      "Certificate, relative to the sum of absolute terms:\n"
      "  forces and moments of every body   {:.1e}{}\n"
      "  efforts of every joint             {:.1e}{}\n"
      "  power                              {:.1e}\n",
      c.force_balance_relative, worst(body_json(model, c.worst_body)), c.joint_balance_relative,
      worst(joint_json(model, c.worst_joint)), c.power_balance_relative);
}

/// "motors 1, springs 2": what else the scene has; empty if nothing.
std::string left_out_line(const SceneSpec& spec) {
  std::string list;
  for (const LeftOut& part : left_out(spec)) {
    if (part.count == 0) continue;
    std::string name = part.key;
    std::replace(name.begin(), name.end(), '_', ' ');
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, part.count);
  }
  return list.empty() ? "" : fmt::format("\nNot included: {}\n", list);
}

std::string text_of(const Scene& scene, const MechanismState& state, const DynamicsArguments& arguments) {
  const Model& model = scene.model();
  std::string out = fmt::format("{}: {}, {}; {}\n\n", model.name().empty() ? arguments.scene : model.name(),
                                counted(model.bodies().size(), "body", "bodies"), counted(model.nv(), "dof", "dofs"),
                                arguments.inverse ? "efforts from accelerations" : "accelerations from efforts");
  out += fmt::format("{:<16} {:>12} {:>12} {:>15} {:>17}\n", "joint", "q [rad, m]", "v [/s]", "tau [N m, N]",
                     "vdot [/s^2]");
  for (const IndependentJoint& joint : model.independent_joints())
    out += joint_rows(model.joints()[static_cast<std::size_t>(joint.joint)], joint, state);
  out += follower_rows(model, state);
  out += fmt::format("\n{:<13} {:>32} {:>32}\n", "joint on body", "force [N]", "torque [N m], joint axes");
  out += wrench_rows(model, state);
  out += matrices_text(model, arguments.matrices, names_of(velocity_columns(model)), state.q, state.v);
  out += "\n" + certificate_rows(model, state.certificate);
  return out + left_out_line(scene.spec());
}

void run_dynamics(const DynamicsArguments& arguments) {
  if (arguments.inverse && !arguments.tau.empty()) {
    throw CommandError(ExitCode::usage, "dynamics: --inverse finds the efforts; give --a, not --tau");
  }
  if (!arguments.inverse && !arguments.a.empty()) {
    throw CommandError(ExitCode::usage, "dynamics: without --inverse the accelerations are found; give --tau, not --a");
  }
  const Scene scene = compiled_input(arguments.scene, arguments.overrides);
  const MechanismState state = compute_state(scene, arguments);
  fmt::print("{}", arguments.json ? json_of(scene, state, arguments) : text_of(scene, state, arguments));
}

}  // namespace

void add_dynamics_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("dynamics", "Accelerations, efforts and joint wrenches of a scene's mechanism");
  const auto arguments = std::make_shared<DynamicsArguments>();
  command
      ->add_option("SCENE", arguments->scene, "a scene or URDF file, or the name of an embedded scene (pintle scenes)")
      ->required();
  command->add_flag("--inverse", arguments->inverse, "inverse dynamics: efforts from accelerations");
  command->add_option("--q", arguments->q,
                      "configuration: elbow=0.3 or elbow='20 deg', or all values (default: the initial state)");
  command->add_option("--v", arguments->v, "velocity, likewise (default: the initial state)");
  command->add_option("--tau", arguments->tau, "efforts, likewise (default: 0)");
  command->add_option("--a", arguments->a, "accelerations, likewise, with --inverse (default: 0)");
  MatrixChoice& matrices = arguments->matrices;
  command->add_flag("--mass-matrix", matrices.mass_matrix, "print M(q)");
  command->add_flag("--coriolis-matrix", matrices.coriolis_matrix, "print C(q, v)");
  command->add_flag("--gravity", matrices.gravity, "print g(q)");
  command->add_flag("--energies", matrices.energies, "print kinetic and potential energy");
  command->add_flag("--poses", matrices.poses, "print the pose of every body");
  command->add_option("--jacobian", matrices.jacobians, "print the Jacobian of a body or frame; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--set", arguments->overrides.set, "key=value: change the scene, as in world.gravity='[0, 0, 0]'")
      ->allow_extra_args(false);
  add_file_options(*command, arguments->overrides);
  command->add_flag("--json", arguments->json, "print JSON (docs/formats/commands.md)");
  command->footer(
      "Values without names are separated by commas, joint by joint in the order of the\n"
      "printed table: depth first from the root (--json: coordinates and dofs).\n"
      "Only the mechanism acts: gravity, the efforts, and the passive efforts of joints\n"
      "(damping, springs of joints, friction while they slide); the rotors of motors\n"
      "count as inertia. Motors, controllers, [[spring]]s, bushings, forces, drags and\n"
      "joint limits do not act; a joint with prescribed motion moves like any other.");
  command->callback([arguments] { run_dynamics(*arguments); });
}

}  // namespace pintle::cli
