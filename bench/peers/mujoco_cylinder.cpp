#include <mujoco/mujoco.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "cylinder.h"

namespace {

/// The natural frequency of a contact's spring [rad/s]: an impact takes about 6 steps of 1 ms.
constexpr double kContactFrequency = 500.0;

struct Deleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};

mjModel* model_of(const peers::Cylinder& of) {
  const std::unique_ptr<mjSpec, Deleter> spec(mj_makeSpec());
  spec->option.timestep = of.step;
  spec->option.integrator = mjINT_RK4;
  const double gravity[3] = {0, 0, -of.gravity};
  mju_copy3(spec->option.gravity, gravity);
  // Half an oscillation leaves the fraction e = exp(-pi z / sqrt(1 - z^2)) of the speed.
  const double log_e = std::log(of.restitution), damping = -log_e / std::sqrt(log_e * log_e + mjPI * mjPI);
  const auto fill = [&](mjsGeom* geom) {
    geom->friction[0] = of.friction;
    geom->condim = of.friction > 0.0 ? 3 : 1;
    geom->solref[0] = -kContactFrequency * kContactFrequency;
    geom->solref[1] = -2.0 * damping * kContactFrequency;
  };
  mjsBody* const world = mjs_findBody(spec.get(), "world");
  mjsGeom* const floor = mjs_addGeom(world, nullptr);
  floor->type = mjGEOM_PLANE;
  floor->size[2] = 1.0;
  fill(floor);
  mjsBody* const body = mjs_addBody(world, nullptr);
  body->pos[2] = 0.5 * of.length;
  mjs_addFreeJoint(body);
  mjsGeom* const geom = mjs_addGeom(body, nullptr);
  geom->type = mjGEOM_CYLINDER;
  geom->size[0] = of.radius;
  geom->size[1] = 0.5 * of.length;
  geom->mass = of.mass;
  fill(geom);
  mjModel* const model = mj_compile(spec.get(), nullptr);
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + mjs_getError(spec.get()));
  return model;
}

class MuJoCoCylinder final : public peers::CylinderRun {
 public:
  explicit MuJoCoCylinder(const peers::Cylinder& of)
      : of_(of), model_(model_of(of)), data_(mj_makeData(model_.get())) {}

  void run(long steps) override {
    mjData* const d = data_.get();
    mj_resetData(model_.get(), d);
    d->qvel[2] = -of_.speed;
    d->qvel[4] = of_.turning;
    impacts_ = touching_ = 0;
    bool touched = false;
    for (long i = 0; i < steps; ++i) {
      mj_step(model_.get(), d);
      const bool touches = d->ncon > 0;
      impacts_ += touches && !touched ? 1 : 0;
      touching_ += touches ? 1 : 0;
      touched = touches;
    }
    steps_ = steps;
  }
  long impacts() const override { return impacts_; }
  double in_flight() const override { return 1.0 - static_cast<double>(touching_) / static_cast<double>(steps_); }
  double height() const override { return data_->qpos[2]; }

 private:
  peers::Cylinder of_;
  std::unique_ptr<mjModel, Deleter> model_;
  std::unique_ptr<mjData, Deleter> data_;
  long impacts_ = 0, touching_ = 0, steps_ = 0;
};

}  // namespace

namespace peers {

CylinderRun* mujoco_cylinder(const Cylinder& cylinder) {
  return new MuJoCoCylinder(cylinder);
}

std::string mujoco_version() {
  return mj_versionString();
}

}  // namespace peers
