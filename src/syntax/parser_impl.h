// SPDX-License-Identifier: Apache-2.0
//
// The Parser class; its functions are spread over the parse_*.cc files by subject. Private to the
// parser.
//
// How mistakes work, without exceptions and without a check after every call: fail() reports and
// *panics*. While panicking the current token is Error, nothing moves the cursor, and parse
// functions return error_expr_; so every loop ends and every caller falls through quickly, until
// parse_statement() calls recover(), which goes to the next logical line. Null is never returned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "source/diagnostics.h"
#include "syntax/ast.h"
#include "syntax/interner.h"
#include "syntax/lexer.h"
#include "syntax/literal.h"
#include "syntax/parser.h"
#include "syntax/token.h"

// A switch over tokens names those that a rule can begin with; all others are the user's mistake.
#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace tirxcc::syntax {

// How tightly operators bind, loosest first; parse_operators(level) takes only operators of at
// least its level.
enum Level : int {
  kNoOperator = 0,
  kOr,
  kAnd,
  kNot,
  kComparison,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kTerm,
};

class Parser {
 public:
  Parser(const source::SourceFile& file, Arena& arena, source::Diagnostics& diags, LexMode mode);

  const Module* parse_module();
  const Expr* parse_only_expression();

 private:
  // Cursor (parser.cc).
  void advance() {
    if (kind_ == TokenKind::Error || kind_ == TokenKind::EndOfFile) return;
    if (kind_ > TokenKind::Dedent) previous_end_ = tokens_[index_].span.end;
    kind_ = tokens_[++index_].kind;
  }
  bool at(TokenKind kind) const { return kind_ == kind; }
  bool accept(TokenKind kind) {
    if (kind_ != kind) return false;
    advance();
    return true;
  }
  TokenKind next_kind() const {
    return at(TokenKind::EndOfFile) || panicking_ ? kind_ : tokens_[index_ + 1].kind;
  }
  Span here() const { return tokens_[index_].span; }
  std::uint32_t begin() const { return tokens_[index_].span.begin; }
  Span since(std::uint32_t start) const { return {start, std::max(start, previous_end_)}; }
  std::string_view text_of(Span span) const {
    return std::string_view(file_.text).substr(span.begin - file_.base, span.end - span.begin);
  }
  std::string_view token_text() const { return text_of(here()); }
  // At a name with this text: `match`, `case`, `type` are keywords only where a statement says so.
  bool at_word(std::string_view word) const { return at(TokenKind::Name) && token_text() == word; }
  // Takes a token that must come.
  bool expect(TokenKind kind);
  Span expect_name(std::string_view& name);
  void expect_colon();
  std::string_view intern(Span span);

  // Mistakes (parser.cc).
  template <typename... Args>
  [[gnu::cold]] source::MessageBuilder fail(Span span, const source::Diagnostic& kind,
                                            const Args&... args) {
    const bool is_silent = panicking_ || speculating_ || at_error_token();
    panic();
    if (is_silent) return source::MessageBuilder(nullptr);
    return diags_.report(span, kind, args...);
  }
  // Reports, and goes on as if nothing were wrong.
  template <typename... Args>
  [[gnu::cold]] void report(Span span, const source::Diagnostic& kind, const Args&... args) {
    if (!panicking_ && !speculating_ && !at_error_token()) diags_.report(span, kind, args...);
  }
  // Says what the current token is.
  [[gnu::cold]] source::MessageBuilder fail_unexpected();
  void panic() {
    panicking_ = true;
    kind_ = TokenKind::Error;
  }
  // The lexer has spoken.
  bool at_error_token() const { return tokens_[index_].kind == TokenKind::Error; }
  // The current token, or the place behind the last one where a line ends.
  Span seen() const;
  std::string describe_token() const;
  bool is_operand_start(TokenKind kind) const;
  void recover();
  void skip_line();
  void skip_block();
  void skip_nested_blocks();

  struct Checkpoint {
    std::size_t index;
    TokenKind kind;
    std::uint32_t previous_end;
    std::size_t scratch;
  };
  Checkpoint checkpoint() const { return {index_, kind_, previous_end_, scratch_.size()}; }
  void rewind(const Checkpoint& to);
  // Runs parse() without messages; on a mistake everything is as before and the answer false.
  template <typename Parse>
  bool try_parse(Parse parse) {
    if (panicking_) return false;
    const Checkpoint start = checkpoint();
    const bool was_speculating = speculating_;
    speculating_ = true;
    const bool worked = parse() && !panicking_;
    speculating_ = was_speculating;
    if (!worked) rewind(start);
    return worked;
  }

