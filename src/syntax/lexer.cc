// SPDX-License-Identifier: Apache-2.0
//
// The lexer's main loop, lines and indentation, brackets and punctuation. See lexer.h for what is
// special, and lex_literals.cc for numbers and strings.
#include "syntax/lexer.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "syntax/identifier.h"
#include "syntax/lexer_impl.h"
#include "syntax/lookalikes.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnindentMismatch{"unindent-mismatch", Severity::Error, ErrorClass::Syntax,
                                       "unindent does not match any outer indentation level"};
constexpr Diagnostic kInconsistentTabs{
    "inconsistent-tabs", Severity::Error, ErrorClass::Syntax,
    "inconsistent use of tabs and spaces in indentation; use spaces "
    "alone"};
constexpr Diagnostic kTooManyBlocks{"blocks-too-deep", Severity::Error, ErrorClass::Syntax,
                                    "blocks are nested more than {} deep"};
constexpr Diagnostic kInvalidCharacter{"invalid-character", Severity::Error, ErrorClass::Syntax,
                                       "invalid character {}"};
constexpr Diagnostic kBadContinuation{"bad-line-continuation", Severity::Error, ErrorClass::Syntax,
                                      "unexpected character after the line continuation '\\'"};
constexpr Diagnostic kContinuationAtEnd{"continuation-at-end", Severity::Error, ErrorClass::Syntax,
                                        "the file ends after the line continuation '\\'"};
constexpr Diagnostic kNeverClosed{"bracket-not-closed", Severity::Error, ErrorClass::Syntax,
                                  "'{}' was never closed"};
constexpr Diagnostic kUnmatchedBracket{"unmatched-bracket", Severity::Error, ErrorClass::Syntax,
                                       "unmatched '{}'"};
constexpr Diagnostic kBracketMismatch{"bracket-mismatch", Severity::Error, ErrorClass::Syntax,
                                      "'{}' does not match the opening '{}'"};

constexpr std::uint32_t kTabSize = 8;
constexpr std::size_t kMaxIndentation = 5000;

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_lower = c >= 'a' && c <= 'z';
    const bool is_upper = c >= 'A' && c <= 'Z';
    std::uint8_t bits = 0;
    if (is_lower || is_upper || c == '_' || c >= 0x80) bits |= kNameStart;
    if (c >= '0' && c <= '9') bits |= kDigit | kHexDigit;
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) bits |= kHexDigit;
    if (c == ' ' || c == '\t' || c == '\f') bits |= kBlank;
    if (c == '\n' || c == '\r') bits |= kLineEnd;
    if (c == '"' || c == '\'') bits |= kQuote;
    if (std::string_view("()[]{},:;~+-*/%@<>=!&|^").find(static_cast<char>(c)) !=
        std::string_view::npos)
      bits |= kPunctuation;
    classes[c] = bits;
  }
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is_in(char c, unsigned mask) {
  return (kClasses[static_cast<unsigned char>(c)] & mask) != 0;
}

// r, b, u, f and their combinations, in any case and order.
bool is_string_prefix(std::string_view text) {
  if (text.size() > 2) return false;
  const auto lower = [&](std::size_t i) { return static_cast<char>(text[i] | 0x20); };
  const char first = lower(0);
  if (text.size() == 1) return first == 'r' || first == 'b' || first == 'u' || first == 'f';
  const char second = lower(1);
  if (first == 'r') return second == 'b' || second == 'f';
  return second == 'r' && (first == 'b' || first == 'f');
}

