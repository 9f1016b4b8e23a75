#include "pintle/simulation/integrators/dormand_prince.h"

namespace pintle {
namespace {

// Dormand, Prince 1980; the interpolant as in Hairer, Norsett, Wanner 1993, section II.6.
constexpr double kDormandPrinceC[7] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
constexpr double kDormandPrinceA[7][6] = {{},
                                          {1.0 / 5},
                                          {3.0 / 40, 9.0 / 40},
                                          {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                          {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double kError[7] = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double kDense[7] = {-12715105075.0 / 11282082432.0,  0.0,
                              87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                              701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                              69997945.0 / 29380423.0};

}  // namespace

DormandPrince::DormandPrince(std::size_t numbers) : stage_(numbers) {
  for (std::vector<double>& k : k_) k.resize(numbers);
  for (std::vector<double>& d : dense_) d.resize(numbers);
}

bool DormandPrince::step(ChartField& field, double h, std::span<const double> z0, std::span<double> z1,
                         std::span<double> error) {
  const double t = field.start().t;
  const std::size_t n = z0.size();
  for (std::size_t s = 0; s < 7; ++s) {
    std::span<double> z = s == 6 ? z1 : std::span<double>(stage_);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < s; ++j) sum += kDormandPrinceA[s][j] * k_[j][i];
      z[i] = z0[i] + h * sum;
    }
    if (!field(t + kDormandPrinceC[s] * h, z, k_[s])) return false;
  }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0, bend = 0.0;
    for (std::size_t s = 0; s < 7; ++s) {
      sum += kError[s] * k_[s][i];
      bend += kDense[s] * k_[s][i];
    }
    error[i] = h * sum;
    const double difference = z1[i] - z0[i], minus_gravity = h * k_[0][i] - difference;
    dense_[0][i] = z0[i];
    dense_[1][i] = difference;
    dense_[2][i] = minus_gravity;
    dense_[3][i] = difference - h * k_[6][i] - minus_gravity;
    dense_[4][i] = h * bend;
  }
  return true;
}

void DormandPrince::interpolate(double theta, std::span<double> z) const {
  const double rest = 1.0 - theta;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double inner = dense_[2][i] + theta * (dense_[3][i] + rest * dense_[4][i]);
    z[i] = dense_[0][i] + theta * (dense_[1][i] + rest * inner);
  }
}

}  // namespace pintle
