#include "pintle/base/buffer.h"

#include <doctest/doctest.h>

#include <utility>

namespace pintle {
namespace {

TEST_CASE("a buffer holds zeroes of its size") {
  const Buffer<double> b(3);
  CHECK(b.size() == 3u);
  for (const double x : b) CHECK(x == 0.0);
  CHECK(Buffer<double>().empty());
  CHECK(Buffer<double>(0).data() == nullptr);
}

TEST_CASE("copies of a buffer are independent") {
  Buffer<int> a(2);
  a[1] = 7;
  Buffer<int> b(a);
  a[1] = 8;
  CHECK(b[1] == 7);
  b = a;
  a[1] = 9;
  CHECK(b[1] == 8);
  Buffer<int>& same = b;
  b = same;
  CHECK(b[1] == 8);
}

TEST_CASE("a move takes the memory of a buffer") {
  Buffer<int> a(2);
  const int* const memory = a.data();
  Buffer<int> b(std::move(a));
  CHECK(b.data() == memory);
  a = std::move(b);
  CHECK(a.data() == memory);
  CHECK(a.end() - a.begin() == 2);
}

}  // namespace
}  // namespace pintle
