#include "pintle/base/foreign_text.h"

#include <algorithm>

#include "pintle/base/nearest_name.h"
#include "pintle/base/unit.h"

namespace pintle {
namespace {

struct Foreign {
  std::string_view text, fix;
};

constexpr Foreign kCharacters[] = {
    {"\u00b0", "write deg for degrees"},
    {"\u03c0", "write pi"},
    {"\u00b5", "write u for micro: um, us"},
    {"\u03bc", "write u for micro: um, us"},
    {"\u00b2", "write ^2"},
    {"\u00b3", "write ^3"},
    {"\u00d7", "write * for a product"},
    {"\u00b7", "write * for a product"},
    {"\u22c5", "write * for a product"},
    {"\u2212", "write the minus sign of the keyboard, -"},
    {"\u2013", "write the minus sign of the keyboard, -"},
};

constexpr Foreign kForeignUnits[] = {
    {"inch", "write in for inches"},
    {"inches", "write in for inches"},
    {"foot", "write ft for feet"},
    {"feet", "write ft for feet"},
    {"yd", "1 yd is 0.9144 m"},
    {"mile", "1 mile is 1609.344 m"},
    {"nm", "1 nm is 1e-3 um; a newton metre is N m"},
    {"gram", "write g for grams"},
    {"grams", "write g for grams"},
    {"mg", "1 mg is 1e-6 kg"},
    {"t", "1 t is 1000 kg"},
    {"lbs", "write lb for pounds, lbf for their weight as a force"},
    {"pound", "write lb for a mass, lbf for a force"},
    {"pounds", "write lb for a mass, lbf for a force"},
    {"lbm", "write lb for a mass, lbf for a force"},
    {"slug", "1 slug is 14.59390293720636 kg"},
    {"kgf", "1 kgf is 9.80665 N"},
    {"sec", "write s for seconds"},
    {"min", "1 min is 60 s"},
    {"h", "1 h is 3600 s"},
    {"ns", "1 ns is 1e-3 us"},
    {"degree", "write deg for degrees"},
    {"degrees", "write deg for degrees"},
    {"turn", "write rev for turns"},
    {"turns", "write rev for turns"},
    {"rps", "write rev/s for turns per second"},
};

std::string_view fix_of(std::string_view text, const Foreign* begin, const Foreign* end) {
  const Foreign* const found = std::find_if(begin, end, [&](const Foreign& one) { return one.text == text; });
  return found == end ? std::string_view() : found->fix;
}

}  // namespace

std::string_view first_character(std::string_view text) {
  std::size_t length = 1;
  while (length < std::min<std::size_t>(text.size(), 4) && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    ++length;
  return text.substr(0, static_cast<unsigned char>(text[0]) < 0x80U ? 1 : length);
}

std::string_view character_fix(std::string_view character) {
  return fix_of(character, std::begin(kCharacters), std::end(kCharacters));
}

std::string unit_fix(std::string_view name, std::string otherwise) {
  if (const std::string_view fix = fix_of(name, std::begin(kForeignUnits), std::end(kForeignUnits)); !fix.empty())
    return std::string(fix);
  const std::string nearest = nearest_name(name, unit_names());
  return nearest.empty() ? otherwise : "did you mean '" + nearest + "'?";
}

}  // namespace pintle
