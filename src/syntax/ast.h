// SPDX-License-Identifier: Apache-2.0
//
// The syntax tree: what was written, before anything is known about it. One struct per class of
// CPython's `ast` module, under the same name, so that the Python documentation of that module
// explains this file too. Nodes are made by the parser in an Arena and never changed afterwards.
//
// What differs from CPython, and why:
//  - `If` is one flat list of clauses, so that 3,000 elifs are one node and not 3,000 levels;
//  - `AsyncFunctionDef`, `AsyncFor`, `AsyncWith`, `TryStar` are flags of the plain statements;
//  - parameters are one list in source order instead of seven;
//  - `Expr`, the statement, is `ExprStmt`; `Expr` here is the base of all expressions;
//  - more spans: operators, names, keywords, because diagnostics point at the narrowest thing.
//
// Text (names, string values) lives as long as the arena. Names are in NFKC form and interned: in
// one tree, equal names have equal data() pointers.
//
//   visit(expr, Overloaded{[](const Name& name) {...}, [](const BinOp& op) {...}, ...});
//
// calls the overload of the node's own class; a class without one does not compile.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/overloaded.h"
#include "source/source.h"

namespace tirxcc::syntax {

using source::Span;

// clang-format off
#define TIRXCC_SYNTAX_EXPRS(X)                                                              \
  X(BoolOp) X(NamedExpr) X(BinOp) X(UnaryOp) X(Lambda) X(IfExp) X(Dict) X(Set) X(ListComp)  \
  X(SetComp) X(DictComp) X(GeneratorExp) X(Await) X(Yield) X(YieldFrom) X(Compare) X(Call)  \
  X(FormattedValue) X(JoinedStr) X(Constant) X(Attribute) X(Subscript) X(Starred) X(Name)   \
  X(List) X(Tuple) X(Slice)
#define TIRXCC_SYNTAX_STMTS(X)                                                              \
  X(FunctionDef) X(ClassDef) X(Return) X(Delete) X(Assign) X(TypeAlias) X(AugAssign)        \
  X(AnnAssign) X(For) X(While) X(If) X(With) X(Match) X(Raise) X(Try) X(Assert) X(Import)   \
  X(ImportFrom) X(Global) X(Nonlocal) X(ExprStmt) X(Pass) X(Break) X(Continue)
#define TIRXCC_SYNTAX_PATTERNS(X)                                                           \
  X(MatchValue) X(MatchSingleton) X(MatchSequence) X(MatchMapping) X(MatchClass)            \
  X(MatchStar) X(MatchAs) X(MatchOr)
// clang-format on

enum class NodeKind : std::uint8_t {
#define TIRXCC_SYNTAX_KIND(name) name,
  TIRXCC_SYNTAX_EXPRS(TIRXCC_SYNTAX_KIND) TIRXCC_SYNTAX_STMTS(TIRXCC_SYNTAX_KIND)
      TIRXCC_SYNTAX_PATTERNS(TIRXCC_SYNTAX_KIND)
#undef TIRXCC_SYNTAX_KIND
};

// "BinOp" for NodeKind::BinOp.
std::string_view node_kind_name(NodeKind kind);

struct Node {
  NodeKind kind;
  // Levels of expression below and with this one. The parser keeps it at or below
  // kMaxExprHeight (parser.h), so code that recurses over a tree cannot overflow the stack.
  std::uint16_t height = 0;
  Span span;
};
struct Expr : Node {};
struct Stmt : Node {};
struct Pattern : Node {};

template <typename T>
using NodeList = std::span<const T* const>;
using Exprs = NodeList<Expr>;
using Stmts = NodeList<Stmt>;
using Patterns = NodeList<Pattern>;

// What is done to the place an expression names.
enum class ExprContext : std::uint8_t { Load, Store, Del };

enum class BinaryOperator : std::uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv,
};
enum class UnaryOperator : std::uint8_t { Invert, Not, UAdd, USub };
enum class BoolOperator : std::uint8_t { And, Or };
enum class CompareOperator : std::uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

