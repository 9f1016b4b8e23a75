#include "pintle/io/recording/contact_csv_writer.h"

#include <doctest/doctest.h>

#include <array>

#include "io/sample_run.h"
#include "pintle/base/usage_error.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

const std::vector<Column> kColumns{{"t", "s"}, {"x", "m"}};

TEST_CASE("contact table: a line for every point, with the row, its time and the names of the bodies") {
  const ScratchFolder folder;
  ContactCsvWriter writer(folder / "contacts.csv", {"a, b", "ball", "world"});
  REQUIRE(writer.begin(kColumns).ok());
  REQUIRE(writer.row(std::array{0.0, 1.0}).ok());
  REQUIRE(writer.row(std::array{0.25, 1.0}).ok());
  const ContactForceRecord contacts[] = {{.body_a = -1,
                                          .body_b = 1,
                                          .shape_a = 2,
                                          .shape_b = 3,
                                          .point = {1.0, 2.0, 3.0},
                                          .normal = {0.0, 0.0, 1.0},
                                          .normal_force = 0.1,
                                          .friction = {4.0, 5.0, 0.0},
                                          .moment = {6.0, 7.0, 8.0},
                                          .slip = 9.0,
                                          .slides = true},
                                         {.body_a = 0, .body_b = 1, .point = {}, .normal = {}}};
  REQUIRE(writer.contacts(contacts).ok());
  CHECK(folder.files().size() == 1);  // under its temporary name
  REQUIRE(writer.end().ok());
  CHECK(folder.files() == std::vector<std::string>{"contacts.csv"});
  CHECK(folder.read("contacts.csv") ==
        "row,t [s],body_a,body_b,shape_a,shape_b,x [m],y [m],z [m],nx [1],ny [1],nz [1],normal_force [N],"
        "fx [N],fy [N],fz [N],mx [N m],my [N m],mz [N m],slip [m/s],mode\n"
        "1,0.25,world,ball,2,3,1,2,3,0,0,1,0.1,4,5,0,6,7,8,9,slip\n"
        "1,0.25,\"a, b\",ball,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,stick\n");
}

TEST_CASE("contact table: wrong calls and files that cannot be written") {
  const ScratchFolder folder;
  ContactCsvWriter early(folder / "contacts.csv", {"world"});
  CHECK_THROWS_AS((void)early.row(std::array{0.0}), UsageError);
  REQUIRE(early.begin(kColumns).ok());
  CHECK_THROWS_AS((void)early.contacts({}), UsageError);
  REQUIRE(early.row(std::array{0.0}).ok());
  const ContactForceRecord unknown[] = {{.body_a = -1, .body_b = 0}};
  CHECK_THROWS_AS((void)early.contacts(unknown), UsageError);
  ContactCsvWriter nowhere(folder / "none/contacts.csv", {"world"});
  CHECK(nowhere.begin(kColumns).outcome == RecordOutcome::failed);
  CHECK(nowhere.problems().at(0).code == "write-path");
}

TEST_CASE("contact table: the names are those of the bodies, the world last") {
  const Scene scene = compile(sample_spec()).value();
  CHECK(contact_names(scene.model()) == std::vector<std::string>{"upper", "lower", "slider", "stone", "world"});
}

}  // namespace
}  // namespace pintle
