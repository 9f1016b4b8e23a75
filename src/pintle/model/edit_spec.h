// Editing a ModelSpec: attach another model, lock joints, carry a payload, choose another root, carry a state over.
#pragma once

#include "pintle/model/attach.h"
#include "pintle/model/lock_joints.h"
#include "pintle/model/map_state.h"
#include "pintle/model/payload.h"
#include "pintle/model/reroot.h"
