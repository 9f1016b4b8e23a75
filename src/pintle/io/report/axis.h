// Plot axes and table columns: round steps, and values scaled for reading.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The decimal exponent of a positive number: 10^e <= x < 10^(e + 1).
int decimal_exponent(double x);

/// 10^e, correctly rounded.
double power_of_ten(int e);

/// The smallest of 1, 2, 5 times a power of ten that is at least x > 0.
double round_up_to_step(double x);

/// A number with a fixed number of decimals: "-0.250"; "-0.000" becomes "0.000".
std::string fixed_text(double x, int decimals);

/// The number of decimals that a multiple of a round step needs.
int decimals_of_step(double step);

/// The power of ten in which values up to `largest` are readable: 0 within 0.01 ... 10^5, otherwise a multiple of
/// three.
int readable_exponent(double largest);

/// "J" with exponent -12: "10⁻¹² J"; "1" with exponent 3: "10³".
std::string scaled_unit(std::string_view unit, int exponent);

}  // namespace pintle
