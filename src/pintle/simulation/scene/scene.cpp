#include "pintle/simulation/scene/scene.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "pintle/model/compiled/check_model.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/spec/spec_place.h"
#include "pintle/simulation/contact/check_ignored_ground.h"
#include "pintle/simulation/contact/check_overlaps.h"
#include "pintle/simulation/elements/rotors.h"
#include "pintle/simulation/events/event_functions.h"
#include "pintle/simulation/recording/state_columns.h"
#include "pintle/simulation/scene/check_functions_of_time.h"
#include "pintle/simulation/scene/check_run.h"
#include "pintle/simulation/scene/initial_state.h"
#include "pintle/simulation/scene/scene_unknowns.h"
#include "pintle/simulation/scene/work_accounts.h"

namespace pintle {

struct SceneData {
  std::atomic<int> users = 1;
  Model model;
  SceneSpec spec;
  std::vector<double> q, v, restitution;
  std::vector<PrescribedMotion> prescribed;
  SensorSet sensors;
  ContactSetup contacts;
};

namespace {

void append(Diagnostics& all, const Diagnostics& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The model with the rotors of motors, and with prescribed joints marked. Problems of rotors are kept apart: most are
/// found again where the motors are made.
ModelCheck check_model(const SceneSpec& spec, bool masses_unknown, Diagnostics& rotor_problems) {
  ModelSpec model = spec.model;
  append(rotor_problems, add_rotors(model, spec.motors).diagnostics());
  append(rotor_problems, add_rotors(model, spec.controllers).diagnostics());
  for (const PrescribedMotionSpec& motion : spec.prescribed) {
    JointSpec* const joint = find_named(model.joints, motion.joint);
    if (joint != nullptr && facts(joint->kind).nv > 0) joint->prescribed = true;
  }
  return check_model(model, masses_unknown);
}

/// A motor or controller with the effort limit of its joint, as seen at the motor, if that is less than its own.
template <class ActuatorSpec>
ActuatorSpec within_joint_limit(const Model& model, const ActuatorSpec& spec) {
  ActuatorSpec limited = spec;
  for (const ModelDof& dof : model.dofs()) {
    if (model.joints()[static_cast<std::size_t>(dof.joint)].name != spec.joint || dof.index != spec.dof) continue;
    const double limit = dof.limits.effort / std::abs(spec.gear);
    if (limit < spec.effort_limit) limited.effort_limit = limit;
  }
  return limited;
}

/// Calls visit(specs, make) for every kind of force element: the specs of that kind, and the function that makes an
/// element.
template <class Spec, class Visit>
void visit_elements(const Model& model, Spec& spec, Visit visit) {
  const double start = spec.run.t0;
  std::vector<std::string> events;
  for (const EventSpec& event : spec.events) events.push_back(event.name);
  const FormulaNames known{spec.sensors, events};
  visit(spec.motors, [&model, start, known](const MotorSpec& motor) {
    return make_effort_motor(model, within_joint_limit(model, motor), start, known);
  });
  visit(spec.controllers, [&model, start, known](const ControllerSpec& controller) {
    return make_controller(model, within_joint_limit(model, controller), start, known);
  });
  visit(spec.feedbacks, [&model, start, known](const FeedbackSpec& feedback) {
    return make_state_feedback(model, within_joint_limit(model, feedback), start, known);
  });
  visit(spec.joint_springs, [&model](const JointSpringSpec& spring) { return make_joint_spring(model, spring); });
  visit(spec.line_springs, [&model](const LineSpringSpec& spring) { return make_line_spring(model, spring); });
  visit(spec.bushings, [&model](const BushingSpec& bushing) { return make_bushing(model, bushing); });
  visit(spec.body_forces, [&model](const BodyForceSpec& force) { return make_body_force(model, force); });
  visit(spec.drags, [&model](const DragSpec& drag) { return make_drag(model, drag); });
}

/// Removes invalid elements from a spec; their problems go to the list. Returns the account properties of the others.
std::vector<AccountedElement> leave_out_wrong_elements(const Model& model, SceneSpec& spec, Diagnostics& problems) {
  std::vector<AccountedElement> elements;
  visit_elements(model, spec, [&](auto& specs, const auto& make) {
    std::erase_if(specs, [&](const auto& element) {
      const Result<ForceElementPointer> made = make(element);
      append(problems, made.diagnostics());
      if (made) elements.push_back({std::string((*made)->name()), (*made)->has_limit()});
      return !made;
    });
  });
  return elements;
}

/// The name of a part of a scene, and its origin.
struct Named {
  const std::string* name;
  const Origin* origin;
};

/// Everything that acts or is prescribed.
std::vector<Named> acting(const SceneSpec& spec) {
  std::vector<Named> all;
  const auto collect = [&](const auto& specs) {
    for (const auto& element : specs) all.push_back({&element.name, &element.origin});
  };
  collect(spec.motors);
  collect(spec.controllers);
  collect(spec.feedbacks);
  collect(spec.joint_springs);
  collect(spec.line_springs);
  collect(spec.bushings);
  collect(spec.body_forces);
  collect(spec.drags);
  collect(spec.prescribed);
  return all;
}

void check_twice(const std::vector<Named>& all, const char* what, Diagnostics& problems) {
  std::set<std::string_view> known;
  for (const Named& named : all) {
    if (named.name->empty() || known.insert(*named.name).second) continue;
    problems.push_back(make_error("name-twice", *named.origin, what + *named.name + "'",
                                  "the energy balance and the recording identify them by name",
                                  "give one of them another name"));
  }
}

/// Names that occur twice, and events without one.
Diagnostics check_names(const SceneSpec& spec) {
  Diagnostics problems;
  std::vector<Named> events;
  for (const EventSpec& event : spec.events) {
    events.push_back({&event.name, &event.origin});
    if (event.name.empty())
      problems.push_back(make_error("name-missing", event.origin, "an event has no name",
                                    "recordings identify events by name", "give it a name"));
  }
  check_twice(acting(spec), "two elements are called '", problems);
  check_twice(events, "two events are called '", problems);
  return problems;
}

/// Two columns with the same name, which a joint, an element or a sensor with a name such as "damper.elbow" can cause.
Diagnostics check_columns(std::span<const Column> columns, const SceneSpec& spec) {
  Diagnostics problems;
  const std::size_t repeated = first_repeated(columns);
  if (repeated == columns.size()) return problems;
  const std::string& column = columns[repeated].name;
  const Origin* origin = &spec.run.origin;
  for (const JointSpec& joint : spec.model.joints)
    if (column.ends_with("." + joint.name)) origin = &joint.origin;
  for (const Named& element : acting(spec))
    if (column.ends_with("." + *element.name)) origin = element.origin;
  for (const SensorSpec& sensor : spec.sensors)
    if (column == sensor.name || column.starts_with(sensor.name + ".")) origin = &sensor.origin;
  problems.push_back(
      make_error("column-twice", *origin, "two columns of the recording are called '" + column + "'",
                 "columns are made of the names of joints, elements and sensors (docs/formats/recording.md)",
                 "give one of those another name"));
  return problems;
}

std::vector<double> restitutions(const Model& model, std::span<const JointLimitSpec> limits, Diagnostics& problems) {
  std::vector<double> result(static_cast<std::size_t>(model.nv()));
  const std::vector<std::string> joints = names_of(model.joints());
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const JointLimitSpec& limit = limits[k];
    const std::string what = "the joint limit of joint '" + limit.joint + "'";
    const IndependentJoint* found = nullptr;
    bool known = false, twice = false;
    for (const IndependentJoint& joint : model.independent_joints())
      if (joints[static_cast<std::size_t>(joint.joint)] == limit.joint) found = &joint;
    for (const std::string& joint : joints) known = known || joint == limit.joint;
    for (const JointLimitSpec& other : limits.first(k)) twice = twice || other.joint == limit.joint;
    if (!(limit.restitution >= 0.0 && limit.restitution <= 1.0))
      problems.push_back(
          make_error("restitution-range", limit.origin, what + " has a restitution outside [0, 1]",
                     "it is the fraction of the speed left after an impact: above 1 an impact would add energy",
                     "choose a number from 0 (no rebound) to 1 (no loss)"));
    if (!known) {
      problems.push_back(unknown_name("joint", limit.joint, "a joint limit", joints));
      problems.back().origin = limit.origin;
    } else if (found == nullptr) {
      problems.push_back(make_error(
          "limit-joint", limit.origin, what + " is given, but that joint has no position of its own",
          "it is fixed, or a coupling drives it", "give the restitution of the joint that drives it, or none"));
    } else if (twice) {
      problems.push_back(make_error("limit-twice", limit.origin, what + " is given twice", "only one of them can apply",
                                    "keep one of the two"));
    } else {
      for (int i = 0; i < facts(found->kind).nv; ++i)
        result[static_cast<std::size_t>(found->v + i)] = limit.restitution;
    }
  }
  return result;
}

/// The prescribed motions of a run whose times are valid.
Result<std::vector<PrescribedMotion>> make_motions(const Model& model, const SceneSpec& spec) {
  const double t0 = spec.run.t0, t1 = t0 + spec.run.duration;
  if (!std::isfinite(t0) || !(t1 >= t0) || !std::isfinite(t1)) return std::vector<PrescribedMotion>();
  return prescribed_motions(model, spec.prescribed, t0, t1);
}

/// Whether a run in momentum state is possible: one floating root, not prescribed, with mass, and a method that
/// supports it.
void check_momentum_state(const Model& model, const SceneSpec& spec, Diagnostics& problems) {
  if (!spec.run.momentum_state) return;
  int roots = 0;
  double mass = 0.0;
  for (const Link& link : model.links()) {
    roots += link.parent < 0 ? 1 : 0;
    mass += link.inertia.mass;
  }
  const bool floats = roots == 1 && model.links()[0].nv == 6;
  bool root_given = false;
  for (const PrescribedMotionSpec& motion : spec.prescribed)
    for (const ModelJoint& joint : model.joints())
      root_given = root_given || (floats && joint.link == 0 && joint.name == motion.joint);
  const auto add = [&](bool wrong, const char* what, const char* why, const char* fix) {
    if (!wrong) return;
    problems.push_back(make_error("run-momentum", spec.run.origin, what, why, fix));
  };
  add(!floats, "momentum_state is set, but the mechanism does not float on one free joint",
      "constraints to the world change its momentum, so its velocity does not follow from it",
      "leave momentum_state out, or let the root float");
  add(floats && !(mass > 0.0), "momentum_state is set, but nothing that moves has mass", "", "leave it out");
  add(root_given, "momentum_state is set, but the motion of the root is prescribed",
      "its velocity cannot follow from the momentum and from a drive", "leave one of the two out");
  add(spec.run.method == Method::symplectic_midpoint, "symplectic-midpoint cannot run in momentum state",
      "it has momenta of its own", "leave momentum_state out: this method already conserves momentum");
}

/// Of valid motors and controllers, the problems of their rotors.
void check_rotors(const SceneSpec& spec, Diagnostics& problems) {
  const auto check = [&](const auto& motors) {
    for (const auto& motor : motors) {
      ModelSpec alone = spec.model;
      append(problems, add_rotors(alone, {&motor, 1}).diagnostics());
    }
  };
  check(spec.motors);
  check(spec.controllers);
}

/// The problems without those that may exist only because something is unknown. A contact that is impossible would give
/// zero all the time.
void check_contact_sensors(const Model& model, std::span<const SensorSpec> sensors, const ContactSetup& setup,
                           Diagnostics& problems) {
  for (const SensorSpec& sensor : sensors) {
    if (sensor.kind != SensorKind::contact_force) continue;
    const bool any = sensor.reference.empty();
    const int body = place_named(model, sensor.place).body;
    const int other = any ? -1 : place_named(model, sensor.reference).body;
    const auto is_of = [&](int first, int second) { return first == body && (any || second == other); };
    bool touches = false;
    for (const ContactPair& pair : setup.pairs) {
      const int a = setup.parts[static_cast<std::size_t>(pair.a)].body;
      const int b = setup.parts[static_cast<std::size_t>(pair.b)].body;
      touches = touches || is_of(a, b) || is_of(b, a);
    }
    if (touches) continue;
    problems.push_back(make_error(
        "sensor-contact", sensor.origin,
        "sensor '" + sensor.name + "' measures a contact that cannot occur: " +
            (any ? "nothing" : "'" + sensor.reference + "'") + " can touch '" + sensor.place + "'",
        "its columns would always be zero",
        "name bodies with shapes that may touch (a [[ground]], a [contact] table, no rule that excludes them)"));
  }
}

Diagnostics without_consequences(Diagnostics problems, const SceneUnknowns& unknowns) {
  static constexpr std::string_view kOfTree[] = {"place-world", "ends-together", "run-momentum"};
  std::erase_if(problems, [&](const Diagnostic& problem) {
    const bool of_tree = std::find(std::begin(kOfTree), std::end(kOfTree), problem.code) != std::end(kOfTree);
    return (unknowns.tree && of_tree) || (unknowns.inertia && problem.code == "joint-without-inertia") ||
           (unknowns.names && problem.code == "expression-unknown-name");
  });
  return problems;
}

}  // namespace

Scene::Scene(const Scene& other) : data_(other.data_) {
  ++data_->users;
}

Scene& Scene::operator=(const Scene& other) {
  Scene copy(other);
  std::swap(data_, copy.data_);
  return *this;
}

Scene::~Scene() {
  if (--data_->users == 0) delete data_;
}

const Model& Scene::model() const {
  return data_->model;
}

const SceneSpec& Scene::spec() const {
  return data_->spec;
}

std::span<const double> Scene::initial_q() const {
  return data_->q;
}

std::span<const double> Scene::initial_v() const {
  return data_->v;
}

std::span<const double> Scene::restitution() const {
  return data_->restitution;
}

std::span<const PrescribedMotion> Scene::prescribed() const {
  return data_->prescribed;
}

const ContactSetup& Scene::contacts() const {
  return data_->contacts;
}

const SensorSet& Scene::sensors() const {
  return data_->sensors;
}

std::vector<ForceElementPointer> Scene::make_elements() const {
  std::vector<ForceElementPointer> elements;
  visit_elements(data_->model, data_->spec, [&elements](const auto& specs, const auto& make) {
    for (const auto& element : specs) elements.push_back(make(element).value());
  });
  return elements;
}

Result<Scene> compile(const SceneSpec& spec) {
  return compile(spec, {});
}

Result<Scene> compile(const SceneSpec& spec, SceneUnknowns unknowns) {
  Diagnostics problems = check_run(spec), rotor_problems;
  const Diagnostics of_names = check_names(spec);
  append(problems, of_names);
  const ModelCheck checked = check_model(spec, unknowns.inertia, rotor_problems);
  append(problems, checked.problems);
  unknowns.tree = unknowns.tree || checked.tree_unknown;
  unknowns.inertia = unknowns.inertia || !rotor_problems.empty();
  if (!checked.model) {
    append(problems, rotor_problems);
    return without_consequences(std::move(problems), unknowns);
  }
  const Model& model = *checked.model;
  check_momentum_state(model, spec, problems);
  std::vector<Column> columns = state_columns(model);
  Diagnostics of_columns = check_columns(columns, spec);
  if (!of_columns.empty()) columns.clear();
  Result<SensorSet> sensors = compile_sensors(model, spec.sensors, columns);
  unknowns.names = unknowns.names || !of_columns.empty();
  SceneSpec sound = spec;
  if (!sensors) sound.sensors.clear();
  Diagnostics of_elements;
  const std::vector<AccountedElement> elements = leave_out_wrong_elements(model, sound, of_elements);
  // Names in formulas may be those of sensors.
  const auto is_unknown_name = [](const Diagnostic& problem) { return problem.code == "expression-unknown-name"; };
  if (!sensors) std::erase_if(of_elements, is_unknown_name);
  append(problems, of_elements);
  if (!rotor_problems.empty()) check_rotors(sound, problems);
  Result<std::vector<PrescribedMotion>> motions = make_motions(model, spec);
  append(problems, motions.diagnostics());
  append(problems, check_functions_of_time(sound));
  for (const EventSpec& event : spec.events) {
    const auto in_formula = [&](const SensorSpec& sensor) { return event.expression.find(sensor.name) != std::string::npos; };
    Diagnostics found = expression_event(model, event.expression, event.origin, sound.sensors).diagnostics();
    if (!sensors && std::any_of(spec.sensors.begin(), spec.sensors.end(), in_formula))
      std::erase_if(found, is_unknown_name);
    append(problems, found);
  }
  append(problems, sensors.diagnostics());
  std::vector<double> restitution = restitutions(model, spec.joint_limits, problems);
  std::vector<PrescribedMotion> prescribed;
  if (motions) prescribed = std::move(motions).value();
  if (prescribed.size() < spec.prescribed.size())
    for (const PrescribedMotionSpec& motion : spec.prescribed) unknowns.unplaced.push_back(motion.joint);
  Result<InitialState> initial =
      initial_state(model, spec.initial, prescribed, spec.run.t0, spec.model.joints, unknowns.unplaced);
  append(problems, initial.diagnostics());
  Result<ContactSetup> contacts = compile_contacts(model, spec.contact);
  append(problems, contacts.diagnostics());
  if (initial && contacts && !unknowns.places && !has_errors(problems)) {
    append(problems, check_overlaps(model, *contacts, spec.contact, initial->q));
    append(problems, check_ignored_ground(model, *contacts, spec.contact, initial->q));
  }
  if (sensors && contacts) check_contact_sensors(model, spec.sensors, *contacts, problems);
  if (!contacts) contacts = ContactSetup();
  if (!sensors) sensors = compile_sensors(model, {});
  if (!initial) initial = InitialState();
  Scene scene(new SceneData{1, model, std::move(sound), std::move(initial->q), std::move(initial->v),
                            std::move(restitution), std::move(prescribed), std::move(sensors).value(),
                            std::move(contacts).value()});
  if (of_columns.empty() && of_names.empty()) {
    int auxiliary_count = 0;
    of_columns = check_columns(row_columns(scene, work_accounts(scene, elements, auxiliary_count)), spec);
  }
  append(problems, of_columns);
  problems = without_consequences(std::move(problems), unknowns);
  if (has_errors(problems)) return problems;
  return {scene, problems};
}

}  // namespace pintle
