// SPDX-License-Identifier: Apache-2.0
//
// The words of Python: what the lexer makes and the parser eats. A token is a kind and a span; its
// text is read from the source when it matters.
#pragma once

#include <cstdint>
#include <string_view>

#include "source/source.h"

namespace tirxcc::syntax {

// clang-format off
#define TIRXCC_SYNTAX_KEYWORDS(X)                                                             \
  X(False, "False") X(None, "None") X(True, "True") X(And, "and") X(As, "as")                 \
  X(Assert, "assert") X(Async, "async") X(Await, "await") X(Break, "break")                   \
  X(Class, "class") X(Continue, "continue") X(Def, "def") X(Del, "del") X(Elif, "elif")       \
  X(Else, "else") X(Except, "except") X(Finally, "finally") X(For, "for") X(From, "from")     \
  X(Global, "global") X(If, "if") X(Import, "import") X(In, "in") X(Is, "is")                 \
  X(Lambda, "lambda") X(Nonlocal, "nonlocal") X(Not, "not") X(Or, "or") X(Pass, "pass")       \
  X(Raise, "raise") X(Return, "return") X(Try, "try") X(While, "while") X(With, "with")       \
  X(Yield, "yield")
#define TIRXCC_SYNTAX_PUNCTUATION(X)                                                          \
  X(LeftParen, "(") X(RightParen, ")") X(LeftBracket, "[") X(RightBracket, "]")               \
  X(LeftBrace, "{") X(RightBrace, "}") X(Comma, ",") X(Colon, ":") X(Semicolon, ";")          \
  X(Dot, ".") X(Ellipsis, "...") X(Arrow, "->") X(ColonEqual, ":=") X(Exclamation, "!")       \
  X(Plus, "+") X(Minus, "-") X(Star, "*") X(StarStar, "**") X(Slash, "/")                     \
  X(SlashSlash, "//") X(Percent, "%") X(At, "@") X(LeftShift, "<<") X(RightShift, ">>")       \
  X(Ampersand, "&") X(Bar, "|") X(Caret, "^") X(Tilde, "~") X(Less, "<") X(Greater, ">")      \
  X(LessEqual, "<=") X(GreaterEqual, ">=") X(EqualEqual, "==") X(NotEqual, "!=")              \
  X(Equal, "=") X(PlusEqual, "+=") X(MinusEqual, "-=") X(StarEqual, "*=")                     \
  X(StarStarEqual, "**=") X(SlashEqual, "/=") X(SlashSlashEqual, "//=")                       \
  X(PercentEqual, "%=") X(AtEqual, "@=") X(LeftShiftEqual, "<<=") X(RightShiftEqual, ">>=")   \
  X(AmpersandEqual, "&=") X(BarEqual, "|=") X(CaretEqual, "^=")
// clang-format on

enum class TokenKind : std::uint8_t {
  EndOfFile,
  // End of a logical line.
  Newline,
  Indent,
  Dedent,
  Name,
  Number,
  // A string or bytes literal without replacement fields, prefix and quotes included.
  String,
  // f"a{b}c": FStringStart `f"`, FStringMiddle `a`, LeftBrace, ..., RightBrace, FStringMiddle `c`,
  // FStringEnd `"`. A middle is there only if it is not empty.
  FStringStart,
  FStringMiddle,
  FStringEnd,
  // Something that the lexer has already reported.
  Error,
#define TIRXCC_SYNTAX_KEYWORD(name, text) Kw##name,
  TIRXCC_SYNTAX_KEYWORDS(TIRXCC_SYNTAX_KEYWORD)
#undef TIRXCC_SYNTAX_KEYWORD
#define TIRXCC_SYNTAX_PUNCTUATOR(name, text) name,
      TIRXCC_SYNTAX_PUNCTUATION(TIRXCC_SYNTAX_PUNCTUATOR)
#undef TIRXCC_SYNTAX_PUNCTUATOR
};
inline constexpr int kTokenKindCount = static_cast<int>(TokenKind::CaretEqual) + 1;

struct Token {
  TokenKind kind;
  source::Span span;
};

// Keywords and punctuation as written; other kinds in words ("end of line").
std::string_view token_kind_text(TokenKind kind);

// The keyword with this text, or TokenKind::Name.
TokenKind keyword_or_name(std::string_view text);

inline bool is_keyword(TokenKind kind) {
  return kind >= TokenKind::KwFalse && kind <= TokenKind::KwYield;
}

}  // namespace tirxcc::syntax
