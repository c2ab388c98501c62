// SPDX-License-Identifier: Apache-2.0
#include "source/diagnostics.h"

#include <gtest/gtest.h>

namespace tirxcc::source {
namespace {

constexpr Diagnostic kWrong{"wrong", Severity::Error, ErrorClass::Type, "wrong thing"};
constexpr Diagnostic kWrongName{"wrong-name", Severity::Error, ErrorClass::Name, "no '{}' here"};
constexpr Diagnostic kOdd{"odd", Severity::Warning, ErrorClass::Value, "odd thing"};
constexpr Diagnostic kAside{"aside", Severity::Note, ErrorClass::Value, "by the way"};

class DiagnosticsTest : public ::testing::Test {
 protected:
  // The span of `needle` in a new file with this text.
  Span file_with(std::string text, std::string_view needle, std::uint32_t first_line = 1) {
    file_ = &sources_.add("k.py", std::move(text), first_line);
    return place(needle);
  }
  Span place(std::string_view needle) const {
    const auto at = static_cast<std::uint32_t>(file_->text.find(needle));
    return {file_->base + at, file_->base + at + static_cast<std::uint32_t>(needle.size())};
  }

  SourceManager sources_;
  Diagnostics diags_{sources_};
  const SourceFile* file_ = nullptr;
};

TEST_F(DiagnosticsTest, UnderlinesThePlace) {
  diags_.report(file_with("def f():\n        break\n", "break"), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:2:9: error: wrong thing [wrong]\n"
            "    2 |         break\n"
            "      |         ^~~~~\n");
}

TEST_F(DiagnosticsTest, FormatsArguments) {
  diags_.report(file_with("foo\n", "foo"), kWrongName, "foo");
  EXPECT_EQ(diags_.messages()[0].text, "no 'foo' here");
}

TEST_F(DiagnosticsTest, ShowsLabelsInLineOrderAndNotesLast) {
  const Span use = file_with("a = 1\nb = 2\nc = 3\nd = a + b\n", "a + b");
  diags_.report(use, kWrong)
      .label(place("b = 2"), "'{}' is an {}", "b", "int")
      .label({use.begin, use.begin + 1}, "int32")
      .note("first\nsecond");
  EXPECT_EQ(diags_.render(),
            "k.py:4:5: error: wrong thing [wrong]\n"
            "    2 | b = 2\n"
            "      | ----- 'b' is an int\n"
            "  ...\n"
            "    4 | d = a + b\n"
            "      |     ^~~~~\n"
            "      |     - int32\n"
            "      = note: first\n"
            "              second\n");
}

TEST_F(DiagnosticsTest, ShowsLabelsInOtherFiles) {
  const Span here = file_with("import x\n", "x");
  const SourceFile& other = sources_.add("other.py", "def x(): pass\n");
  diags_.report(here, kWrong).label({other.base + 4, other.base + 5}, "defined here");
  EXPECT_EQ(diags_.render(),
            "k.py:1:8: error: wrong thing [wrong]\n"
            "    1 | import x\n"
            "      |        ^\n"
            "  other.py:1:5:\n"
            "    1 | def x(): pass\n"
            "      |     - defined here\n");
}

TEST_F(DiagnosticsTest, PutsTheCaretUnderTheCharacterAsShown) {
  // A tab, a letter of two bytes, wide letters, and a combining accent before the place.
  diags_.report(file_with("\t\u00e9\u4f60\u597de\u0301 = bad\n", "bad"), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:1:10: error: wrong thing [wrong]\n"
            "    1 |     \u00e9\u4f60\u597de\u0301 = bad\n"
            "      |              ^~~\n");
}

TEST_F(DiagnosticsTest, UnderlinesWideCharactersWhole) {
  diags_.report(file_with("x = \u4f60\u597d\n", "\u4f60\u597d"), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:1:5: error: wrong thing [wrong]\n"
            "    1 | x = \u4f60\u597d\n"
            "      |     ^~~~\n");
}

TEST_F(DiagnosticsTest, HidesControlCharacters) {
  diags_.report(file_with("a = '\033[31m\u202e' + b\n", "b"), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:1:16: error: wrong thing [wrong]\n"
            "    1 | a = '\uFFFD[31m\uFFFD' + b\n"
            "      |                ^\n");
}

TEST_F(DiagnosticsTest, ShowsFirstAndLastLineOfALongPlace) {
  diags_.report(file_with("x = f(a,\n      b,\n      c)\n", "f(a,\n      b,\n      c)"), kWrong)
      .label({file_->base, file_->base + 1}, "into this");
  EXPECT_EQ(diags_.render(),
            "k.py:1:5: error: wrong thing [wrong]\n"
            "    1 | x = f(a,\n"
            "      |     ^~~~\n"
            "      | - into this\n"
            "  ...\n"
            "    3 |       c)\n"
            "      |       ~~\n");
}

TEST_F(DiagnosticsTest, EndsAPlaceAtItsLineEnd) {
  diags_.report(file_with("abc\ndef\n", "c\n"), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:1:3: error: wrong thing [wrong]\n"
            "    1 | abc\n"
            "      |   ^\n");
}

TEST_F(DiagnosticsTest, PointsAtTheEndOfTheFile) {
  file_with("abc", "abc");
  diags_.report({file_->base + 3, file_->base + 3}, kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:1:4: error: wrong thing [wrong]\n"
            "    1 | abc\n"
            "      |    ^\n");
}

TEST_F(DiagnosticsTest, CutsLongLinesAroundThePlace) {
  diags_.report(file_with(std::string(1000, 'a') + "!" + std::string(1000, 'b'), "!"), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:1:1001: error: wrong thing [wrong]\n"
            "    1 | ..." +
                std::string(40, 'a') + "!" + std::string(79, 'b') +
                "...\n"
                "      | " +
                std::string(43, ' ') + "^\n");
}

TEST_F(DiagnosticsTest, DoesNotReadMegabytesOfALine) {
  const std::string text = std::string(5'000'000, 'a') + "!" + std::string(5'000'000, 'b');
  diags_.report(file_with(text, "!"), kWrong);
  EXPECT_LT(diags_.render().size(), 400u);
  EXPECT_NE(diags_.render().find("aaa!bbb"), std::string::npos);
}

TEST_F(DiagnosticsTest, SpeaksWithoutAPlace) {
  diags_.report({}, kWrong).label({}, "not shown").note("shown");
  EXPECT_EQ(diags_.render(), "error: wrong thing [wrong]\n      = note: shown\n");
}

TEST_F(DiagnosticsTest, CountsLinesFromTheFirst) {
  diags_.report(file_with("abc\n", "b", 123456), kWrong);
  EXPECT_EQ(diags_.render(),
            "k.py:123456:2: error: wrong thing [wrong]\n"
            "123456 | abc\n"
            "       |  ^\n");
}

TEST_F(DiagnosticsTest, ColorsForTerminals) {
  diags_.report(file_with("abc\n", "b"), kWrong);
  EXPECT_EQ(diags_.render(Severity::Note, true),
            "\033[1mk.py:1:2:\033[0m \033[1;31merror:\033[0m \033[1mwrong thing\033[0m [wrong]\n"
            "    1 | abc\n"
            "      |  \033[1;31m^\033[0m\n");
}

TEST_F(DiagnosticsTest, SortsByPlaceAndFiltersBySeverity) {
  const Span second = file_with("abc\n", "c");
  diags_.report(second, kOdd);
  diags_.report(place("a"), kWrong);
  diags_.report(place("b"), kAside);
  EXPECT_EQ(diags_.render(Severity::Warning),
            "k.py:1:1: error: wrong thing [wrong]\n"
            "    1 | abc\n"
            "      | ^\n"
            "k.py:1:3: warning: odd thing [odd]\n"
            "    1 | abc\n"
            "      |   ^\n");
  EXPECT_EQ(diags_.error_count(), 1);
  EXPECT_TRUE(diags_.has_errors());
}

TEST_F(DiagnosticsTest, ReportsTheSameMistakeOnce) {
  const Span at = file_with("abc\n", "b");
  diags_.report(at, kWrong);
  diags_.report(at, kWrong).note("lost");
  diags_.report(at, kWrongName, "b");
  EXPECT_EQ(diags_.messages().size(), 2u);
  EXPECT_TRUE(diags_.messages()[0].notes.empty());
}

TEST_F(DiagnosticsTest, StopsAtTheLimit) {
  file_with(std::string(100, 'x'), "x");
  for (std::uint32_t i = 0; i < 100; ++i) {
    diags_.report({file_->base + i, file_->base + i + 1}, kWrong).note("still safe to chain");
  }
  EXPECT_EQ(diags_.error_count(), Diagnostics::kErrorLimit);
  EXPECT_TRUE(diags_.is_full());
  EXPECT_TRUE(diags_.render().ends_with("stopped after 20 errors\n"));
}

TEST_F(DiagnosticsTest, ForgetsAndReportsAgain) {
  const Span at = file_with("abc\n", "b");
  diags_.report(place("a"), kWrongName, "a");
  diags_.report(at, kWrong);
  diags_.truncate(1);
  EXPECT_EQ(diags_.error_count(), 1);
  diags_.report(at, kWrong);
  EXPECT_EQ(diags_.error_count(), 2);
  diags_.clear();
  EXPECT_FALSE(diags_.has_errors());
  EXPECT_EQ(diags_.render(), "");
}

TEST_F(DiagnosticsTest, KnowsTheClassOfTheFirstErrorInTheText) {
  EXPECT_EQ(diags_.first_error_class(), ErrorClass::Runtime);
  const Span later = file_with("abc\n", "c");
  diags_.report(place("a"), kOdd);
  diags_.report(later, kWrong);
  diags_.report(place("b"), kWrongName, "b");
  EXPECT_EQ(diags_.first_error_class(), ErrorClass::Name);
}

}  // namespace
}  // namespace tirxcc::source
