#include <cstdio>

#include "pintle/base/isa.h"
#include "pintle/base/version.h"

int main() {
  std::printf("%s %s\n", pintle::kVersion, pintle::name(pintle::active_isa()));
}
