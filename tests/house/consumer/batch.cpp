#include <cstdio>

#include "pintle/batch.h"

int main() {
  std::printf("%s %d lanes\n", pintle::kVersion, pintle::batch_lanes<double>());
}
