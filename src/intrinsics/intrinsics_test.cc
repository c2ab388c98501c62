// SPDX-License-Identifier: Apache-2.0
#include "intrinsics/intrinsics.h"

#include <gtest/gtest.h>

namespace tirxcc::intrinsics {
namespace {

TEST(Intrinsics, EveryRowIsFoundByItsName) {
  for (const Intrinsic& row : table()) {
    const char dialect = row.only_in == OnlyIn::DialectB ? 'B' : 'A';
    EXPECT_EQ(find(row.name, dialect), &row) << row.name;
  }
}

TEST(Intrinsics, UnknownNamesAreNotFound) {
  for (std::string_view name : {"", "sqr", "sqrtt", "zzz", "cuda", "cuda."}) {
    EXPECT_EQ(find(name, 'A'), nullptr) << name;
  }
}

TEST(Intrinsics, MaxMeansAnotherRowInEachDialect) {
  EXPECT_EQ(find("max", 'A')->special, Special::MaxNan);
  EXPECT_EQ(find("max", 'B')->special, Special::MaxNum);
  EXPECT_EQ(find("min", 'A')->special, Special::MinNan);
  EXPECT_EQ(find("min", 'B')->special, Special::MinNum);
}

TEST(Intrinsics, EveryRowHasBehaviourOnTheCpu) {
  for (const Intrinsic& row : table()) {
    const bool is_sync = row.effect == Effect::Barrier;
    EXPECT_TRUE(is_sync || !row.cpu.empty() || row.special != Special::None) << row.name;
  }
}

}  // namespace
}  // namespace tirxcc::intrinsics
