// SPDX-License-Identifier: Apache-2.0
#include "syntax/lexer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "syntax/identifier.h"
#include "syntax/literal.h"

namespace tirxcc::syntax {
// The switch in lex_text() is about a few kinds.
#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace {

struct Lexed {
  // Kinds and texts, separated by blanks: `x = 1 NEWLINE EOF`.
  std::string tokens;
  std::string messages;
};

Lexed lex_text(std::string text, LexMode mode = LexMode::File) {
  source::SourceManager sources;
  const source::SourceFile& file = sources.add("k.py", std::move(text));
  source::Diagnostics diags(sources);
  Lexed result;
  for (const Token& token : lex(file, diags, mode)) {
    if (!result.tokens.empty()) result.tokens += ' ';
    switch (token.kind) {
      case TokenKind::EndOfFile: result.tokens += "EOF"; break;
      case TokenKind::Newline: result.tokens += "NEWLINE"; break;
      case TokenKind::Indent: result.tokens += "INDENT"; break;
      case TokenKind::Dedent: result.tokens += "DEDENT"; break;
      case TokenKind::Error: result.tokens += "ERROR"; break;
      default: result.tokens += sources.text_of(token.span);
    }
  }
  for (const source::Message& message : diags.messages()) {
    const source::LineColumn at = sources.position(message.span);
    result.messages += fmt::format("{}:{} {}\n", at.line, at.column, message.text);
  }
  return result;
}

std::string tokens(std::string text, LexMode mode = LexMode::File) {
  const Lexed lexed = lex_text(std::move(text), mode);
  EXPECT_EQ(lexed.messages, "");
  return lexed.tokens;
}

std::string messages(std::string text) {
  return lex_text(std::move(text)).messages;
}

TEST(Lexer, TakesTheLongestOperator) {
  EXPECT_EQ(tokens("a**=b//c<<=d->e:=f...g!=h\n"),
            "a **= b // c <<= d -> e := f ... g != h NEWLINE EOF");
  EXPECT_EQ(tokens("x[..., .5, a.b]\n"), "x [ ... , .5 , a . b ] NEWLINE EOF");
}

TEST(Lexer, KnowsEveryKeyword) {
  for (const std::string_view word :
       {"False", "None", "nonlocal", "yield", "if", "is", "finally"}) {
    EXPECT_NE(keyword_or_name(word), TokenKind::Name) << word;
    EXPECT_EQ(token_kind_text(keyword_or_name(word)), word);
  }
  for (const std::string_view word : {"match", "case", "type", "i", "iff", "false", "nonlocals"}) {
    EXPECT_EQ(keyword_or_name(word), TokenKind::Name) << word;
  }
}

TEST(Lexer, MakesBlocksOfIndentation) {
  EXPECT_EQ(tokens("if a:\n  b\n  if c:\n  \td\ne\n"),
            "if a : NEWLINE INDENT b NEWLINE if c : NEWLINE INDENT d NEWLINE DEDENT DEDENT e "
            "NEWLINE EOF");
}

TEST(Lexer, ClosesBlocksAtTheEndOfTheFile) {
  EXPECT_EQ(tokens("if a:\n  b"), "if a : NEWLINE INDENT b NEWLINE DEDENT EOF");
  EXPECT_EQ(tokens(""), "EOF");
  EXPECT_EQ(tokens("\n  # only a comment"), "EOF");
}

TEST(Lexer, IgnoresBlankLinesAndComments) {
  EXPECT_EQ(tokens("if a:\n    b\n\n  # less\n      # more\n    c\n"),
            "if a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT EOF");
}

TEST(Lexer, ReadsAllLineEnds) {
  EXPECT_EQ(tokens("a\r\nb\rc\n"), "a NEWLINE b NEWLINE c NEWLINE EOF");
  EXPECT_EQ(tokens("a = \\\r\n  b\n"), "a = b NEWLINE EOF");
}

TEST(Lexer, JoinsLinesInBracketsAndAfterBackslash) {
  EXPECT_EQ(tokens("f(a,\n  # why\n\n b)\n"), "f ( a , b ) NEWLINE EOF");
  EXPECT_EQ(tokens("a + \\\n   b\n"), "a + b NEWLINE EOF");
  // The indentation of a continued blank start is that of its first line.
  EXPECT_EQ(tokens("if a:\n    b\n    \\\n  c\n"),
            "if a : NEWLINE INDENT b NEWLINE c NEWLINE DEDENT EOF");
}

TEST(Lexer, ResetsIndentationAtAFormFeed) {
  EXPECT_EQ(tokens("a\n  \fb\n"), "a NEWLINE b NEWLINE EOF");
}

TEST(Lexer, TakesTheFirstIndentationAsNone) {
  EXPECT_EQ(tokens("\n# comment\n    def f():\n      a\n    b\n", LexMode::Indented),
            "def f ( ) : NEWLINE INDENT a NEWLINE DEDENT b NEWLINE EOF");
}

TEST(Lexer, IgnoresLineEndsInAnExpression) {
  EXPECT_EQ(tokens("\n a +\n b\n", LexMode::Expression), "a + b NEWLINE EOF");
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_EQ(tokens("0 00 1_000 0xFF_ff 0o17 0b1 1. .5 1e5 1.5E-3 2j 1_0.0_1e1_0J\n"),
            "0 00 1_000 0xFF_ff 0o17 0b1 1. .5 1e5 1.5E-3 2j 1_0.0_1e1_0J NEWLINE EOF");
  EXPECT_EQ(tokens("1if x else 0x1for y\n"), "1 if x else 0x1f or y NEWLINE EOF");
}

TEST(Lexer, RefusesMalformedNumbers) {
  EXPECT_EQ(messages("012\n"),
            "1:1 leading zeros in a decimal integer; octal numbers begin with '0o'\n");
  EXPECT_EQ(messages("1abc + 1__0 + 1_ + 1e+\n"),
            "1:1 invalid decimal literal\n1:8 invalid decimal literal\n"
            "1:15 invalid decimal literal\n1:20 invalid decimal literal\n");
  EXPECT_EQ(messages("0xg\n0b12\n0o8\n1.5x\n2jx\n"),
            "1:1 invalid hexadecimal literal\n2:4 invalid digit '2' in binary literal\n"
            "3:3 invalid digit '8' in octal literal\n4:1 invalid decimal literal\n"
            "5:1 invalid imaginary literal\n");
}

TEST(Lexer, ReadsStrings) {
  EXPECT_EQ(tokens("'a' \"b'\" r'\\d' '' ''\n"), "'a' \"b'\" r'\\d' '' '' NEWLINE EOF");
  EXPECT_EQ(tokens("rb'x' Br'y' u'z' '''a\n'b''c'''\n"),
            "rb'x' Br'y' u'z' '''a\n'b''c''' NEWLINE EOF");
  EXPECT_EQ(tokens("'a\\\nb' 'c\\'d'\n"), "'a\\\nb' 'c\\'d' NEWLINE EOF");
}

TEST(Lexer, RefusesStringsWithoutEnd) {
  EXPECT_EQ(messages("x = 'abc\ny = \"a\\\"\n"),
            "1:5 unterminated string literal\n2:5 unterminated string literal\n");
  EXPECT_EQ(messages("x = b'''abc\ny\n"), "1:5 unterminated triple-quoted string literal\n");
}

TEST(Lexer, OpensUpFStrings) {
  EXPECT_EQ(tokens("f'a{b!r:>{c}.2}d'\n"), "f' a { b ! r : > { c } .2 } d ' NEWLINE EOF");
  EXPECT_EQ(tokens("f'{{a}}' rf'\\{b}'\n"), "f' {{a}} ' rf' \\ { b } ' NEWLINE EOF");
  // The same quotes and line ends inside a field, a walrus in parentheses, a lambda, a dict.
  EXPECT_EQ(tokens("f'{d['k']\n}{(x:=5)}{x:=5}{ {1: 2}[1] }'\n"),
            "f' { d [ 'k' ] } { ( x := 5 ) } { x : =5 } { { 1 : 2 } [ 1 ] } ' NEWLINE EOF");
  EXPECT_EQ(tokens("f'''a\n{f\"{f'{x}'}\"}\n'''\n"),
            "f''' a\n { f\" { f' { x } ' } \" } \n ''' NEWLINE EOF");
  EXPECT_EQ(tokens("f'\\N{BULLET}{x}'\n"), "f' \\N{BULLET} { x } ' NEWLINE EOF");
}

TEST(Lexer, RefusesBrokenFStrings) {
  EXPECT_EQ(messages("x = f'{a'\ny = 1\n"), "1:7 f-string: no '}' closes this '{'\n");
  EXPECT_EQ(messages("x = f'{a:>{b}'\n"), "1:7 f-string: no '}' closes this '{'\n");
  EXPECT_EQ(messages("x = f'}'\n"), "1:7 f-string: single '}' is not allowed; write '}}'\n");
  EXPECT_EQ(messages("x = f'abc\ny = 1\n"), "1:5 unterminated f-string literal\n");
  EXPECT_EQ(messages("x = f'''abc{y}\n"), "1:5 unterminated f-string literal\n");
}

TEST(Lexer, PairsBrackets) {
  EXPECT_EQ(lex_text("x = (1]\ny\n").tokens, "x = ( 1 ERROR NEWLINE y NEWLINE EOF");
  EXPECT_EQ(messages("x = (1]\n"), "1:7 ']' does not match the opening '('\n");
  EXPECT_EQ(messages("x = 1)\n"), "1:6 unmatched ')'\n");
}

TEST(Lexer, ResumesBehindABracketThatIsNeverClosed) {
  const Lexed at_end = lex_text("if x:\n  a = f(1, [2\n  b = 3\nc = (4\n");
  EXPECT_EQ(at_end.messages, "2:12 '[' was never closed\n4:5 '(' was never closed\n");
  const Lexed at_statement = lex_text("a = (1 +\ndef f(): pass\n");
  EXPECT_EQ(at_statement.tokens, "a = ( ERROR NEWLINE def f ( ) : pass NEWLINE EOF");
}

TEST(Lexer, ComparesTabsAndBlanks) {
  EXPECT_EQ(messages("if a:\n        b\n\tc\n"),
            "3:1 inconsistent use of tabs and spaces in indentation; use spaces alone\n");
  EXPECT_EQ(messages("if a:\n    b\n  c\n"),
            "3:1 unindent does not match any outer indentation level\n");
}

TEST(Lexer, NamesCharactersThatMeanNothing) {
  EXPECT_EQ(messages("a $ b\n"), "1:3 invalid character '$' (U+0024)\n");
  EXPECT_EQ(messages("a = \u201chello\u201d\n"), "1:5 invalid character '\u201c' (U+201C)\n");
  EXPECT_EQ(messages("a\u00a0b\n"), "1:2 invalid character U+00A0, which is not printable\n");
  EXPECT_EQ(messages("a = \xFF\n"), "1:5 invalid character byte 0xff, which is not UTF-8\n");
  EXPECT_EQ(messages(std::string("a = \0\n", 6)),
            "1:5 invalid character U+0000, which is not printable\n");
}

TEST(Lexer, WantsALineEndBehindABackslash) {
  EXPECT_EQ(messages("a = 1 \\ 2\n"),
            "1:8 unexpected character after the line continuation '\\'\n");
  EXPECT_EQ(messages("a = 1 \\"), "1:7 the file ends after the line continuation '\\'\n");
}

TEST(Lexer, ReadsNamesBeyondAscii) {
  EXPECT_EQ(tokens("\u00fcber_\u5909\u6570 = \u03c0\n"),
            "\u00fcber_\u5909\u6570 = \u03c0 NEWLINE EOF");
  EXPECT_EQ(normalize_identifier("\ufb01x"), "fix");
  EXPECT_EQ(normalize_identifier("e\u0301"), "\u00e9");
  EXPECT_FALSE(is_identifier_start(U'\u0301'));
  EXPECT_TRUE(is_identifier_continue(U'\u0301'));
  EXPECT_FALSE(is_identifier_start(U'\u20ac'));
}

TEST(Literal, DecodesNumbers) {
  EXPECT_EQ(decode_number("1_000").int_value, 1000u);
  EXPECT_FALSE(decode_number("1_000").is_hex);
  EXPECT_EQ(decode_number("0xFF").int_value, 255u);
  EXPECT_TRUE(decode_number("0xFF").is_hex);
  EXPECT_EQ(decode_number("0b101").int_value, 5u);
  EXPECT_EQ(decode_number("0o17").int_value, 15u);
  EXPECT_EQ(decode_number("18446744073709551615").int_value, UINT64_MAX);
  EXPECT_FALSE(decode_number("18446744073709551615").is_too_wide);
  EXPECT_TRUE(decode_number("18446744073709551616").is_too_wide);
  EXPECT_EQ(decode_number("0xe5").kind, ConstantKind::Int);
  EXPECT_EQ(decode_number("1e5").kind, ConstantKind::Float);
  EXPECT_EQ(decode_number("1_0.2_5").float_value, 10.25);
  EXPECT_EQ(decode_number("1e999").float_value, HUGE_VAL);
  EXPECT_EQ(decode_number("1e-999").float_value, 0.0);
  EXPECT_EQ(decode_number("0.1").float_value, 0.1);
  EXPECT_EQ(decode_number("1.5j").kind, ConstantKind::Imaginary);
  EXPECT_EQ(decode_number("1.5j").float_value, 1.5);
}

// The value of a literal, or the message.
std::string decode(std::string literal) {
  source::SourceManager sources;
  const source::SourceFile& file = sources.add("k.py", std::move(literal));
  source::Diagnostics diags(sources);
  const StringPrefix prefix = read_string_prefix(file.text);
  const std::size_t begin = prefix.length + prefix.quotes;
  std::string value;
  const std::string_view body =
      std::string_view(file.text).substr(begin, file.text.size() - begin - prefix.quotes);
  StringDecoder decoder(diags, prefix, false);
  const bool worked = decoder.append(value, body, file.base + static_cast<std::uint32_t>(begin));
  return worked ? value : diags.messages().at(0).text;
}

TEST(Literal, DecodesEscapes) {
  EXPECT_EQ(decode(R"('a\n\t\\\'\"\a\b\f\r\v')"), "a\n\t\\'\"\a\b\f\r\v");
  EXPECT_EQ(decode(R"('\x41\101\u00e9\U0001F600')"), "AA\u00e9\U0001F600");
  EXPECT_EQ(decode(R"('\0')"), std::string(1, '\0'));
  EXPECT_EQ(decode(R"('\d\ ')"), R"(\d\ )");
  EXPECT_EQ(decode(R"(r'\n')"), R"(\n)");
  EXPECT_EQ(decode("'a\\\nb'"), "ab");
  EXPECT_EQ(decode("'''a\r\nb\rc'''"), "a\nb\nc");
  EXPECT_EQ(decode(R"(b'\xff\u0041')"), "\xff\\u0041");
  EXPECT_EQ(decode(R"('\ud800')"), "\xED\xA0\x80");
}

TEST(Literal, RefusesBrokenEscapes) {
  EXPECT_EQ(decode(R"('\x4')"), R"('\x' needs 2 hexadecimal digits)");
  EXPECT_EQ(decode(R"('\u12')"), R"('\u' needs 4 hexadecimal digits)");
  EXPECT_EQ(decode(R"('\U00110000')"), R"('\U00110000' is beyond the last Unicode character)");
  EXPECT_EQ(decode(R"('\N{x')"), R"(malformed '\N{...}' character escape)");
  EXPECT_EQ(decode("b'\u00e9'"), R"(bytes can only hold ASCII characters; write '\x..')");
}

}  // namespace
}  // namespace tirxcc::syntax
