// SPDX-License-Identifier: Apache-2.0
//
// Arguments of calls and class headers, parameters of functions and lambdas, type parameters.
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kPositionalAfterKeyword{"positional-after-keyword", Severity::Error,
                                             ErrorClass::Syntax, "positional argument follows {}"};
constexpr Diagnostic kIterableAfterMapping{"star-after-double-star", Severity::Error,
                                           ErrorClass::Syntax,
                                           "'*' argument follows a '**' argument"};
constexpr Diagnostic kBareGenerator{"bare-generator", Severity::Error, ErrorClass::Syntax,
                                    "a generator expression needs parentheses unless it is the "
                                    "only argument"};
constexpr Diagnostic kNotAKeyword{"not-a-keyword", Severity::Error, ErrorClass::Syntax,
                                  "the left side of '=' in a call is a parameter's name, not {}; "
                                  "perhaps you meant '=='"};
constexpr Diagnostic kMissingArgument{"expected-argument-value", Severity::Error,
                                      ErrorClass::Syntax, "expected a value after '{}='"};
constexpr Diagnostic kMissingDefault{"missing-default", Severity::Error, ErrorClass::Syntax,
                                     "parameter '{}' without a default follows one with a default"};
constexpr Diagnostic kParamAfterKwargs{"param-after-kwargs", Severity::Error, ErrorClass::Syntax,
                                       "a parameter cannot follow '**{}'"};
constexpr Diagnostic kBareStarEnd{"bare-star-end", Severity::Error, ErrorClass::Syntax,
                                  "named parameters must follow a bare '*'"};
constexpr Diagnostic kTwoStars{"star-twice", Severity::Error, ErrorClass::Syntax,
                               "'*' stands twice in this parameter list"};
constexpr Diagnostic kBadSlash{"misplaced-slash", Severity::Error, ErrorClass::Syntax,
                               "'/' must follow a positional parameter and stand once, before '*'"};
constexpr Diagnostic kStarDefault{"star-default", Severity::Error, ErrorClass::Syntax,
                                  "a '{}' parameter cannot have a default"};
constexpr Diagnostic kMissingDefaultValue{"expected-expression", Severity::Error,
                                          ErrorClass::Syntax, "expected a default value after '='"};
constexpr Diagnostic kTupleParam{"bad-param", Severity::Error, ErrorClass::Syntax,
                                 "a parameter cannot be in parentheses"};
constexpr Diagnostic kEmptyTypeParams{"bad-type-params", Severity::Error, ErrorClass::Syntax,
                                      "a type parameter list cannot be empty"};

}  // namespace

struct Parser::ArgumentState {
  // Of the '(' before the arguments.
  std::uint32_t start;
  // mark() of the positional arguments.
  std::size_t from;
  std::size_t first_keyword;
  std::size_t count = 0;
  bool has_keyword = false;
  bool has_mapping = false;
  // The argument is a generator expression, whose brackets are those of the call.
  bool is_closed = false;
};

// The '(' is at the cursor.
Expr* Parser::parse_call(std::uint32_t start, const Expr* func) {
  Exprs args;
  Keywords keywords;
  parse_arguments(begin(), args, keywords);
  Call* call = make_since<Call>(start);
  call->func = func;
  call->args = args;
  call->keywords = keywords;
  return with_height(call, {height(func), height(args), height(keywords)});
}

// arguments: '(' [','.(argument)+ [',']] ')'
void Parser::parse_arguments(std::uint32_t start, Exprs& args, Keywords& keywords) {
  const Nesting nesting(*this);
  ArgumentState state{.start = start, .from = mark(), .first_keyword = keywords_.size()};
  advance();
  while (!at(TokenKind::RightParen)) {
    parse_argument(state);
    ++state.count;
    if (state.is_closed || !accept(TokenKind::Comma)) break;
  }
  if (!state.is_closed) close_bracket(TokenKind::RightParen);
  args = take<Expr>(state.from);
  keywords = arena_.copy(std::span<const Keyword* const>(keywords_).subspan(state.first_keyword));
  keywords_.resize(state.first_keyword);
}

