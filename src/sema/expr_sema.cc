// SPDX-License-Identifier: Apache-2.0
//
// The dispatch over expression nodes, and ExprSema, the face of the expression half of sema.
#include "sema/expr_sema.h"

#include "ir/traverse.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnsupportedExpression{"unsupported-expression", Severity::Error,
                                            ErrorClass::Syntax, "{} is not part of the language"};
constexpr Diagnostic kMisplacedStar{"misplaced-star", Severity::Error, ErrorClass::Syntax,
                                    "'*' unpacks only in calls, lists and tuples"};
constexpr Diagnostic kMisplacedSlice{"misplaced-slice", Severity::Error, ErrorClass::Syntax,
                                     "a slice selects items of a sequence or a region of a tensor"};

constexpr Diagnostic kTooDeepToTranslate{"too-deep-to-translate", Severity::Error,
                                         ErrorClass::Value,
                                         "this expression is nested too deeply; give parts of it "
                                         "a name"};
constexpr Diagnostic kWrittenTooOften{"written-too-often", Severity::Error, ErrorClass::Value,
                                      "parts of this expression are repeated until it has more "
                                      "than {} operations; give them a name"};

// Half of what a main thread has; statements that hold the expression need some of the rest.
constexpr std::uintptr_t kStackBudget = 5u << 20;

// Lambdas that call lambdas are as deep as they like, whatever the parser allows in one text.
bool has_stack_left(Context& context) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (context.stack_base == 0) context.stack_base = here;
  return context.stack_base < here || context.stack_base - here < kStackBudget;
}

Value unsupported(Context& context, const syntax::Expr& expr, std::string_view what) {
  context.diags.report(expr.span, kUnsupportedExpression, what);
  return Value::error();
}

Value eval_lambda(Context& context, const syntax::Lambda& lambda) {
  std::vector<Value> defaults;
  for (const syntax::Param* param : lambda.params) {
    const syntax::Expr* given = param->default_value;
    defaults.push_back(given == nullptr ? Value::error()
                                        : context.names->keep(eval_expr(context, *given),
                                                              param->name, given->span));
    if (given != nullptr && defaults.back().is_error()) return Value::error();
  }
  FunctionValue function;
  function.lambda = &lambda;
  function.scope = &context.scope;
  function.bound = context.arena.copy(std::span<const Binding>(context.names->bindings()));
  function.defaults = context.arena.copy(defaults);
  function.home = context.names->names_here();
  Value value;
  value.kind = ValueKind::Function;
  value.function = context.arena.make<FunctionValue>(function);
  return value;
}

}  // namespace

// Recursion runs through here: the frame stays small because each case is a call of its own.
Value eval_expr(Context& context, const syntax::Expr& expr) {
  if (!has_stack_left(context)) {
    context.diags.report(expr.span, kTooDeepToTranslate);
    return Value::error();
  }
  return syntax::visit(
      expr,
      Overloaded{
          [&](const syntax::Name& node) { return context.names->lookup(node); },
          [&](const syntax::Constant& node) { return eval_constant(context, node); },
          [&](const syntax::BinOp& node) { return eval_bin_op(context, node); },
          [&](const syntax::UnaryOp& node) { return eval_unary_op(context, node); },
          [&](const syntax::Compare& node) { return eval_compare(context, node); },
          [&](const syntax::BoolOp& node) { return eval_bool_op(context, node); },
          [&](const syntax::IfExp& node) { return eval_if_exp(context, node); },
          [&](const syntax::Subscript& node) { return eval_subscript(context, node); },
          [&](const syntax::Attribute& node) { return eval_attribute(context, node); },
          [&](const syntax::Call& node) { return eval_call(context, node); },
          [&](const syntax::JoinedStr& node) { return eval_joined_str(context, node); },
          [&](const syntax::FormattedValue& node) { return eval_expr(context, *node.value); },
          [&](const syntax::Lambda& node) { return eval_lambda(context, node); },
          [&](const syntax::List& node) { return eval_display(context, node); },
          [&](const syntax::Tuple& node) { return eval_display(context, node); },
          [&](const syntax::Set& node) { return eval_display(context, node); },
          [&](const syntax::Dict& node) { return eval_display(context, node); },
          [&](const syntax::ListComp& node) { return eval_comprehension(context, node); },
          [&](const syntax::SetComp& node) { return eval_comprehension(context, node); },
          [&](const syntax::DictComp& node) { return eval_comprehension(context, node); },
          [&](const syntax::GeneratorExp& node) { return eval_comprehension(context, node); },
          [&](const syntax::NamedExpr& node) {
            const source::SourceManager& sources = context.diags.sources();
            context.diags.report(node.span, kUnsupportedExpression, "':='")
                .note("assign it in a line before: '{} = {}'", sources.text_of(node.target->span),
                      sources.text_of(node.value->span));
            return Value::error();
          },
          [&](const syntax::Await& node) { return unsupported(context, node, "'await'"); },
          [&](const syntax::Yield& node) { return unsupported(context, node, "'yield'"); },
          [&](const syntax::YieldFrom& node) { return unsupported(context, node, "'yield'"); },
          [&](const syntax::Starred& node) {
            context.diags.report(node.span, kMisplacedStar);
            return Value::error();
          },
          [&](const syntax::Slice& node) {
            context.diags.report(node.span, kMisplacedSlice);
            return Value::error();
          }});
}

bool is_written_shortly(Context& context, const ir::Expr* expr, Span span) {
  constexpr int kMostOperations = 20000;
  int count = 0;
  const bool is_long =
      ir::any_expr(*expr, [&](const ir::Expr&) { return ++count > kMostOperations; });
  if (is_long) context.diags.report(span, kWrittenTooOften, kMostOperations);
  return !is_long;
}

Value ExprSema::eval(const syntax::Expr& expr) {
  return eval_expr(context_, expr);
}

const ir::Expr* ExprSema::to_expr(const Value& value, Span span) {
  return sema::to_expr(context_, value, span);
}

const ir::Expr* ExprSema::convert(const Value& value, DType type, Span span, Conversion how) {
  return sema::convert(context_, value, type, span, how);
}

DType ExprSema::type_of(const Value& value) const {
  if (value.kind == ValueKind::Bool) return kBool;
  if (value.kind == ValueKind::Int) return natural_type(value.int_value);
  if (value.kind == ValueKind::Float) return kFloat32;
  if (value.kind == ValueKind::Expr) return value.expr->dtype;
  if (value.kind == ValueKind::Symbol) return value.symbol->dtype;
  return kError;
}

std::optional<bool> ExprSema::known_truth(const Value& value) const {
  return sema::known_truth(value);
}

const ir::Expr* ExprSema::condition(const Value& value, Span span) {
  return sema::condition(context_, value, span);
}

std::optional<int128> ExprSema::known_int(const Value& value) const {
  return sema::known_int(value);
}

std::optional<DType> ExprSema::as_dtype(const Value& value) const {
  return sema::as_dtype(value);
}

Value ExprSema::binary(syntax::BinaryOperator op, const Value& a, const Value& b, Span op_span,
                       Span span) {
  return sema::binary(context_, op, a, b, {op_span, op_span, op_span, span});
}

bool ExprSema::eval_indices(const ir::Tensor& tensor, const syntax::Subscript& subscript,
                            std::vector<const ir::Expr*>& indices) {
  return sema::eval_indices(context_, tensor, *subscript.index, indices);
}

}  // namespace tirxcc::sema
