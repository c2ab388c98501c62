// SPDX-License-Identifier: Apache-2.0
//
// Where the running thread is: `T.cuda.thread_idx("x")` and what is derived from it. An index of
// extent 1 and a size that is a literal become literals (design.md section 3).
#include "sema/builtins.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kIndexOnHost{"index-on-host", Severity::Error, ErrorClass::Syntax,
                                  "{} has a value only in device code, after T.device_entry"};
constexpr Diagnostic kAxis{"launch-axis", Severity::Error, ErrorClass::Value,
                           "{} takes the axis \"x\", \"y\" or \"z\"{}"};

constexpr Diagnostic kAlwaysZero{"index-always-zero", Severity::Note, ErrorClass::Value,
                                 "{}(\"{}\") is always 0: the {} of this launch has no {}"};

bool is_device_code(Context& context, const syntax::Call& call, Callee callee) {
  if (context.names->in_device_code()) return true;
  context.diags.report(call.span, kIndexOnHost, callee.name());
  return false;
}

// Folds `a op literal` on int32 indices.
const ir::Expr* with_literal(Context& context, ir::BinaryOp op, const ir::Expr* a, int literal,
                             Span span) {
  return context.build.fold_binary(op, a, context.build.int_imm(kInt32, literal, span), span);
}

const ir::Expr* warp_of(Context& context, Span span) {
  const std::optional<std::int64_t> x =
      context.names->static_extent(ir::LaunchIndexKind::BlockDim, 0);
  const std::optional<std::int64_t> y =
      context.names->static_extent(ir::LaunchIndexKind::BlockDim, 1);
  const std::optional<std::int64_t> z =
      context.names->static_extent(ir::LaunchIndexKind::BlockDim, 2);
  if (x && y && z && *x * *y * *z <= 32) return context.build.int_imm(kInt32, 0, span);
  return context.build.launch_index(ir::LaunchIndexKind::WarpId, 0, span);
}

}  // namespace

const ir::Expr* launch_index(Context& context, ir::LaunchIndexKind kind, int axis, Span span) {
  const bool is_thread =
      kind == ir::LaunchIndexKind::ThreadIdx || kind == ir::LaunchIndexKind::BlockDim;
  const bool is_size =
      kind == ir::LaunchIndexKind::BlockDim || kind == ir::LaunchIndexKind::GridDim;
  const std::optional<std::int64_t> extent = context.names->static_extent(
      is_thread ? ir::LaunchIndexKind::BlockDim : ir::LaunchIndexKind::GridDim, axis);
  if (extent && is_size) return context.build.int_imm(kInt32, *extent, span);
  if (extent == 1) return context.build.int_imm(kInt32, 0, span);
  return context.build.launch_index(kind, axis, span);
}

// x + y * size_x + z * size_x * size_y.
const ir::Expr* linear_thread_id(Context& context, Span span) {
  const ir::Builder& build = context.build;
  const auto index = [&](ir::LaunchIndexKind kind, int axis) {
    return launch_index(context, kind, axis, span);
  };
  const ir::Expr* size_x = index(ir::LaunchIndexKind::BlockDim, 0);
  const ir::Expr* size_y = index(ir::LaunchIndexKind::BlockDim, 1);
  const ir::Expr* y =
      build.fold_binary(ir::BinaryOp::Mul, index(ir::LaunchIndexKind::ThreadIdx, 1), size_x, span);
  const ir::Expr* plane = build.fold_binary(ir::BinaryOp::Mul, size_x, size_y, span);
  const ir::Expr* z =
      build.fold_binary(ir::BinaryOp::Mul, index(ir::LaunchIndexKind::ThreadIdx, 2), plane, span);
  const ir::Expr* x = index(ir::LaunchIndexKind::ThreadIdx, 0);
  const ir::Expr* row = build.fold_binary(ir::BinaryOp::Add, x, y, span);
  return build.fold_binary(ir::BinaryOp::Add, row, z, span);
}

const ir::Expr* lane_id(Context& context, Span span) {
  return with_literal(context, ir::BinaryOp::BitAnd, linear_thread_id(context, span), 31, span);
}

const ir::Expr* warp_id(Context& context, Span span) {
  return warp_of(context, span);
}

namespace {

void note_lacking_axis(Context& context, ir::LaunchIndexKind kind, int axis, Callee callee,
                       Span span) {
  const bool is_block = kind == ir::LaunchIndexKind::ThreadIdx;
  if (!is_block && kind != ir::LaunchIndexKind::BlockIdx) return;
  if (!context.names->lacks_axis(
          is_block ? ir::LaunchIndexKind::BlockDim : ir::LaunchIndexKind::GridDim, axis)) {
    return;
  }
  constexpr std::string_view kAxes[] = {"x", "y", "z"};
  const std::string_view which = is_block ? "block" : "grid";
  context.diags.report(span, kAlwaysZero, callee.name(), kAxes[axis], which, kAxes[axis])
      .note("'{}=({})' has one", which, axis == 1 ? "x, y" : "x, y, z");
}

}  // namespace

Value call_launch_index(Context& context, ir::LaunchIndexKind kind, Callee callee,
                        const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"axis", false}};
  Argument arguments[1];
  if (!bind_arguments(context, call, callee, kParams, arguments)) return Value::error();
  if (!arguments[0]) {
    context.diags.report(call.span, kAxis, callee.name(), "");
    return Value::error();
  }
  const Value axis = eval_expr(context, *arguments[0].expr);
  if (axis.is_error()) return axis;
  const bool is_axis = axis.kind == ValueKind::String && axis.text.size() == 1 &&
                       axis.text >= "x" && axis.text <= "z";
  if (!is_axis) {
    auto report =
        context.diags.report(arguments[0].span(), kAxis, callee.name(), ", not " + describe(axis));
    if (const std::optional<int128> number = known_int(axis); number >= 0 && number < 3) {
      report.note("axis {} is {}(\"{}\")", static_cast<int>(*number), callee.name(),
                  "xyz"[static_cast<int>(*number)]);
    }
    return Value::error();
  }
  if (!is_device_code(context, call, callee)) return Value::error();
  note_lacking_axis(context, kind, axis.text[0] - 'x', callee, call.span);
  return Value::of_expr(launch_index(context, kind, axis.text[0] - 'x', call.span));
}

Value call_derived_index(Context& context, std::uint8_t tag, Callee callee,
                         const syntax::Call& call) {
  if (!bind_arguments(context, call, callee, {}, {})) return Value::error();
  if (!is_device_code(context, call, callee)) return Value::error();
  const Span span = call.span;
  const auto derive = [&](const ir::Expr* base, ir::BinaryOp op, int literal) {
    return Value::of_expr(with_literal(context, op, base, literal, span));
  };
  switch (static_cast<DerivedIndexKind>(tag)) {
    case DerivedIndexKind::LinearThreadId: return Value::of_expr(linear_thread_id(context, span));
    case DerivedIndexKind::LaneId: return Value::of_expr(lane_id(context, span));
    case DerivedIndexKind::WarpId: return Value::of_expr(warp_id(context, span));
    case DerivedIndexKind::WarpgroupId:
      return derive(warp_id(context, span), ir::BinaryOp::ShiftRight, 2);
    case DerivedIndexKind::WarpInWarpgroup:
      return derive(warp_id(context, span), ir::BinaryOp::BitAnd, 3);
    case DerivedIndexKind::ThreadInWarpgroup:
      return derive(linear_thread_id(context, span), ir::BinaryOp::BitAnd, 127);
  }
  __builtin_unreachable();
}

}  // namespace tirxcc::sema