// argument: NAME '=' expression | '**' expression | '*' expression | named_expression
//         | named_expression for_if_clauses
void Parser::parse_argument(ArgumentState& state) {
  const bool is_named = at(TokenKind::Name) && next_kind() == TokenKind::Equal;
  if (is_named || at(TokenKind::StarStar)) {
    parse_keyword_argument(state);
  } else {
    parse_positional_argument(state);
  }
}

void Parser::parse_keyword_argument(ArgumentState& state) {
  Keyword* keyword = arena_.make<Keyword>();
  keyword->name_span = here();
  if (accept(TokenKind::StarStar)) {
    state.has_mapping = true;
  } else {
    keyword->name = intern(here());
    advance();
    advance();
    if (at(TokenKind::Comma) || at(TokenKind::RightParen)) {
      fail({keyword->name_span.begin, previous_end_}, kMissingArgument, keyword->name);
    }
    state.has_keyword = true;
  }
  keyword->value = parse_expression();
  keyword->span = since(keyword->name_span.begin);
  if (at_comprehension()) fail({keyword->value->span.begin, here().end}, kBareGenerator);
  keywords_.push_back(keyword);
}

void Parser::parse_positional_argument(ArgumentState& state) {
  const std::uint32_t start = begin();
  Expr* arg = nullptr;
  if (accept(TokenKind::Star)) {
    const Expr* value = parse_expression();
    Starred* starred = make_since<Starred>(start);
    starred->value = value;
    arg = with_height(starred, {height(value)});
    if (state.has_mapping) fail(arg->span, kIterableAfterMapping);
  } else {
    arg = parse_named_expression();
    if (at(TokenKind::Equal)) fail(arg->span, kNotAKeyword, expr_description(*arg));
    if (at_comprehension()) {
      // Only `f(x for x in y)`; the parentheses are the call's.
      const Comprehensions generators = parse_comprehensions();
      if (state.count > 0 || at(TokenKind::Comma)) fail(since(start), kBareGenerator);
      close_bracket(TokenKind::RightParen);
      state.is_closed = true;
      GeneratorExp* generator = make_since<GeneratorExp>(state.start);
      generator->element = arg;
      generator->generators = generators;
      arg = with_height(generator, {height(generator->element), height(generators)});
    } else if (state.has_mapping) {
      fail(arg->span, kPositionalAfterKeyword, "a '**' argument");
    } else if (state.has_keyword) {
      fail(arg->span, kPositionalAfterKeyword, "a keyword argument")
          .label(keywords_[state.first_keyword]->span, "keyword argument");
    }
  }
  collect(arg);
}

struct Parser::ParamState {
  TokenKind end;
  bool is_lambda;
  std::size_t from;
  ParamKind kind = ParamKind::PositionalOrKeyword;
  bool has_default = false;
  bool has_slash = false;
  bool has_star = false;
  // A bare `*` waits for a named parameter.
  bool is_star_pending = false;
  const Param* kwargs = nullptr;
};

// params: ','.(param | '/' | '*' [param] | '**' param)+ [',']
//
// The marker '/' turns all parameters before it into positional-only ones.
Params Parser::parse_params(TokenKind end, bool is_lambda) {
  ParamState state{.end = end, .is_lambda = is_lambda, .from = mark()};
  while (!at(end) && !at(TokenKind::Error)) {
    if (state.kwargs != nullptr) fail(seen(), kParamAfterKwargs, state.kwargs->name);
    parse_param_item(state);
    if (!accept(TokenKind::Comma)) break;
  }
  if (state.is_star_pending) fail(seen(), kBareStarEnd);
  return take<Param>(state.from);
}

