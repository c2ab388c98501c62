// SPDX-License-Identifier: Apache-2.0
//
// The dump of a syntax tree. One function a class, in the order of ast.h, listing its fields.
#include "syntax/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/utf8.h"

namespace tirxcc::syntax {
namespace {

// Indentation stops growing here, or 3,000 elifs would print 9 million blanks.
constexpr int kMaxIndentation = 50;

std::string_view class_name(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Add: return "Add";
    case BinaryOperator::Sub: return "Sub";
    case BinaryOperator::Mult: return "Mult";
    case BinaryOperator::MatMult: return "MatMult";
    case BinaryOperator::Div: return "Div";
    case BinaryOperator::Mod: return "Mod";
    case BinaryOperator::Pow: return "Pow";
    case BinaryOperator::LShift: return "LShift";
    case BinaryOperator::RShift: return "RShift";
    case BinaryOperator::BitOr: return "BitOr";
    case BinaryOperator::BitXor: return "BitXor";
    case BinaryOperator::BitAnd: return "BitAnd";
    case BinaryOperator::FloorDiv: return "FloorDiv";
  }
  __builtin_unreachable();
}

std::string_view class_name(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::Invert: return "Invert";
    case UnaryOperator::Not: return "Not";
    case UnaryOperator::UAdd: return "UAdd";
    case UnaryOperator::USub: return "USub";
  }
  __builtin_unreachable();
}

std::string_view class_name(BoolOperator op) {
  return op == BoolOperator::And ? "And" : "Or";
}

std::string_view class_name(CompareOperator op) {
  switch (op) {
    case CompareOperator::Eq: return "Eq";
    case CompareOperator::NotEq: return "NotEq";
    case CompareOperator::Lt: return "Lt";
    case CompareOperator::LtE: return "LtE";
    case CompareOperator::Gt: return "Gt";
    case CompareOperator::GtE: return "GtE";
    case CompareOperator::Is: return "Is";
    case CompareOperator::IsNot: return "IsNot";
    case CompareOperator::In: return "In";
    case CompareOperator::NotIn: return "NotIn";
  }
  __builtin_unreachable();
}

std::string_view class_name(ExprContext ctx) {
  switch (ctx) {
    case ExprContext::Load: return "Load";
    case ExprContext::Store: return "Store";
    case ExprContext::Del: return "Del";
  }
  __builtin_unreachable();
}

std::string_view class_name(ConstantKind kind) {
  switch (kind) {
    case ConstantKind::None: return "None";
    case ConstantKind::True: return "True";
    case ConstantKind::False: return "False";
    case ConstantKind::Ellipsis: return "Ellipsis";
    case ConstantKind::Int: return "int";
    case ConstantKind::Float: return "float";
    case ConstantKind::Imaginary: return "complex";
    case ConstantKind::String: return "str";
    case ConstantKind::Bytes: return "bytes";
  }
  __builtin_unreachable();
}

// Surrogates (from escapes) are encoded like other code points, which decode_utf8 refuses.
CodePoint decode_any(std::string_view text, std::size_t offset) {
  const CodePoint point = decode_utf8(text, offset);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  if (point.is_valid || byte(0) != 0xED || text.size() - offset < 3) return point;
  return {.value = (char32_t{0xD} << 12) | ((byte(1) & 0x3Fu) << 6) | (byte(2) & 0x3Fu),
          .length = 3};
}

std::string quoted(std::string_view text, bool is_bytes = false) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    CodePoint point{.value = static_cast<unsigned char>(text[i])};
    if (!is_bytes) point = decode_any(text, i);
    const bool is_plain =
        point.value >= ' ' && point.value <= '~' && point.value != '"' && point.value != '\\';
    if (is_plain) {
      out += static_cast<char>(point.value);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}",
                     static_cast<std::uint32_t>(point.value));
    }
    i += point.length;
  }
  return out + '"';
}

std::string wide_digits(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c == '_') continue;
    digits += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return digits;
}

class Dumper {
 public:
  Dumper(const source::SourceFile& file, DumpOptions options) : file_(file), options_(options) {}

  std::string run(const Module& module) {
    line("Module");
    ++depth_;
    list("body", module.body);
    return std::move(out_);
  }
  std::string run(const Expr& node) {
    expr("Expression", &node);
    return std::move(out_);
  }

 private:
  // Lines.

