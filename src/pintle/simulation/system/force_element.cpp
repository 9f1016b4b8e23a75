#include "pintle/simulation/system/force_element.h"

namespace pintle {

double ForceElement::energy(const Model&, const ForceInput&) const {
  return 0.0;
}

void ForceElement::show(const Model&, const ForceInput&, std::span<double>) {}

void ForceElement::switches(const Model&, const ForceInput&, std::span<double>) {}

void ForceElement::choose_sides(const Model&, const ForceInput&) {}

double ForceElement::next_sample(double) const {
  return __builtin_inf();
}

void ForceElement::sample(const Model&, const ForceInput&) {}

ForceElementPointer& ForceElementPointer::operator=(ForceElementPointer&& other) noexcept {
  ForceElement* const old = element_;
  element_ = other.release();  // itself: old is then what it holds
  if (old != element_) delete old;
  return *this;
}

ForceElementPointer::~ForceElementPointer() {
  delete element_;
}

}  // namespace pintle
