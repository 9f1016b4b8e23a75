#include <cmath>

#include "info_report.h"
#include "losses_text.h"
#include "material_pairs.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/io/report/mass_summary.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/text/json.h"
#include "scene_tree.h"

namespace pintle::cli {
namespace {

std::string body_name(const Model& model, int body) {
  return body < 0 ? std::string(kWorld) : model.bodies()[static_cast<std::size_t>(body)].name;
}

Json json_of(const MassSummary& summary) {
  const SymMat3<>& I = summary.inertia;
  return {{"mass", summary.mass},
          {"center_of_mass", Json(summary.center)},
          {"inertia", {{"xx", I.xx}, {"yy", I.yy}, {"zz", I.zz}, {"xy", I.xy}, {"xz", I.xz}, {"yz", I.yz}}},
          {"principal_inertias", Json(summary.principal)}};
}

Json bodies_json(const Model& model) {
  Json list = Json::array();
  for (const ModelBody& body : model.bodies()) {
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(body.joint)];
    Json json{{"name", body.name}, {"parent", body_name(model, joint.parent_body)}, {"joint", joint.name}};
    json["moves"] = body.link >= 0;
    json.update(json_of(mass_summary(body.inertia)));
    list.push_back(std::move(json));
  }
  return list;
}

Json dofs_json(const Model& model, std::size_t joint) {
  Json list = Json::array();
  for (const ModelDof& dof : model.dofs()) {
    if (dof.joint != static_cast<int>(joint)) continue;
    const JointPart part = velocity_part(model.joints()[joint].kind, dof.index);
    list.push_back({{"name", part.name},
                    {"unit", part.unit == "rad/s" ? "rad" : "m"},
                    {"lower", dof.limits.lower},
                    {"upper", dof.limits.upper},
                    {"speed_limit", dof.limits.speed},
                    {"effort_limit", dof.limits.effort},
                    {"damping", dof.passive.damping},
                    {"friction", dof.passive.friction},
                    {"stiffness", dof.passive.stiffness},
                    {"rest", dof.passive.rest},
                    {"armature", dof.passive.armature}});
  }
  return list;
}

Json joints_json(const Scene& scene) {
  const Model& model = scene.model();
  Json list = Json::array();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const ModelJoint& joint = model.joints()[j];
    const JointSpec& spec = scene.spec().model.joints[j];
    Json json{{"name", joint.name},
              {"type", facts(joint.kind).name},
              {"parent", body_name(model, joint.parent_body)},
              {"child", body_name(model, joint.child_body)},
              {"at", Json(joint.X_PJ.translation)}};
    json["axis"] = axis_count(joint.kind) >= 1 ? Json(axis_in_parent(spec)) : Json();
    json["second_axis"] = axis_count(joint.kind) >= 2 ? Json(second_axis_in_parent(spec)) : Json();
    json["pitch"] = has_pitch(joint.kind) ? Json(spec.pitch_m_per_rad) : Json();
    json["lead"] = has_pitch(joint.kind) ? Json(2.0 * kPi<double> * spec.pitch_m_per_rad) : Json();
    json["follows"] = nullptr;
    for (const CouplingSpec& coupling : scene.spec().model.couplings)
      if (coupling.joint == joint.name) json["follows"] = coupling.driver;
    json["given"] = joint.prescribed;
    json["dofs"] = dofs_json(model, j);
    list.push_back(std::move(json));
  }
  return list;
}

void add_places(const ModelSpec& model, Json& json) {
  json["couplings"] = Json::array();
  for (const CouplingSpec& coupling : model.couplings) {
    json["couplings"].push_back({{"joint", coupling.joint},
                                 {"driver", coupling.driver},
                                 {"ratio", coupling.ratio},
                                 {"offset", coupling.offset}});
  }
  json["frames"] = Json::array();
  for (const FrameSpec& frame : model.frames)
    json["frames"].push_back({{"name", frame.name}, {"body", frame.body}, {"at", Json(frame.X_BF.translation)}});
}

void add_motors(const SceneSpec& spec, Json& json) {
  json["motors"] = Json::array();
  for (const MotorSpec& s : spec.motors)
    json["motors"].push_back({{"name", s.name}, {"joint", s.joint}, {"gives", "effort"}});
  for (const PrescribedMotionSpec& s : spec.prescribed)
    json["motors"].push_back({{"name", s.name}, {"joint", s.joint}, {"gives", name(s.kind)}});
  json["controllers"] = Json::array();
  for (const ControllerSpec& s : spec.controllers)
    json["controllers"].push_back({{"name", s.name}, {"joint", s.joint}});
  json["controls"] = Json::array();
  for (const FeedbackSpec& s : spec.feedbacks) {
    json["controls"].push_back({{"name", s.name}, {"joint", s.joint}, {"gains", s.gains}});
  }
}

