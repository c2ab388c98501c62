// SPDX-License-Identifier: Apache-2.0
//
// The parser's entry points, cursor, and what it does after a mistake. The grammar is in the
// parse_*.cc files.
#include "syntax/parser.h"

#include <cstring>
#include <string>

#include "syntax/identifier.h"
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kInvalidSyntax{"invalid-syntax", Severity::Error, ErrorClass::Syntax,
                                    "invalid syntax: unexpected {}"};
constexpr Diagnostic kForgotComma{"forgotten-comma", Severity::Error, ErrorClass::Syntax,
                                  "invalid syntax: unexpected {}; perhaps you forgot a comma"};
constexpr Diagnostic kExpected{"expected-token", Severity::Error, ErrorClass::Syntax,
                               "expected '{}', not {}"};
constexpr Diagnostic kExpectedName{"expected-name", Severity::Error, ErrorClass::Syntax,
                                   "expected a name, not {}"};
constexpr Diagnostic kExpectedColon{"expected-colon", Severity::Error, ErrorClass::Syntax,
                                    "expected ':'"};
constexpr Diagnostic kAssignInExpression{"assignment-in-expression", Severity::Error,
                                         ErrorClass::Syntax,
                                         "'=' cannot stand here; write '==' to compare"};
constexpr Diagnostic kNestedTooDeep{"nested-too-deep", Severity::Error, ErrorClass::Syntax,
                                    "expressions are nested more than {} deep"};
constexpr Diagnostic kExprTooTall{"expression-too-tall", Severity::Error, ErrorClass::Syntax,
                                  "this expression has more than {} operations one upon the other; "
                                  "split it into statements"};
constexpr Diagnostic kEmptyExpression{"empty-expression", Severity::Error, ErrorClass::Syntax,
                                      "expected an expression, not an empty text"};

bool is_ascii(std::string_view text) {
  // No early exit: files are short. Eight letters at a time.
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::uint64_t bits = 0;
  for (; text.size() >= sizeof bits; text.remove_prefix(sizeof bits)) {
    std::uint64_t letters = 0;
    std::memcpy(&letters, text.data(), sizeof letters);
    bits |= letters;
  }
  for (const char c : text)
    bits |= static_cast<unsigned char>(c);
  return (bits & kHighBits) == 0;
}

// `int x = 3`: what begins a declaration elsewhere.
bool is_c_type(std::string_view word) {
  for (const std::string_view type : {"auto", "bool", "char", "const", "double", "float", "half",
                                      "int", "let", "long", "unsigned", "var"}) {
    if (word == type) return true;
  }
  return false;
}

// `(float) x`: the type of T that is meant.
std::string_view our_type(std::string_view word) {
  if (word == "double") return "float64";
  if (word == "half") return "float16";
  if (word == "float") return "float32";
  if (word == "bool") return "bool";
  if (word == "char") return "int8";
  if (word == "long") return "int64";
  return word == "unsigned" ? "uint32" : "int32";
}

// What stands before a type or function in CUDA, and what that is here.
std::string_view advice_for_qualifier(std::string_view word) {
  if (word == "__shared__") {
    return "shared memory is an array with a name: 's = T.alloc_shared((256,), \"float32\")'";
  }
  if (word == "__global__") return "a kernel is a function with @T.function above it";
  if (word == "__device__") return "a function that kernels call has @T.inline above it";
  return {};
}

}  // namespace

Parser::Parser(const source::SourceFile& file, Arena& arena, source::Diagnostics& diags,
               LexMode mode)
    : file_(file),
      arena_(arena),
      diags_(diags),
      tokens_(lex(file, diags, mode)),
      interner_(arena),
      is_ascii_(is_ascii(file.text)),
      kind_(tokens_[0].kind),
      previous_end_(file.base) {
  scratch_.reserve(64);
  keywords_.reserve(16);
  error_expr_ = make<Name>(Span{});
  error_pattern_ = make<MatchAs>(Span{});
}

