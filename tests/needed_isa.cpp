#include "pintle/base/isa.h"

extern const pintle::Isa needed_isa;
const pintle::Isa needed_isa = pintle::Isa::PINTLE_TEST_ISA;
