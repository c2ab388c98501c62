// SPDX-License-Identifier: Apache-2.0
#include "intrinsics/intrinsics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "intrinsics/parameter_names.h"

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

// What threads do together, and atomics, are the business of passes of the CPU target.
TEST(Intrinsics, EveryRowHasBehaviourOnTheCpu) {
  for (const Intrinsic& row : table()) {
    const bool is_common = row.convergence != Convergence::Thread || row.effect >= Effect::Atomic;
    const bool is_other_name = !row.same_as.empty();
    const bool has_form = !row.cpu.empty() || row.special != Special::None;
    EXPECT_TRUE(is_common || is_other_name || has_form) << row.name;
  }
}

TEST(Intrinsics, AnotherNameHasTheRowThatItMeans) {
  const Intrinsic* row = find("tvm_warp_shuffle_xor", 'B');
  ASSERT_NE(row, nullptr);
  const Intrinsic* meant = find(row->same_as, 'B');
  ASSERT_NE(meant, nullptr);
  EXPECT_EQ(meant->name, "cuda.__shfl_xor_sync");
  EXPECT_EQ(row->arity(), meant->arity() + 1);
}

TEST(ParameterNames, OneForEachOperand) {
  for (const Intrinsic& row : table()) {
    const Intrinsic& meant = row.same_as.empty() || row.arity() > 0 ? row : *find(row.same_as, 'A');
    const std::string names = parameter_names(row);
    const auto commas = std::count(names.begin(), names.end(), ',');
    const auto count = names.empty() ? 0 : commas + 1;
    EXPECT_EQ(count, meant.arity() + (meant.is_variadic ? 1 : 0)) << row.name;
  }
}

TEST(ParameterNames, ComeFromShapesOrTheTable) {
  const auto names = [](std::string_view name) { return parameter_names(*find(name, 'A')); };
  EXPECT_EQ(names("sqrt"), "x");
  EXPECT_EQ(names("fma"), "a, b, c");
  EXPECT_EQ(names("atan2"), "y, x");
  EXPECT_EQ(names("cuda.cta_sync"), "");
  EXPECT_EQ(names("cuda.printf"), "format, *values");
  EXPECT_EQ(names("cuda.__shfl_sync"), "mask, value, lane, width");
  EXPECT_EQ(names("tvm_warp_shuffle"), "mask, value, lane, width, warp_size");
}

}  // namespace
}  // namespace tirxcc::intrinsics
