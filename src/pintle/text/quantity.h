// Quantities in files: "20 mm", "8500 kg/m^3", "1e-4 N m s/rad".
#pragma once

#include <cstddef>
#include <string_view>

#include "pintle/base/result.h"
#include "pintle/base/unit.h"

namespace pintle {

/// A quantity read from a text, in SI units and radians.
struct Quantity {
  double value = 0.0;
  Dimension dimension{};
  bool has_unit = false;    ///< false: a bare number
  std::size_t unit_at = 0;  ///< the byte offset of its unit in the text
};

/// Reads a number and its unit. The unit is a product of names with whole powers, separated by spaces or `*`, with
/// quotients by `/`; after a quotient only quotients may follow, which avoids ambiguity: "N m s/rad", "m/s^2",
/// "J/kg/s". `origin` is the position of the first byte of the text.
Result<Quantity> read_quantity(std::string_view text, const Origin& origin = {});

/// Reads the value [SI] of a quantity that must have a given dimension; a bare number is in SI units and always
/// accepted. Radians are optional in compound units ("N m" for "N m/rad"). `what` names the quantity for the error:
/// "the radius".
Result<double> read_quantity_of(std::string_view text, const Dimension& expected, std::string_view what,
                                const Origin& origin = {});

/// Whether a quantity of one dimension is accepted for another, as above.
bool fits(const Dimension& given, const Dimension& expected);

/// The dimension of a unit's text, such as "N m/rad"; "1" is a plain number. Throws UsageError when it is not a unit.
Dimension dimension_of(std::string_view unit);

}  // namespace pintle
