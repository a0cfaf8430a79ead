// The tree that is being built, against every check. A failure lists file:line and what to do.
#include <gtest/gtest.h>

#include "tests/tidy/checks.h"

namespace rollover::tidy {
namespace {

void ExpectNone(const Findings& findings) { EXPECT_TRUE(findings.empty()) << Report(findings); }

class Tidy : public testing::Test {
 protected:
  static void SetUpTestSuite() { tree_ = new SourceTree(LoadTree(ROLLOVER_SOURCE_DIR)); }
  static void TearDownTestSuite() { delete tree_; }

  static const SourceTree& tree() { return *tree_; }

 private:
  inline static SourceTree* tree_ = nullptr;
};

TEST_F(Tidy, ArrowsNeverPointBack) { ExpectNone(CheckArrows(tree())); }

TEST_F(Tidy, ModelIsPure) { ExpectNone(CheckPureModel(tree())); }

TEST_F(Tidy, NothingBannedIsUsed) { ExpectNone(CheckBans(tree())); }

TEST_F(Tidy, FunctionsAreShort) { ExpectNone(CheckFunctionLengths(tree())); }

TEST_F(Tidy, FilesAreShort) { ExpectNone(CheckFileLengths(tree())); }

TEST_F(Tidy, EveryRoomHasItsSign) { ExpectNone(CheckRoomSigns(tree())); }

TEST_F(Tidy, NothingIsDisabledOrPutOff) { ExpectNone(CheckLeftovers(tree())); }

TEST_F(Tidy, NoFileIsDead) { ExpectNone(CheckDeadFiles(tree())); }

TEST_F(Tidy, NoPathNamesAMachine) { ExpectNone(CheckMachinePaths(tree())); }

TEST_F(Tidy, TopLevelIsAsAgreed) { ExpectNone(CheckTopLevel(tree())); }

TEST_F(Tidy, TheTreeWasFound) {
  EXPECT_NE(tree().Find("CMakeLists.txt"), nullptr);
  EXPECT_NE(tree().Find("tests/tidy/tidy_test.cc"), nullptr);
}

}  // namespace
}  // namespace rollover::tidy
