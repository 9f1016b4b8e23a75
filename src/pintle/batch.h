// Many at a time: states, bodies and models side by side in SIMD lanes and on threads (docs/batches.md). Link with
// pintle::batch.
#pragma once

#include "pintle/base/thread_pool.h"
#include "pintle/batch/batch.h"
#include "pintle/batch/batch_stepper.h"
#include "pintle/batch/body_batch.h"
#include "pintle/batch/model_batch.h"
#include "pintle/simulation.h"