// As written in source: "+", "//", "not", "is not".
std::string_view spelling(BinaryOperator op);
std::string_view spelling(UnaryOperator op);
std::string_view spelling(BoolOperator op);
std::string_view spelling(CompareOperator op);

// Expressions.

// `a and b and c`: three values, two operator spans.
struct BoolOp : Expr {
  static constexpr NodeKind kKind = NodeKind::BoolOp;
  BoolOperator op;
  Exprs values;
  std::span<const Span> op_spans;
};

// `target := value`; the target is always a name.
struct NamedExpr : Expr {
  static constexpr NodeKind kKind = NodeKind::NamedExpr;
  const Expr* target;
  const Expr* value;
};

struct BinOp : Expr {
  static constexpr NodeKind kKind = NodeKind::BinOp;
  BinaryOperator op;
  Span op_span;
  const Expr* left;
  const Expr* right;
};

struct UnaryOp : Expr {
  static constexpr NodeKind kKind = NodeKind::UnaryOp;
  UnaryOperator op;
  Span op_span;
  const Expr* operand;
};

enum class ParamKind : std::uint8_t {
  PositionalOnly,
  PositionalOrKeyword,
  VarPositional,  // *args
  KeywordOnly,
  VarKeyword,  // **kwargs
};

// One parameter; `span` is name and annotation, without stars and default (as CPython's ast.arg).
struct Param {
  Span span;
  Span name_span;
  ParamKind kind;
  std::string_view name;
  const Expr* annotation;     // null if there is none
  const Expr* default_value;  // null if there is none
};
using Params = std::span<const Param* const>;

// `lambda params: body`.
struct Lambda : Expr {
  static constexpr NodeKind kKind = NodeKind::Lambda;
  Params params;
  const Expr* body;
};

// `body if test else orelse`.
struct IfExp : Expr {
  static constexpr NodeKind kKind = NodeKind::IfExp;
  const Expr* test;
  const Expr* body;
  const Expr* orelse;
};

// `{key: value, **mapping}`: a null key means `**value`.
struct Dict : Expr {
  static constexpr NodeKind kKind = NodeKind::Dict;
  Exprs keys;
  Exprs values;
};

struct Set : Expr {
  static constexpr NodeKind kKind = NodeKind::Set;
  Exprs elements;
};

// `for target in iter if condition if condition`.
struct Comprehension {
  Span span;
  bool is_async;
  const Expr* target;
  const Expr* iter;
  Exprs conditions;
};
using Comprehensions = std::span<const Comprehension* const>;

struct ListComp : Expr {
  static constexpr NodeKind kKind = NodeKind::ListComp;
  const Expr* element;
  Comprehensions generators;
};
struct SetComp : Expr {
  static constexpr NodeKind kKind = NodeKind::SetComp;
  const Expr* element;
  Comprehensions generators;
};
struct DictComp : Expr {
  static constexpr NodeKind kKind = NodeKind::DictComp;
  const Expr* key;
  const Expr* value;
  Comprehensions generators;
};
struct GeneratorExp : Expr {
  static constexpr NodeKind kKind = NodeKind::GeneratorExp;
  const Expr* element;
  Comprehensions generators;
};

struct Await : Expr {
  static constexpr NodeKind kKind = NodeKind::Await;
  const Expr* value;
};
struct Yield : Expr {
  static constexpr NodeKind kKind = NodeKind::Yield;
  const Expr* value;  // null for a bare `yield`
};
struct YieldFrom : Expr {
  static constexpr NodeKind kKind = NodeKind::YieldFrom;
  const Expr* value;
};

// `left ops[0] comparators[0] ops[1] comparators[1] ...`.
struct Compare : Expr {
  static constexpr NodeKind kKind = NodeKind::Compare;
  const Expr* left;
  std::span<const CompareOperator> ops;
  std::span<const Span> op_spans;
  Exprs comparators;
};

// `name=value` in a call or class header; an empty name means `**value`.
struct Keyword {
  Span span;
  Span name_span;  // of the name, or of `**`
  std::string_view name;
  const Expr* value;
};
using Keywords = std::span<const Keyword* const>;

