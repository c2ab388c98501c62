// SPDX-License-Identifier: Apache-2.0
//
// `for` over what runs in the kernel: range, T.serial, T.vectorized, T.parallel. Bounds and step
// are evaluated once, before the first turn. A loop whose step is only known at run time, or whose
// last increment may leave the type, counts its turns (rule 30).
//
//   for i in range(a, b, s):   ->   i_start = a; i_step = s
//                                   for (i = i_start, turns = ...; turns > 0; --turns, i += i_step)
#include "abi/plan.h"
#include "base/overloaded.h"
#include "sema/expr_internal.h"
#include "sema/loop_bounds.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kElseOnLoop{"else-on-for", Severity::Error, ErrorClass::Syntax,
                                 "'else' on a loop is not supported; set a flag before 'break' "
                                 "and test it after the loop"};
constexpr Diagnostic kAsyncFor{"async-for", Severity::Error, ErrorClass::Syntax,
                               "Unsupported statement: AsyncFor ('async for')"};
constexpr Diagnostic kNotIterable{
    "not-iterable", Severity::Error, ErrorClass::Type,
    "cannot loop over {}; use range(...), T.serial, T.unroll, T.vectorized, T.parallel, T.grid, or "
    "a list that is known while compiling"};
constexpr Diagnostic kOneTarget{"loop-target-count", Severity::Error, ErrorClass::Value,
                                "Loop target count differs from iteration dimensions: {} gives one "
                                "index"};

}  // namespace

const ir::Var* FunctionSema::loop_var(const syntax::Expr& target, DType type) {
  const auto* name = syntax::as<syntax::Name>(&target);
  const std::string_view text = name != nullptr ? name->id : std::string_view("i");
  return module_.arena.make<ir::Var>(ir::Var{text, type, target.span, ir::VarKind::Loop});
}

void FunctionSema::translate_loop_body(const syntax::For& stmt, const Value& element,
                                       ir::StmtList* body, Loop::Kind kind, bool runs_surely) {
  const std::size_t mark = trail_.size();
  const bool was_reachable = is_reachable_;
  loops_.push_back({.kind = kind, .started = ++clock_, .mark = mark});
  open_frame();
  bind_loop_variable(*stmt.target, element);
  translate_block(stmt.body);
  close_frame(body);
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  join_into(loop.exits, mark);
  const bool is_fully_known = runs_surely && !loop.continues.is_reached;
  forget_since(mark);
  if (is_fully_known && loop.exits.is_reached) {
    continue_from(loop.exits);
  } else {
    is_reachable_ = was_reachable;
  }
}

// What a size of an argument cannot exceed, because the call is checked.
std::optional<int128> FunctionSema::largest(const Value& value) const {
  if (value.kind != ValueKind::Symbol) return std::nullopt;
  for (const SymbolInfo& info : symbols_) {
    if (info.symbol == value.symbol && info.solution.from_scalar) return std::nullopt;
  }
  if (value.symbol->dtype == kInt32) return abi::kMostElements32;
  if (value.symbol->dtype == kInt64) return abi::kMostElements64;
  return std::nullopt;
}

void FunctionSema::translate_loop(const syntax::For& stmt, LoopBounds& bounds) {
  if (!syntax::is<syntax::Name>(stmt.target)) {
    diags_.report(stmt.target->span, kOneTarget, bounds.callee);
    return;
  }
  if (!settle_bounds(bounds)) return;
  const ir::Var* var = loop_var(*stmt.target, bounds.type);
  if (!bounds.known_step.has_value() || !is_last_increment_safe(bounds, largest(bounds.end))) {
    translate_counted(stmt, bounds, var);
    return;
  }
  auto* node = make_stmt<ir::For>(stmt.span);
  node->var = var;
  node->begin = expr_.convert(bounds.begin, bounds.type, bounds.begin_span, Conversion::Argument);
  node->end = expr_.convert(bounds.end, bounds.type, bounds.end_span, Conversion::Argument);
  if (node->begin == nullptr || node->end == nullptr) return;
  node->step = static_cast<std::int64_t>(*bounds.known_step);
  node->loop = bounds.kind;
  node->unroll_pragma = bounds.unroll_pragma;
  node->copy_end = !ir::is_pure_value(node->end);
  const bool runs_surely =
      bounds.known_begin.has_value() && bounds.known_end.has_value() && count_turns(bounds) > 0;
  const auto kind =
      bounds.kind == ir::ForKind::Vectorized ? Loop::Kind::Vectorized : Loop::Kind::RunTime;
  translate_loop_body(stmt, Value::of_expr(context_.build.var(var, stmt.target->span)), &node->body,
                      kind, runs_surely);
  const bool is_needed =
      !node->body.empty() || !ir::has_no_effect(node->begin) || !ir::has_no_effect(node->end);
  if (is_needed) emit(node);
}

// The expression itself if evaluating it again gives the same, else the name of a Let.
const ir::Expr* FunctionSema::named_once(const Expr* expr, std::string_view name, Span span) {
  if (ir::as_int(expr) != nullptr || ir::is<ir::VarRef>(expr)) return expr;
  return context_.build.var(emit_let(name, expr, span), span);
}

