// SPDX-License-Identifier: Apache-2.0
//
// Numbers, strings and f-strings in the lexer. Only where they end is decided here; values are
// decoded by literal.h when the parser asks.
#include <algorithm>
#include <array>

#include "syntax/lexer_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kInvalidNumber{"invalid-number", Severity::Error, ErrorClass::Syntax,
                                    "invalid {} literal"};
constexpr Diagnostic kInvalidDigit{"invalid-digit", Severity::Error, ErrorClass::Syntax,
                                   "invalid digit '{}' in {} literal"};
constexpr Diagnostic kLeadingZeros{"leading-zeros", Severity::Error, ErrorClass::Syntax,
                                   "leading zeros in a decimal integer; octal numbers begin with "
                                   "'0o'"};
constexpr Diagnostic kUnterminatedString{"unterminated-string", Severity::Error, ErrorClass::Syntax,
                                         "unterminated string literal"};
constexpr Diagnostic kUnterminatedTriple{"unterminated-triple-string", Severity::Error,
                                         ErrorClass::Syntax,
                                         "unterminated triple-quoted string literal"};
constexpr Diagnostic kUnterminatedFString{"unterminated-f-string", Severity::Error,
                                          ErrorClass::Syntax, "unterminated f-string literal"};
constexpr Diagnostic kExpectingBrace{"f-string-not-closed", Severity::Error, ErrorClass::Syntax,
                                     "f-string: no '}}' closes this '{{'"};
constexpr Diagnostic kSingleBrace{"f-string-single-brace", Severity::Error, ErrorClass::Syntax,
                                  "f-string: single '}}' is not allowed; write '}}}}'"};

bool is_line_end(char c) {
  return (char_class(c) & kLineEnd) != 0;
}

}  // namespace

// Digits with single underscores between them; at least one digit.
bool Lexer::skip_digits(std::uint8_t digit_class) {
  while (true) {
    if ((char_class(peek()) & digit_class) == 0) return false;
    while ((char_class(peek()) & digit_class) != 0)
      ++pos_;
    if (peek() != '_') return true;
    ++pos_;
  }
}

// Takes the rest of the word, so that `12abc` is one mistake.
void Lexer::reject_number(std::size_t start, std::string_view what) {
  const std::size_t suffix = pos_;
  while ((char_class(peek()) & (kNameStart | kDigit)) != 0)
    ++pos_;
  auto report = diags_.report(span(start, pos_), kInvalidNumber, what);
  const std::string_view letters = text_.substr(suffix, pos_ - suffix);
  // 0.5f, 3u, 8ll: C's suffixes.
  if (suffix > start && !letters.empty() &&
      letters.find_first_not_of("fFuUlL") == std::string_view::npos) {
    report.note("numbers have no suffix: '{0}', or 'T.float32({0})' for one of a certain type",
                text_.substr(start, suffix - start));
  }
  push(TokenKind::Error, start);
}

// A number may be followed directly by a keyword (`1if x else 2`), but not by a name.
void Lexer::end_number(std::size_t start, std::string_view what) {
  static constexpr std::array<std::string_view, 8> kMayFollow{"and", "else", "for", "if",
                                                              "in",  "is",   "or",  "not"};
  if ((char_class(peek()) & (kNameStart | kDigit)) != 0) {
    const std::string_view rest = text_.substr(pos_, 4);
    const bool is_fine = std::any_of(kMayFollow.begin(), kMayFollow.end(),
                                     [&](std::string_view word) { return rest.starts_with(word); });
    if (!is_fine) return reject_number(start, what);
  }
  push(TokenKind::Number, start);
}

// 0x, 0o and 0b numbers. False if there is none at `start`.
bool Lexer::lex_radix_number(std::size_t start) {
  const char letter = static_cast<char>(peek(1) | 0x20);
  if (peek() != '0' || (letter != 'x' && letter != 'o' && letter != 'b')) return false;
  const std::string_view what = letter == 'x' ? "hexadecimal" : letter == 'o' ? "octal" : "binary";
  pos_ += 2;
  if (peek() == '_') ++pos_;
  const std::size_t digits = pos_;
  if (!skip_digits(letter == 'x' ? kHexDigit : kDigit)) {
    reject_number(start, what);
    return true;
  }
  const char highest = letter == 'b' ? '1' : '7';
  for (std::size_t i = digits; letter != 'x' && i < pos_; ++i) {
    if (text_[i] == '_' || text_[i] <= highest) continue;
    diags_.report(span(i, i + 1), kInvalidDigit, text_[i], what);
    push(TokenKind::Error, start);
    return true;
  }
  end_number(start, what);
  return true;
}

