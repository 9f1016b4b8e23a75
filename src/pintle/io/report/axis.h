// Axes of pictures and columns of tables: round steps, and numbers of a readable size.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

/// The exponent of ten of a positive number: 10^e <= x < 10^(e + 1).
int decimal_exponent(double x);

/// 10^e, rounded once.
double power_of_ten(int e);

/// The smallest of 1, 2, 5 times a power of ten that is at least x > 0.
double round_up_to_step(double x);

/// A number with so many decimals: "-0.250"; "-0.000" becomes "0.000".
std::string fixed_text(double x, int decimals);

/// How many decimals a multiple of a round step needs.
int decimals_of_step(double step);

/// In which power of ten numbers up to `largest` read well: 0 within 0.01 ... 10^5, else a multiple of three.
int readable_exponent(double largest);

/// "J" with exponent -12: "10⁻¹² J"; "1" with exponent 3: "10³".
std::string scaled_unit(std::string_view unit, int exponent);

}  // namespace pintle
