#include "pintle/simulation/scene/work_accounts.h"

#include <algorithm>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/math/scalar.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/simulation/contact/contact_setup.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/simulation/recording/state_columns.h"

namespace pintle {
namespace {

const char* kind_word(AccountKind kind) {
  switch (kind) {
    case AccountKind::element:
      return "work.";
    case AccountKind::prescribed:
      return "work.";
    case AccountKind::damper:
      return "work.damper.";
    case AccountKind::friction:
      return "work.friction.";
    case AccountKind::limit:
      return "work.limit.";
    case AccountKind::contact:
      return "work.";
    case AccountKind::surface:
      return "work.surface.";
  }
  return "work.";
}

}  // namespace

std::string dof_name(const Model& model, std::size_t dof) {
  const int joint = model.joint_of_dof(static_cast<int>(dof));
  const ModelJoint& of = model.joints()[size(joint)];
  if (facts(of.kind).nv == 1) return of.name;
  for (const IndependentJoint& independent : model.independent_joints()) {
    if (independent.joint == joint) return of.name + "[" + std::to_string(static_cast<int>(dof) - independent.v) + "]";
  }
  return of.name;
}

bool moves_mass(const Model& model) {
  for (const Link& link : model.links())
    if (link.inertia.mass > 0.0) return true;
  return false;
}

std::vector<WorkAccount> work_accounts(const Scene& scene, std::span<const AccountedElement> elements,
                                       int& auxiliary_count) {
  std::vector<WorkAccount> accounts;
  if (!scene.run().energy_balance) return accounts;
  const Model& model = scene.model();
  const auto open = [&](std::string name, AccountKind kind, std::size_t number, bool limited = false) {
    WorkAccount account{std::move(name), kind, static_cast<int>(number), -1, -1};
    if (kind != AccountKind::limit) account.work = auxiliary_count++;
    if (limited) account.clipped = auxiliary_count++;
    accounts.push_back(std::move(account));
  };
  for (std::size_t k = 0; k < elements.size(); ++k)
    open(elements[k].name, AccountKind::element, k, elements[k].has_limit);
  for (std::size_t k = 0; k < scene.prescribed().size(); ++k)
    open(scene.prescribed()[k].name, AccountKind::prescribed, k);
  for (const ModelDof& dof : model.dofs()) {
    if (!(dof.passive.damping > 0.0)) continue;
    const bool is_open =
        !accounts.empty() && accounts.back().kind == AccountKind::damper && accounts.back().number == dof.joint;
    if (!is_open) open(model.joints()[size(dof.joint)].name, AccountKind::damper, size(dof.joint));
  }
  const std::size_t nv = size(model.nv());
  std::vector<double> friction(nv), lower(nv), upper(nv);
  std::vector<unsigned char> prescribed(nv);
  friction_limits(model, friction);
  position_ranges(model, lower, upper);
  for (const PrescribedMotion& motion : scene.prescribed()) prescribed[size(motion.dof)] = 1;
  for (std::size_t i = 0; i < nv; ++i)
    if (friction[i] > 0.0) open(dof_name(model, i), AccountKind::friction, i);
  for (std::size_t i = 0; i < nv; ++i)
    if (prescribed[i] == 0 && (lower[i] > -kInfinity<double> || upper[i] < kInfinity<double>))
      open(dof_name(model, i), AccountKind::limit, i);
  if (!scene.contacts().pairs.empty()) open("contacts", AccountKind::contact, 0);
  for (int body = -1; body < static_cast<int>(model.bodies().size()); ++body) {
    const auto moves = [&](const ContactPart& part) { return part.body == body && part.surface_velocity.moves(); };
    const std::vector<ContactPart>& parts = scene.contacts().parts;
    if (std::none_of(parts.begin(), parts.end(), moves)) continue;
    open(body < 0 ? std::string(kWorld) : model.bodies()[size(body)].name, AccountKind::surface, 0);
    accounts.back().number = body;
  }
  return accounts;
}

std::vector<Column> row_columns(const Scene& scene, std::span<const WorkAccount> accounts) {
  std::vector<Column> columns{{"t", "s"}};
  for (Column& column : state_columns(scene.model())) columns.push_back(std::move(column));
  for (const WorkAccount& account : accounts) {
    columns.push_back({kind_word(account.kind) + account.name, "J"});
    if (account.clipped >= 0) columns.push_back({"clipped." + account.name, "J"});
  }
  if (scene.run().energy_balance) columns.push_back({"energy.residual", "J"});
  if (scene.run().energy_balance && moves_mass(scene.model())) {
    for (const char* const axis : {"x", "y", "z"}) columns.push_back({std::string("momentum.p") + axis, "N s"});
    for (const char* const axis : {"x", "y", "z"}) columns.push_back({std::string("momentum.L") + axis, "N m s"});
    columns.push_back({"momentum.residual.p", "N s"});
    columns.push_back({"momentum.residual.L", "N m s"});
  }
  if (scene.run().certificate) columns.push_back({"certificate", "1"});
  if (scene.run().certificate && !scene.contacts().pairs.empty()) columns.push_back({"certificate.contact", "1"});
  for (Column& column : coupled_columns(scene.model())) columns.push_back(std::move(column));
  for (const ControllerSpec& controller : scene.spec().controllers) {
    const ModelJoint& joint = scene.model().joints()[size(scene.model().joint(controller.joint))];
    const std::string unit(position_part(joint.kind, controller.dof).unit);
    columns.push_back({"target." + controller.name, unit});
    columns.push_back({"error." + controller.name, unit});
  }
  for (const Column& column : scene.sensors().columns()) columns.push_back(column);
  return columns;
}

}  // namespace pintle
