// SPDX-License-Identifier: Apache-2.0
//
// `A[i, j]`: reads of tensors, with every check that is possible while compiling, and regions
// `A[lo:hi]`. Subscripts of Python sequences are in python_sequences.cc.
#include <vector>

#include "ir/constant.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kIndexCount{"index-count", Severity::Error, ErrorClass::Type,
                                 "{} has {} dimension{}, {} ind{} given"};
constexpr Diagnostic kIndexType{"index-type", Severity::Error, ErrorClass::Type,
                                "an index of {} must be an integer, not {}"};
constexpr Diagnostic kNegativeIndex{"negative-index", Severity::Error, ErrorClass::Value,
                                    "index {} is negative; tensors do not count from the end"};
constexpr Diagnostic kIndexRange{"index-range", Severity::Error, ErrorClass::Value,
                                 "index {} is out of range; dimension {} of {} has {} element{}"};
constexpr Diagnostic kSliceStep{"slice-step", Severity::Error, ErrorClass::Value,
                                "a region of a tensor has no step"};
constexpr Diagnostic kTypeInBrackets{"type-in-brackets", Severity::Error, ErrorClass::Type,
                                     "{} takes shape and dtype in parentheses"};
constexpr Diagnostic kNotSubscriptable{"not-subscriptable", Severity::Error, ErrorClass::Type,
                                       "{} has no elements"};

// The subscripts between the brackets: `A[i]` has one, `A[i, j]` two.
syntax::Exprs subscripts(const syntax::Expr* const& index) {
  if (const auto* tuple = syntax::as<syntax::Tuple>(index)) return tuple->elements;
  return {&index, 1};
}

std::string int_text(int128 value) {
  return python_text(Value::of_int(value), true).value();
}

// A constant index must lie inside a constant extent.
bool is_in_range(Context& context, const ir::Tensor& tensor, std::size_t dim, int128 index,
                 Span span) {
  if (index < 0) {
    context.diags.report(span, kNegativeIndex, int_text(index));
    return false;
  }
  const ir::IntImm* extent = ir::as_int(tensor.shape[dim]);
  if (extent == nullptr || index < extent->value) return true;
  context.diags.report(span, kIndexRange, int_text(index), dim, tensor.name, extent->value,
                       extent->value == 1 ? "" : "s");
  return false;
}

// One index as an integer expression of at least 32 bits; null after an error.
const ir::Expr* eval_index(Context& context, const ir::Tensor& tensor, std::size_t dim,
                           const syntax::Expr& node) {
  const Value value = eval_expr(context, node);
  if (value.is_error()) return nullptr;
  const bool is_float =
      value.kind == ValueKind::Float || (value.is_expr() && !value.expr->dtype.is_int_or_bool());
  const bool is_number = value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
                         value.kind == ValueKind::Symbol || value.is_expr();
  if (is_float || !is_number) {
    auto report = context.diags.report(node.span, kIndexType, tensor.name, describe(value));
    if (is_float && value.is_expr() && value.expr->dtype.is_float()) {
      report.note("write 'T.int32({})'", context.diags.sources().text_of(node.span));
    }
    return nullptr;
  }
  const std::optional<int128> known = known_int(value);
  if (known && !is_in_range(context, tensor, dim, *known, node.span)) return nullptr;
  const ir::Expr* index = to_expr(context, value, node.span);
  if (index == nullptr) return nullptr;
  const bool is_narrow = index->dtype.is_bool() || index->dtype.bits < 32;
  return is_narrow ? context.build.fold_cast(kInt32, index, node.span) : index;
}

bool has_right_count(Context& context, const ir::Tensor& tensor, std::size_t given, Span span) {
  const std::size_t wanted = tensor.shape.size();
  if (given == wanted) return true;
  auto report = context.diags.report(span, kIndexCount, tensor.name, wanted, wanted == 1 ? "" : "s",
                                     given, given == 1 ? "ex" : "ices");
  if (given == 1) report.note("all indices stand in one pair of brackets, '{}[i, j]'", tensor.name);
  return false;
}

// All indices, each with its own complaints; false if one of them is wrong. `A[x, f(x)]` reads x
// before f changes it.
bool eval_each(Context& context, const ir::Tensor& tensor, syntax::Exprs nodes,
               const ir::Expr** indices) {
  bool good = true;
  if (nodes.size() == 1) {
    indices[0] = eval_index(context, tensor, 0, *nodes[0]);
    return indices[0] != nullptr;
  }
  auto* marks = static_cast<StatementMark*>(
      context.arena.allocate(nodes.size() * sizeof(StatementMark), alignof(StatementMark)));
  for (std::size_t dim = 0; dim < nodes.size(); ++dim) {
    indices[dim] = eval_index(context, tensor, dim, *nodes[dim]);
    good &= indices[dim] != nullptr;
    marks[dim] = context.names->mark();
  }
  for (std::size_t dim = nodes.size(); good && dim-- > 0;) {
    const Value index = Value::of_expr(indices[dim]);
    indices[dim] = context.names->settle(marks[dim], index, nodes[dim]->span).expr;
  }
  return good;
}