void Parser::parse_param_item(ParamState& state) {
  if (at(TokenKind::Slash)) {
    const bool is_misplaced = state.has_slash || state.has_star || scratch_.size() == state.from;
    if (is_misplaced) fail(here(), kBadSlash);
    state.has_slash = true;
    for (std::size_t i = state.from; i < scratch_.size(); ++i) {
      // The nodes were made by this function and are not published yet.
      static_cast<Param*>(const_cast<void*>(scratch_[i]))->kind = ParamKind::PositionalOnly;
    }
    advance();
    return;
  }
  if (at(TokenKind::Star) || at(TokenKind::StarStar)) return parse_star_param(state);
  if (at(TokenKind::LeftParen)) fail(here(), kTupleParam);
  Param* param = parse_param(state.kind, state.is_lambda);
  if (accept(TokenKind::Equal)) {
    if (at(TokenKind::Comma) || at(state.end)) fail(tokens_[index_ - 1].span, kMissingDefaultValue);
    param->default_value = parse_expression();
    state.has_default = true;
  } else if (state.has_default && state.kind == ParamKind::PositionalOrKeyword) {
    fail(param->name_span, kMissingDefault, param->name);
  }
  state.is_star_pending = false;
  collect(param);
}

void Parser::parse_star_param(ParamState& state) {
  const Span star = here();
  const bool is_kwargs = at(TokenKind::StarStar);
  if (!is_kwargs && state.has_star) fail(star, kTwoStars);
  if (is_kwargs && state.is_star_pending) fail(star, kBareStarEnd);
  advance();
  if (!is_kwargs) {
    state.has_star = true;
    state.kind = ParamKind::KeywordOnly;
    if (at(TokenKind::Comma) || at(state.end)) {
      state.is_star_pending = true;
      return;
    }
  }
  Param* param =
      parse_param(is_kwargs ? ParamKind::VarKeyword : ParamKind::VarPositional, state.is_lambda);
  if (at(TokenKind::Equal)) fail(here(), kStarDefault, is_kwargs ? "**" : "*");
  if (is_kwargs) state.kwargs = param;
  collect(param);
}

// param: NAME [':' annotation]; the annotation of `*args` may be starred
Param* Parser::parse_param(ParamKind kind, bool is_lambda) {
  Param* param = arena_.make<Param>();
  param->kind = kind;
  param->name_span = expect_name(param->name);
  if (!is_lambda && accept(TokenKind::Colon)) {
    param->annotation =
        kind == ParamKind::VarPositional ? parse_star_expression() : parse_expression();
  }
  param->span = since(param->name_span.begin);
  return param;
}

// type_params: '[' ','.(NAME [':' bound] | '*' NAME | '**' NAME) ['=' default])+ [','] ']'
TypeParams Parser::parse_type_params() {
  if (!accept(TokenKind::LeftBracket)) return {};
  const Nesting nesting(*this);
  if (at(TokenKind::RightBracket)) fail(here(), kEmptyTypeParams);
  const std::size_t from = mark();
  do {
    if (at(TokenKind::RightBracket)) break;
    TypeParam* param = arena_.make<TypeParam>();
    const std::uint32_t start = begin();
    if (accept(TokenKind::Star)) {
      param->kind = TypeParamKind::TypeVarTuple;
    } else if (accept(TokenKind::StarStar)) {
      param->kind = TypeParamKind::ParamSpec;
    }
    param->name_span = expect_name(param->name);
    if (param->kind == TypeParamKind::TypeVar && accept(TokenKind::Colon)) {
      param->bound = parse_expression();
    }
    if (accept(TokenKind::Equal)) {
      param->default_value =
          param->kind == TypeParamKind::TypeVarTuple ? parse_star_expression() : parse_expression();
    }
    param->span = since(start);
    collect(param);
  } while (accept(TokenKind::Comma));
  close_bracket(TokenKind::RightBracket);
  return take<TypeParam>(from);
}

}  // namespace tirxcc::syntax
