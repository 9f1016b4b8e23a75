#include "pintle/text/json.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace pintle;

TEST_CASE("Json: braces make objects of pairs with a text in front, and arrays of anything else") {
  const Json object{{"a", 1}, {"b", {{"c", 2.5}}}, {"d", Json::array({1, "x", nullptr})}};
  CHECK(object.dump() == R"({"a":1,"b":{"c":2.5},"d":[1,"x",null]})");
  CHECK(Json({1, 2, 3}).dump() == "[1,2,3]");
  CHECK(Json({{"a", 1}, {2, 3}}).dump() == R"([["a",1],[2,3]])");
  CHECK(Json::array({object}).size() == 1);
  CHECK(Json(Vec3<>{1.0, 2.0, 3.0}) == Json({1.0, 2.0, 3.0}));
  CHECK(Json(std::vector<std::string>{"x", "y"}) == Json({"x", "y"}));
}

TEST_CASE("Json: members are found, added, taken over and removed; elements appended") {
  Json json;
  json["first"]["second"] = true;
  json["list"].push_back(7);
  CHECK(json["first"]["second"].as_bool());
  CHECK(json["list"][0].as_number() == 7.0);
  CHECK(json.contains("list"));
  json.update({{"list", 3}, {"more", "text"}});
  CHECK(json["list"].as_number() == 3.0);
  json.erase("first");
  CHECK(json.dump() == R"({"list":3,"more":"text"})");
  const Json& same = json;
  CHECK(same["nothing"]["at all"].is_null());
}

TEST_CASE("Json: numbers read back as the same bits") {
  for (const double x : {0.1, 1e-320, 1e300, -0.0, 123456789.125}) {
    const std::optional<Json> read = Json::parse(Json(x).dump());
    REQUIRE(read);
    CHECK(read->as_number() == x);
  }
  CHECK(Json::parse(Json(UINT64_MAX).dump()).value() == Json(UINT64_MAX));
  CHECK(Json(UINT64_MAX).dump() == "18446744073709551615");
  CHECK(Json(INT64_MIN).dump() == "-9223372036854775808");
  CHECK(Json(__builtin_inf()).dump() == "null");
  CHECK(Json(1) == Json(1.0));
  CHECK_FALSE(Json(1) == Json(true));
}

TEST_CASE("Json: the order of members does not matter to equality, that of elements does") {
  CHECK(Json({{"a", 1}, {"b", 2}}) == Json({{"b", 2}, {"a", 1}}));
  CHECK_FALSE(Json({{"a", 1}, {"b", 2}}) == Json({{"a", 1}, {"c", 2}}));
  CHECK_FALSE(Json({1, 2}) == Json({2, 1}));
  CHECK_FALSE(Json("a") == Json("b"));
}

TEST_CASE("Json: what is no JSON is refused with its place; what is no UTF-8 is replaced") {
  JsonMistake mistake;
  CHECK_FALSE(Json::parse("{\"a\": }", &mistake));
  CHECK(mistake.byte == 7);
  CHECK_FALSE(mistake.reason.empty());
  CHECK_FALSE(Json::parse(""));
  CHECK(Json("a\xff").dump() == "\"a\xef\xbf\xbd\"");
}
