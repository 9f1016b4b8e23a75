#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>

#include "robot_run.h"

namespace {

using namespace peers;

struct Deleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};

void fill(mjsBody* body, const Link& link, double damping) {
  mju_mat2Quat(body->quat, link.rotation);
  mju_copy3(body->pos, link.translation);
  const double* I = link.inertia;
  const double full[6] = {I[0], I[3], I[5], I[1], I[2], I[4]};  // xx yy zz xy xz yz
  body->explicitinertial = 1;
  body->mass = link.mass;
  mju_copy3(body->ipos, link.center);
  mju_copy(body->fullinertia, full, 6);
  mjsJoint* const joint = mjs_addJoint(body, nullptr);
  joint->align = mjALIGNFREE_FALSE;
  joint->type = link.kind == Kind::free ? mjJNT_FREE : mjJNT_HINGE;
  if (link.kind == Kind::free) return;
  mju_copy3(joint->axis, link.axis);
  joint->armature = link.armature;
  joint->damping[0] = damping;
}

std::string add_site(mjsBody* body, const double* at, std::size_t number, const char* end) {
  const std::string name = "line" + std::to_string(number) + end;
  mjsSite* const site = mjs_addSite(body, nullptr);
  mju_copy3(site->pos, at);
  mjs_setName(site->element, name.c_str());
  return name;
}

mjModel* model_of(const Robot& robot) {
  const std::unique_ptr<mjSpec, Deleter> spec(mj_makeSpec());
  mju_copy3(spec->option.gravity, robot.mechanism.gravity);
  spec->option.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT |
                              mjDSBL_CONTACT | mjDSBL_ACTUATION;
  spec->option.timestep = robot.step;
  spec->option.integrator = mjINT_RK4;
  spec->compiler.balanceinertia = 0;
  spec->compiler.fusestatic = 0;
  mjsBody* const world = mjs_findBody(spec.get(), "world");
  std::vector<mjsBody*> bodies;
  const auto body_of = [&](int link) { return link < 0 ? world : bodies[static_cast<std::size_t>(link)]; };
  for (const Link& link : robot.mechanism.links) {
    mjsBody* const body = mjs_addBody(body_of(link.parent), nullptr);
    fill(body, link, robot.damping);
    bodies.push_back(body);
  }
  for (std::size_t i = 0; i < robot.lines.size(); ++i) {
    const Line& line = robot.lines[i];
    mjsTendon* const tendon = mjs_addTendon(spec.get(), nullptr);
    mjs_wrapSite(tendon, add_site(body_of(line.first), line.at_first, i, "a").c_str());
    mjs_wrapSite(tendon, add_site(body_of(line.second), line.at_second, i, "b").c_str());
    tendon->stiffness[0] = line.stiffness;
    tendon->damping[0] = line.damping;
    tendon->springlength[0] = tendon->springlength[1] = line.rest_length;
  }
  mjModel* const model = mj_compile(spec.get(), nullptr);
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + mjs_getError(spec.get()));
  return model;
}

class MuJoCoRobot final : public RobotRun {
 public:
  explicit MuJoCoRobot(const Robot& robot)
      : model_(model_of(robot)), data_(mj_makeData(model_.get())), links_(robot.mechanism.links.size()) {
    std::size_t q = 0, v = 0;
    for (const Link& link : robot.mechanism.links) {
      const double *const from = &robot.start.q[q], *const rate = &robot.start.v[v];
      if (link.kind == Kind::free) {  // its place is the world; MuJoCo's linear velocity is in world axes
        double R[9], linear[3];
        const double wxyz[4] = {from[6], from[3], from[4], from[5]};
        mju_quat2Mat(R, wxyz);
        mju_mulMatVec3(linear, R, rate);
        q_.insert(q_.end(), {from[0], from[1], from[2], wxyz[0], wxyz[1], wxyz[2], wxyz[3]});
        v_.insert(v_.end(), {linear[0], linear[1], linear[2], rate[3], rate[4], rate[5]});
      } else {
        q_.push_back(*from);
        v_.push_back(*rate);
      }
      q += static_cast<std::size_t>(nq_of(link.kind));
      v += static_cast<std::size_t>(nv_of(link.kind));
    }
  }

  void run(long steps) override {
    mjModel* const m = model_.get();
    mjData* const d = data_.get();
    mj_resetData(m, d);
    mju_copy(d->qpos, q_.data(), static_cast<int>(m->nq));
    mju_copy(d->qvel, v_.data(), static_cast<int>(m->nv));
    for (long i = 0; i < steps; ++i) mj_step(m, d);
  }
  std::vector<double> places() override {
    mj_kinematics(model_.get(), data_.get());
    return {data_->xpos + 3, data_->xpos + 3 * (links_ + 1)};
  }

 private:
  std::unique_ptr<mjModel, Deleter> model_;
  std::unique_ptr<mjData, Deleter> data_;
  std::size_t links_;
  std::vector<double> q_, v_;
};

}  // namespace

std::unique_ptr<peers::RobotRun> peers::mujoco_robot(const Robot& robot) {
  return std::make_unique<MuJoCoRobot>(robot);
}

const char* peers::mujoco_of_runs() {
  return mj_versionString();
}
