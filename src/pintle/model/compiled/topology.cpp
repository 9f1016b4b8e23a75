#include "pintle/model/compiled/topology.h"

#include "pintle/math/number_text.h"

namespace pintle {
namespace {

/// The joint that carries a link, by name.
std::string joint_of(const Model& model, int link) {
  for (const ModelJoint& joint : model.joints())
    if (joint.link == link) return "'" + joint.name + "'";
  return "";
}

std::string carrier(int parent) {
  return parent < 0 ? "the world" : "link " + std::to_string(parent);
}

std::string difference_of_link(const Model& first, const Model& model, std::size_t i) {
  const Link &expected = first.links()[i], &link = model.links()[i];
  const std::string name = "link " + std::to_string(i) + " (joint " + joint_of(model, static_cast<int>(i)) + ") ";
  if (link.kind != expected.kind)
    return name + "has a " + std::string(facts(link.kind).name) + " joint, that of the first model a " +
           std::string(facts(expected.kind).name) + " one";
  if (link.parent != expected.parent)
    return name + "has the parent " + carrier(link.parent) + ", that of the first model " + carrier(expected.parent);
  return {};
}

std::string reported(const CoordinateSource& source) {
  return number_text(source.ratio) + " q[" + std::to_string(source.source) + "] + " + number_text(source.offset);
}

/// The difference of coordinates that couplings define.
std::string difference_of_sources(const Model& first, const Model& model) {
  for (const ModelDof& dof : model.dofs()) {
    const std::size_t at = static_cast<std::size_t>(&dof - model.dofs().data());
    const CoordinateSource &expected = first.v_sources()[at], &source = model.v_sources()[at];
    const ModelJoint& joint = model.joints()[static_cast<std::size_t>(dof.joint)];
    const std::size_t q = static_cast<std::size_t>(joint.q);
    const double offset = model.q_sources()[q].offset, expected_offset = first.q_sources()[q].offset;
    if (source.source == expected.source && source.ratio == expected.ratio && offset == expected_offset) continue;
    return "joint '" + joint.name + "' is coupled as q = " + reported({source.source, source.ratio, offset}) +
           ", in the first model as q = " + reported({expected.source, expected.ratio, expected_offset}) +
           "; couplings must be the same";
  }
  return {};
}

}  // namespace

std::string difference_of_topology(const Model& first, const Model& model) {
  if (model.links().size() != first.links().size())
    return "it has " + std::to_string(model.links().size()) + " links, the first model " +
           std::to_string(first.links().size());
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const std::string difference = difference_of_link(first, model, i);
    if (!difference.empty()) return difference;
  }
  return difference_of_sources(first, model);
}

}  // namespace pintle