void add_elements(const SceneSpec& spec, Json& json) {
  json["springs"] = Json::array();
  for (const JointSpringSpec& s : spec.joint_springs)
    json["springs"].push_back({{"name", s.name}, {"joint", s.joint}, {"from", nullptr}, {"to", nullptr}});
  for (const LineSpringSpec& s : spec.line_springs)
    json["springs"].push_back({{"name", s.name}, {"joint", nullptr}, {"from", s.first.on}, {"to", s.second.on}});
  json["bushings"] = Json::array();
  for (const BushingSpec& s : spec.bushings)
    json["bushings"].push_back({{"name", s.name}, {"from", s.first}, {"to", s.second}});
  json["forces"] = Json::array();
  for (const BodyForceSpec& s : spec.body_forces) json["forces"].push_back({{"name", s.name}, {"on", s.at.on}});
  json["drags"] = Json::array();
  for (const DragSpec& s : spec.drags) json["drags"].push_back({{"name", s.name}, {"on", s.at.on}});
  json["events"] = Json::array();
  for (const EventSpec& s : spec.events)
    json["events"].push_back({{"name", s.name}, {"zero_of", s.expression}, {"terminal", s.terminal}});
  json["sensors"] = Json::array();
  for (const SensorSpec& s : spec.sensors) json["sensors"].push_back({{"name", s.name}, {"type", facts(s.kind).name}});
}

Json contact_json(const Scene& scene) {
  const ContactSpec& contact = scene.spec().contact;
  if (contact.shapes.empty()) return nullptr;
  Json json{{"law", name(contact.law)}, {"several", name(contact.several)}, {"single_point", contact.single_point}};
  const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  json["shapes"] = Json::array();
  for (const ContactShapeSpec& s : contact.shapes) {
    json["shapes"].push_back({{"body", s.body},
                              {"shape", pintle::name(s.shape)},
                              {"material", or_null(s.material)},
                              {"filled_holes", s.holes}});
    if (!s.surface_velocity.moves()) continue;
    json["shapes"].back()["surface_velocity"] = Json(s.surface_velocity.linear);
    json["shapes"].back()["surface_around"] = Json(s.surface_velocity.around);
  }
  json["materials"] = Json::array();
  for (const MaterialPair& pair : material_pairs(scene)) {
    json["materials"].push_back({{"first", or_null(pair.first)},
                                 {"second", or_null(pair.second)},
                                 {"restitution", pair.surface.restitution},
                                 {"friction", pair.surface.friction},
                                 {"static_friction", pair.surface.static_friction},
                                 {"rolling_friction", pair.surface.rolling_friction},
                                 {"spinning_friction", pair.surface.spinning_friction},
                                 {"rule", pair.rule},
                                 {"shapes", pair.shapes}});
  }
  return json;
}

/// Values by the names of their columns, without "q." and "v.".
Json by_name(const std::vector<Column>& columns, std::span<const double> values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i)
    json[columns[i].name.substr(columns[i].name.find('.') + 1)] = values[i];
  return json;
}

Json run_json_of(const RunSpec& run) {
  return {{"start", run.t0},
          {"duration", run.duration},
          {"integrator", facts(run.method).name},
          {"step", run.step},
          {"fixed_step", run.fixed_step || !facts(run.method).estimates_error},
          {"relative_tolerance", run.tolerances.relative},
          {"absolute_tolerance", run.tolerances.absolute},
          {"rows", run.rows},
          {"row_every", run.row_every},
          {"energy_balance", run.energy_balance},
          {"certificate", run.certificate},
          {"certificate_limit", run.certificate_limit}};
}

}  // namespace

std::string info_json(const Scene& scene, const std::string& name, const LossReport& losses) {
  const Model& model = scene.model();
  Json json{{"scene", name},    {"model", model.name()},        {"gravity", Json(model.gravity())}, {"nq", model.nq()},
            {"nv", model.nv()}, {"bodies", bodies_json(model)}, {"joints", joints_json(scene)}};
  json["total"] = json_of(mass_summary(model, scene.initial_q()));
  json["total"]["moving_mass"] = moving_mass(model);
  add_places(scene.spec().model, json);
  add_motors(scene.spec(), json);
  add_elements(scene.spec(), json);
  json["contact"] = contact_json(scene);
  json["initial"] = {{"q", by_name(position_columns(model), scene.initial_q())},
                     {"v", by_name(velocity_columns(model), scene.initial_v())}};
  json["run"] = run_json_of(scene.run());
  json["losses"] = losses_json(losses);
  return json.dump(2) + "\n";
}

}  // namespace pintle::cli
