// Reads URDF files: XML to UrdfRobot, with all problems at once and the status of every element and attribute.
#pragma once

#include <string>
#include <string_view>

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/urdf/urdf_robot.h"
#include "pintle/io/xml/xml_document.h"

namespace pintle {

/// A URDF file as far as it could be read.
struct UrdfReading {
  UrdfRobot robot{};  ///< invalid values are left out, or replaced by the format's defaults
  LossReport losses{};
  Diagnostics problems{};  ///< in line order
  bool is_xml = false;     ///< false: only a syntax error, and an empty robot

  bool ok() const { return !has_errors(problems); }
};

/// Reads a text; `file` names it in problems. This checks whether the file has the form of a URDF: elements,
/// attributes, words and numbers. Lint and `compile` check whether the robot is physically possible.
///
/// Codes: those of parse_xml; urdf-root, urdf-xacro, urdf-missing, urdf-twice, urdf-number, urdf-count, urdf-word,
/// urdf-range, urdf-unknown (a warning: a name close to a known one), urdf-more (a note).
UrdfReading read_urdf_text(std::string_view text, const std::string& file, const XmlLimits& limits = {});

/// The same for a file on disk. Additional codes: file-open, file-read, file-size.
UrdfReading read_urdf(const std::string& path, const XmlLimits& limits = {});

}  // namespace pintle
