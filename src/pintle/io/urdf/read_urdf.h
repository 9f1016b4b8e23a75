// URDF files: XML to UrdfRobot, with all that is wrong at once and what became of every element and attribute.
#pragma once

#include <string>
#include <string_view>

#include "pintle/io/diagnostics/loss_report.h"
#include "pintle/io/urdf/urdf_robot.h"
#include "pintle/io/xml/xml_document.h"

namespace pintle {

/// A URDF file as far as it could be read.
struct UrdfReading {
  UrdfRobot robot{};  ///< what is wrong is left out, or has the value of the format
  LossReport losses{};
  Diagnostics problems{};  ///< in the order of the lines
  bool is_xml = false;     ///< false: a syntax error alone, and an empty robot

  bool ok() const { return !has_errors(problems); }
};

/// Reads a text; `file` stands for it in problems. What is asked here is whether the file says what a URDF must say:
/// elements, attributes, words and numbers. Whether the robot can be is for lint and `compile` to tell.
///
/// Codes: those of parse_xml; urdf-root, urdf-xacro, urdf-missing, urdf-twice, urdf-number, urdf-count, urdf-word,
/// urdf-range, urdf-unknown (a warning: a name that is nearly a known one), urdf-more (a note).
UrdfReading read_urdf_text(std::string_view text, const std::string& file, const XmlLimits& limits = {});

/// The same for a file of the disk. Codes: also file-open, file-read, file-size.
UrdfReading read_urdf(const std::string& path, const XmlLimits& limits = {});

}  // namespace pintle
