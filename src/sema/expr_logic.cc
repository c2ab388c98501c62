// SPDX-License-Identifier: Apache-2.0
//
// Truth: comparisons and their chains, `and` / `or`, and `a if c else b`. Whatever is known while
// compiling decides at once, and what it rules out is not looked at (language.md 3.3, 3.5).
#include <tuple>

#include "ir/constant.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;
using syntax::CompareOperator;

constexpr Diagnostic kIdentityOfKernelValue{
    "identity-of-kernel-value", Severity::Error, ErrorClass::Type,
    "'{}' asks about Python objects, and {} is known only when the kernel runs"};
constexpr Diagnostic kNoOrder{"no-order", Severity::Error, ErrorClass::Type,
                              "'{}' does not compare {} with {}"};
constexpr Diagnostic kNotAContainer{"not-a-container", Severity::Error, ErrorClass::Type,
                                    "'{}' looks into a list, tuple, dict or string, not {}"};
constexpr Diagnostic kConstantComparison{"constant-comparison", Severity::Warning,
                                         ErrorClass::Value, "comparison is always {}"};
constexpr Diagnostic kBitsInChain{"bits-in-chain", Severity::Warning, ErrorClass::Value,
                                  "'{}' binds tighter than the comparisons around it"};
constexpr Diagnostic kChainedEffect{"chained-effect", Severity::Error, ErrorClass::Value,
                                    "the middle of a comparison chain has an effect and would be "
                                    "evaluated twice; give it a name first"};

ir::BinaryOp ir_op(CompareOperator op) {
  switch (op) {
    case CompareOperator::Eq: return ir::BinaryOp::Eq;
    case CompareOperator::NotEq: return ir::BinaryOp::Ne;
    case CompareOperator::Lt: return ir::BinaryOp::Lt;
    case CompareOperator::LtE: return ir::BinaryOp::Le;
    case CompareOperator::Gt: return ir::BinaryOp::Gt;
    case CompareOperator::GtE: return ir::BinaryOp::Ge;
    case CompareOperator::Is:
    case CompareOperator::IsNot:
    case CompareOperator::In:
    case CompareOperator::NotIn: break;
  }
  internal_error(__FILE__, __LINE__, "a comparison that is translated elsewhere");
}

bool is_kernel_value(const Value& value) {
  return value.kind == ValueKind::Expr || value.kind == ValueKind::Symbol;
}

// Whether `x op literal` is the same for every x in [low, high]; nullopt if it depends on x.
std::optional<bool> constant_answer(CompareOperator op, int128 low, int128 high, int128 literal) {
  switch (op) {
    case CompareOperator::Lt:
      if (high < literal) return true;
      return low >= literal ? std::optional(false) : std::nullopt;
    case CompareOperator::LtE:
      if (high <= literal) return true;
      return low > literal ? std::optional(false) : std::nullopt;
    case CompareOperator::Gt: {
      const std::optional<bool> le = constant_answer(CompareOperator::LtE, low, high, literal);
      return le ? std::optional(!*le) : std::nullopt;
    }
    case CompareOperator::GtE: {
      const std::optional<bool> lt = constant_answer(CompareOperator::Lt, low, high, literal);
      return lt ? std::optional(!*lt) : std::nullopt;
    }
    case CompareOperator::Eq:
    case CompareOperator::NotEq:
      if (literal >= low && literal <= high) return std::nullopt;
      return op == CompareOperator::NotEq;
    case CompareOperator::Is:
    case CompareOperator::IsNot:
    case CompareOperator::In:
    case CompareOperator::NotIn: return std::nullopt;
  }
  __builtin_unreachable();
}

CompareOperator mirrored(CompareOperator op) {
  switch (op) {
    case CompareOperator::Lt: return CompareOperator::Gt;
    case CompareOperator::LtE: return CompareOperator::GtE;
    case CompareOperator::Gt: return CompareOperator::Lt;
    case CompareOperator::GtE: return CompareOperator::LtE;
    case CompareOperator::Eq:
    case CompareOperator::NotEq:
    case CompareOperator::Is:
    case CompareOperator::IsNot:
    case CompareOperator::In:
    case CompareOperator::NotIn: return op;
  }
  __builtin_unreachable();
}

// Rule 21: a literal that its operand's type cannot hold may make the comparison constant.
void warn_if_constant(Context& context, CompareOperator op, const Value& typed,
                      const Value& literal, DType common, const BinarySpans& spans) {
  const DType type = typed.expr->dtype;
  if (!type.is_int() || !common.is_int() || type.can_hold(literal.int_value)) return;
  const bool keeps_values = common.can_hold(type.min_int()) && common.can_hold(type.max_int());
  const int128 low = keeps_values ? type.min_int() : common.min_int();
  const int128 high = keeps_values ? type.max_int() : common.max_int();
  const int128 value = wrap_int(common, literal.int_value);
  const std::optional<bool> answer = constant_answer(op, low, high, value);
  if (!answer) return;
  const auto text = [](int128 number) { return python_text(Value::of_int(number), true).value(); };
  auto report = context.diags.report(spans.whole, kConstantComparison, *answer ? "true" : "false");
  if (value != literal.int_value) {
    report.note("{} is {} in {}", text(literal.int_value), text(value), to_string(common));
  } else {
    report.note("{} holds {} to {}", to_string(type), text(type.min_int()), text(type.max_int()));
  }
}