void Lexer::lex_number() {
  const std::size_t start = pos_;
  if (lex_radix_number(start)) return;
  std::string_view what = "decimal";
  bool is_integer = true;
  if (peek() != '.' && !skip_digits(kDigit)) return reject_number(start, what);
  const std::size_t digits_end = pos_;
  if (peek() == '.') {
    ++pos_;
    is_integer = false;
    if ((char_class(peek()) & kDigit) != 0 && !skip_digits(kDigit)) {
      return reject_number(start, what);
    }
  }
  if ((peek() | 0x20) == 'e') {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((char_class(peek(1 + sign)) & kDigit) != 0) {
      pos_ += 1 + sign;
      is_integer = false;
      if (!skip_digits(kDigit)) return reject_number(start, what);
    } else if (sign != 0) {
      return reject_number(start, what);
    }
  }
  if ((peek() | 0x20) == 'j') {
    ++pos_;
    is_integer = false;
    what = "imaginary";
  }
  const std::string_view digits = text_.substr(start, digits_end - start);
  if (is_integer && digits[0] == '0' && digits.find_first_not_of("0_") != std::string_view::npos) {
    diags_.report(span(start, pos_), kLeadingZeros);
    push(TokenKind::Error, start);
    return;
  }
  end_number(start, what);
}

// The offset of the closing quote, or of where the search ended without one: the line end, or the
// end of the text.
std::size_t Lexer::find_string_end(std::size_t begin, char quote, bool is_triple) const {
  std::size_t end = begin;
  while (end < text_.size()) {
    const char c = text_[end];
    if (c == '\\') {
      end += text_.substr(end + 1, 2) == "\r\n" ? 3 : 2;
    } else if (c == quote && (!is_triple || text_.substr(end, 3) == std::string(3, quote))) {
      return end;
    } else if (!is_triple && is_line_end(c)) {
      return end;
    } else {
      ++end;
    }
  }
  return text_.size();
}

// `start` is the prefix, pos_ the opening quote.
void Lexer::lex_string(std::size_t start) {
  const std::size_t quotes = pos_;
  const char quote = text_[pos_];
  const bool is_triple = peek(1) == quote && peek(2) == quote;
  const std::string_view prefix = text_.substr(start, quotes - start);
  pos_ += is_triple ? 3 : 1;
  if (prefix.find_first_of("fF") != std::string_view::npos) {
    contexts_.push_back({.kind = ContextKind::Text,
                         .quote = quote,
                         .is_triple = is_triple,
                         .is_raw = prefix.find_first_of("rR") != std::string_view::npos,
                         .token = tokens_.size()});
    push(TokenKind::FStringStart, start);
    return;
  }
  pos_ = find_string_end(pos_, quote, is_triple);
  if (pos_ == text_.size() || text_[pos_] != quote) return reject_string(start, quotes, is_triple);
  pos_ += is_triple ? 3 : 1;
  push(TokenKind::String, start);
}

// Points at the opening quotes: the end may be many lines away.
void Lexer::reject_string(std::size_t start, std::size_t quotes, bool is_triple) {
  const bool is_in_field = !contexts_.empty() && !is_triple;
  if (is_in_field && innermost_fstring().quote == text_[quotes]) {
    // The quote was meant to end the f-string: f"{x".
    const source::Span brace = tokens_[brackets_.back().token].span;
    diags_.report(brace, kExpectingBrace);
    while (contexts_.back().kind != ContextKind::Text)
      contexts_.pop_back();
    const std::size_t first = contexts_.back().token;
    contexts_.pop_back();
    while (!brackets_.empty() && brackets_.back().token >= first)
      brackets_.pop_back();
    pos_ = quotes + 1;
    push(TokenKind::Error, start);
    return;
  }
  const std::size_t quotes_end = quotes + (is_triple ? 3 : 1);
  diags_.report(span(start, quotes_end), is_triple ? kUnterminatedTriple : kUnterminatedString);
  push(TokenKind::Error, start);
}

