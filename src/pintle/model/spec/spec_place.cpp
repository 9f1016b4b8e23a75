#include "pintle/model/spec/spec_place.h"

#include "pintle/base/nearest_name.h"

namespace pintle {

Diagnostic unknown_name(const char* kind, const std::string& name, const std::string& user,
                        const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return make_error(std::string(kind) + "-unknown", {},
                    user + " names the " + kind + " '" + name + "', which does not exist", "",
                    nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

Result<SpecPlace> find_place(const ModelSpec& spec, const std::string& name, const std::string& user) {
  const FrameSpec* const frame = find_named(spec.frames, name);
  const bool is_body = name == kWorld || find_named(spec.bodies, name) != nullptr;
  if (is_body && frame != nullptr) {
    return make_error("place-ambiguous", frame->origin, user + " names '" + name + "', which is a body and a frame",
                      "the two may have different poses", "rename the frame");
  }
  if (is_body) return SpecPlace{name, identity_pose<double>()};
  if (frame != nullptr) return SpecPlace{frame->body, frame->X_BF};
  std::vector<std::string> known = names_of(spec.bodies);
  for (const std::string& other : names_of(spec.frames)) known.push_back(other);
  known.emplace_back(kWorld);
  Diagnostic problem = unknown_name("body", name, user, known);
  problem.code = "place-unknown";
  problem.what = user + " names '" + name + "', which is neither a body nor a frame";
  return problem;
}

}  // namespace pintle