Value compare_identity(Context& context, CompareOperator op, const Value& a, const Value& b,
                       const BinarySpans& spans) {
  for (const Value* side : {&a, &b}) {
    if (is_kernel_value(*side)) {
      auto report = context.diags.report(spans.op, kIdentityOfKernelValue, syntax::spelling(op),
                                         describe(*side));
      if (a.kind != ValueKind::None && b.kind != ValueKind::None) {
        report.note("to compare numbers, write '{}'", op == CompareOperator::Is ? "==" : "!=");
      }
      return Value::error();
    }
  }
  const bool is_same = a.kind == b.kind && a.tensor == b.tensor && a.function == b.function &&
                       a.host == b.host && a.object == b.object &&
                       (a.kind == ValueKind::Tensor || python_equal(a, b));
  return Value::of_bool(is_same == (op == CompareOperator::Is));
}

Value compare_membership(Context& context, CompareOperator op, const Value& a, const Value& b,
                         const BinarySpans& spans) {
  if (is_kernel_value(a)) {
    context.diags.report(spans.op, kIdentityOfKernelValue, syntax::spelling(op), describe(a))
        .note("compare with each of them: 'i == 1 or i == 2'");
    return Value::error();
  }
  const std::optional<bool> contains = python_contains(b, a);
  if (!contains) {
    context.diags.report(spans.b, kNotAContainer, syntax::spelling(op), describe(b));
    return Value::error();
  }
  return Value::of_bool(*contains == (op == CompareOperator::In));
}

bool is_in_parentheses(Context& context, Span span) {
  const source::SourceFile* file = context.diags.sources().file_of(span);
  if (file == nullptr) return false;
  std::size_t at = span.begin - file->base;
  while (at > 0 && file->text[at - 1] == ' ')
    --at;
  return at > 0 && file->text[at - 1] == '(';
}

// `i < n & j < m`, as NumPy has it, compares with `n & j`, which is in the middle of the chain.
void warn_of_bits_in_chain(Context& context, const syntax::Expr& middle) {
  const auto* bits = syntax::as<syntax::BinOp>(&middle);
  if (bits == nullptr || is_in_parentheses(context, bits->span)) return;
  const bool is_and = bits->op == syntax::BinaryOperator::BitAnd;
  if (!is_and && bits->op != syntax::BinaryOperator::BitOr) return;
  context.diags.report(bits->span, kBitsInChain, is_and ? "&" : "|")
      .note("between conditions write '{}'; if bits are meant, put '({})' in parentheses",
            is_and ? "and" : "or", context.diags.sources().text_of(bits->span));
}

Value and_of(Context& context, const Value& a, Span a_span, const Value& b, Span b_span) {
  const ir::Expr* ca = condition(context, a, a_span);
  const ir::Expr* cb = condition(context, b, b_span);
  if (ca == nullptr || cb == nullptr) return Value::error();
  const Span span = cover(a_span, b_span);
  return Value::of_expr(context.build.fold_binary(ir::BinaryOp::And, ca, cb, span));
}

}  // namespace

Value compare(Context& context, CompareOperator op, const Value& a, const Value& b,
              const BinarySpans& spans) {
  if (a.is_error() || b.is_error()) return Value::error();
  if (op == CompareOperator::Is || op == CompareOperator::IsNot) {
    return compare_identity(context, op, a, b, spans);
  }
  if (op == CompareOperator::In || op == CompareOperator::NotIn) {
    return compare_membership(context, op, a, b, spans);
  }
  // `if A > 0:` of a whole tensor; only with None it may be compared.
  for (const auto& [value, other, span] :
       {std::tuple(&a, &b, spans.a), std::tuple(&b, &a, spans.b)}) {
    if (value->kind != ValueKind::Tensor || other->kind == ValueKind::None) continue;
    to_expr(context, *value, span);
    return Value::error();
  }
  if (!is_kernel_value(a) && !is_kernel_value(b)) {
    const std::optional<bool> answer = python_compare(op, a, b);
    if (answer) return Value::of_bool(*answer);
    context.diags.report(spans.op, kNoOrder, syntax::spelling(op), describe(a), describe(b));
    return Value::error();
  }
  const Operands operands =
      unify(context, a, spans.a, b, spans.b, NarrowOperand::Widens, syntax::spelling(op), spans.op);
  if (operands.a == nullptr || operands.b == nullptr) return Value::error();
  const DType common = operands.a->dtype;
  if (a.is_expr() && b.kind == ValueKind::Int) {
    warn_if_constant(context, op, a, b, common, spans);
  } else if (b.is_expr() && a.kind == ValueKind::Int) {
    warn_if_constant(context, mirrored(op), b, a, common, spans);
  }
  return typed_binary(context, ir_op(op), a, b, operands, spans);
}

