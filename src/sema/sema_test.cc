// SPDX-License-Identifier: Apache-2.0
//
// Kernel text in, IR text out: one test per rule about names, statements, parameters and launch.
#include "sema/sema.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/printer.h"
#include "ir/verifier.h"
#include "syntax/parser.h"

namespace tirxcc::sema {
namespace {

struct Outcome {
  std::string ir;
  std::string messages;
};

constexpr std::string_view kImport = "from tirxcc.script import tirx as T\n\n";

Outcome translate_file(const std::string& text) {
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  Arena arena;
  const source::SourceFile& file = sources.add("k.py", text);
  const syntax::Module* tree = syntax::parse_module(file, arena, diags);
  ir::Module module;
  if (!diags.has_errors()) translate_module(*tree, module, diags);
  Outcome outcome{.ir = ir::print(module.functions), .messages = diags.render()};
  if (diags.has_errors()) return outcome;
  for (const ir::Function* function : module.functions)
    EXPECT_EQ(ir::verify(*function), "") << outcome.ir;
  return outcome;
}

// The statements of a kernel over int32 tensors A and B of 64 elements, with `i` the thread index.
Outcome translate_body(std::string_view body) {
  std::string text(kImport);
  text +=
      "@T.function\ndef k(A: T.Tensor((64,), T.int32), B: T.Tensor((64,), T.float32)):\n"
      "    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))\n"
      "    i = T.cuda.thread_idx(\"x\")\n";
  text += body;
  Outcome outcome = translate_file(text);
  const std::size_t start = outcome.ir.find("    i = T.cuda");
  if (start != std::string::npos) {
    outcome.ir = outcome.ir.substr(outcome.ir.find('\n', start) + 1);
  }
  return outcome;
}

void expect_ir(std::string_view body, std::string_view expected) {
  const Outcome outcome = translate_body(body);
  EXPECT_EQ(outcome.messages, "");
  EXPECT_EQ(outcome.ir, expected);
}

// The first line of what is said about the body.
std::string message_of(std::string_view body) {
  const std::string messages = translate_body(body).messages;
  return messages.substr(0, messages.find('\n'));
}

TEST(SemaNames, AssignedOnceIsAValue) {
  expect_ir("    x = A[i]\n    A[0] = x\n", "    x = A[i]\n    A[0] = x\n");
}

TEST(SemaNames, AssignedInBothBranchesIsOneVariable) {
  expect_ir(
      "    if A[i] > 0:\n        x = 1\n    else:\n        x = 2\n    A[i] = x\n",
      "    x: T.int32\n    if A[i] > 0:\n        x = 1\n    else:\n        x = 2\n    A[i] = x\n");
}

TEST(SemaNames, DeadBranchDoesNotCount) {
  expect_ir("    if False:\n        x = A[0]\n    else:\n        x = A[1]\n    A[i] = x\n",
            "    x = A[1]\n    A[i] = x\n");
}

TEST(SemaNames, TypeIsThePromotionOfAllValues) {
  expect_ir("    x = 0\n    for t in range(3):\n        x = x + 0.5\n    B[i] = x\n",
            "    x: T.float32 = 0.0\n    for t in range(3):\n        x = x + 0.5\n    B[i] = x\n");
}

TEST(SemaNames, DeclarationGoesToTheListThatHoldsAllUses) {
  expect_ir("    if A[i] > 0:\n        x = 1\n        x = x + A[i]\n        A[0] = x\n",
            "    if A[i] > 0:\n        x: T.int32 = 1\n        x = x + A[i]\n        A[0] = x\n");
}

TEST(SemaNames, LoopThatSurelyRunsAssigns) {
  expect_ir("    for t in range(2):\n        x = t\n    A[i] = x\n",
            "    x: T.int32\n    for t in range(2):\n        x = t\n    A[i] = x\n");
}

TEST(SemaNames, AssignedLoopVariableIsACopy) {
  expect_ir("    for t in range(3):\n        t = t * 2\n        A[t] = 1\n",
            "    for t in range(3):\n        t_1: T.int32 = t\n        t_1 = t_1 * 2\n"
            "        A[t_1] = 1\n");
}

TEST(SemaNames, SwapEvaluatesRightSidesFirst) {
  expect_ir("    A[0], A[1] = A[1], A[0]\n",
            "    A_new = A[0]\n    A[0] = A[1]\n    A[1] = A_new\n");
}

TEST(SemaNames, ChainEvaluatesOnce) {
  expect_ir("    x = y = A[0]\n    A[i] = x + y\n", "    x = A[0]\n    y = x\n    A[i] = x + y\n");
}

TEST(SemaNames, AugmentedElementEvaluatesIndexOnce) {
  expect_ir("    A[A[i]] += 2\n", "    A_idx = A[i]\n    A[A_idx] = A[A_idx] + 2\n");
}

TEST(SemaNames, SiblingDeclarationsAreSeparate) {
  expect_ir(
      "    if A[i] > 0:\n        x: T.int32 = 1\n        A[0] = x\n"
      "    else:\n        x: T.float32 = 2.0\n        B[0] = x\n",
      "    if A[i] > 0:\n        x: T.int32 = 1\n        A[0] = x\n"
      "    else:\n        x_1: T.float32 = 2.0\n        B[0] = x_1\n");
}

TEST(SemaNames, DeclarationsThatOneReadSeesAreOneVariable) {
  expect_ir(
      "    if A[i] > 0:\n        x: T.int32 = 1\n    else:\n        x: T.int32 = 2\n"
      "    A[i] = x\n",
      "    x: T.int32\n    if A[i] > 0:\n        x = 1\n    else:\n        x = 2\n"
      "    A[i] = x\n");
}

TEST(SemaNames, MaybeUnassignedIsAnError) {
  EXPECT_EQ(message_of("    if A[i] > 0:\n        x = 1\n    A[i] = x\n"),
            "k.py:9:12: error: 'x' is not assigned on every path to this use [maybe-unassigned]");
}

TEST(SemaNames, LeavingBranchNeedNotAssign) {
  expect_ir(
      "    if A[i] > 0:\n        x = 1\n    else:\n        T.gpu_thread_return()\n"
      "    A[i] = x\n",
      "    x: T.int32\n    if A[i] > 0:\n        x = 1\n    else:\n"
      "        T.gpu_thread_return()\n    A[i] = x\n");
}

TEST(SemaLoops, UnrolledBodyIsCopied) {
  expect_ir("    for t in T.unroll(2):\n        A[t] = t * 3\n", "    A[0] = 0\n    A[1] = 3\n");
}

TEST(SemaLoops, JumpOutOfUnrolledBodyLeavesABlock) {
  expect_ir(
      "    for t in T.unroll(2):\n        if A[t] > 0:\n            break\n        A[t] = 5\n",
      "    with T.block(\"t_end\"):\n        if A[0] > 0:\n            T.leave(\"t_end\")\n"
      "        A[0] = 5\n        if A[1] > 0:\n            T.leave(\"t_end\")\n"
      "        A[1] = 5\n");
}

TEST(SemaLoops, KnownBreakStopsTheCopies) {
  expect_ir("    for t in T.unroll(8):\n        if t == 2:\n            break\n        A[t] = 1\n",
            "    A[0] = 1\n    A[1] = 1\n");
}

TEST(SemaLoops, KnownSequencesExpand) {
  expect_ir("    for t, v in enumerate([4, 5]):\n        A[t] = v\n",
            "    A[0] = 4\n    A[1] = 5\n");
}

TEST(SemaLoops, GridIsANest) {
  expect_ir("    for a, b in T.grid(2, (1, 3)):\n        A[a] = b\n",
            "    for a in range(2):\n        for b in range(1, 4):\n            A[a] = b\n");
}

TEST(SemaLoops, LastIncrementThatMayOverflowCountsTurns) {
  const Outcome outcome = translate_body(
      "    for t in range(0, A[i], 2147483647):\n"
      "        A[0] = t\n");
  EXPECT_EQ(outcome.messages, "");
  EXPECT_TRUE(outcome.ir.starts_with("    for t in T.counted(0, 2147483647, ")) << outcome.ir;
}

TEST(SemaLoops, ConditionThatNothingChangesIsTold) {
  EXPECT_EQ(message_of("    x = A[0]\n    while x > 0:\n        A[0] = 1\n"),
            "k.py:8:11: warning: nothing in the loop changes this condition; the loop ends at once "
            "or never [condition-never-changes]");
}

TEST(SemaFunctions, PrintedIrReadsBack) {
  const std::string text = std::string(kImport) +
                           "n = T.dynamic(\"n\")\n\n"
                           "@T.function\ndef k(A: T.Tensor((n, 4), T.float32), s: T.int32 = 3):\n"
                           "    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), "
                           "block=64))\n"
                           "    i = T.cuda.block_idx(\"x\") * 64 + T.cuda.thread_idx(\"x\")\n"
                           "    while s > 0:\n        s -= 1\n"
                           "    for t in T.unroll(3):\n        v = A[i, t]\n"
                           "        if v > 0.0:\n            continue\n        A[i, t] = v * 2.0\n"
                           "    for q in range(i, n, s):\n        A[q, 0] = 0.0\n";
  const Outcome first = translate_file(text);
  EXPECT_EQ(first.messages, "");
  const Outcome second = translate_file(first.ir);
  EXPECT_EQ(second.messages, "");
  EXPECT_EQ(second.ir, first.ir);
}

TEST(SemaFunctions, UndeterminedSymbol) {
  const Outcome outcome = translate_file(std::string(kImport) +
                                         "m = T.dynamic(\"m\")\n\n@T.function\n"
                                         "def k(A: T.Tensor((4,), T.int32)):\n"
                                         "    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, "
                                         "block=64))\n    A[0] = m\n");
  EXPECT_EQ(outcome.messages.substr(0, outcome.messages.find('\n')),
            "k.py:8:12: error: undefined variable m [undefined-variable]");
}

TEST(SemaFunctions, NamesOfAFile) {
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  Arena arena;
  const source::SourceFile& file =
      sources.add("k.py",
                  "@T.function\ndef a(): pass\ndef b(): pass\n@T.prim_func(private=True)\n"
                  "def c(): pass\n");
  const syntax::Module* tree = syntax::parse_module(file, arena, diags);
  EXPECT_EQ(function_names(*tree), (std::vector<std::string_view>{"a", "c"}));
}

}  // namespace
}  // namespace tirxcc::sema
