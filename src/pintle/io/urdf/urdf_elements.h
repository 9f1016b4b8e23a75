// The elements of URDF and their attributes. For the reader of URDF files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pintle/io/xml/xml_document.h"

namespace pintle {

struct UrdfElement {
  std::string_view name;
  std::span<const std::string_view> children;
  std::span<const std::string_view> attributes;
};

/// An element of the URDF format; null if it does not exist.
const UrdfElement* find_urdf_element(std::string_view name);

/// Why an element is ignored, for extensions of other programs; empty for any other.
std::string_view why_ignored(std::string_view name);

/// "link 'forearm'" for a named link, joint, material or transmission; empty for any other.
std::string urdf_owner(const XmlElement& element);

}  // namespace pintle
