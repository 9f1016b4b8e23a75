#include "pintle/io/scene/write_scene.h"

#include "pintle/io/scene/scene_writer.h"
#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

void write_head(SceneWriter& writer) {
  const ModelSpec& model = writer.spec.model;
  writer.text = "# A scene, written by Pintle. Numbers are in SI units and radians unless they say otherwise.\n";
  TomlLines head;
  head.text_unless("name", model.name, "");
  writer.text += head.as_lines();
  TomlLines world;
  world.vector_unless("gravity", model.gravity, ModelSpec().gravity);
  if (!world.empty()) writer.add_table("[world]", world);
}

void write_frames(SceneWriter& writer) {
  for (const FrameSpec& frame : writer.spec.model.frames) {
    TomlLines lines;
    lines.text("name", frame.name);
    lines.text("body", frame.body);
    add_pose(lines, frame.X_BF);
    writer.add_table("[[frame]]", lines);
  }
}

const JointSpec* find_joint(const ModelSpec& model, const std::string& name) {
  for (const JointSpec& joint : model.joints)
    if (joint.name == name) return &joint;
  return nullptr;
}

void write_couplings(SceneWriter& writer) {
  const ModelSpec& model = writer.spec.model;
  for (const CouplingSpec& coupling : model.couplings) {
    const JointSpec *const joint = find_joint(model, coupling.joint), *const driver =
                                                                          find_joint(model, coupling.driver);
    if (joint == nullptr || driver == nullptr) continue;
    const std::string position(unit_names_of(joint->kind, 0).position);
    const std::string per(unit_names_of(driver->kind, 0).position);
    TomlLines lines;
    lines.text("joint", coupling.joint);
    lines.text("driver", coupling.driver);
    lines.number_unless("ratio", coupling.ratio, 1.0, position == per ? "" : position + "/" + per);
    lines.number_unless("offset", coupling.offset, 0.0, position);
    writer.add_table("[[coupling]]", lines);
  }
}

/// Whether the file needs the table `contact`, or a ground, for the scene to be the same.
bool needs_contacts(const SceneSpec& spec) {
  const ContactSpec usual, &contact = spec.contact;
  for (const BodyShape& shape : spec.shapes)
    if (shape.body == kWorld) return true;
  return !contact.shapes.empty() || !spec.planes.empty() || !contact.pairs.empty() || !contact.rules.empty() ||
         contact.law != usual.law || contact.several != usual.several || contact.single_point;
}

}  // namespace

void SceneWriter::add_table(const std::string& header, const TomlLines& lines) {
  text += "\n" + header + "\n" + lines.as_lines();
}

void add_pose(TomlLines& lines, const Pose<>& pose, const std::string& prefix) {
  lines.vector_unless(prefix + "at", pose.translation, {0, 0, 0});
  const Mat3<>& R = pose.rotation;
  if (same_numbers(R, identity3<double>())) return;
  const RpyNumbers angles = rpy_of(R);
  TomlLines rotation;
  if (angles.error == 0.0) {
    rotation.vector("rpy", angles.rpy);
  } else {
    rotation.numbers("matrix", std::array{R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz});
  }
  lines.table(prefix + "rotation", rotation);
}

WrittenScene write_scene(const SceneSpec& spec, const WritePlace& place) {
  SceneWriter writer{spec, WrittenFiles(place), needs_contacts(spec)};
  write_head(writer);
  write_materials(writer);
  write_grounds(writer);
  write_contact(writer);
  write_bodies(writer);
  write_frames(writer);
  write_couplings(writer);
  write_elements(writer);
  write_witnesses(writer);
  write_run(writer);
  return {std::move(writer.text), writer.files.take(), std::move(writer.losses)};
}

}  // namespace pintle
