// ContactMethod: how a run treats contacts.
#pragma once

#include <array>
#include <string_view>

namespace pintle {

enum class ContactMethod : unsigned char {
  automatic,      ///< events for few contacts, time stepping for many (docs/contact.md)
  events,         ///< every impact and change of mode at its own instant
  time_stepping,  ///< impulses over steps of the given length
};

/// Their names, in the order of the enumeration.
inline constexpr std::array<std::string_view, 3> kContactMethodNames = {"auto", "events", "time-stepping"};

constexpr std::string_view name(ContactMethod method) {
  return kContactMethodNames[static_cast<std::size_t>(method)];
}

}  // namespace pintle
