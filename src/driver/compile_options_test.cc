// SPDX-License-Identifier: Apache-2.0
//
// Options that a program gets wrong: nothing is compiled, and the message names the option.
#include <gtest/gtest.h>

#include "tirxcc/compiler.h"

namespace tirxcc {
namespace {

constexpr const char* kText = R"(
from tirxcc.script import tirx as T


@T.function
def one(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = 1.0
)";

std::string message_of(const CompileOptions& options) {
  Expected<Module> module = compile_text(kText, "one.py", options);
  return module ? "" : module.error().message;
}

TEST(CompileOptions, WrongOnesAreNamed) {
  EXPECT_EQ(message_of({.target = {}, .coarsen = 3}), "coarsen is 1, 2 or 4, not 3");
  EXPECT_EQ(message_of({.target = {}, .coarsen = 0}), "coarsen is 1, 2 or 4, not 0");
  EXPECT_EQ(message_of({.target = Target::cuda("foo")}),
            "'foo' is no CUDA architecture; expected one such as sm_90a");
  EXPECT_EQ(message_of({.target = Target::cuda("sm_80"), .coarsen = 2}), "");
}

}  // namespace
}  // namespace tirxcc
