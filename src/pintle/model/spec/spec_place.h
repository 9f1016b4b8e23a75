// Looks up names of a spec for its editors, with a diagnostic for unknown ones.
#pragma once

#include "pintle/base/result.h"
#include "pintle/model/spec/model_spec.h"

namespace pintle {

/// A place on a body of a spec.
struct SpecPlace {
  std::string body;
  Pose<> X_BF;
};

/// Returns the body or frame of that name, or the world; `user` names the caller in the error. A name of both a body
/// and a frame is an error.
Result<SpecPlace> find_place(const ModelSpec& spec, const std::string& name, const std::string& user);

/// "`user` names the `kind` 'name', which does not exist", with the nearest existing name.
Diagnostic unknown_name(const char* kind, const std::string& name, const std::string& user,
                        const std::vector<std::string>& known);

/// The names of the elements (bodies, joints or frames).
template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

/// The element of that name, or null.
template <class Elements>
auto* find_named(Elements& elements, const std::string& name) {
  for (auto& element : elements)
    if (element.name == name) return &element;
  return static_cast<decltype(&elements[0])>(nullptr);
}

}  // namespace pintle