  template <typename... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    out_.append(2 * static_cast<std::size_t>(std::min(depth_, kMaxIndentation)), ' ');
    if (depth_ > kMaxIndentation) fmt::format_to(std::back_inserter(out_), "({}) ", depth_);
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
    out_ += '\n';
  }
  std::string place(Span span) const {
    const auto at = [&](std::uint32_t global) {
      const std::uint32_t offset = global - file_.base;
      const auto next =
          std::upper_bound(file_.line_starts.begin(), file_.line_starts.end(), offset);
      const auto index = static_cast<std::uint32_t>(next - file_.line_starts.begin() - 1);
      return fmt::format("{}:{}", file_.first_line + index, offset - file_.line_starts[index]);
    };
    return fmt::format("{}-{}", at(span.begin), at(span.end));
  }
  void open(std::string_view label, std::string_view name, Span span) {
    line("{}: {} {}", label, name, place(span));
    ++depth_;
  }
  void close() { --depth_; }
  static std::string indexed(std::string_view label, std::size_t index) {
    return fmt::format("{}[{}]", label, index);
  }
  void text(std::string_view label, std::string_view value) {
    if (!value.empty()) line("{}: {}", label, quoted(value));
  }
  void texts(std::string_view label, std::span<const std::string_view> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      text(indexed(label, i), values[i]);
  }

  // Children.

  void expr(std::string_view label, const Expr* node) {
    if (node == nullptr) return;
    open(label, node_kind_name(node->kind), node->span);
    visit(*node, [&](const auto& n) { fields(n); });
    close();
  }
  void list(std::string_view label, Exprs nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i] == nullptr) {
        line("{}: None", indexed(label, i));
      } else {
        expr(indexed(label, i), nodes[i]);
      }
    }
  }
  void pattern(std::string_view label, const Pattern* node) {
    if (node == nullptr) return;
    open(label, node_kind_name(node->kind), node->span);
    visit(*node, [&](const auto& n) { fields(n); });
    close();
  }
  void list(std::string_view label, Patterns nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      pattern(indexed(label, i), nodes[i]);
  }
  void list(std::string_view label, Stmts nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      stmt(indexed(label, i), *nodes[i]);
  }
  void stmt(std::string_view label, const Stmt& node) {
    if (is<If>(&node)) return if_chain(label, *as<If>(&node));
    open(label, statement_name(node), node.span);
    visit(node, [&](const auto& n) { fields(n); });
    close();
  }
  static std::string_view statement_name(const Stmt& node) {
    if (is<ExprStmt>(&node)) return "Expr";
    if (is<FunctionDef>(&node) && as<FunctionDef>(&node)->is_async) return "AsyncFunctionDef";
    if (is<For>(&node) && as<For>(&node)->is_async) return "AsyncFor";
    if (is<With>(&node) && as<With>(&node)->is_async) return "AsyncWith";
    if (is<Try>(&node) && as<Try>(&node)->is_star) return "TryStar";
    return node_kind_name(node.kind);
  }
  // CPython's shape, without recursion.
  void if_chain(std::string_view label, const If& node) {
    const int depth = depth_;
    std::string name(label);
    for (const IfClause& clause : node.clauses) {
      open(name, "If", {clause.span.begin, node.span.end});
      expr("test", clause.condition);
      list("body", clause.body);
      name = "orelse[0]";
    }
    list("orelse", node.orelse);
    depth_ = depth;
  }

  void list(std::string_view label, Comprehensions nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      line("{}: comprehension", indexed(label, i));
      ++depth_;
      expr("target", nodes[i]->target);
      expr("iter", nodes[i]->iter);
      list("ifs", nodes[i]->conditions);
      line("is_async: {:d}", nodes[i]->is_async);
      --depth_;
    }
  }
  void list(std::string_view label, Keywords nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      open(indexed(label, i), "keyword", nodes[i]->span);
      text("arg", nodes[i]->name);
      expr("value", nodes[i]->value);
      close();
    }
  }
  void aliases(std::span<const Alias> names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      open(indexed("names", i), "alias", names[i].span);
      text("name", names[i].name);
      text("asname", names[i].as_name);
      close();
    }
  }
  void param(std::string_view label, const Param& node) {
    open(label, "arg", node.span);
    text("arg", node.name);
    expr("annotation", node.annotation);
    close();
  }
  void params_of_kind(std::string_view label, Params params, ParamKind kind) {
    const bool is_single = kind == ParamKind::VarPositional || kind == ParamKind::VarKeyword;
    std::size_t index = 0;
    for (const Param* node : params) {
      if (node->kind != kind) continue;
      param(is_single ? std::string(label) : indexed(label, index++), *node);
    }
  }
  void arguments(Params params) {
    line("args: arguments");
    ++depth_;
    params_of_kind("posonlyargs", params, ParamKind::PositionalOnly);
    params_of_kind("args", params, ParamKind::PositionalOrKeyword);
    params_of_kind("vararg", params, ParamKind::VarPositional);
    params_of_kind("kwonlyargs", params, ParamKind::KeywordOnly);
    std::size_t index = 0;
    for (const Param* node : params) {
      if (node->kind != ParamKind::KeywordOnly) continue;
      const std::string label = indexed("kw_defaults", index++);
      if (node->default_value == nullptr) line("{}: None", label);
      expr(label, node->default_value);
    }
    params_of_kind("kwarg", params, ParamKind::VarKeyword);
    index = 0;
    for (const Param* node : params) {
      const bool is_positional =
          node->kind == ParamKind::PositionalOnly || node->kind == ParamKind::PositionalOrKeyword;
      if (!is_positional || node->default_value == nullptr) continue;
      expr(indexed("defaults", index++), node->default_value);
    }
    --depth_;
  }
  void type_params(TypeParams nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const TypeParam& node = *nodes[i];
      const std::string_view name = node.kind == TypeParamKind::TypeVar     ? "TypeVar"
                                    : node.kind == TypeParamKind::ParamSpec ? "ParamSpec"
                                                                            : "TypeVarTuple";
      open(indexed("type_params", i), name, node.span);
      text("name", node.name);
      expr("bound", node.bound);
      expr("default_value", node.default_value);
      close();
    }
  }

  // Expressions.

  void fields(const BoolOp& node) {
    line("op: {}", class_name(node.op));
    list("values", node.values);
  }
  void fields(const NamedExpr& node) {
    expr("target", node.target);
    expr("value", node.value);
  }
  void fields(const BinOp& node) {
    expr("left", node.left);
    line("op: {}", class_name(node.op));
    expr("right", node.right);
  }
  void fields(const UnaryOp& node) {
    line("op: {}", class_name(node.op));
    expr("operand", node.operand);
  }
  void fields(const Lambda& node) {
    arguments(node.params);
    expr("body", node.body);
  }
  void fields(const IfExp& node) {
    expr("test", node.test);
    expr("body", node.body);
    expr("orelse", node.orelse);
  }
  void fields(const Dict& node) {
    list("keys", node.keys);
    list("values", node.values);
  }
  void fields(const Set& node) { list("elts", node.elements); }
  void fields(const ListComp& node) {
    expr("elt", node.element);
    list("generators", node.generators);
  }
  void fields(const SetComp& node) {
    expr("elt", node.element);
    list("generators", node.generators);
  }
  void fields(const DictComp& node) {
    expr("key", node.key);
    expr("value", node.value);
    list("generators", node.generators);
  }
  void fields(const GeneratorExp& node) {
    expr("elt", node.element);
    list("generators", node.generators);
  }
  void fields(const Await& node) { expr("value", node.value); }
  void fields(const Yield& node) { expr("value", node.value); }
  void fields(const YieldFrom& node) { expr("value", node.value); }
  void fields(const Compare& node) {
    expr("left", node.left);
    for (std::size_t i = 0; i < node.ops.size(); ++i) {
      line("ops[{}]: {}", i, class_name(node.ops[i]));
    }
    list("comparators", node.comparators);
  }
  void fields(const Call& node) {
    expr("func", node.func);
    list("args", node.args);
    list("keywords", node.keywords);
  }
  void fields(const FormattedValue& node) {
    expr("value", node.value);
    line("conversion: {}", node.conversion == 0 ? -1 : node.conversion);
    expr("format_spec", node.format_spec);
  }
  void fields(const JoinedStr& node) {
    if (options_.show_fstring_parts) list("values", node.values);
  }
  void fields(const Constant& node) {
    const std::string_view kind = class_name(node.constant_kind);
    switch (node.constant_kind) {
      case ConstantKind::None:
      case ConstantKind::True:
      case ConstantKind::False:
      case ConstantKind::Ellipsis: line("value: {}", kind); break;
      case ConstantKind::Int:
        if (node.is_too_wide) {
          line("value: int {}", wide_digits(node.text));
        } else {
          line("value: int {}", node.int_value);
        }
        break;
      case ConstantKind::Float:
      case ConstantKind::Imaginary: line("value: {} {:.17g}", kind, node.float_value); break;
      case ConstantKind::String:
        line("value: str {}", node.has_named_escape ? "<named escape>" : quoted(node.text));
        break;
      case ConstantKind::Bytes: line("value: bytes {}", quoted(node.text, true)); break;
    }
    if (node.has_u_prefix) line("kind: \"u\"");
  }
  void fields(const Attribute& node) {
    expr("value", node.value);
    text("attr", node.attr);
    line("ctx: {}", class_name(node.ctx));
  }
  void fields(const Subscript& node) {
    expr("value", node.value);
    expr("slice", node.index);
    line("ctx: {}", class_name(node.ctx));
  }
  void fields(const Starred& node) {
    expr("value", node.value);
    line("ctx: {}", class_name(node.ctx));
  }
  void fields(const Name& node) {
    text("id", node.id);
    line("ctx: {}", class_name(node.ctx));
  }
  void fields(const List& node) {
    list("elts", node.elements);
    line("ctx: {}", class_name(node.ctx));
  }
  void fields(const Tuple& node) {
    list("elts", node.elements);
    line("ctx: {}", class_name(node.ctx));
  }
  void fields(const Slice& node) {
    expr("lower", node.lower);
    expr("upper", node.upper);
    expr("step", node.step);
  }

  // Statements.

  void fields(const FunctionDef& node) {
    text("name", node.name);
    arguments(node.params);
    list("body", node.body);
    list("decorator_list", node.decorators);
    expr("returns", node.returns);
    type_params(node.type_params);
  }
  void fields(const ClassDef& node) {
    text("name", node.name);
    list("bases", node.bases);
    list("keywords", node.keywords);
    list("body", node.body);
    list("decorator_list", node.decorators);
    type_params(node.type_params);
  }
  void fields(const Return& node) { expr("value", node.value); }
  void fields(const Delete& node) { list("targets", node.targets); }
  void fields(const Assign& node) {
    list("targets", node.targets);
    expr("value", node.value);
  }
  void fields(const TypeAlias& node) {
    expr("name", node.name);
    type_params(node.type_params);
    expr("value", node.value);
  }
  void fields(const AugAssign& node) {
    expr("target", node.target);
    line("op: {}", class_name(node.op));
    expr("value", node.value);
  }
  void fields(const AnnAssign& node) {
    expr("target", node.target);
    expr("annotation", node.annotation);
    expr("value", node.value);
    line("simple: {:d}", node.is_simple);
  }
  void fields(const For& node) {
    expr("target", node.target);
    expr("iter", node.iter);
    list("body", node.body);
    list("orelse", node.orelse);
  }
  void fields(const While& node) {
    expr("test", node.test);
    list("body", node.body);
    list("orelse", node.orelse);
  }
  // Printed by if_chain().
  void fields(const If&) {}
  void fields(const With& node) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      line("items[{}]: withitem", i);
      ++depth_;
      expr("context_expr", node.items[i].context_expr);
      expr("optional_vars", node.items[i].target);
      --depth_;
    }
    list("body", node.body);
  }
  void fields(const Match& node) {
    expr("subject", node.subject);
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      line("cases[{}]: match_case", i);
      ++depth_;
      pattern("pattern", node.cases[i].pattern);
      expr("guard", node.cases[i].guard);
      list("body", node.cases[i].body);
      --depth_;
    }
  }
  void fields(const Raise& node) {
    expr("exc", node.exception);
    expr("cause", node.cause);
  }
  void fields(const Try& node) {
    list("body", node.body);
    for (std::size_t i = 0; i < node.handlers.size(); ++i) {
      open(indexed("handlers", i), "ExceptHandler", node.handlers[i].span);
      expr("type", node.handlers[i].type);
      text("name", node.handlers[i].name);
      list("body", node.handlers[i].body);
      close();
    }
    list("orelse", node.orelse);
    list("finalbody", node.finalbody);
  }
  void fields(const Assert& node) {
    expr("test", node.test);
    expr("msg", node.message);
  }
  void fields(const Import& node) { aliases(node.names); }
  void fields(const ImportFrom& node) {
    text("module", node.module);
    aliases(node.names);
    line("level: {}", node.level);
  }
  void fields(const Global& node) { texts("names", node.names); }
  void fields(const Nonlocal& node) { texts("names", node.names); }
  void fields(const ExprStmt& node) { expr("value", node.value); }
  void fields(const Pass&) {}
  void fields(const Break&) {}
  void fields(const Continue&) {}

  // Patterns.

  void fields(const MatchValue& node) { expr("value", node.value); }
  void fields(const MatchSingleton& node) { line("value: {}", class_name(node.value)); }
  void fields(const MatchSequence& node) { list("patterns", node.patterns); }
  void fields(const MatchMapping& node) {
    list("keys", node.keys);
    list("patterns", node.patterns);
    text("rest", node.rest);
  }
  void fields(const MatchClass& node) {
    expr("cls", node.cls);
    list("patterns", node.patterns);
    texts("kwd_attrs", node.keyword_names);
    list("kwd_patterns", node.keyword_patterns);
  }
  void fields(const MatchStar& node) { text("name", node.name); }
  void fields(const MatchAs& node) {
    pattern("pattern", node.pattern);
    text("name", node.name);
  }
  void fields(const MatchOr& node) { list("patterns", node.patterns); }

  const source::SourceFile& file_;
  DumpOptions options_;
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string dump(const Module& module, const source::SourceFile& file, DumpOptions options) {
  return Dumper(file, options).run(module);
}

std::string dump(const Expr& expr, const source::SourceFile& file, DumpOptions options) {
  return Dumper(file, options).run(expr);
}

}  // namespace tirxcc::syntax
