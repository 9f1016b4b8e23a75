#include "pintle/math/transpose_impl.h"
#include "support/law.h"

using namespace test;

#define PINTLE_EVERY_PACK Pack<double, 2>, NativePack<double>, Pack<float, 4>, NativePack<float>

TEST_CASE_TEMPLATE("pack: every operation is the plain one, lane by lane and bit by bit", P, PINTLE_EVERY_PACK) {
  using T = base_t<P>;
  for_random<P>([](auto& s) {
    const P a = s.number(), b = s.number(), c = s.number();
    for (int i = 0; i < P::kLanes; ++i) {
      const T x = a[i], y = b[i], z = c[i];
      CHECK(to_bits((a + b)[i]) == to_bits(x + y));
      CHECK(to_bits((a - b)[i]) == to_bits(x - y));
      CHECK(to_bits((a * b)[i]) == to_bits(x * y));
      CHECK(to_bits((a / b)[i]) == to_bits(x / y));
      CHECK(to_bits((-a)[i]) == to_bits(-x));
      CHECK(to_bits(fma(a, b, c)[i]) == to_bits(fma(x, y, z)));
      CHECK(to_bits(sqrt(abs(a))[i]) == to_bits(sqrt(abs(x))));
      CHECK(to_bits(copysign(a, b)[i]) == to_bits(copysign(x, y)));
      CHECK(to_bits(min(a, b)[i]) == to_bits(min(x, y)));
      CHECK(to_bits(select(a < b, c, b)[i]) == to_bits(x < y ? z : y));
      CHECK((a < b)[i] == (x < y));
      CHECK((a <= b)[i] == (x <= y));
      CHECK((a > b)[i] == (x > y));
      CHECK((a >= b)[i] == (x >= y));
      CHECK((a == a)[i]);
      CHECK_FALSE((a != a)[i]);
      CHECK(to_bits(from_bits<P>(to_bits(a))[i]) == to_bits(x));
    }
  });
}

TEST_CASE_TEMPLATE("pack: assignment operators", P, PINTLE_EVERY_PACK) {
  P a(3);
  a += P(1);
  a *= P(4);
  a -= P(6);
  a /= P(2);
  CHECK(all(a == P(5)));
}

TEST_CASE_TEMPLATE("pack: any, all and none see every lane", P, PINTLE_EVERY_PACK) {
  using T = base_t<P>;
  CHECK(all(P(1) == P(1)));
  CHECK(none(P(1) == P(2)));
  CHECK_FALSE(any(P(1) == P(2)));
  for (int i = 0; i < P::kLanes; ++i) {
    P a(T(0));
    a.set(i, T(1));
    const auto one = a == P(T(1));
    CHECK(any(one));
    CHECK_FALSE(none(one));
    CHECK_FALSE(all(one));
    CHECK_FALSE(all(!one));
    CHECK(all(one || !one));
    CHECK(none(one && !one));
    CHECK(all(one | !one));
    CHECK(none(one & !one));
    for (int j = 0; j < P::kLanes; ++j) CHECK(one[j] == (i == j));
  }
}

TEST_CASE_TEMPLATE("pack: a constant keeps its sign of zero, loads and stores keep order", P, PINTLE_EVERY_PACK) {
  using T = base_t<P>;
  CHECK(to_bits(P(T(-0.0))[1]) == to_bits(T(-0.0)));
  T from[P::kLanes + 1], to[P::kLanes + 1] = {};
  for (int i = 0; i <= P::kLanes; ++i) from[i] = T(i);
  store(load<P>(from + 1), to + 1);  // not aligned
  for (int i = 1; i <= P::kLanes; ++i) CHECK(to[i] == T(i));
}

TEST_CASE("pack: the native width fills a register of the instruction set") {
  CHECK(NativePack<double>::kLanes * 8 == PINTLE_VECTOR_BYTES);
  CHECK(NativePack<float>::kLanes * 4 == PINTLE_VECTOR_BYTES);
}

TEST_CASE_TEMPLATE("pack: rows become lanes and lanes rows, for rows of any length", P, PINTLE_EVERY_PACK) {
  using T = base_t<P>;
  constexpr std::size_t kLanes = P::kLanes;
  for (std::size_t size = 0; size <= 3 * kLanes + 1; ++size) {
    CAPTURE(size);
    std::vector<T> rows(kLanes * size), packs(kLanes * size, T(-1)), back(kLanes * size, T(-1));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<T>(i);
    rows_to_packs<P>(rows.data(), size, packs.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      for (std::size_t k = 0; k < size; ++k) CHECK(packs[k * kLanes + lane] == rows[lane * size + k]);
    packs_to_rows<P>(packs.data(), size, back.data());
    CHECK(back == rows);
  }
}
