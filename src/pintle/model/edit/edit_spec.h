// Editing a ModelSpec: attach another model, lock joints, carry a payload, choose another root, carry a state over.
#pragma once

#include "pintle/model/edit/attach.h"
#include "pintle/model/edit/lock_joints.h"
#include "pintle/model/edit/map_state.h"
#include "pintle/model/edit/payload.h"
#include "pintle/model/edit/reroot.h"