const Module* Parser::parse_module() {
  const std::size_t from = mark();
  while (!at(TokenKind::EndOfFile) && !diags_.is_full()) {
    // Only an inconsistent indentation leaves a Dedent here; the lexer has reported it.
    if (!accept(TokenKind::Dedent)) parse_statements(TokenKind::EndOfFile);
  }
  Module* module = arena_.make<Module>();
  module->span = {file_.base, file_.base + static_cast<std::uint32_t>(file_.text.size())};
  module->body = take<Stmt>(from);
  return module;
}

const Expr* Parser::parse_only_expression() {
  if (at(TokenKind::Newline) || at(TokenKind::EndOfFile)) {
    fail(here(), kEmptyExpression);
    return nullptr;
  }
  const Expr* expr = parse_star_expressions();
  if (!at(TokenKind::Newline) && !panicking_) fail_unexpected();
  return panicking_ ? nullptr : expr;
}

// Names are compared in NFKC form.
std::string_view Parser::intern(Span span) {
  const std::string_view text = text_of(span);
  if (is_ascii_ || is_ascii(text)) return interner_.intern(text);
  return interner_.intern(normalize_identifier(text).value_or(std::string(text)));
}

Span Parser::seen() const {
  const TokenKind kind = tokens_[index_].kind;
  if (kind > TokenKind::Dedent) return here();
  return {previous_end_, previous_end_};
}

std::string Parser::describe_token() const {
  const TokenKind kind = tokens_[index_].kind;
  if (is_keyword(kind)) return fmt::format("keyword '{}'", token_text());
  if (kind == TokenKind::Name) return fmt::format("name '{}'", token_text());
  if (kind == TokenKind::Number) return fmt::format("number '{}'", token_text());
  if (kind < TokenKind::KwFalse) return std::string(token_kind_text(kind));
  return fmt::format("'{}'", token_text());
}

bool Parser::is_operand_start(TokenKind kind) const {
  switch (kind) {
    case TokenKind::Name:
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::FStringStart:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse:
    case TokenKind::KwNone:
    case TokenKind::KwLambda: return true;
    default: return false;
  }
}

source::MessageBuilder Parser::fail_unexpected() {
  const TokenKind kind = tokens_[index_].kind;
  const TokenKind before = index_ > 0 ? tokens_[index_ - 1].kind : TokenKind::Newline;
  const bool is_behind_operand = before == TokenKind::RightParen ||
                                 before == TokenKind::RightBracket || is_operand_start(before);
  if (kind == TokenKind::Equal && is_behind_operand) return fail(here(), kAssignInExpression);
  // Two operands in a row inside brackets.
  const bool is_in_brackets = nesting_ > 0;
  if (kind == TokenKind::Name && before == TokenKind::Name &&
      is_c_type(text_of(tokens_[index_ - 1].span))) {
    return fail(seen(), kInvalidSyntax, describe_token())
        .note("a declaration is '{0} = 0', or '{0}: T.int32 = 0'; a loop is 'for {0} in range(n):'",
              token_text());
  }
  if (kind == TokenKind::Name && index_ >= 3 && before == TokenKind::RightParen &&
      tokens_[index_ - 3].kind == TokenKind::LeftParen &&
      is_c_type(text_of(tokens_[index_ - 2].span))) {
    return fail(seen(), kInvalidSyntax, describe_token())
        .note("a cast is a call of the type: 'T.{}(...)'",
              our_type(text_of(tokens_[index_ - 2].span)));
  }
  if (kind == TokenKind::Name && before == TokenKind::Name) {
    const std::string_view advice = advice_for_qualifier(text_of(tokens_[index_ - 1].span));
    if (!advice.empty()) return fail(seen(), kInvalidSyntax, describe_token()).note("{}", advice);
  }
  if (kind == TokenKind::Ampersand && !is_behind_operand && before != TokenKind::Ampersand) {
    return fail(seen(), kInvalidSyntax, describe_token())
        .note("the address of an element is 'A.ptr_to([i])'");
  }
  if (kind == TokenKind::SlashSlash && !is_behind_operand) {
    return fail(seen(), kInvalidSyntax, describe_token()).note("a comment begins with '#'");
  }
  if (is_in_brackets && is_behind_operand && is_operand_start(kind) &&
      before != TokenKind::KwLambda) {
    return fail(seen(), kForgotComma, describe_token());
  }
  return fail(seen(), kInvalidSyntax, describe_token());
}

