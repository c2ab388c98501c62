// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/result.h"
#include "base/utf8.h"

namespace tirxcc {
namespace {

TEST(Arena, AlignsAndKeepsWhatItMakes) {
  Arena arena;
  const char* first = arena.make<char>('a');
  const double* second = arena.make<double>(1.5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % alignof(double), 0u);
  for (int i = 0; i < 100'000; ++i)
    arena.make<int>(i);
  EXPECT_EQ(*first, 'a');
  EXPECT_EQ(*second, 1.5);
}

TEST(Arena, ServesRequestsLargerThanABlock) {
  Arena arena;
  arena.make<int>(1);
  auto* large = static_cast<char*>(arena.allocate(10 << 20, 64));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large) % 64, 0u);
  large[(10 << 20) - 1] = 'z';
  EXPECT_GE(arena.reserved(), std::size_t{10} << 20);
  EXPECT_EQ(*arena.make<int>(2), 2);
}

TEST(Arena, CopiesLists) {
  Arena arena;
  std::vector<int> numbers{1, 2, 3};
  const std::span<const int> copy = arena.copy(numbers);
  numbers[0] = 9;
  EXPECT_EQ(std::vector<int>(copy.begin(), copy.end()), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(arena.copy(std::vector<int>{}).empty());
  EXPECT_EQ(arena.copy_string("text"), "text");
}

TEST(Arena, KeepsItsBlocksWhenMoved) {
  Arena arena;
  const std::string_view text = arena.copy_string("moved");
  const Arena other = std::move(arena);
  EXPECT_EQ(text, "moved");
  EXPECT_GT(other.reserved(), 0u);
}

TEST(Utf8, DecodesWhatItEncodes) {
  for (const char32_t value : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600', char32_t{0x10FFFF}}) {
    std::string text;
    append_utf8(text, value);
    const CodePoint point = decode_utf8(text, 0);
    EXPECT_TRUE(point.is_valid);
    EXPECT_EQ(point.value, value);
    EXPECT_EQ(point.length, text.size());
  }
}

TEST(Utf8, RefusesIllFormedBytes) {
  // A lone continuation, over-long forms, a surrogate, beyond the last character, a cut sequence.
  for (const std::string_view text : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80", "\xF0\x8F\xBF\xBF", "\xE2\x82", "\xFF"}) {
    EXPECT_FALSE(decode_utf8(text, 0).is_valid);
    EXPECT_EQ(decode_utf8(text, 0).length, 1u);
    EXPECT_EQ(find_ill_formed_utf8(text), 0u);
  }
}

TEST(Utf8, FindsTheFirstIllFormedByte) {
  EXPECT_EQ(find_ill_formed_utf8(""), std::nullopt);
  EXPECT_EQ(find_ill_formed_utf8("plain ASCII, longer than a word"), std::nullopt);
  EXPECT_EQ(find_ill_formed_utf8("12345678\xE2\x82\xAC"), std::nullopt);
  EXPECT_EQ(find_ill_formed_utf8("12345678abc\xFF"), 11u);
}

TEST(Result, CarriesTheFailure) {
  const Result<int> refused = fail("no such file", ErrorClass::Value);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "no such file");
  EXPECT_EQ(refused.error().error_class, ErrorClass::Value);
}

TEST(CheckDeathTest, NamesStageKernelAndFault) {
  const StageScope stage("lowering", "relu");
  EXPECT_DEATH(TIRXCC_CHECK(1 > 2, "no place for {}", "x"),
               "internal error in lowering of kernel relu: no place for x");
}

}  // namespace
}  // namespace tirxcc