struct Call : Expr {
  static constexpr NodeKind kKind = NodeKind::Call;
  const Expr* func;
  Exprs args;  // `*x` is a Starred
  Keywords keywords;
};

// `{value!r:format_spec}` inside an f-string.
struct FormattedValue : Expr {
  static constexpr NodeKind kKind = NodeKind::FormattedValue;
  const Expr* value;
  char conversion;          // 's', 'r', 'a', or 0
  const Expr* format_spec;  // a JoinedStr, or null
};

// An f-string: string Constants and FormattedValues. `{x=}` has put the text `x=` in a Constant.
struct JoinedStr : Expr {
  static constexpr NodeKind kKind = NodeKind::JoinedStr;
  Exprs values;
};

enum class ConstantKind : std::uint8_t {
  None,
  True,
  False,
  Ellipsis,
  Int,
  Float,
  Imaginary,
  String,
  Bytes,
};

struct Constant : Expr {
  static constexpr NodeKind kKind = NodeKind::Constant;
  ConstantKind constant_kind;
  // Int: written with 0x; such literals stay hexadecimal in the CUDA text.
  bool is_hex;
  // Int: the value is 2**64 or more, int_value is meaningless and `text` has the digits.
  bool is_too_wide;
  // String: written with a `u` prefix (CPython keeps that too).
  bool has_u_prefix;
  // String: holds `\N{name}` escapes, which stay in `text` as written; there is no table of names.
  bool has_named_escape;
  std::uint64_t int_value;
  double float_value;  // Float; Imaginary: without the `j`
  // Int, Float, Imaginary: as written. String: the decoded value, UTF-8 (a lone surrogate from a
  // \u escape is encoded like any other code point). Bytes: the bytes.
  std::string_view text;
};

struct Attribute : Expr {
  static constexpr NodeKind kKind = NodeKind::Attribute;
  ExprContext ctx;
  const Expr* value;
  std::string_view attr;
  Span attr_span;
};

// `value[index]`: the index is a Tuple for `A[i, j]`, a Slice for `A[i:j]`.
struct Subscript : Expr {
  static constexpr NodeKind kKind = NodeKind::Subscript;
  ExprContext ctx;
  const Expr* value;
  const Expr* index;
};

struct Starred : Expr {
  static constexpr NodeKind kKind = NodeKind::Starred;
  ExprContext ctx;
  const Expr* value;
};

struct Name : Expr {
  static constexpr NodeKind kKind = NodeKind::Name;
  ExprContext ctx;
  std::string_view id;
};

struct List : Expr {
  static constexpr NodeKind kKind = NodeKind::List;
  ExprContext ctx;
  Exprs elements;
};
struct Tuple : Expr {
  static constexpr NodeKind kKind = NodeKind::Tuple;
  ExprContext ctx;
  bool is_parenthesized;
  Exprs elements;
};

// `lower:upper:step`, each may be null.
struct Slice : Expr {
  static constexpr NodeKind kKind = NodeKind::Slice;
  const Expr* lower;
  const Expr* upper;
  const Expr* step;
};

// Statements.

enum class TypeParamKind : std::uint8_t { TypeVar, TypeVarTuple, ParamSpec };

// `T: bound = default` in `def f[T: bound = default]()`.
struct TypeParam {
  Span span;
  Span name_span;
  TypeParamKind kind;
  std::string_view name;
  const Expr* bound;
  const Expr* default_value;
};
using TypeParams = std::span<const TypeParam* const>;

// The span begins at `def` or `async`, after the decorators.
struct FunctionDef : Stmt {
  static constexpr NodeKind kKind = NodeKind::FunctionDef;
  bool is_async;
  std::string_view name;
  Span name_span;
  Exprs decorators;
  TypeParams type_params;
  Params params;
  Span params_span;     // from '(' to ')'
  const Expr* returns;  // null if there is none
  Stmts body;
};

struct ClassDef : Stmt {
  static constexpr NodeKind kKind = NodeKind::ClassDef;
  std::string_view name;
  Span name_span;
  Exprs decorators;
  TypeParams type_params;
  Exprs bases;
  Keywords keywords;
  Stmts body;
};

