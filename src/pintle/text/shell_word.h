// Words of commands that are suggested to a user.
#pragma once

#include <string>

namespace pintle {

/// A word quoted for a shell where it has spaces or special characters.
std::string shell_word(const std::string& word);

}  // namespace pintle
