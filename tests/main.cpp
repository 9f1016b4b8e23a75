#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "pintle/base/isa.h"

/// The instruction set that the test's own code is compiled for (needed_isa.cpp).
extern const pintle::Isa needed_isa;

// A test built for an instruction set that this processor lacks says so and counts as skipped (77), not as passed.
int main(int argc, char** argv) {
  if (needed_isa != pintle::Isa::baseline && !pintle::available(needed_isa)) {
    std::printf("not run: this processor has no %s\n", pintle::name(needed_isa));
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