Value region_bound(Context& context, const syntax::Expr* node, const ir::Expr* absent) {
  if (node == nullptr) return Value::of_expr(absent);
  return eval_expr(context, *node);
}

// `A[lo:hi, j]`: per dimension a pair of first and last-but-one index.
Value eval_region(Context& context, const ir::Tensor& tensor, syntax::Exprs nodes, Span span) {
  if (!has_right_count(context, tensor, nodes.size(), span)) return Value::error();
  std::vector<Value> bounds;
  for (std::size_t dim = 0; dim < nodes.size(); ++dim) {
    const auto* slice = syntax::as<syntax::Slice>(nodes[dim]);
    Value pair[2];
    if (slice == nullptr) {
      const ir::Expr* index = eval_index(context, tensor, dim, *nodes[dim]);
      if (index == nullptr) return Value::error();
      const ir::Expr* one = context.build.int_imm(index->dtype, 1, nodes[dim]->span);
      const ir::Expr* end = context.build.fold_binary(ir::BinaryOp::Add, index, one, index->span);
      pair[0] = Value::of_expr(index);
      pair[1] = Value::of_expr(end);
    } else {
      if (slice->step != nullptr) {
        context.diags.report(slice->step->span, kSliceStep);
        return Value::error();
      }
      const ir::Expr* zero = context.build.int_imm(kInt32, 0, slice->span);
      pair[0] = region_bound(context, slice->lower, zero);
      pair[1] = region_bound(context, slice->upper, tensor.shape[dim]);
      if (pair[0].is_error() || pair[1].is_error()) return Value::error();
    }
    bounds.push_back(
        Value::sequence(ValueKind::Tuple, context.arena.copy(std::span<const Value>(pair))));
  }
  Value value;
  value.kind = ValueKind::Region;
  value.tensor = &tensor;
  value.items = make_values(context, bounds);
  return value;
}

Value eval_element(Context& context, const ir::Tensor& tensor, const syntax::Subscript& subscript) {
  const syntax::Exprs nodes = subscripts(subscript.index);
  for (const syntax::Expr* node : nodes) {
    if (syntax::is<syntax::Slice>(node)) {
      return eval_region(context, tensor, nodes, subscript.span);
    }
  }
  if (!has_right_count(context, tensor, nodes.size(), subscript.index->span)) {
    return Value::error();
  }
  // Straight into the arena: elements are read in every other expression.
  const std::size_t bytes = nodes.size() * sizeof(const ir::Expr*);
  auto* indices =
      static_cast<const ir::Expr**>(context.arena.allocate(bytes, alignof(const ir::Expr*)));
  if (!eval_each(context, tensor, nodes, indices)) return Value::error();
  return Value::of_expr(context.build.load(&tensor, {indices, nodes.size()}, subscript.span));
}

}  // namespace

bool eval_indices(Context& context, const ir::Tensor& tensor, const syntax::Expr& index,
                  std::vector<const ir::Expr*>& indices) {
  const syntax::Expr* node = &index;
  const syntax::Exprs nodes = subscripts(node);
  if (!has_right_count(context, tensor, nodes.size(), index.span)) return false;
  for (const syntax::Expr* element : nodes) {
    if (syntax::is<syntax::Slice>(element)) return false;
  }
  indices.resize(nodes.size());
  return eval_each(context, tensor, nodes, indices.data());
}

Value eval_subscript(Context& context, const syntax::Subscript& subscript) {
  const Value base = eval_expr(context, *subscript.value);
  if (base.is_error()) return base;
  if (base.kind == ValueKind::Tensor) return eval_element(context, *base.tensor, subscript);
  if (is_sequence(base)) return python_subscript(context, base, subscript);
  if (base.kind == ValueKind::Builtin) {
    const std::string name = display_name(base.text);
    if (base.is_builtin("Tensor") || base.is_builtin("Buffer")) {
      context.diags.report(subscript.span, kTypeInBrackets, name)
          .note("write '{}((n,), T.float32)'", name);
      return Value::error();
    }
    return not_supported(context, subscript.span, fmt::format("{}[...]", name));
  }
  auto report = context.diags.report(subscript.value->span, kNotSubscriptable, describe(base));
  const bool is_handle = base.is_expr() && base.expr->dtype.code == TypeCode::Handle;
  if (is_handle && syntax::is<syntax::Name>(subscript.value)) {
    report.note("make it a tensor first, 'A = T.match_buffer({}, shape, dtype)'",
                context.diags.sources().text_of(subscript.value->span));
  }
  // `A: T.float32[n]` is what a local array looks like.
  if (base.kind == ValueKind::Type) {
    report.note("a tensor parameter is 'T.Tensor((n,), T.{})'", to_string(base.dtype));
  }
  return Value::error();
}

}  // namespace tirxcc::sema
