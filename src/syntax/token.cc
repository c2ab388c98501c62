// SPDX-License-Identifier: Apache-2.0
//
// Texts of token kinds, and the keyword table: a hash without collisions, checked at compile time.
#include "syntax/token.h"

#include <array>
#include <cstddef>

namespace tirxcc::syntax {
namespace {

struct Keyword {
  std::string_view text;
  TokenKind kind = TokenKind::Name;
};

constexpr std::array kKeywords{
#define TIRXCC_SYNTAX_KEYWORD(name, text) Keyword{text, TokenKind::Kw##name},
    TIRXCC_SYNTAX_KEYWORDS(TIRXCC_SYNTAX_KEYWORD)
#undef TIRXCC_SYNTAX_KEYWORD
};
constexpr std::size_t kShortestKeyword = 2;
constexpr std::size_t kLongestKeyword = 8;

constexpr std::size_t kSlots = 256;

constexpr std::size_t slot_of(std::string_view text, unsigned factor) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned mix = at(0) * factor + at(1) * 31u + at(text.size() - 1) * 7u;
  return (mix + static_cast<unsigned>(text.size())) % kSlots;
}

constexpr bool is_without_collisions(unsigned factor) {
  std::array<bool, kSlots> used{};
  for (const Keyword& keyword : kKeywords) {
    const std::size_t slot = slot_of(keyword.text, factor);
    if (used[slot]) return false;
    used[slot] = true;
  }
  return true;
}

constexpr unsigned find_factor() {
  unsigned factor = 1;
  while (!is_without_collisions(factor))
    ++factor;
  return factor;
}

constexpr unsigned kFactor = find_factor();

constexpr std::array<Keyword, kSlots> make_table() {
  std::array<Keyword, kSlots> table{};
  for (const Keyword& keyword : kKeywords)
    table[slot_of(keyword.text, kFactor)] = keyword;
  return table;
}

constexpr std::array<Keyword, kSlots> kTable = make_table();

}  // namespace

TokenKind keyword_or_name(std::string_view text) {
  if (text.size() < kShortestKeyword || text.size() > kLongestKeyword) return TokenKind::Name;
  const Keyword& keyword = kTable[slot_of(text, kFactor)];
  return keyword.text == text ? keyword.kind : TokenKind::Name;
}

std::string_view token_kind_text(TokenKind kind) {
  switch (kind) {
    case TokenKind::EndOfFile: return "end of file";
    case TokenKind::Newline: return "end of line";
    case TokenKind::Indent: return "indent";
    case TokenKind::Dedent: return "unindent";
    case TokenKind::Name: return "name";
    case TokenKind::Number: return "number";
    case TokenKind::String: return "string";
    case TokenKind::FStringStart: return "f-string";
    case TokenKind::FStringMiddle: return "text of an f-string";
    case TokenKind::FStringEnd: return "end of the f-string";
    case TokenKind::Error: return "error";
#define TIRXCC_SYNTAX_KEYWORD(name, text) \
  case TokenKind::Kw##name: return text;
      TIRXCC_SYNTAX_KEYWORDS(TIRXCC_SYNTAX_KEYWORD)
#undef TIRXCC_SYNTAX_KEYWORD
#define TIRXCC_SYNTAX_PUNCTUATOR(name, text) \
  case TokenKind::name: return text;
      TIRXCC_SYNTAX_PUNCTUATION(TIRXCC_SYNTAX_PUNCTUATOR)
#undef TIRXCC_SYNTAX_PUNCTUATOR
  }
  __builtin_unreachable();
}

}  // namespace tirxcc::syntax
