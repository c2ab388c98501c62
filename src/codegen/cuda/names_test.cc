// SPDX-License-Identifier: Apache-2.0
#include "codegen/cuda/names.h"

#include <gtest/gtest.h>

#include <array>

namespace tirxcc::codegen_cuda {
namespace {

TEST(CudaNames, FirstKeepsTheNameLaterOnesAreNumbered) {
  Names names;
  std::array<int, 5> objects{};
  EXPECT_EQ(names.declare(&objects[0], "x"), "x");
  EXPECT_EQ(names.declare(&objects[1], "x"), "x_1");
  EXPECT_EQ(names.declare(&objects[2], "x_2"), "x_2");
  EXPECT_EQ(names.declare(&objects[3], "x"), "x_3");
  EXPECT_EQ(names.declare(&objects[4], "x_1"), "x_1_1");
  EXPECT_EQ(names.of(&objects[1]), "x_1");
}

TEST(CudaNames, AScopeGivesItsNamesBack) {
  Names names;
  std::array<int, 4> objects{};
  names.declare(&objects[0], "i");
  for (int turn = 0; turn < 2; ++turn) {
    names.open_scope();
    EXPECT_EQ(names.declare(&objects[1], "i"), "i_1");
    EXPECT_EQ(names.declare(&objects[2], "j"), "j");
    names.close_scope();
  }
  EXPECT_EQ(names.declare(&objects[3], "j"), "j");
}

TEST(CudaNames, WordsOfCudaAreNotTaken) {
  Names names;
  std::array<int, 9> objects{};
  EXPECT_EQ(names.declare(&objects[0], "float"), "float_1");
  EXPECT_EQ(names.declare(&objects[1], "threadIdx"), "threadIdx_1");
  EXPECT_EQ(names.declare(&objects[2], "half"), "half_1");
  EXPECT_EQ(names.declare(&objects[3], "floordiv"), "floordiv_1");
  EXPECT_EQ(names.declare(&objects[4], "sqrtf"), "sqrtf");
  EXPECT_EQ(names.declare(&objects[5], "float", "_ptr"), "float_ptr");
  names.reserve("expf");
  EXPECT_EQ(names.declare(&objects[6], "expf"), "expf_1");
  names.reserve("tanf");
  EXPECT_EQ(names.declare(&objects[7], "tanf"), "tanf_1");
  EXPECT_EQ(names.declare(&objects[8], "__x"), "__x_1");
}

TEST(CudaNames, LettersBeyondAsciiAreSpelled) {
  EXPECT_EQ(identifier("caf\u00e9"), "caf_u00e9");
  EXPECT_EQ(identifier("\U0001d4d0x"), "_u1d4d0x");
  EXPECT_EQ(identifier("plain"), "plain");
}

TEST(CudaNames, VeryLongNamesStayDistinct) {
  std::string a(1000, 'a');
  std::string b = a + "b";
  EXPECT_EQ(identifier(a).size(), 200u);
  EXPECT_NE(identifier(a), identifier(b));
}

TEST(CudaNames, LabelsHaveTheirOwnSpace) {
  Names names;
  std::array<int, 4> objects{};
  EXPECT_EQ(names.declare(&objects[0], "k_end"), "k_end");
  EXPECT_EQ(names.declare_label(&objects[1], "k_end"), "k_end");
  EXPECT_EQ(names.declare_label(&objects[2], "k_end"), "k_end_1");
  EXPECT_EQ(names.declare_label(&objects[3], "k_end"), "k_end_2");
}

TEST(CudaNames, ManyOfOneNameAreFast) {
  Names names;
  std::vector<int> objects(50000);
  for (const int& object : objects)
    names.declare(&object, "t");
  EXPECT_EQ(names.of(&objects[49999]), "t_49999");
}

}  // namespace
}  // namespace tirxcc::codegen_cuda
