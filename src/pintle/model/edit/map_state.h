// map_state: maps the state of one model to another, so that their bodies move alike.
#pragma once

#include <span>

#include "pintle/base/result.h"
#include "pintle/model/compiled/model.h"

namespace pintle {

/// Computes q_b and v_b of `b` such that every body of `b` is where the body of the same name is in `a` at (q_a, v_a),
/// and moves as it does: for models that differ by their root, by locked joints or payloads, by the placement or kind
/// of joints. Angles take the multiple of 2 pi that brings them nearest to that of the joint of the same name in `a`;
/// quaternions have w >= 0. It is an error, and q_b and v_b are not changed, when `b` has a body that `a` does not
/// have, or when a joint of `b` cannot follow (it is locked elsewhere, or a coupling is violated) by more than 1e-9
/// relative. Sizes are those of the models, else UsageError.
/// [eq. joint-inverse]
Result<void> map_state(const Model& a, std::span<const double> q_a, std::span<const double> v_a, const Model& b,
                       std::span<double> q_b, std::span<double> v_b);

}  // namespace pintle