struct Return : Stmt {
  static constexpr NodeKind kKind = NodeKind::Return;
  Span keyword_span;
  const Expr* value;  // null for a bare `return`
};

struct Delete : Stmt {
  static constexpr NodeKind kKind = NodeKind::Delete;
  Exprs targets;
};

// `targets[0] = targets[1] = value`.
struct Assign : Stmt {
  static constexpr NodeKind kKind = NodeKind::Assign;
  Exprs targets;
  Span op_span;  // of the last `=`
  const Expr* value;
};

// `type name[type_params] = value`.
struct TypeAlias : Stmt {
  static constexpr NodeKind kKind = NodeKind::TypeAlias;
  const Expr* name;
  TypeParams type_params;
  const Expr* value;
};

// `target op= value`; op_span covers `op=`.
struct AugAssign : Stmt {
  static constexpr NodeKind kKind = NodeKind::AugAssign;
  BinaryOperator op;
  Span op_span;
  const Expr* target;
  const Expr* value;
};

// `target: annotation = value`.
struct AnnAssign : Stmt {
  static constexpr NodeKind kKind = NodeKind::AnnAssign;
  // The target is a bare name, not `(x): int`.
  bool is_simple;
  const Expr* target;
  const Expr* annotation;
  const Expr* value;  // null if there is none
};

struct For : Stmt {
  static constexpr NodeKind kKind = NodeKind::For;
  bool is_async;
  Span keyword_span;
  const Expr* target;
  const Expr* iter;
  Stmts body;
  Stmts orelse;
  Span else_span;  // of `else`; nowhere if there is none
};

struct While : Stmt {
  static constexpr NodeKind kKind = NodeKind::While;
  Span keyword_span;
  const Expr* test;
  Stmts body;
  Stmts orelse;
  Span else_span;
};

// `if condition: body` or `elif condition: body`; the span goes from the keyword to the end of
// the body.
struct IfClause {
  Span span;
  Span keyword_span;
  const Expr* condition;
  Stmts body;
};

struct If : Stmt {
  static constexpr NodeKind kKind = NodeKind::If;
  std::span<const IfClause> clauses;  // at least one
  Stmts orelse;
  Span else_span;
};

// `context_expr as target`.
struct WithItem {
  Span span;
  const Expr* context_expr;
  const Expr* target;  // null if there is none
};

struct With : Stmt {
  static constexpr NodeKind kKind = NodeKind::With;
  bool is_async;
  Span keyword_span;
  std::span<const WithItem> items;
  Stmts body;
};

// `case pattern if guard: body`.
struct MatchCase {
  Span span;
  const Pattern* pattern;
  const Expr* guard;  // null if there is none
  Stmts body;
};

struct Match : Stmt {
  static constexpr NodeKind kKind = NodeKind::Match;
  Span keyword_span;
  const Expr* subject;
  std::span<const MatchCase> cases;
};

// `raise exception from cause`.
struct Raise : Stmt {
  static constexpr NodeKind kKind = NodeKind::Raise;
  const Expr* exception;
  const Expr* cause;
};

// `except type as name: body`.
struct ExceptHandler {
  Span span;
  const Expr* type;  // null for a bare `except:`
  std::string_view name;
  Stmts body;
};

struct Try : Stmt {
  static constexpr NodeKind kKind = NodeKind::Try;
  bool is_star;  // `except*`
  Span keyword_span;
  Stmts body;
  std::span<const ExceptHandler> handlers;
  Stmts orelse;
  Stmts finalbody;
};

struct Assert : Stmt {
  static constexpr NodeKind kKind = NodeKind::Assert;
  const Expr* test;
  const Expr* message;  // null if there is none
};

// `a.b.c as name`.
struct Alias {
  Span span;
  std::string_view name;     // dotted; "*" for a star import
  std::string_view as_name;  // empty if there is none
};

struct Import : Stmt {
  static constexpr NodeKind kKind = NodeKind::Import;
  std::span<const Alias> names;
};