  // Counts nesting for the time of its scope; false if it is too deep, which is then reported.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) parser_.fail_too_deep();
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };
  [[gnu::cold]] void fail_too_deep();

  // Making nodes.
  template <typename T>
  T* make(Span span) {
    T* node = arena_.make<T>();
    node->kind = T::kKind;
    node->span = span;
    return node;
  }
  template <typename T>
  T* make_since(std::uint32_t start) {
    return make<T>(since(start));
  }
  // Ends the making of an expression: one level above the tallest of its parts.
  template <typename T>
  T* with_height(T* node, std::initializer_list<unsigned> parts) {
    unsigned tallest = 0;
    for (const unsigned part : parts)
      tallest = std::max(tallest, part);
    node->height = static_cast<std::uint16_t>(tallest + 1);
    if (tallest >= static_cast<unsigned>(kMaxExprHeight)) fail_too_tall(node->span);
    return node;
  }
  [[gnu::cold]] void fail_too_tall(Span span);
  static unsigned height(const Expr* expr) { return expr == nullptr ? 0 : expr->height; }
  static unsigned height(Exprs exprs) {
    unsigned tallest = 0;
    for (const Expr* expr : exprs)
      tallest = std::max(tallest, height(expr));
    return tallest;
  }
  static unsigned height(Keywords keywords);
  static unsigned height(Params params);
  static unsigned height(Comprehensions generators);

  // Lists are collected on one stack and then copied into the arena.
  std::size_t mark() const { return scratch_.size(); }
  void collect(const void* node) { scratch_.push_back(node); }
  template <typename T>
  std::span<const T* const> take(std::size_t from) {
    const std::size_t count = scratch_.size() - from;
    if (count == 0) return {};
    auto* list = static_cast<const T**>(arena_.allocate(count * sizeof(T*), alignof(T*)));
    for (std::size_t i = 0; i < count; ++i)
      list[i] = static_cast<const T*>(scratch_[from + i]);
    scratch_.resize(from);
    return {list, count};
  }

  // Expressions (parse_expr.cc).
  Expr* parse_star_expressions();
  Expr* parse_star_expression();
  Expr* parse_star_named_expression();
  Expr* parse_named_expression();
  Expr* parse_expression();
  Expr* parse_if_expression(std::uint32_t start, Expr* body);
  Expr* parse_lambda();
  Expr* parse_yield();
  Expr* parse_yield_or_star_expressions();
  Expr* parse_operators(int level);
  Expr* parse_bool_op(std::uint32_t start, const Expr* first, int level);
  Expr* parse_comparison(std::uint32_t start, const Expr* left);
  CompareOperator parse_compare_operator();
  Expr* parse_unary(int level);
  Expr* parse_power();
  Expr* parse_primary();
  Expr* parse_attribute(std::uint32_t start, const Expr* value);
  Expr* parse_subscript(std::uint32_t start, const Expr* value);
  Expr* parse_slice();
  Expr* parse_atom();
  Expr* parse_name();
  Expr* parse_number();
  Expr* parse_simple_constant(ConstantKind kind);
  int level_here() const;
  void fail_operand();

  // Brackets (parse_display.cc).
  Expr* parse_parenthesized();
  Expr* parse_list();
  Expr* parse_dict_or_set();
  Expr* parse_set(std::uint32_t start, Expr* first);
  Expr* parse_dict_comprehension(std::uint32_t start, Expr* key, Expr* value);
  void parse_dict_item(std::vector<const Expr*>& keys);
  Comprehensions parse_comprehensions();
  const Comprehension* parse_comprehension();
  bool at_comprehension() const;
  void close_bracket(TokenKind close);
  template <typename T>
  Expr* make_comprehension(std::uint32_t start, Expr* element, TokenKind close);

  // Strings (parse_string.cc).
  struct StringParts;
  Expr* parse_strings();
  void parse_plain_string(StringParts& parts);
  void parse_fstring(StringParts& parts);
  void parse_fstring_pieces(StringParts& parts, StringPrefix prefix, TokenKind end);
  void parse_replacement_field(StringParts& parts, StringPrefix prefix);
  char parse_conversion();
  const Expr* parse_format_spec(StringPrefix prefix);
  void append_piece(StringParts& parts, StringPrefix prefix, Span body, bool is_fstring);
  void flush_text(StringParts& parts);
  Expr* make_text(const StringParts& parts, Span span);

  // Calls and parameters (parse_params.cc).
  struct ArgumentState;
  struct ParamState;
  Expr* parse_call(std::uint32_t start, const Expr* func);
  void parse_arguments(std::uint32_t start, Exprs& args, Keywords& keywords);
  void parse_argument(ArgumentState& state);
  void parse_positional_argument(ArgumentState& state);
  void parse_keyword_argument(ArgumentState& state);
  Params parse_params(TokenKind end, bool is_lambda);
  void parse_param_item(ParamState& state);
  void parse_star_param(ParamState& state);
  Param* parse_param(ParamKind kind, bool is_lambda);
  TypeParams parse_type_params();

  // Targets (parse_target.cc).
  static std::string_view expr_description(const Expr& expr);
  void set_context(const Expr* target, ExprContext ctx, bool is_assignment);
  Expr* parse_targets(ExprContext ctx);
  Expr* parse_target();

  // Simple statements (parse_stmt.cc).
  void parse_simple_statements();
  Stmt* parse_simple_statement();
  Stmt* parse_expression_statement();
  Stmt* parse_assignment(std::uint32_t start, Expr* first);
  Stmt* parse_annotated_assignment(std::uint32_t start, Expr* target, bool is_parenthesized);
  Stmt* parse_augmented_assignment(std::uint32_t start, Expr* target);
  Stmt* parse_return();
  Stmt* parse_delete();
  Stmt* parse_raise();
  Stmt* parse_assert();
  Stmt* parse_import();
  Stmt* parse_import_from();
  std::span<const Alias> parse_imported_names();
  Alias parse_alias(bool is_dotted);
  std::string_view parse_dotted_name();
  Stmt* parse_type_alias();
  template <typename T>
  Stmt* parse_name_list();
  template <typename T>
  Stmt* parse_lone_keyword();
  void fail_after_statement();

  // Compound statements (parse_compound.cc).
  void parse_statements(TokenKind end);
  void parse_statement();
  Stmt* parse_compound_statement();
  Stmts parse_block(std::string_view after);
  Stmt* parse_if();
  Stmt* parse_while();
  Stmt* parse_for(std::uint32_t start, bool is_async);
  Stmts parse_else(Span& else_span);
  Stmt* parse_with(std::uint32_t start, bool is_async);
  bool parse_parenthesized_with_items();
  void parse_with_item();
  Stmt* parse_try();
  bool parse_except();
  Stmt* parse_async();
  Stmt* parse_decorated();
  Stmt* parse_function(std::uint32_t start, Exprs decorators, bool is_async);
  Stmt* parse_class(Exprs decorators);

  // Match (parse_pattern.cc).
  Stmt* parse_match();
  bool parse_match_header(Match& match);
  void parse_case();
  Pattern* parse_open_pattern();
  Pattern* parse_maybe_star_pattern();
  Pattern* parse_as_pattern();
  Pattern* parse_or_pattern();
  Pattern* parse_closed_pattern();
  Pattern* parse_literal_pattern();
  Pattern* parse_name_pattern();
  Pattern* parse_class_pattern(std::uint32_t start, const Expr* cls);
  Pattern* parse_group_or_sequence();
  Pattern* parse_sequence(TokenKind close);
  Pattern* parse_sequence_rest(std::size_t start, const Pattern* first, TokenKind close);
  Pattern* parse_mapping();
  Expr* parse_pattern_number();
  Expr* parse_mapping_key();
  Pattern* make_value_pattern(const Expr* value);

  const source::SourceFile& file_;
  Arena& arena_;
  source::Diagnostics& diags_;
  std::vector<Token> tokens_;
  Interner interner_;
  bool is_ascii_;  // the whole file

  std::size_t index_ = 0;
  // Kind of the current token; Error while panicking.
  TokenKind kind_ = TokenKind::EndOfFile;
  // Where the last token that is not a line end or a change of indentation ended.
  std::uint32_t previous_end_ = 0;
  bool panicking_ = false;
  bool speculating_ = false;
  int nesting_ = 0;
  int stmt_nesting_ = 0;

  std::vector<const void*> scratch_;
  std::vector<const Keyword*> keywords_;
  std::vector<Span> spans_;
  std::vector<CompareOperator> compare_operators_;
  std::vector<IfClause> clauses_;
  std::vector<std::string_view> names_;
  std::vector<Alias> aliases_;
  std::vector<WithItem> with_items_;
  std::vector<ExceptHandler> handlers_;
  std::vector<MatchCase> cases_;

  Expr* error_expr_;
  Pattern* error_pattern_;
};

}  // namespace tirxcc::syntax
