#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "embedded_models.h"
#include "exit_code.h"
#include "numbers.h"
#include "pintle/dynamics/certificate.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/reactions.h"
#include "pintle/model/configuration.h"

namespace pintle::cli {
namespace {

struct Words {
  std::string model, q, v, tau, a;
  bool inverse = false, json = false;
};

/// A state of a model and what was computed for it.
struct Answer {
  std::vector<double> q, v, tau, vdot;
  std::vector<Wrench<>> joint_wrenches;  // per joint, on its child, in the joint's frame
  Certificate certificate;
};

/// The numbers of an option, or the given default when the option is not there.
std::vector<double> numbers(const char* option, const std::string& text, std::vector<double> otherwise) {
  if (text.empty()) return otherwise;
  const std::string count = fmt::format("{}", otherwise.size());
  return parse_numbers({.option = option, .count = count, .names = "(one for each coordinate)"}, otherwise.size(),
                       text);
}

Answer answer_of(const Model& model, const Words& words) {
  const std::size_t nv = static_cast<std::size_t>(model.nv());
  Answer answer;
  std::vector<double> neutral_q(static_cast<std::size_t>(model.nq()));
  neutral(model, neutral_q);
  answer.q = numbers("--q", words.q, neutral_q);
  normalize(model, answer.q);
  answer.v = numbers("--v", words.v, std::vector<double>(nv));
  answer.tau = numbers("--tau", words.tau, std::vector<double>(nv));
  answer.vdot = numbers("--a", words.a, std::vector<double>(nv));
  InverseDynamicsWorkspace<> inverse(model);
  if (!words.inverse) {
    ForwardDynamicsWorkspace<> forward(model);
    const DynamicsReport report = forward_dynamics(model, answer.q, answer.v, answer.tau, forward, answer.vdot);
    if (!report.finite) {
      throw CommandError(ExitCode::diverged,
                         "an acceleration is not a finite number: the given numbers are out of range");
    }
    if (!report.ok()) {
      const std::string& joint = model.joints()[static_cast<std::size_t>(report.singular_joint)].name;
      throw CommandError(ExitCode::bad_model, fmt::format("joint '{}' has no inertia to move in this position", joint));
    }
  }
  if (words.inverse) inverse_dynamics(model, answer.q, answer.v, answer.vdot, inverse, answer.tau);
  for (const double effort : answer.tau) {
    if (std::isfinite(effort)) continue;
    throw CommandError(ExitCode::diverged, "an effort is not a finite number: the given numbers are out of range");
  }
  ReactionsWorkspace reaction(model);
  reactions(model, answer.q, answer.v, answer.vdot, reaction);
  for (int joint = 0; joint < static_cast<int>(model.joints().size()); ++joint) {
    answer.joint_wrenches.push_back(reaction_of(model, reaction, joint));
  }
  std::vector<double> transmission(model.couplings().size());
  std::vector<double> tau(nv);
  inverse_dynamics(model, answer.q, answer.v, answer.vdot, inverse, tau);
  transmission_efforts(model, inverse, transmission);
  CertificateWorkspace work(model);
  answer.certificate = certify(model,
                               {.q = answer.q,
                                .v = answer.v,
                                .vdot = answer.vdot,
                                .tau = answer.tau,
                                .joint_wrenches = reaction.on_body,
                                .transmission = transmission},
                               work);
  return answer;
}

std::string json_array(std::span<const double> values) {
  std::string out = "[";
  for (const double value : values) out += fmt::format("{}{}", out.size() == 1 ? "" : ", ", value);
  return out + "]";
}

/// Names that need escaping do not occur in embedded models; quotes and backslashes are escaped all the same.
std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string json_of(const Model& model, const Answer& answer) {
  std::string joints;
  for (const IndependentJoint& joint : model.independent_joints()) {
    joints += (joints.empty() ? "" : ", ") + json_text(model.joints()[static_cast<std::size_t>(joint.joint)].name);
  }
  const Certificate& c = answer.certificate;
  return fmt::format(
      "{{\n  \"model\": {},\n  \"joints\": [{}],\n  \"q\": {},\n  \"v\": {},\n  \"tau\": {},\n  \"vdot\": {},\n"
      "  \"certificate\": {{\n    \"force_balance_relative\": {},\n    \"worst_body\": {},\n"
      "    \"joint_balance_relative\": {},\n    \"worst_joint\": {},\n    \"power_balance_relative\": {}\n  }}\n}}\n",
      json_text(model.name()), joints, json_array(answer.q), json_array(answer.v), json_array(answer.tau),
      json_array(answer.vdot), c.force_balance_relative,
      json_text(model.bodies()[static_cast<std::size_t>(c.worst_body)].name), c.joint_balance_relative,
      json_text(model.joints()[static_cast<std::size_t>(c.worst_joint)].name), c.power_balance_relative);
}

/// Rounding that would print as -0 or as 1e-18 next to ordinary numbers is shown as 0.
double shown(double x, double scale) {
  return abs(x) <= 1e-12 * scale ? 0.0 : x;
}

/// One row for each number of a joint; a quaternion has one more position than speeds.
std::string joint_rows(const ModelJoint& found, const IndependentJoint& joint, const Answer& answer) {
  std::string rows;
  const int nq = facts(joint.kind).nq, nv = facts(joint.kind).nv;
  for (int i = 0; i < std::max(nq, nv); ++i) {
    const auto cell = [i](const std::vector<double>& numbers, int first, int count, int digits) {
      return i < count ? fmt::format("{:.{}g}", shown(numbers[static_cast<std::size_t>(first + i)], 1.0), digits)
                       : std::string();
    };
    rows += fmt::format("{:<16} {:>12} {:>12} {:>15} {:>17}\n", i == 0 ? found.name : "",
                        cell(answer.q, joint.q, nq, 7), cell(answer.v, joint.v, nv, 7),
                        cell(answer.tau, joint.v, nv, 9), cell(answer.vdot, joint.v, nv, 12));
  }
  return rows;
}

std::string text_of(const Model& model, const Answer& answer, bool inverse) {
  std::string out = fmt::format("{}: {} bodies, {} freedoms; {}\n\n", model.name(), model.bodies().size(), model.nv(),
                                inverse ? "efforts from accelerations" : "accelerations from efforts");
  out += fmt::format("{:<16} {:>12} {:>12} {:>15} {:>17}\n", "joint", "q [rad, m]", "v [/s]", "tau [N m, N]",
                     "vdot [/s^2]");
  for (const IndependentJoint& joint : model.independent_joints()) {
    out += joint_rows(model.joints()[static_cast<std::size_t>(joint.joint)], joint, answer);
  }
  out += fmt::format("\n{:<12} {:>32}  {:>32}\n", "joint on body", "force [N]", "torque [N m], joint axes");
  double force_scale = 0.0, torque_scale = 0.0;
  for (const Wrench<>& F : answer.joint_wrenches) {
    force_scale = max(force_scale, norm(F.force));
    torque_scale = max(torque_scale, norm(F.torque));
  }
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const ModelJoint& joint = model.joints()[j];
    const Wrench<>& F = answer.joint_wrenches[j];
    const auto vector = [](const Vec3<>& a, double scale) {
      return fmt::format("{:10.4g} {:10.4g} {:10.4g}", shown(a.x, scale), shown(a.y, scale), shown(a.z, scale));
    };
    out += fmt::format("{:<12} {}  {}\n", joint.name, vector(F.force, max(force_scale, 1e-9)),
                       vector(F.torque, max(torque_scale, 1e-3)));
  }
  const Certificate& c = answer.certificate;
  out += fmt::format(
      "\nCertificate, relative to the sum of absolute terms:\n"
      "  forces and moments of every body   {:.1e}   worst at {}\n"
      "  efforts of every joint             {:.1e}   worst at {}\n"
      "  power                              {:.1e}\n",
      c.force_balance_relative, model.bodies()[static_cast<std::size_t>(c.worst_body)].name, c.joint_balance_relative,
      model.joints()[static_cast<std::size_t>(c.worst_joint)].name, c.power_balance_relative);
  return out;
}

void run_dynamics(const Words& words) {
  if (words.inverse && !words.tau.empty()) {
    throw CommandError(ExitCode::usage, "dynamics: --inverse finds the efforts; give --a, not --tau");
  }
  if (!words.inverse && !words.a.empty()) {
    throw CommandError(ExitCode::usage, "dynamics: without --inverse the accelerations are found; give --tau, not --a");
  }
  const Result<Model> model = compile(embedded_model(words.model));
  if (!model) throw CommandError(ExitCode::bad_model, format(model.diagnostics().front()));
  const Answer answer = answer_of(*model, words);
  fmt::print("{}", words.json ? json_of(*model, answer) : text_of(*model, answer, words.inverse));
}

}  // namespace

void add_dynamics_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("dynamics", "Accelerations, efforts and joint wrenches of a model");
  const auto words = std::make_shared<Words>();
  command->add_option("model", words->model, "An embedded model: chain, console")->required();
  command->add_flag("--inverse", words->inverse, "Efforts from accelerations instead of the other way");
  command->add_option("--q", words->q, "Configuration [rad, m] (default: neutral)");
  command->add_option("--v", words->v, "Velocity (default: 0)");
  command->add_option("--tau", words->tau, "Efforts (default: 0)");
  command->add_option("--a", words->a, "Accelerations, with --inverse (default: 0)");
  command->add_flag("--json", words->json, "Print JSON");
  command->callback([words] { run_dynamics(*words); });
}

}  // namespace pintle::cli