const Lexer::Context& Lexer::innermost_fstring() const {
  return *std::find_if(contexts_.rbegin(), contexts_.rend(),
                       [](const Context& context) { return context.kind == ContextKind::Text; });
}

bool Lexer::is_at_quotes(const Context& string) const {
  return peek() == string.quote &&
         (!string.is_triple || (peek(1) == string.quote && peek(2) == string.quote));
}

// A backslash and what belongs to it. `\N{name}` has braces that are no field.
void Lexer::skip_fstring_escape(const Context& string) {
  ++pos_;
  if (pos_ == text_.size() || peek() == '{' || peek() == '}') return;
  if (!string.is_raw && peek() == 'N' && peek(1) == '{') {
    const std::size_t end = text_.find_first_of("}\"'\r\n", pos_);
    if (end < text_.size() && text_[end] == '}') {
      pos_ = end + 1;
      return;
    }
  }
  if (is_line_end(peek())) {
    skip_line_end();
  } else {
    ++pos_;
  }
}

// Moves to the next brace, quotes or line end that is not part of the text.
void Lexer::skip_fstring_text(const Context& string, bool is_format_spec) {
  while (pos_ < text_.size() && !is_at_quotes(string)) {
    const char c = peek();
    if (c == '\\') {
      skip_fstring_escape(string);
    } else if (c == '{' || c == '}') {
      if (is_format_spec || peek(1) != c) return;
      pos_ += 2;
    } else if (!string.is_triple && is_line_end(c)) {
      return;
    } else {
      ++pos_;
    }
  }
  pos_ = std::min(pos_, text_.size());
}

// Between the quotes of an f-string, or in a format specification: takes text up to the next thing,
// and that thing.
void Lexer::lex_fstring_text() {
  const Context string = innermost_fstring();
  const bool is_format_spec = contexts_.back().kind == ContextKind::FormatSpec;
  const std::size_t start = pos_;
  skip_fstring_text(string, is_format_spec);
  if (pos_ > start) push(TokenKind::FStringMiddle, start);
  if (pos_ == text_.size()) return;

  if (is_at_quotes(string)) return end_fstring(string);
  if (is_line_end(peek())) return abandon_fstring();
  ++pos_;
  if (text_[pos_ - 1] == '{') {
    open_bracket(TokenKind::LeftBrace);
    contexts_.push_back({.kind = ContextKind::Field, .depth = brackets_.size()});
  } else if (is_format_spec) {
    // The field around it takes the brace.
    --pos_;
    contexts_.pop_back();
  } else {
    diags_.report(span(pos_ - 1, pos_), kSingleBrace);
    push(TokenKind::Error, pos_ - 1);
  }
}

void Lexer::end_fstring(const Context& string) {
  const std::size_t start = pos_;
  TokenKind kind = TokenKind::FStringEnd;
  if (contexts_.back().kind == ContextKind::FormatSpec) {
    diags_.report(tokens_[brackets_.back().token].span, kExpectingBrace);
    kind = TokenKind::Error;
    while (contexts_.back().kind != ContextKind::Text)
      contexts_.pop_back();
    while (!brackets_.empty() && brackets_.back().token >= string.token)
      brackets_.pop_back();
  }
  pos_ += string.is_triple ? 3 : 1;
  contexts_.pop_back();
  push(kind, start);
}

// The innermost f-string has no end. What belongs to the outermost one is dropped.
void Lexer::abandon_fstring() {
  diags_.report(tokens_[innermost_fstring().token].span, kUnterminatedFString);
  const Context outer = contexts_.front();
  if (outer.is_triple) {
    const std::size_t end = text_.find(std::string(3, outer.quote), pos_);
    pos_ = end == std::string_view::npos ? text_.size() : end + 3;
  }
  contexts_.clear();
  while (!brackets_.empty() && brackets_.back().token >= outer.token)
    brackets_.pop_back();
  tokens_.resize(outer.token);
  push(TokenKind::Error, pos_);
}

}  // namespace tirxcc::syntax
