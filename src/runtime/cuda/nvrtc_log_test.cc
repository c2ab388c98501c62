// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nvrtc_log.h"

#include <gtest/gtest.h>

#include "runtime/cuda/nvrtc.h"

namespace tirxcc::cuda {
namespace {

TEST(NvrtcLog, TakesMessagesApart) {
  std::vector<LogMessage> messages = parse_log(
      "relu.cu(3): error: identifier \"x\" is undefined\n"
      "    x = f(1): 2;\n"
      "    ^\n"
      "\n"
      "a (b).cu(12): warning #177-D: variable \"y\" was declared but never referenced\n"
      "    int y = 0;\n"
      "        ^\n"
      "\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "\n"
      "relu.cu(40): catastrophic error: too deep\n"
      "1 error detected in the compilation of \"relu.cu\".\n");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].file, "relu.cu");
  EXPECT_EQ(messages[0].line, 3);
  EXPECT_TRUE(messages[0].is_error);
  EXPECT_EQ(messages[0].text, "identifier \"x\" is undefined");
  EXPECT_EQ(messages[0].source, "x = f(1): 2;");
  EXPECT_EQ(messages[1].file, "a (b).cu");
  EXPECT_EQ(messages[1].line, 12);
  EXPECT_FALSE(messages[1].is_error);
  EXPECT_EQ(messages[1].source, "int y = 0;");
  EXPECT_EQ(messages[2].text, "too deep");
  EXPECT_EQ(messages[2].source, "");
}

TEST(NvrtcLog, WhatIsNoMessageIsLeftOut) {
  EXPECT_TRUE(parse_log("").empty());
  EXPECT_TRUE(parse_log("ptxas info : 0 bytes\nf(x): y\n  indented\n(3): error\n").empty());
  std::vector<LogMessage> bare = parse_log("error: no place");
  ASSERT_EQ(bare.size(), 1u);
  EXPECT_EQ(bare[0].line, 0);
}

TEST(NvrtcLog, ReadsARealLog) {
  Result<Nvrtc> nvrtc = Nvrtc::find(NvrtcSearch::from_environment());
  if (!nvrtc) GTEST_SKIP() << nvrtc.error().message;
  Result<Compiled> refused =
      nvrtc->compile({.text = "#line 7 \"/tmp/my kernel.py\"\n__global__ void f() { x = 1; }\n"});
  ASSERT_FALSE(refused);
  std::vector<LogMessage> messages = parse_log(refused.error().message);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].file, "/tmp/my kernel.py");
  EXPECT_EQ(messages[0].line, 7);
  EXPECT_EQ(messages[0].text, "identifier \"x\" is undefined");
  EXPECT_EQ(messages[0].source, "__global__ void f() { x = 1; }");
}

}  // namespace
}  // namespace tirxcc::cuda
