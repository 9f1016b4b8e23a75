// What was asked of `pintle run`.
#pragma once

#include <string>

#include "scene_input.h"

namespace pintle::cli {

struct RunArguments {
  std::string scene;  ///< as the user named it
  SceneOverrides overrides;
  std::string out;               ///< the folder for results; empty: none
  std::string checkpoint_every;  ///< as written, "0.1 s"
  std::string resume;            ///< the folder to go on in, where it was named
  bool wants_resume = false;
  bool json = false, quiet = false;
};

}  // namespace pintle::cli
