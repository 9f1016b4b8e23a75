// Words of commands that a user is told to give.
#pragma once

#include <string>

namespace pintle {

/// A word as a shell takes it: in quotes where it has spaces or signs that mean something there.
std::string shell_word(const std::string& word);

}  // namespace pintle