void FunctionSema::translate_counted(const syntax::For& stmt, const LoopBounds& bounds,
                                     const ir::Var* var) {
  using ir::BinaryOp;
  const ir::Builder& build = context_.build;
  const Span span = stmt.iter->span;
  const Expr* start =
      expr_.convert(bounds.begin, bounds.type, bounds.begin_span, Conversion::Argument);
  const Expr* end = expr_.convert(bounds.end, bounds.type, bounds.end_span, Conversion::Argument);
  // A negative step wraps in an unsigned type and still leads to the same values.
  const Expr* step =
      bounds.known_step.has_value()
          ? build.int_imm(bounds.type,
                          static_cast<std::int64_t>(wrap_int(bounds.type, *bounds.known_step)),
                          bounds.step_span)
          : expr_.convert(bounds.step, bounds.type, bounds.step_span, Conversion::Argument);
  if (start == nullptr || end == nullptr || step == nullptr) return;
  start = named_once(start, name_with(var->name, "_start"), span);
  if (!bounds.known_step.has_value()) {
    // Up or down is decided at run time, so the end is looked at twice as well.
    end = named_once(end, name_with(var->name, "_end"), span);
    step = named_once(step, name_with(var->name, "_step"), span);
  }
  const DType count = bounds.type.bits == 64 ? kUInt64 : kUInt32;
  const auto as_count = [&](const Expr* e) { return build.fold_cast(count, e, span); };
  const Expr* zero = build.int_imm(count, 0, span);
  const Expr* one = build.int_imm(count, 1, span);
  // (distance - 1) // size + 1 where low < high; the differences wrap, so no overflow.
  const auto turns_between = [&](const Expr* low, const Expr* high, const Expr* size) {
    const Expr* distance = build.fold_binary(BinaryOp::Sub, as_count(high), as_count(low), span);
    const Expr* last = build.fold_binary(BinaryOp::Sub, distance, one, span);
    const Expr* turns = build.fold_binary(
        BinaryOp::Add, build.fold_binary(BinaryOp::FloorDiv, last, size, span), one, span);
    return build.fold_select(build.fold_binary(BinaryOp::Lt, low, high, span), turns, zero, span);
  };
  const Expr* up_size = as_count(step);
  const Expr* down_size = build.fold_binary(BinaryOp::Sub, zero, up_size, span);
  const Expr* turns = nullptr;
  if (bounds.known_step.has_value()) {
    turns = *bounds.known_step > 0 ? turns_between(start, end, up_size)
                                   : turns_between(end, start, down_size);
  } else {
    const Expr* nothing = build.int_imm(bounds.type, 0, span);
    const Expr* down = zero;
    if (bounds.type.is_signed_int()) {
      down = build.fold_select(build.fold_binary(BinaryOp::Lt, step, nothing, span),
                               turns_between(end, start, down_size), zero, span);
    }
    turns = build.fold_select(build.fold_binary(BinaryOp::Gt, step, nothing, span),
                              turns_between(start, end, up_size), down, span);
  }
  auto* node = make_stmt<ir::CountedFor>(stmt.span);
  node->var = var;
  node->start = start;
  node->step = step;
  node->turns = turns;
  translate_loop_body(stmt, Value::of_expr(build.var(var, stmt.target->span)), &node->body,
                      Loop::Kind::RunTime, false);
  emit(node);
}

// Loops that are calls of the language. False if it is none of them.
bool FunctionSema::translate_loop_builtin(const syntax::For& stmt, const syntax::Call& call,
                                          std::string_view callee) {
  LoopBounds bounds;
  if (callee == "py.range" || callee == "range") {
    if (read_range(call, bounds)) translate_loop(stmt, bounds);
  } else if (callee == "serial") {
    bounds.callee = "T.serial";
    if (read_loop_call(call, bounds)) translate_loop(stmt, bounds);
  } else if (callee == "vectorized") {
    bounds.callee = "T.vectorized";
    bounds.kind = ir::ForKind::Vectorized;
    if (read_loop_call(call, bounds)) translate_vectorized(stmt, bounds);
  } else if (callee == "parallel") {
    bounds.callee = "T.parallel";
    if (region_.number == 0) bounds.kind = ir::ForKind::Parallel;
    if (read_loop_call(call, bounds)) translate_loop(stmt, bounds);
  } else if (callee == "unroll") {
    bounds.callee = "T.unroll";
    if (read_loop_call(call, bounds)) translate_unroll(stmt, bounds);
  } else if (callee == "grid") {
    translate_grid(stmt, call);
  } else if (callee == "counted") {
    translate_printed_counted(stmt, call);
  } else if (callee == "thread_binding") {
    translate_thread_binding(stmt, call);
  } else {
    return false;
  }
  return true;
}

void FunctionSema::translate(const syntax::For& stmt) {
  if (stmt.is_async) {
    diags_.report(cover({stmt.span.begin, stmt.span.begin + 5}, stmt.keyword_span), kAsyncFor);
    return;
  }
  if (!stmt.orelse.empty()) diags_.report(stmt.else_span, kElseOnLoop);
  if (const auto* call = syntax::as<syntax::Call>(stmt.iter)) {
    const Value callee = expr_.eval(*call->func);
    if (callee.is_error()) return;
    if (callee.kind == ValueKind::Builtin && translate_loop_builtin(stmt, *call, callee.text)) {
      return;
    }
  }
  const Value value = expr_.eval(*stmt.iter);
  if (value.is_error()) return;
  if (!is_sequence(value) && value.kind != ValueKind::Dict) {
    auto report = diags_.report(stmt.iter->span, kNotIterable, describe(value));
    const std::string_view written = diags_.sources().text_of(stmt.iter->span);
    if (value.kind == ValueKind::Tensor) {
      report.note("for its indices, write 'range({}.shape[0])'", written);
    } else if (expr_.type_of(value).is_int()) {
      report.note("did you mean 'range({})'?", written);
    }
    return;
  }
  translate_sequence(stmt, value);
}

}  // namespace tirxcc::sema
