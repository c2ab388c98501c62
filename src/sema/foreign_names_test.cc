// SPDX-License-Identifier: Apache-2.0
#include "sema/foreign_names.h"

#include <gtest/gtest.h>

#include "abi/dtype.h"
#include "intrinsics/intrinsics.h"
#include "sema/builtins.h"

namespace tirxcc::sema {
namespace {

TEST(ForeignNames, AdviceNamesWhatExists) {
  for (const ForeignName& row : foreign_names()) {
    for (std::size_t at = row.ours.find("T."); at != std::string_view::npos;
         at = row.ours.find("T.", at + 1)) {
      const std::string_view rest = row.ours.substr(at + 2);
      const std::string_view path = rest.substr(0, rest.find_first_of("(=, )"));
      EXPECT_TRUE(find_builtin(path) != nullptr || parse_dtype(path).has_value() ||
                  intrinsics::find(path, 'A') != nullptr)
          << row.foreign << ": " << path;
    }
  }
}

TEST(ForeignNames, RulesFindTheSameNameInT) {
  EXPECT_EQ(advice_for_name("sqrt", "", 'A'), "in a kernel, write 'T.sqrt'");
  EXPECT_EQ(advice_for_name("np", "sqrt", 'A'), "in a kernel, write 'T.sqrt'");
  EXPECT_EQ(advice_for_name("__expf", "", 'B'), "in a kernel, write 'T.exp'");
  EXPECT_EQ(advice_for_name("np", "float32", 'A'), "in a kernel, write 'T.float32'");
  EXPECT_EQ(advice_for_name("threadIdx", "y", 'A'),
            "in a kernel, write 'T.cuda.thread_idx(\"y\")'");
  EXPECT_EQ(advice_for_name("np", "linspace", 'A'), "a kernel can only use the functions of T");
  EXPECT_EQ(advice_for_name("count", "", 'A'), "");
  EXPECT_EQ(advice_for_name("object", "sqrt", 'A'), "");
  EXPECT_EQ(advice_for_member("cluster_dim", 'A'),
            "in a kernel, write 'T.cuda.cluster_dim', which is not supported yet");
}

TEST(ForeignNames, LaunchFieldsAndTypesOfElsewhere) {
  EXPECT_EQ(launch_field_for("threads"), "block");
  EXPECT_EQ(launch_field_for("gridDim"), "grid");
  EXPECT_EQ(launch_field_for("sharedMem"), "dynamic_smem_bytes");
  EXPECT_EQ(launch_field_for("grid"), "");
  EXPECT_EQ(type_for("double"), "T.float64");
  EXPECT_EQ(type_for("size_t"), "T.int64");
  EXPECT_EQ(type_for("load"), "");
  EXPECT_EQ(type_for("maximum"), "");
}

TEST(ForeignNames, UnknownMembersGetAdviceOrTheNearestName) {
  EXPECT_EQ(note_for_member("", "syncthreads", 'A'), "in a kernel, write 'T.cuda.cta_sync()'");
  EXPECT_EQ(note_for_member("cuda", "lane_ids", 'A'), "did you mean 'T.cuda.lane_id'?");
  EXPECT_EQ(note_for_member("math", "sqtr", 'A'), "did you mean 'math.sqrt'?");
  EXPECT_EQ(note_for_member("", "symbolic", 'A'), "write 'T.dynamic(\"n\")'");
  EXPECT_EQ(note_for_member("cuda", "something_else", 'A'), "");
}

}  // namespace
}  // namespace tirxcc::sema
