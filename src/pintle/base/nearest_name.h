// The name that a user probably meant: for the "did you mean" of error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pintle {

/// Returns the name in `known` nearest to `wanted`, or an empty string when none is near. A word of other programs for
/// one of them ("hinge" for "revolute", "rk45" for "dormand-prince") is nearest of all.
///
/// The distance is the number of bytes inserted, deleted, replaced or swapped with their neighbour
/// (Damerau-Levenshtein, no byte edited twice); replacing an ASCII letter by its other case counts half. A name is near
/// when the distance is at most a third of the longer name's length (at least one edit is always allowed) and the names
/// have something in common. Of equally near names the first one wins.
std::string nearest_name(std::string_view wanted, std::span<const std::string> known);

/// Whether `theirs` is a word of other programs for the name `ours`.
bool is_synonym(std::string_view theirs, std::string_view ours);

}  // namespace pintle
