// SPDX-License-Identifier: Apache-2.0
//
// The Lexer class, shared by lexer.cc (lines, indentation, brackets, punctuation) and
// lex_literals.cc (numbers, strings, f-strings). Private to the lexer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "source/diagnostics.h"
#include "source/source.h"
#include "syntax/lexer.h"
#include "syntax/token.h"

namespace tirxcc::syntax {

// One bit a property, so that one look-up answers several questions.
enum CharClass : std::uint8_t {
  kNameStart = 1,  // letters, '_', and every byte of a non-ASCII character
  kDigit = 2,
  kHexDigit = 4,
  kBlank = 8,  // space, tab, form feed
  kLineEnd = 16,
  kQuote = 32,
  kPunctuation =
      64,  // begins or is an operator, bracket or separator; not '.', which may be a number
};
std::uint8_t char_class(char c);

class Lexer {
 public:
  Lexer(const source::SourceFile& file, source::Diagnostics& diags, LexMode mode);

  std::vector<Token> run();

 private:
  // Column with tabs to multiples of eight, and with tabs as one: two lines are indented alike only
  // if both agree.
  struct Indentation {
    std::uint32_t column = 0;
    std::uint32_t alternative = 0;
  };
  struct Bracket {
    char open = 0;
    std::size_t token = 0;
  };
  enum class ContextKind : std::uint8_t {
    Text,        // between the quotes of an f-string
    Field,       // between { and } of one
    FormatSpec,  // between : and } of a field
  };
  struct Context {
    ContextKind kind = ContextKind::Text;
    char quote = 0;
    bool is_triple = false;
    bool is_raw = false;
    // Field: number of open brackets with its own brace.
    std::size_t depth = 0;
    // Text: index of the FStringStart.
    std::size_t token = 0;
  };

  // lexer.cc
  void begin_line();
  Indentation measure_indentation();
  void change_indentation(Indentation indentation, std::size_t line_start);
  bool is_block_expected() const;
  void end_line();
  void lex_token();
  void lex_name();
  void lex_unicode_name(std::size_t start);
  void lex_punctuation();
  void open_bracket(TokenKind kind);
  void close_bracket(TokenKind kind);
  void continue_line();
  void reject_character();
  bool is_statement_ahead() const;
  void recover_from_open_bracket();
  std::size_t find_resumption(std::size_t token) const;
  void finish();

  // lex_literals.cc
  void lex_number();
  bool lex_radix_number(std::size_t start);
  bool skip_digits(std::uint8_t digit_class);
  void reject_number(std::size_t start, std::string_view what);
  void end_number(std::size_t start, std::string_view what);
  void lex_string(std::size_t start);
  std::size_t find_string_end(std::size_t begin, char quote, bool is_triple) const;
  void reject_string(std::size_t start, std::size_t quotes, bool is_triple);
  bool is_at_quotes(const Context& string) const;
  void lex_fstring_text();
  void skip_fstring_text(const Context& string, bool is_format_spec);
  void skip_fstring_escape(const Context& string);
  void end_fstring(const Context& string);
  void abandon_fstring();
  const Context& innermost_fstring() const;

  // At the end of the text stands a NUL, which is of no class.
  char peek() const { return text_.data()[pos_]; }
  char peek(std::size_t ahead) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  source::Span span(std::size_t begin, std::size_t end) const {
    return {file_.base + static_cast<std::uint32_t>(begin),
            file_.base + static_cast<std::uint32_t>(end)};
  }
  void push(TokenKind kind, std::size_t begin) { tokens_.push_back({kind, span(begin, pos_)}); }
  // Moves over one line end; "\r\n" is one.
  void skip_line_end() {
    if (peek() == '\r' && peek(1) == '\n') ++pos_;
    ++pos_;
  }

  const source::SourceFile& file_;
  source::Diagnostics& diags_;
  LexMode mode_;
  std::string_view text_;
  std::size_t pos_ = 0;
  std::vector<Token> tokens_;
  std::vector<Indentation> indents_;
  std::vector<Bracket> brackets_;
  std::vector<Context> contexts_;
  // Binary garbage is reported once a line.
  std::size_t rejected_until_ = 0;
};

}  // namespace tirxcc::syntax
