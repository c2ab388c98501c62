// SPDX-License-Identifier: Apache-2.0
//
// Reading the bounds of a loop: how they are written, which type the loop variable gets (at least
// 32 bits, rule 30), and what of them is known.
#include "sema/loop_bounds.h"

#include <array>

#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kRangeArguments{"range-arguments", Severity::Error, ErrorClass::Type,
                                     "range expects 1 to 3 arguments, got {}"};
constexpr Diagnostic kRangeKeyword{"range-keyword", Severity::Error, ErrorClass::Type,
                                   "range takes no keyword arguments; T.serial does"};
constexpr Diagnostic kBoundType{"loop-bound-type", Severity::Error, ErrorClass::Type,
                                "a loop bound must be an integer, got {}"};
constexpr Diagnostic kZeroStep{"zero-step", Severity::Error, ErrorClass::Value,
                               "{} step must not be zero"};
constexpr Diagnostic kLoopType{"loop-type", Severity::Error, ErrorClass::Type,
                               "the dtype of a loop variable is int32 or uint32, got {}"};
constexpr Diagnostic kUnrollFactor{"unroll-factor", Severity::Error, ErrorClass::Value,
                                   "unroll must be True, False or a positive int, got {}"};
constexpr Diagnostic kBoundRange{"loop-bound-range", Severity::Error, ErrorClass::Value,
                                 "loop bound {} does not fit {}"};

constexpr Diagnostic kNeverRuns{"loop-never-runs", Severity::Warning, ErrorClass::Value,
                                "this loop never runs: it counts {} from {} to {}"};

std::string int_text(int128 value) {
  return fmt::format("{}", static_cast<std::int64_t>(value));
}

}  // namespace

int128 count_turns(const LoopBounds& bounds) {
  const int128 step = *bounds.known_step;
  const int128 span =
      step > 0 ? *bounds.known_end - *bounds.known_begin : *bounds.known_begin - *bounds.known_end;
  const int128 size = step > 0 ? step : -step;
  return span <= 0 ? 0 : (span + size - 1) / size;
}

bool is_last_increment_safe(const LoopBounds& bounds, std::optional<int128> largest_end) {
  const int128 step = *bounds.known_step;
  if (step == 1 || step == -1) return true;
  if (!bounds.known_end.has_value()) {
    return step > 0 && largest_end.has_value() && bounds.type.can_hold(*largest_end - 1 + step);
  }
  if (bounds.known_begin.has_value()) {
    return bounds.type.can_hold(*bounds.known_begin + count_turns(bounds) * step);
  }
  // The last value is on the near side of the end.
  return bounds.type.can_hold(*bounds.known_end + step + (step > 0 ? -1 : 1));
}

// Bounds of literals that leave nothing to run. Bounds of constants may do so rightly.
void FunctionSema::warn_if_empty(const LoopBounds& bounds) {
  const bool is_known = bounds.known_begin && bounds.known_end && bounds.known_step;
  if (!is_known || count_turns(bounds) > 0) return;
  const auto text_of = [&](Span span) { return diags_.sources().text_of(span); };
  for (const Span span : {bounds.begin_span, bounds.end_span, bounds.step_span}) {
    if (span.is_valid() && !is_written_literal(text_of(span))) return;
  }
  const bool is_up = *bounds.known_step > 0;
  const Span span =
      bounds.begin_span.is_valid() ? cover(bounds.begin_span, bounds.end_span) : bounds.end_span;
  auto report = diags_.report(span, kNeverRuns, is_up ? "up" : "down",
                              int_text(*bounds.known_begin), int_text(*bounds.known_end));
  // `range(3, 3)` has no other direction, and T.grid no step.
  if (*bounds.known_begin == *bounds.known_end || bounds.callee == "T.grid") return;
  const int128 step = -*bounds.known_step;
  const std::string last =
      step == 1 ? ""
                : fmt::format(", {}{}", bounds.callee == "range" ? "" : "step=", int_text(step));
  report.note("did you mean '{}({}, {}{})'?", bounds.callee, int_text(*bounds.known_begin),
              int_text(*bounds.known_end), last);
}

bool FunctionSema::read_bound(const syntax::Expr& expr, Value& value, Span& span) {
  value = expr_.eval(expr);
  span = expr.span;
  return !value.is_error();
}

bool FunctionSema::read_range(const syntax::Call& call, LoopBounds& bounds) {
  bounds.callee = "range";
  if (!call.keywords.empty()) {
    diags_.report(call.keywords[0]->span, kRangeKeyword);
    return false;
  }
  const std::size_t count = call.args.size();
  if (count < 1 || count > 3) {
    diags_.report(call.span, kRangeArguments, count);
    return false;
  }
  if (count == 1) return read_bound(*call.args[0], bounds.end, bounds.end_span);
  const bool has_begin = read_bound(*call.args[0], bounds.begin, bounds.begin_span);
  const StatementMark behind_begin = mark();
  const bool has_end = read_bound(*call.args[1], bounds.end, bounds.end_span);
  const StatementMark behind_end = mark();
  if (!has_begin || !has_end) return false;
  if (count == 3 && !read_bound(*call.args[2], bounds.step, bounds.step_span)) return false;
  bounds.end = settle(behind_end, bounds.end, bounds.end_span);
  bounds.begin = settle(behind_begin, bounds.begin, bounds.begin_span);
  return true;
}

