#include "pintle/constraints/held_factor.h"

#include "pintle/math/scalar.h"

namespace pintle {

double HeldFactor::divide(double* x) const {
  double square = 0.0;
  for (std::size_t r = 0; r < count; ++r) {
    const double* const row = L + r * stride;
    double rest = x[r];
    for (std::size_t c = 0; c < r; ++c) rest = fma(-row[c], x[c], rest);
    x[r] = rest / row[r];
    square = fma(x[r], x[r], square);
  }
  return square;
}

void HeldFactor::divide_transposed(const double* x, double* y) const {
  for (std::size_t r = count; r-- > 0;) {
    double rest = x[r];
    for (std::size_t s = r + 1; s < count; ++s) rest = fma(-L[s * stride + r], y[s], rest);
    y[r] = rest / L[r * stride + r];
  }
}

void HeldFactor::append_column(const double* column, double pivot) {
  double* const row = L + count * stride;
  for (std::size_t c = 0; c < count; ++c) row[c] = column[c];
  row[count++] = sqrt(pivot);
}

void HeldFactor::append(std::size_t row, const double* column, double pivot) {
  order[count] = row;
  append_column(column, pivot);
}

void HeldFactor::remove(std::size_t row) {
  std::size_t place = 0;
  while (order[place] != row) ++place;
  --count;
  for (std::size_t r = place; r < count; ++r) {
    order[r] = order[r + 1];
    for (std::size_t c = 0; c <= r + 1; ++c) L[r * stride + c] = L[(r + 1) * stride + c];
  }
  for (std::size_t c = place; c < count; ++c) {
    const double a = L[c * stride + c], b = L[c * stride + c + 1], length = sqrt(fma(a, a, b * b));
    for (std::size_t r = c; r < count; ++r) {
      double* const at = L + r * stride + c;
      const double x = at[0], y = at[1];
      at[0] = fma(a, x, b * y) / length;
      at[1] = fma(a, y, -(b * x)) / length;
    }
  }
}

}  // namespace pintle