bool Parser::expect(TokenKind kind) {
  if (accept(kind)) return true;
  if (at(TokenKind::Equal)) {
    fail_unexpected();
  } else {
    fail(seen(), kExpected, token_kind_text(kind), describe_token());
  }
  return false;
}

Span Parser::expect_name(std::string_view& name) {
  const Span span = here();
  if (!at(TokenKind::Name)) {
    fail(seen(), kExpectedName, describe_token());
    return span;
  }
  name = intern(span);
  advance();
  return span;
}

void Parser::expect_colon() {
  if (accept(TokenKind::Colon)) return;
  if (at(TokenKind::Equal)) {
    fail_unexpected();
  } else if (tokens_[index_].kind <= TokenKind::Dedent) {
    fail(seen(), kExpectedColon);
  } else {
    fail_unexpected().note("expected ':' here");
  }
}

void Parser::fail_too_deep() {
  fail(here(), kNestedTooDeep, kMaxNesting);
}

void Parser::fail_too_tall(Span span) {
  fail(span, kExprTooTall, kMaxExprHeight);
}

void Parser::rewind(const Checkpoint& to) {
  index_ = to.index;
  kind_ = to.kind;
  previous_end_ = to.previous_end;
  scratch_.resize(to.scratch);
  panicking_ = false;
}

// To the first token of the next logical line.
void Parser::skip_line() {
  while (tokens_[index_].kind != TokenKind::Newline &&
         tokens_[index_].kind != TokenKind::EndOfFile) {
    ++index_;
  }
  if (tokens_[index_].kind == TokenKind::Newline) ++index_;
  kind_ = tokens_[index_].kind;
}

// The block below a line with a mistake is read for its own mistakes, and dropped.
void Parser::skip_block() {
  if (!at(TokenKind::Indent)) return;
  const std::size_t from = mark();
  advance();
  parse_statements(TokenKind::Dedent);
  accept(TokenKind::Dedent);
  scratch_.resize(from);
}

// After a mistake: leaves out the rest of the line, the block below it, and the clauses that belong
// to the same statement.
void Parser::recover() {
  panicking_ = false;
  skip_line();
  skip_block();
  while (at(TokenKind::KwElif) || at(TokenKind::KwElse) || at(TokenKind::KwExcept) ||
         at(TokenKind::KwFinally)) {
    skip_line();
    skip_block();
  }
}

unsigned Parser::height(Keywords keywords) {
  unsigned tallest = 0;
  for (const Keyword* keyword : keywords)
    tallest = std::max(tallest, height(keyword->value));
  return tallest;
}

unsigned Parser::height(Params params) {
  unsigned tallest = 0;
  for (const Param* param : params) {
    tallest = std::max({tallest, height(param->annotation), height(param->default_value)});
  }
  return tallest;
}

unsigned Parser::height(Comprehensions generators) {
  unsigned tallest = 0;
  for (const Comprehension* part : generators) {
    tallest =
        std::max({tallest, height(part->target), height(part->iter), height(part->conditions)});
  }
  return tallest;
}

const Module* parse_module(const source::SourceFile& file, Arena& arena,
                           source::Diagnostics& diags) {
  return Parser(file, arena, diags, LexMode::File).parse_module();
}

const Module* parse_indented(const source::SourceFile& file, Arena& arena,
                             source::Diagnostics& diags) {
  return Parser(file, arena, diags, LexMode::Indented).parse_module();
}

const Expr* parse_expression(const source::SourceFile& file, Arena& arena,
                             source::Diagnostics& diags) {
  return Parser(file, arena, diags, LexMode::Expression).parse_only_expression();
}

}  // namespace tirxcc::syntax