// T.serial(start, stop=None, *, step=, unroll=, dtype=, annotations=) and the like.
bool FunctionSema::read_loop_call(const syntax::Call& call, LoopBounds& bounds) {
  static constexpr std::array<ParamSpec, 6> kParams = {
      ParamSpec{"start"},         ParamSpec{"stop", false},  ParamSpec{"step", false},
      ParamSpec{"unroll", false}, ParamSpec{"dtype", false}, ParamSpec{"annotations", false}};
  std::array<Argument, 6> args;
  if (!bind_arguments(context_, call, bounds.callee, kParams, args)) return false;
  const bool has_two = args[1] && !syntax::is<syntax::Constant>(args[1].expr)
                           ? true
                           : args[1] && expr_.eval(*args[1].expr).kind != ValueKind::None;
  if (has_two) {
    if (!read_bound(*args[0].expr, bounds.begin, bounds.begin_span)) return false;
    if (!read_bound(*args[1].expr, bounds.end, bounds.end_span)) return false;
  } else if (!read_bound(*args[0].expr, bounds.end, bounds.end_span)) {
    return false;
  }
  if (args[2] && !read_bound(*args[2].expr, bounds.step, bounds.step_span)) return false;
  return read_loop_options(args[3].expr, args[4].expr, bounds);
}

bool FunctionSema::read_loop_options(const syntax::Expr* unroll, const syntax::Expr* dtype,
                                     LoopBounds& bounds) {
  if (unroll != nullptr) {
    const Value value = expr_.eval(*unroll);
    const std::optional<int128> factor = expr_.known_int(value);
    if (value.kind == ValueKind::Bool) {
      bounds.unroll_pragma = value.bool_value ? 0 : 1;
    } else if (factor.has_value() && *factor > 0 && *factor <= 0x7fffffff) {
      bounds.unroll_pragma = static_cast<std::int32_t>(*factor);
    } else if (value.kind != ValueKind::None) {
      if (value.is_error()) return false;
      diags_.report(unroll->span, kUnrollFactor,
                    factor.has_value() ? int_text(*factor) : describe(value));
      return false;
    }
  }
  if (dtype != nullptr) {
    const Value value = expr_.eval(*dtype);
    if (value.is_error()) return false;
    if (value.kind == ValueKind::None) return true;
    const std::optional<DType> type = expr_.as_dtype(value);
    if (type != kInt32 && type != kUInt32) {
      diags_.report(dtype->span, kLoopType, describe(value));
      return false;
    }
    bounds.type = *type;
  }
  return true;
}

// Types and known values of the bounds, once all are read. False after an error.
bool FunctionSema::settle_bounds(LoopBounds& bounds) {
  const bool has_type = !bounds.type.is_error();
  DType typed = kError;
  DType literals = kInt32;
  const std::pair<const Value*, Span> parts[] = {{&bounds.begin, bounds.begin_span},
                                                 {&bounds.end, bounds.end_span},
                                                 {&bounds.step, bounds.step_span}};
  for (const auto& [value, span] : parts) {
    const DType type = expr_.type_of(*value);
    if (!type.is_int_or_bool() || !type.is_scalar()) {
      auto report = diags_.report(span, kBoundType, describe(*value));
      if (value->is_expr() && type.is_float()) {
        report.note("write 'T.int32({})'", diags_.sources().text_of(span));
      }
      return false;
    }
    if (value->kind == ValueKind::Int || value->kind == ValueKind::Bool) {
      if (type.is_int() && type.bits == 64) literals = type;
    } else {
      typed = typed.is_error() ? type : promote(typed, type).value_or(type);
    }
  }
  bounds.known_begin = expr_.known_int(bounds.begin);
  bounds.known_end = expr_.known_int(bounds.end);
  bounds.known_step = expr_.known_int(bounds.step);
  if (bounds.known_step == int128{0}) {
    diags_.report(bounds.step_span, kZeroStep, bounds.callee);
    return false;
  }
  if (!has_type) {
    bounds.type = typed.is_error() ? literals : typed;
    // A literal that the others' type does not hold (rule 21).
    if (!typed.is_error() && literals != kInt32 && typed.bits < 64) {
      bounds.type = promote(typed, literals).value_or(literals);
    }
    if (bounds.type.bits < 32) bounds.type = kInt32;
  }
  const std::pair<std::optional<int128>, Span> known[] = {{bounds.known_begin, bounds.begin_span},
                                                          {bounds.known_end, bounds.end_span}};
  for (const auto& [value, span] : known) {
    if (!value.has_value() || bounds.type.can_hold(*value)) continue;
    if (!has_type && bounds.type.bits < 64 && kInt64.can_hold(*value)) {
      bounds.type = kInt64;
      continue;
    }
    diags_.report(span, kBoundRange, int_text(*value), to_string(bounds.type));
    return false;
  }
  warn_if_empty(bounds);
  return true;
}

}  // namespace tirxcc::sema
