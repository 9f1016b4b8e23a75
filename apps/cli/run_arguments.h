// The arguments of `pintle run`.
#pragma once

#include <string>

#include "scene_input.h"

namespace pintle::cli {

struct RunArguments {
  std::string scene;  ///< as the user named it
  SceneOverrides overrides;
  std::string out;               ///< the result folder; empty: none
  std::string checkpoint_every;  ///< as written, "0.1 s"
  std::string resume;            ///< the folder to resume in, if given
  bool wants_resume = false;
  bool json = false, quiet = false;
};

}  // namespace pintle::cli
