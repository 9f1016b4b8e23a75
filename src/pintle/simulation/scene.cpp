#include "pintle/simulation/scene.h"

#include <atomic>
#include <cmath>
#include <utility>

#include "pintle/model/configuration.h"
#include "pintle/model/configuration_impl.h"
#include "pintle/model/spec_place.h"
#include "pintle/simulation/check_run.h"
#include "pintle/simulation/event_functions.h"
#include "pintle/simulation/initial_state.h"
#include "pintle/simulation/rotors.h"
#include "pintle/simulation/state_columns.h"

namespace pintle {

struct SceneData {
  std::atomic<int> users = 1;
  Model model;
  SceneSpec spec;
  std::vector<double> q, v, restitution;
  std::vector<PrescribedMotion> prescribed;
  SensorSet sensors;
};

namespace {

void append(Diagnostics& all, const Diagnostics& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The model with the rotors of motors, and joints marked whose motion is given.
Result<Model> compile_model(const SceneSpec& spec) {
  ModelSpec model = spec.model;
  Diagnostics problems;
  append(problems, add_rotors(model, spec.motors).diagnostics());
  append(problems, add_rotors(model, spec.controllers).diagnostics());
  for (const PrescribedMotionSpec& motion : spec.prescribed)
    if (JointSpec* const joint = find_named(model.joints, motion.joint)) joint->prescribed = true;
  Result<Model> compiled = compile(model);
  if (has_errors(problems)) {
    append(problems, compiled.diagnostics());
    return problems;
  }
  return compiled;
}

/// A motor or controller with the effort limit of its joint, as seen at the motor, where that is less than its own.
template <class ActuatorSpec>
ActuatorSpec within_joint_limit(const Model& model, const ActuatorSpec& spec) {
  ActuatorSpec limited = spec;
  for (const ModelFreedom& freedom : model.freedoms()) {
    if (model.joints()[static_cast<std::size_t>(freedom.joint)].name != spec.joint || freedom.index != spec.freedom)
      continue;
    const double limit = freedom.limits.effort / std::abs(spec.gear);
    if (limit < spec.effort_limit) limited.effort_limit = limit;
  }
  return limited;
}

/// Every force element of a scene, made; problems go to the list.
std::vector<ForceElementPointer> make_all(const Model& model, const SceneSpec& spec, Diagnostics& problems) {
  std::vector<ForceElementPointer> elements;
  const auto take = [&](Result<ForceElementPointer> made) {
    append(problems, made.diagnostics());
    if (made) elements.push_back(std::move(made).value());
  };
  const double start = spec.run.t0;
  for (const MotorSpec& motor : spec.motors) take(make_effort_motor(model, within_joint_limit(model, motor), start));
  for (const ControllerSpec& controller : spec.controllers)
    take(make_controller(model, within_joint_limit(model, controller), start));
  for (const JointSpringSpec& spring : spec.joint_springs) take(make_joint_spring(model, spring));
  for (const LineSpringSpec& spring : spec.line_springs) take(make_line_spring(model, spring));
  for (const BushingSpec& bushing : spec.bushings) take(make_bushing(model, bushing));
  for (const BodyForceSpec& force : spec.body_forces) take(make_body_force(model, force));
  for (const DragSpec& drag : spec.drags) take(make_drag(model, drag));
  return elements;
}

/// Names that occur twice among what acts, is given, watched or measured.
void check_names(const SceneSpec& spec, Diagnostics& problems) {
  struct Named {
    const std::string* name;
    const Origin* origin;
  };
  std::vector<Named> acting, events;
  const auto collect = [](const auto& specs, std::vector<Named>& names) {
    for (const auto& element : specs) names.push_back({&element.name, &element.origin});
  };
  collect(spec.motors, acting);
  collect(spec.controllers, acting);
  collect(spec.joint_springs, acting);
  collect(spec.line_springs, acting);
  collect(spec.bushings, acting);
  collect(spec.body_forces, acting);
  collect(spec.drags, acting);
  collect(spec.prescribed, acting);
  collect(spec.events, events);
  for (const std::vector<Named>* const names : {&acting, &events}) {
    for (std::size_t i = 0; i < names->size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (*(*names)[i].name != *(*names)[k].name) continue;
        Diagnostic problem;
        problem.code = "name-twice";
        problem.origin = *(*names)[i].origin;
        problem.what =
            (names == &acting ? "two of what acts are called '" : "two events are called '") + *(*names)[i].name + "'";
        problem.why = "the ledger and the recording tell them apart by their names";
        problem.fix = "give one of them another name";
        problems.push_back(std::move(problem));
        break;
      }
    }
  }
}

std::vector<double> restitutions(const Model& model, std::span<const StopSpec> stops, Diagnostics& problems) {
  std::vector<double> result(static_cast<std::size_t>(model.nv()));
  for (const StopSpec& stop : stops) {
    Diagnostic problem;
    problem.origin = stop.origin;
    const IndependentJoint* found = nullptr;
    for (const IndependentJoint& joint : model.independent_joints())
      if (model.joints()[static_cast<std::size_t>(joint.joint)].name == stop.joint) found = &joint;
    if (!(stop.restitution >= 0.0 && stop.restitution <= 1.0)) {
      problem.code = "restitution-range";
      problem.what = "the stop of joint '" + stop.joint + "' has a restitution outside [0, 1]";
      problem.why = "it is the part of the speed that is left after an impact: above 1 energy would come from nowhere";
      problem.fix = "choose a number from 0 (no rebound) to 1 (no loss)";
      problems.push_back(problem);
    } else if (found == nullptr) {
      problem = unknown_name("joint", stop.joint, "a stop", names_of(model.joints()));
      problem.origin = stop.origin;
      for (const ModelJoint& joint : model.joints()) {
        if (joint.name != stop.joint) continue;
        problem.code = "stop-joint";
        problem.what = "a stop is given for joint '" + stop.joint + "', which has no position of its own";
        problem.why = "it is fixed, or a coupling drives it";
        problem.fix = "give the stop of the joint that drives it, or none";
      }
      problems.push_back(problem);
    } else {
      for (int i = 0; i < facts(found->kind).nv; ++i) result[static_cast<std::size_t>(found->v + i)] = stop.restitution;
    }
  }
  return result;
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

const SensorSet& Scene::sensors() const {
  return data_->sensors;
}

std::vector<ForceElementPointer> Scene::make_elements() const {
  Diagnostics none;
  return make_all(data_->model, data_->spec, none);
}

Result<Scene> compile(const SceneSpec& spec) {
  Diagnostics problems = check_run(spec);
  check_names(spec, problems);
  Result<Model> compiled = compile_model(spec);
  append(problems, compiled.diagnostics());
  if (!compiled) return problems;
  const Model& model = *compiled;
  make_all(model, spec, problems);
  std::vector<PrescribedMotion> prescribed;
  if (std::isfinite(spec.run.t0) && spec.run.duration >= 0.0 && std::isfinite(spec.run.t0 + spec.run.duration)) {
    Result<std::vector<PrescribedMotion>> motions =
        prescribed_motions(model, spec.prescribed, spec.run.t0, spec.run.t0 + spec.run.duration);
    append(problems, motions.diagnostics());
    if (motions) prescribed = std::move(motions).value();
  }
  for (const EventSpec& event : spec.events)
    append(problems, expression_event(model, event.expression, event.origin).diagnostics());
  Result<SensorSet> sensors = compile_sensors(model, spec.sensors, state_columns(model));
  append(problems, sensors.diagnostics());
  std::vector<double> restitution = restitutions(model, spec.stops, problems);
  Result<InitialState> initial = initial_state(model, spec.initial, prescribed, spec.run.t0);
  append(problems, initial.diagnostics());
  if (has_errors(problems)) return problems;
  return {Scene(new SceneData{1, model, spec, std::move(initial->q), std::move(initial->v), std::move(restitution),
                              std::move(prescribed), std::move(sensors).value()}),
          problems};
}

}  // namespace pintle
