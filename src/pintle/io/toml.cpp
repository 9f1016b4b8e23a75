// The one place that compiles toml++ itself.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
