#include "pintle/text/quantity.h"

#include <cmath>
#include <cstdlib>

#include "pintle/base/foreign_text.h"
#include "pintle/base/read_number.h"

namespace pintle {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string known_units() {
  std::string all;
  for (const std::string& name : unit_names()) all += (all.empty() ? "" : ", ") + name;
  return all;
}

Origin moved(const Origin& origin, std::size_t bytes) {
  Origin place = origin;
  if (place.column > 0) place.column += static_cast<int>(bytes);
  return place;
}

class QuantityReader {
 public:
  QuantityReader(std::string_view text, const Origin& origin) : text_(text), origin_(origin) {}

  Result<Quantity> read() {
    skip_spaces();
    const ReadNumber number = read_number(text_.substr(at_));
    if (number.found == NumberText::none) {
      return problem("quantity-number", "'" + std::string(text_) + "' does not begin with a number", "",
                     fix_here("write a number, then its unit: \"20 mm\""));
    }
    if (number.found == NumberText::out_of_range)
      return problem("quantity-range", "the number is out of the range of a double", "", "check its exponent");
    quantity_.value = number.value;
    at_ += number.length;
    skip_spaces();
    quantity_.unit_at = at_;
    while (skip_spaces(), at_ < text_.size()) {
      Result<void> one = read_unit();
      if (!one) return one.diagnostics();
    }
    if (!std::isfinite(quantity_.value))
      return problem("quantity-range", "the number overflows a double in SI units", "", "check it and its unit");
    return quantity_;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  Diagnostic problem(const char* code, std::string what, std::string why, std::string fix) const {
    return make_error(code, moved(origin_, at_), std::move(what), std::move(why), std::move(fix));
  }

  /// What to write instead of the character here, when known.
  std::string fix_here(std::string otherwise) const {
    const std::string_view fix =
        at_ < text_.size() ? character_fix(first_character(text_.substr(at_))) : std::string_view();
    return fix.empty() ? otherwise : std::string(fix);
  }

  Result<void> read_unit() {
    bool divides = false;
    if (text_[at_] == '/' || text_[at_] == '*') {
      divides = text_[at_] == '/';
      if (!divides && divided_) return after_quotient();
      ++at_;
      skip_spaces();
    } else if (divided_) {
      return after_quotient();
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    at_ = begin;
    if (name.empty()) {
      const std::string found =
          begin < text_.size() ? "'" + std::string(first_character(text_.substr(begin))) + "'" : "nothing";
      return problem("quantity-unit", "a unit is expected here, not " + found, "",
                     fix_here("write units such as mm, kg/m^3 or N m s/rad"));
    }
    const Unit* const unit = find_unit(name);
    if (unit == nullptr) {
      return problem("unit-unknown", "unknown unit '" + name + "'", "",
                     unit_fix(name, "write one of: " + known_units()));
    }
    at_ += name.size();
    const Result<int> exponent = read_exponent(name);
    if (!exponent) return exponent.diagnostics();
    apply(*unit, divides ? -*exponent : *exponent);
    divided_ = divided_ || divides;
    quantity_.has_unit = true;
    return {};
  }

  /// Reads the power of a unit, directly after it; 1 without one.
  Result<int> read_exponent(const std::string& unit) {
    if (at_ >= text_.size()) return 1;
    if (is_digit(text_[at_]) || fix_here("").starts_with("write ^")) {
      return problem("quantity-power", "a power of a unit is written with ^", "",
                     fix_here("write " + unit + "^" + text_[at_]));
    }
    if (text_[at_] != '^') return 1;
    ++at_;
    const bool negative = at_ < text_.size() && text_[at_] == '-';
    if (negative) ++at_;
    if (at_ >= text_.size() || !is_digit(text_[at_]) || (at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      return problem("quantity-power", "the exponent of a unit is an integer from 1 to 9, with an optional minus sign",
                     "", "write m^2 or s^-1");
    return (negative ? -1 : 1) * (text_[at_++] - '0');
  }

  Result<void> after_quotient() const {
    return problem("quantity-quotient", "another factor follows a quotient of units",
                   "it is ambiguous whether it belongs to the numerator or the denominator",
                   "write powers: m/s^2, or s^-1");
  }

  void apply(const Unit& unit, int exponent) {
    quantity_.dimension = quantity_.dimension * power(unit.dimension, exponent);
    const double above = exponent > 0 ? unit.numerator : unit.denominator;
    const double below = exponent > 0 ? unit.denominator : unit.numerator;
    for (int i = 0; i < std::abs(exponent); ++i) quantity_.value = quantity_.value * above / below;
  }

  std::string_view text_;
  const Origin& origin_;
  std::size_t at_ = 0;
  bool divided_ = false;
  Quantity quantity_;
};

}  // namespace

Result<Quantity> read_quantity(std::string_view text, const Origin& origin) {
  return QuantityReader(text, origin).read();
}

bool fits(const Dimension& given, const Dimension& expected) {
  const bool lengths = given.length == expected.length && given.mass == expected.mass && given.time == expected.time;
  const bool angle_alone = expected.length == 0 && expected.mass == 0;  // an angle, an angular speed, a plain number
  return lengths && (given.angle == expected.angle || (given.angle == 0 && !angle_alone));
}

Result<double> read_quantity_of(std::string_view text, const Dimension& expected, std::string_view what,
                                const Origin& origin) {
  const Result<Quantity> quantity = read_quantity(text, origin);
  if (!quantity) return quantity.diagnostics();
  if (!quantity->has_unit || fits(quantity->dimension, expected)) return quantity->value;
  const bool plain = expected == kNumber;
  return make_error(
      "quantity-dimension", moved(origin, quantity->unit_at),
      std::string(what) + " is given as '" + std::string(text) + "'",
      std::string(plain ? "it must be " : "it must be in ") + dimension_text(expected) + ", and this is " +
          dimension_text(quantity->dimension),
      plain ? "leave the unit out" : "give it in " + dimension_text(expected) + ", or as a bare number in SI units");
}

Dimension dimension_of(std::string_view unit) {
  if (unit == "1") return kNumber;
  return read_quantity("1 " + std::string(unit)).value().dimension;
}

}  // namespace pintle