// The keyword stands only at the start of a statement, never inside brackets.
bool starts_only_statements(TokenKind kind) {
  static constexpr std::array kKinds{
      TokenKind::KwDef,      TokenKind::KwClass,    TokenKind::KwReturn, TokenKind::KwWhile,
      TokenKind::KwWith,     TokenKind::KwImport,   TokenKind::KwTry,    TokenKind::KwExcept,
      TokenKind::KwFinally,  TokenKind::KwRaise,    TokenKind::KwDel,    TokenKind::KwAssert,
      TokenKind::KwGlobal,   TokenKind::KwNonlocal, TokenKind::KwPass,   TokenKind::KwBreak,
      TokenKind::KwContinue, TokenKind::KwElif};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

char closing_of(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

}  // namespace

std::uint8_t char_class(char c) {
  return kClasses[static_cast<unsigned char>(c)];
}

Lexer::Lexer(const source::SourceFile& file, source::Diagnostics& diags, LexMode mode)
    : file_(file), diags_(diags), mode_(mode), text_(file.text) {
  tokens_.reserve(text_.size() / 2 + 16);
  indents_.reserve(16);
  brackets_.reserve(16);
  indents_.push_back({});
}

std::vector<Token> Lexer::run() {
  if (mode_ == LexMode::Indented) {
    // Blank lines and comments before the first line of code say nothing about its indentation.
    while (pos_ < text_.size()) {
      const std::size_t line_start = pos_;
      const Indentation indentation = measure_indentation();
      if (!is_in(peek(), kLineEnd) && peek() != '#') {
        indents_.back() = indentation;
        pos_ = line_start;
        break;
      }
      while (pos_ < text_.size() && !is_in(peek(), kLineEnd))
        ++pos_;
      if (pos_ < text_.size()) skip_line_end();
    }
  }
  if (mode_ != LexMode::Expression) begin_line();
  while (true) {
    while (pos_ < text_.size()) {
      if (!contexts_.empty() && contexts_.back().kind != ContextKind::Field) {
        lex_fstring_text();
      } else {
        lex_token();
      }
    }
    if (!contexts_.empty() && contexts_.back().kind != ContextKind::Field) {
      abandon_fstring();
    } else if (!brackets_.empty()) {
      recover_from_open_bracket();
    } else {
      break;
    }
  }
  finish();
  return std::move(tokens_);
}

// Column of the first character that is not blank. A line that begins with blanks and a backslash
// has the indentation of these blanks, whatever the next line has.
Lexer::Indentation Lexer::measure_indentation() {
  Indentation now;
  Indentation continued;
  bool is_continued = false;
  while (true) {
    const char c = peek();
    if (c == ' ') {
      ++now.column;
      ++now.alternative;
    } else if (c == '\t') {
      now.column = (now.column / kTabSize + 1) * kTabSize;
      ++now.alternative;
    } else if (c == '\f') {
      now = {};
    } else if (c == '\\' && is_in(peek(1), kLineEnd)) {
      if (!is_continued) continued = now;
      is_continued = true;
      now = {};
      ++pos_;
      skip_line_end();
      continue;
    } else {
      return is_continued ? continued : now;
    }
    ++pos_;
  }
}

// At the start of a physical line outside brackets: skips blank and comment lines, then compares
// the indentation of the first line of code with that of the lines before.
void Lexer::begin_line() {
  while (pos_ < text_.size()) {
    const std::size_t line_start = pos_;
    const Indentation indentation = measure_indentation();
    if (peek() == '#') {
      while (pos_ < text_.size() && !is_in(text_[pos_], kLineEnd))
        ++pos_;
    }
    if (pos_ == text_.size()) return;
    if (!is_in(text_[pos_], kLineEnd)) {
      change_indentation(indentation, line_start);
      return;
    }
    skip_line_end();
  }
}

// The last line of code ended in ':'.
bool Lexer::is_block_expected() const {
  std::size_t last = tokens_.size();
  while (last > 0 && tokens_[last - 1].kind == TokenKind::Newline)
    --last;
  return last > 0 && tokens_[last - 1].kind == TokenKind::Colon;
}

void Lexer::change_indentation(Indentation indentation, std::size_t line_start) {
  const Indentation outer = indents_.back();
  const bool is_same = indentation.column == outer.column;
  const bool is_deeper = indentation.column > outer.column;
  if (is_same && indentation.alternative == outer.alternative) return;
  const source::Span blanks = span(line_start, pos_);

  if (is_deeper) {
    if (indentation.alternative <= outer.alternative) {
      diags_.report(blanks, kInconsistentTabs);
      // Said once is enough: the parser sees no indent where none can be.
      if (!is_block_expected()) return;
    }
    if (indents_.size() > kMaxIndentation) {
      diags_.report(blanks, kTooManyBlocks, kMaxIndentation);
      pos_ = text_.size();
      return;
    }
    indents_.push_back(indentation);
    tokens_.push_back({TokenKind::Indent, blanks});
    return;
  }
  while (indents_.size() > 1 && indentation.column < indents_.back().column) {
    indents_.pop_back();
    tokens_.push_back({TokenKind::Dedent, span(pos_, pos_)});
  }
  if (indentation.column != indents_.back().column) {
    diags_.report(blanks, kUnindentMismatch);
  } else if (indentation.alternative != indents_.back().alternative) {
    diags_.report(blanks, kInconsistentTabs);
  }
}

// At a line end. Inside brackets it is a blank, unless the next line can only be a statement.
void Lexer::end_line() {
  const std::size_t start = pos_;
  skip_line_end();
  if (mode_ == LexMode::Expression) return;
  if (!brackets_.empty()) {
    if (is_statement_ahead()) recover_from_open_bracket();
    return;
  }
  push(TokenKind::Newline, start);
  begin_line();
}

// Blanks, and the token behind them if there is one.
void Lexer::lex_token() {
  while (is_in(peek(), kBlank))
    ++pos_;
  if (pos_ == text_.size()) return;
  const char c = text_[pos_];
  const std::uint8_t bits = char_class(c);
  if ((bits & kNameStart) != 0) {
    lex_name();
  } else if ((bits & kPunctuation) != 0) {
    lex_punctuation();
  } else if ((bits & kDigit) != 0 || (c == '.' && is_in(peek(1), kDigit))) {
    lex_number();
  } else if ((bits & kLineEnd) != 0) {
    end_line();
  } else if ((bits & kQuote) != 0) {
    lex_string(pos_);
  } else if (c == '#') {
    while (pos_ < text_.size() && !is_in(text_[pos_], kLineEnd))
      ++pos_;
  } else if (c == '\\') {
    continue_line();
  } else {
    lex_punctuation();
  }
}

void Lexer::lex_name() {
  const std::size_t start = pos_;
  const char* const data = text_.data() + start;
  const char* end = data;
  unsigned seen = 0;
  // The NUL at the end of the text ends a name, too.
  for (; is_in(*end, kNameStart | kDigit); ++end)
    seen |= static_cast<unsigned char>(*end);
  const std::string_view word(data, static_cast<std::size_t>(end - data));
  pos_ = start + word.size();
  if (seen >= 0x80) return lex_unicode_name(start);
  if (word.size() <= 2 && is_in(*end, kQuote) && is_string_prefix(word)) {
    return lex_string(start);
  }
  push(keyword_or_name(word), start);
}

// A stretch with bytes beyond ASCII: most often one name.
void Lexer::lex_unicode_name(std::size_t start) {
  const std::size_t end = pos_;
  pos_ = start;
  while (pos_ < end) {
    const CodePoint point = decode_utf8(text_, pos_);
    const bool fits =
        pos_ == start ? is_identifier_start(point.value) : is_identifier_continue(point.value);
    if (!point.is_valid || !fits) break;
    pos_ += point.length;
  }
  if (pos_ == start) return reject_character();
  push(TokenKind::Name, start);
}

// What cannot start a token is reported, once a line.
void Lexer::reject_character() {
  const std::size_t start = pos_;
  const CodePoint point = decode_utf8(text_, pos_);
  pos_ += point.length;
  push(TokenKind::Error, start);
  if (start < rejected_until_) return;
  rejected_until_ = std::min(text_.find_first_of("\r\n", start), text_.size());

  const auto value = static_cast<std::uint32_t>(point.value);
  std::string name = fmt::format("'{}' (U+{:04X})", text_.substr(start, point.length), value);
  if (!point.is_valid) {
    name =
        fmt::format("byte 0x{:02x}, which is not UTF-8", static_cast<unsigned char>(text_[start]));
  } else if (value < 0x20 || (value >= 0x7F && value <= 0xA0) || value == 0xFEFF ||
             (value >= 0x2000 && value <= 0x200F) || (value >= 0x2028 && value <= 0x202F)) {
    name = fmt::format("U+{:04X}, which is not printable", value);
  }
  auto message = diags_.report(span(start, pos_), kInvalidCharacter, name);
  if (value >= 0x2018 && value <= 0x201F) message.note("strings are quoted with ' or \"");
  if (const std::string_view twin = ascii_twin(value); !twin.empty()) {
    message.note("it only looks like '{0}'; write '{0}' of the keyboard", twin);
  }
  if (value == '?') message.note("a choice is written 'b if a else c'");
}

void Lexer::continue_line() {
  const std::size_t start = pos_;
  ++pos_;
  if (pos_ == text_.size()) {
    push(TokenKind::Error, start);
    diags_.report(span(start, pos_), kContinuationAtEnd);
    return;
  }
  if (is_in(peek(), kLineEnd)) {
    skip_line_end();
    return;
  }
  push(TokenKind::Error, start);
  diags_.report(span(pos_, pos_ + decode_utf8(text_, pos_).length), kBadContinuation);
}

// Longest match. `second` and `third` are looked at only where they can continue `first`.
void Lexer::lex_punctuation() {
  const std::size_t start = pos_;
  const char first = text_[pos_++];
  const auto take = [&](char wanted) {
    if (peek() != wanted) return false;
    ++pos_;
    return true;
  };
  const auto one = [&](TokenKind kind) { push(kind, start); };
  const auto with_equal = [&](TokenKind plain, TokenKind equal) {
    push(take('=') ? equal : plain, start);
  };
  switch (first) {
    case '(': return open_bracket(TokenKind::LeftParen);
    case '[': return open_bracket(TokenKind::LeftBracket);
    case '{': return open_bracket(TokenKind::LeftBrace);
    case ')': return close_bracket(TokenKind::RightParen);
    case ']': return close_bracket(TokenKind::RightBracket);
    case '}': return close_bracket(TokenKind::RightBrace);
    case ',': return one(TokenKind::Comma);
    case ';': return one(TokenKind::Semicolon);
    case '~': return one(TokenKind::Tilde);
    case ':':
      if (!contexts_.empty() && contexts_.back().depth == brackets_.size()) {
        contexts_.push_back({.kind = ContextKind::FormatSpec});
        return one(TokenKind::Colon);
      }
      return with_equal(TokenKind::Colon, TokenKind::ColonEqual);
    case '.':
      if (peek() == '.' && peek(1) == '.') {
        pos_ += 2;
        return one(TokenKind::Ellipsis);
      }
      return one(TokenKind::Dot);
    case '+': return with_equal(TokenKind::Plus, TokenKind::PlusEqual);
    case '-':
      if (take('>')) return one(TokenKind::Arrow);
      return with_equal(TokenKind::Minus, TokenKind::MinusEqual);
    case '*':
      if (take('*')) return with_equal(TokenKind::StarStar, TokenKind::StarStarEqual);
      return with_equal(TokenKind::Star, TokenKind::StarEqual);
    case '/':
      if (take('/')) return with_equal(TokenKind::SlashSlash, TokenKind::SlashSlashEqual);
      return with_equal(TokenKind::Slash, TokenKind::SlashEqual);
    case '%': return with_equal(TokenKind::Percent, TokenKind::PercentEqual);
    case '@': return with_equal(TokenKind::At, TokenKind::AtEqual);
    case '&': return with_equal(TokenKind::Ampersand, TokenKind::AmpersandEqual);
    case '|': return with_equal(TokenKind::Bar, TokenKind::BarEqual);
    case '^': return with_equal(TokenKind::Caret, TokenKind::CaretEqual);
    case '=': return with_equal(TokenKind::Equal, TokenKind::EqualEqual);
    case '!': return with_equal(TokenKind::Exclamation, TokenKind::NotEqual);
    case '<':
      if (take('<')) return with_equal(TokenKind::LeftShift, TokenKind::LeftShiftEqual);
      return with_equal(TokenKind::Less, TokenKind::LessEqual);
    case '>':
      if (take('>')) return with_equal(TokenKind::RightShift, TokenKind::RightShiftEqual);
      return with_equal(TokenKind::Greater, TokenKind::GreaterEqual);
    default: pos_ = start; return reject_character();
  }
}

void Lexer::open_bracket(TokenKind kind) {
  brackets_.push_back({.open = text_[pos_ - 1], .token = tokens_.size()});
  push(kind, pos_ - 1);
}

void Lexer::close_bracket(TokenKind kind) {
  const char close = text_[pos_ - 1];
  const source::Span here = span(pos_ - 1, pos_);
  if (brackets_.empty()) {
    push(TokenKind::Error, pos_ - 1);
    diags_.report(here, kUnmatchedBracket, close);
    return;
  }
  const Bracket bracket = brackets_.back();
  if (closing_of(bracket.open) != close) {
    diags_.report(here, kBracketMismatch, close, bracket.open)
        .label(tokens_[bracket.token].span, "opened here");
    kind = TokenKind::Error;
  }
  // Only its own brace ends a field; a wrong bracket in its place ends it too, having been
  // reported.
  if (!contexts_.empty() && contexts_.back().depth == brackets_.size()) contexts_.pop_back();
  brackets_.pop_back();
  push(kind, pos_ - 1);
}

// At the start of a line inside brackets.
bool Lexer::is_statement_ahead() const {
  std::size_t start = pos_;
  while (start < text_.size() && is_in(text_[start], kBlank))
    ++start;
  std::size_t end = start;
  while (end < text_.size() && is_in(text_[end], kNameStart))
    ++end;
  if (end < text_.size() && (is_in(text_[end], kDigit | kQuote) || text_[end] == '=')) return false;
  return end > start && starts_only_statements(keyword_or_name(text_.substr(start, end - start)));
}

// The first token after `token` that starts a line indented no further than the current block; the
// offset of that line, or the current position if there is none.
std::size_t Lexer::find_resumption(std::size_t token) const {
  for (std::size_t i = token + 1; i < tokens_.size(); ++i) {
    const std::size_t begin = tokens_[i].span.begin - file_.base;
    std::size_t line_start = begin;
    while (line_start > 0 && is_in(text_[line_start - 1], kBlank))
      --line_start;
    if (line_start > 0 && !is_in(text_[line_start - 1], kLineEnd)) continue;
    if (begin - line_start <= indents_.back().alternative) return line_start;
  }
  return pos_;
}

void Lexer::recover_from_open_bracket() {
  const Bracket outer = brackets_.front();
  const std::size_t resumption = find_resumption(outer.token);
  // Of the brackets that are open there, the innermost: those behind it are read again.
  const auto inner = std::find_if(brackets_.rbegin(), brackets_.rend(), [&](const Bracket& b) {
    return tokens_[b.token].span.begin - file_.base < resumption;
  });
  diags_.report(tokens_[inner->token].span, kNeverClosed, inner->open);
  pos_ = diags_.is_full() ? text_.size() : resumption;
  tokens_.resize(outer.token + 1);
  brackets_.clear();
  contexts_.clear();
  push(TokenKind::Error, pos_);
  if (mode_ == LexMode::Expression) {
    pos_ = text_.size();
    return;
  }
  push(TokenKind::Newline, pos_);
  begin_line();
}

void Lexer::finish() {
  const bool is_line_open = !tokens_.empty() && tokens_.back().kind != TokenKind::Newline &&
                            tokens_.back().kind != TokenKind::Dedent;
  if (is_line_open) push(TokenKind::Newline, pos_);
  for (; indents_.size() > 1; indents_.pop_back())
    push(TokenKind::Dedent, pos_);
  push(TokenKind::EndOfFile, pos_);
}

std::vector<Token> lex(const source::SourceFile& file, source::Diagnostics& diags, LexMode mode) {
  return Lexer(file, diags, mode).run();
}

}  // namespace tirxcc::syntax
