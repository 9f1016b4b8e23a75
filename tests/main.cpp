#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "pintle/base/isa.h"

// A test built for an instruction set that this processor lacks says so and counts as skipped (77), not as passed.
int main(int argc, char** argv) {
#ifdef PINTLE_TEST_ISA
  if (!pintle::available(pintle::Isa::PINTLE_TEST_ISA)) {
    std::printf("not run: this processor has no %s\n", pintle::name(pintle::Isa::PINTLE_TEST_ISA));
    return 77;
  }
#endif
  return doctest::Context(argc, argv).run();
}