// `from ..module import names`: level 2.
struct ImportFrom : Stmt {
  static constexpr NodeKind kKind = NodeKind::ImportFrom;
  int level;
  std::string_view module;  // empty for `from . import x`
  std::span<const Alias> names;
};

struct Global : Stmt {
  static constexpr NodeKind kKind = NodeKind::Global;
  std::span<const std::string_view> names;
};
struct Nonlocal : Stmt {
  static constexpr NodeKind kKind = NodeKind::Nonlocal;
  std::span<const std::string_view> names;
};

// An expression on a line of its own.
struct ExprStmt : Stmt {
  static constexpr NodeKind kKind = NodeKind::ExprStmt;
  const Expr* value;
};

struct Pass : Stmt {
  static constexpr NodeKind kKind = NodeKind::Pass;
};
struct Break : Stmt {
  static constexpr NodeKind kKind = NodeKind::Break;
};
struct Continue : Stmt {
  static constexpr NodeKind kKind = NodeKind::Continue;
};

// Match patterns.

struct MatchValue : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchValue;
  const Expr* value;
};
struct MatchSingleton : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchSingleton;
  ConstantKind value;  // None, True or False
};
struct MatchSequence : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchSequence;
  Patterns patterns;
};
struct MatchMapping : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchMapping;
  Exprs keys;
  Patterns patterns;
  std::string_view rest;  // of `**rest`; empty if there is none
};
struct MatchClass : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchClass;
  const Expr* cls;
  Patterns patterns;
  std::span<const std::string_view> keyword_names;
  Patterns keyword_patterns;
};
struct MatchStar : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchStar;
  std::string_view name;  // empty for `*_`
};
// `pattern as name`, a capture `name`, or the wildcard `_` (both empty).
struct MatchAs : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchAs;
  const Pattern* pattern;
  std::string_view name;
};
struct MatchOr : Pattern {
  static constexpr NodeKind kKind = NodeKind::MatchOr;
  Patterns patterns;
};

// A whole file, or the text of one function.
struct Module {
  Span span;
  Stmts body;
};

// Access.

// The node as a T, or null if it is of another class (or null itself).
template <typename T>
const T* as(const Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}
template <typename T>
bool is(const Node* node) {
  return node != nullptr && node->kind == T::kKind;
}

#define TIRXCC_SYNTAX_CASE(name) \
  case NodeKind::name:           \
    return visitor(static_cast<const name&>(node));
#define TIRXCC_SYNTAX_SKIP(name) case NodeKind::name:

template <typename Visitor>
decltype(auto) visit(const Expr& node, Visitor&& visitor) {
  switch (node.kind) {
    TIRXCC_SYNTAX_EXPRS(TIRXCC_SYNTAX_CASE)
    TIRXCC_SYNTAX_STMTS(TIRXCC_SYNTAX_SKIP)
    TIRXCC_SYNTAX_PATTERNS(TIRXCC_SYNTAX_SKIP)
    break;
  }
  __builtin_unreachable();
}

template <typename Visitor>
decltype(auto) visit(const Stmt& node, Visitor&& visitor) {
  switch (node.kind) {
    TIRXCC_SYNTAX_STMTS(TIRXCC_SYNTAX_CASE)
    TIRXCC_SYNTAX_EXPRS(TIRXCC_SYNTAX_SKIP)
    TIRXCC_SYNTAX_PATTERNS(TIRXCC_SYNTAX_SKIP)
    break;
  }
  __builtin_unreachable();
}

template <typename Visitor>
decltype(auto) visit(const Pattern& node, Visitor&& visitor) {
  switch (node.kind) {
    TIRXCC_SYNTAX_PATTERNS(TIRXCC_SYNTAX_CASE)
    TIRXCC_SYNTAX_EXPRS(TIRXCC_SYNTAX_SKIP)
    TIRXCC_SYNTAX_STMTS(TIRXCC_SYNTAX_SKIP)
    break;
  }
  __builtin_unreachable();
}

#undef TIRXCC_SYNTAX_CASE
#undef TIRXCC_SYNTAX_SKIP

}  // namespace tirxcc::syntax