Value eval_compare(Context& context, const syntax::Compare& node) {
  Value left = eval_expr(context, *node.left);
  Value result;
  const syntax::Expr* left_node = node.left;
  for (std::size_t i = 0; i < node.ops.size(); ++i) {
    const syntax::Expr* right_node = node.comparators[i];
    const StatementMark mark = context.names->mark();
    const Value right = eval_expr(context, *right_node);
    left = context.names->settle(mark, left, left_node->span);
    const bool is_repeated = i + 1 < node.ops.size() && right.is_expr();
    if (is_repeated) warn_of_bits_in_chain(context, *right_node);
    if (is_repeated && !ir::has_no_effect(right.expr)) {
      context.diags.report(right_node->span, kChainedEffect);
      return Value::error();
    }
    if (is_repeated && !is_written_shortly(context, right.expr, right_node->span)) {
      return Value::error();
    }
    const Span link = cover(left_node->span, right_node->span);
    const Value answer = compare(context, node.ops[i], left, right,
                                 {left_node->span, right_node->span, node.op_spans[i], link});
    if (answer.is_error()) return answer;
    const Span so_far = cover(node.left->span, left_node->span);
    result = i == 0 ? answer : and_of(context, result, so_far, answer, link);
    // A comparison that is known to be false ends the chain.
    if (result.is_error() || known_truth(result) == false) return result;
    left = right;
    left_node = right_node;
  }
  return result;
}

Value eval_bool_op(Context& context, const syntax::BoolOp& op) {
  const bool is_and = op.op == syntax::BoolOperator::And;
  const ir::BinaryOp translated = is_and ? ir::BinaryOp::And : ir::BinaryOp::Or;
  const ir::Expr* result = nullptr;  // of the operands that only the kernel knows
  bool failed = false;
  bool has_number = false;  // an operand that is no bool
  for (std::size_t i = 0; i < op.values.size(); ++i) {
    const syntax::Expr& operand = *op.values[i];
    const LazyOperand lazy(context, result != nullptr || failed);
    const Value value = eval_expr(context, operand);
    const bool is_last = i + 1 == op.values.size();
    has_number = has_number || value.kind == ValueKind::Int || value.kind == ValueKind::Float ||
                 value.kind == ValueKind::Symbol ||
                 (value.is_expr() && !value.expr->dtype.is_bool());
    if (const std::optional<bool> truth = known_truth(value)) {
      const bool decides = *truth != is_and;
      if (result == nullptr && !failed && (decides || is_last)) return value;
      if (result != nullptr && decides) {
        const ir::Expr* answer = context.build.bool_imm(*truth, operand.span);
        Value decided =
            Value::of_expr(context.build.fold_binary(translated, result, answer, op.span));
        decided.choice = has_number ? &op : nullptr;
        return decided;
      }
      if (decides) return Value::error();
      continue;
    }
    const ir::Expr* test = condition(context, value, operand.span);
    failed |= test == nullptr;
    if (test == nullptr || result == nullptr) {
      result = test;
    } else {
      result = context.build.fold_binary(translated, result, test, cover(op.span, operand.span));
    }
  }
  if (failed) return Value::error();
  Value answer = Value::of_expr(result);
  answer.choice = has_number ? &op : nullptr;
  return answer;
}

Value choose(Context& context, const ir::Expr* test, const Value& a, Span a_span, const Value& b,
             Span b_span, Span span) {
  if (test == nullptr || a.is_error() || b.is_error()) return Value::error();
  const bool is_handle = a.is_expr() && b.is_expr() && a.expr->dtype == b.expr->dtype;
  const Operands sides =
      is_handle ? Operands{a.expr, b.expr}
                : unify(context, a, a_span, b, b_span, NarrowOperand::Keeps, "if ... else", span);
  if (sides.a == nullptr || sides.b == nullptr) return Value::error();
  return Value::of_expr(context.build.fold_select(test, sides.a, sides.b, span));
}

Value eval_if_exp(Context& context, const syntax::IfExp& choice) {
  const Value test = eval_expr(context, *choice.test);
  if (test.is_error()) return test;
  if (const std::optional<bool> truth = known_truth(test)) {
    return eval_expr(context, *truth ? *choice.body : *choice.orelse);
  }
  const ir::Expr* decision = condition(context, test, choice.test->span);
  const LazyOperand lazy(context);
  const Value a = eval_expr(context, *choice.body);
  const Value b = eval_expr(context, *choice.orelse);
  return choose(context, decision, a, choice.body->span, b, choice.orelse->span, choice.span);
}

}  // namespace tirxcc::sema
