// The unit of build cost (`./run bench build`): a fixed piece of work for a compiler. Never change it: all ratios would
// change.
#include <Eigen/Dense>

template <int N>
double work(const Eigen::Matrix<double, N, N>& a, const Eigen::Matrix<double, N, 1>& b) {
  const Eigen::Matrix<double, N, N> spd = a * a.transpose() + Eigen::Matrix<double, N, N>::Identity();
  const Eigen::LLT<Eigen::Matrix<double, N, N>> llt(spd);
  return llt.solve(b).norm() + a.inverse().trace();
}

template double work<3>(const Eigen::Matrix<double, 3, 3>&, const Eigen::Matrix<double, 3, 1>&);
template double work<6>(const Eigen::Matrix<double, 6, 6>&, const Eigen::Matrix<double, 6, 1>&);
