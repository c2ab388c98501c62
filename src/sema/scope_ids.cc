// SPDX-License-Identifier: Apache-2.0
//
// Dialect B's launch: ids with their extents, from which the grid and the block are put together
// (language.md 2.2), and the older T.launch_thread.
//
//   bx = T.cta_id([n]); tx = T.thread_id([256])   ->   grid n, block 256
//   w = T.warp_id([4]); l = T.lane_id([32])       ->   block 4 * 32
#include <array>

#include "ir/traverse.h"
#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kOutside{"scope-id-outside", Severity::Error, ErrorClass::Syntax,
                              "{}(...) outside a device region; write T.device_entry() before it"};
constexpr Diagnostic kExtentsNeeded{"scope-id-extents", Severity::Error, ErrorClass::Type,
                                    "{} expects its extents in a list, '{}([n])'"};
constexpr Diagnostic kExtentCount{"scope-id-extent-count", Severity::Error, ErrorClass::Value,
                                  "{} expects {}, got {} extents"};
constexpr Diagnostic kInconsistent{"inconsistent-extents", Severity::Error, ErrorClass::Value,
                                   "Inconsistent extents for scope binding: {} here, {} before"};
constexpr Diagnostic kInconsistentBlock{
    "inconsistent-block", Severity::Error, ErrorClass::Value,
    "Inconsistent extents for scope binding: {} warps of {} lanes are {} threads, not {}"};
constexpr Diagnostic kNoThreads{"no-thread-extent", Severity::Error, ErrorClass::Value,
                                "kernel has no thread launch parameters"};
constexpr Diagnostic kNoLaunch{"no-launch", Severity::Error, ErrorClass::Value,
                               "kernel has no thread launch parameters; write "
                               "T.device_entry(launch=T.cuda.LaunchConfig(grid=..., block=...))"};
constexpr Diagnostic kFixedExtent{"fixed-extent", Severity::Error, ErrorClass::Value,
                                  "the extent of {} is {}, got {}"};
constexpr Diagnostic kIdNotYet{"scope-id-not-supported", Severity::Error, ErrorClass::Runtime,
                               "{} is not supported yet"};
constexpr Diagnostic kTag{"thread-tag", Severity::Error, ErrorClass::Value,
                          "unknown thread {}; expected \"blockIdx.x\", \"threadIdx.x\" or their y "
                          "and z"};
constexpr Diagnostic kIdsAndConfig{
    "scope-id-and-launch", Severity::Error, ErrorClass::Value,
    "{}(...) in a kernel whose T.device_entry(launch=...) gives the sizes; use T.cuda.block_idx "
    "and T.cuda.thread_idx"};
constexpr Diagnostic kFlatBlock{
    "flat-block", Severity::Error, ErrorClass::Runtime,
    "a block of several dimensions must be given before T.lane_id and T.warp_id are used"};

}  // namespace

// An extent, evaluated as host code.
const ir::Expr* FunctionSema::host_extent(const Value& value, Span span, bool is_block) {
  return launch_size(value, span, is_block ? "block" : "grid");
}

bool FunctionSema::set_extent(const Expr*& slot, Span& slot_span, const Expr* extent, Span span) {
  if (slot == nullptr) {
    slot = extent;
    slot_span = span;
    return true;
  }
  if (ir::equal(slot, extent)) return true;
  const ir::IntImm* old = ir::as_int(slot);
  const ir::IntImm* now = ir::as_int(extent);
  const auto text = [](const ir::IntImm* literal) {
    return literal != nullptr ? fmt::format("{}", literal->value) : std::string("an expression");
  };
  diags_.report(span, kInconsistent, text(now), text(old)).label(slot_span, "it is given here");
  return false;
}

// T.cta_id([gx, gy]), T.thread_id([n]): one value, or a tuple of them.
Value FunctionSema::dimension_ids(bool is_block, Values extents, std::span<const Span> spans,
                                  Span span) {
  ScopeExtents& known = region_.extents;
  std::vector<Value> ids;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const Expr* extent = host_extent(extents[axis], spans[axis], is_block);
    if (extent == nullptr) {
      ids.push_back(Value::error());
      continue;
    }
    if (is_block && axis > 0 && region_.assumed_flat) diags_.report(spans[axis], kFlatBlock);
    set_extent(is_block ? known.block[axis] : known.grid[axis],
               is_block ? known.block_span[axis] : known.grid_span[axis], extent, spans[axis]);
    if (ir::is_int_value(extent, 1)) {
      ids.push_back(Value::of_expr(context_.build.int_imm(kInt32, 0, span),
                                   module_.arena.make<Value>(Value::of_int(0))));
    } else {
      const auto kind = is_block ? ir::LaunchIndexKind::ThreadIdx : ir::LaunchIndexKind::BlockIdx;
      ids.push_back(
          Value::of_expr(context_.build.launch_index(kind, static_cast<int>(axis), span)));
    }
  }
  if (ids.size() == 1) return ids[0];
  return Value::sequence(ValueKind::Tuple, module_.arena.copy(ids));
}

// Ids derived from the thread's number in the block.
Value FunctionSema::warp_level_id(std::string_view callee, const Value& extent, Span extent_span,
                                  Span span) {
  using ir::BinaryOp;
  const ir::Builder& build = context_.build;
  ScopeExtents& known = region_.extents;
  const Expr* count = host_extent(extent, extent_span, true);
  if (count == nullptr) return Value::error();
  const auto number = [&](std::int64_t n) { return build.int_imm(kInt32, n, span); };
  const auto require = [&](std::int64_t n) {
    if (ir::is_int_value(count, n)) return;
    const ir::IntImm* literal = ir::as_int(count);
    diags_.report(extent_span, kFixedExtent, display_name(callee), n,
                  literal != nullptr ? fmt::format("{}", literal->value) : "an expression");
  };
  if (callee == "lane_id") {
    require(32);
    set_extent(known.lanes, known.lanes_span, count, extent_span);
    return Value::of_expr(lane_id(context_, span));
  }
  if (callee == "warp_id") {
    set_extent(known.warps, known.warps_span, count, extent_span);
    if (ir::is_int_value(count, 1)) {
      return Value::of_expr(number(0), module_.arena.make<Value>(Value::of_int(0)));
    }
    return Value::of_expr(warp_id(context_, span));
  }
  if (callee == "warpgroup_id") {
    const Expr* warps = build.fold_binary(BinaryOp::Mul, count, build.int_imm(kInt64, 4), span);
    set_extent(known.warps, known.warps_span, warps, extent_span);
    return Value::of_expr(
        build.fold_binary(BinaryOp::ShiftRight, warp_id(context_, span), number(2), span));
  }
  if (callee == "warp_id_in_wg") {
    require(4);
    return Value::of_expr(
        build.fold_binary(BinaryOp::BitAnd, warp_id(context_, span), number(3), span));
  }
  if (callee == "thread_id_in_wg") {
    require(128);
    return Value::of_expr(
        build.fold_binary(BinaryOp::BitAnd, linear_thread_id(context_, span), number(127), span));
  }
  diags_.report(span, kIdNotYet, display_name(callee));
  return Value::error();
}

Value FunctionSema::scope_id(std::string_view callee, const syntax::Call& call) {
  const std::string name = display_name(callee);
  if (region_.number == 0) {
    diags_.report(call.span, kOutside, name);
    return Value::error();
  }
  if (region_.has_config) {
    diags_.report(call.func->span, kIdsAndConfig, name)
        .label(region_.kernel->launch.span, "the launch is here");
    return Value::error();
  }
  static constexpr ParamSpec kParams[] = {{"extents"}, {"preferred", false}};
  Argument args[2];
  if (!bind_arguments(context_, call, name, kParams, args)) return Value::error();
  const syntax::Expr& given = *args[0].expr;
  const Value value = expr_.eval(given);
  if (value.is_error()) return value;
  if (value.kind != ValueKind::List && value.kind != ValueKind::Tuple) {
    diags_.report(given.span, kExtentsNeeded, name, name);
    return Value::error();
  }
  const bool is_dimension = callee == "cta_id" || callee == "thread_id";
  const std::size_t most = is_dimension ? 3 : 1;
  if (value.items.empty() || value.items.size() > most) {
    diags_.report(given.span, kExtentCount, name,
                  is_dimension ? "one to three extents" : "one extent", value.items.size());
    return Value::error();
  }
  syntax::Exprs written;
  if (const auto* list = syntax::as<syntax::List>(&given)) written = list->elements;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&given)) written = tuple->elements;
  std::vector<Span> spans;
  for (std::size_t i = 0; i < value.items.size(); ++i)
    spans.push_back(written.size() == value.items.size() ? written[i]->span : given.span);
  if (is_dimension) return dimension_ids(callee == "thread_id", value.items, spans, call.span);
  return warp_level_id(callee, value.items[0], spans[0], call.span);
}

Value FunctionSema::launch_thread(const syntax::Expr* tag, const syntax::Expr* extent,
                                  const syntax::Call& call) {
  if (region_.number == 0) {
    diags_.report(call.span, kOutside, "T.launch_thread");
    return Value::error();
  }
  const Value name = tag != nullptr ? expr_.eval(*tag) : Value::of_string("");
  const Value count = expr_.eval(*extent);
  if (name.is_error() || count.is_error()) return Value::error();
  const std::string_view text = name.kind == ValueKind::String ? name.text : std::string_view();
  const bool is_block = text.starts_with("threadIdx.");
  const bool is_grid = text.starts_with("blockIdx.");
  const std::size_t axis = text.empty() ? 3 : static_cast<std::size_t>(text.back() - 'x');
  if ((!is_block && !is_grid) || axis > 2 || text.size() != (is_block ? 11u : 10u)) {
    diags_.report(tag != nullptr ? tag->span : call.span, kTag,
                  name.kind == ValueKind::String ? fmt::format("\"{}\"", text) : describe(name));
    return Value::error();
  }
  const Expr* size = host_extent(count, extent->span, is_block);
  if (size == nullptr) return Value::error();
  ScopeExtents& known = region_.extents;
  set_extent(is_block ? known.block[axis] : known.grid[axis],
             is_block ? known.block_span[axis] : known.grid_span[axis], size, extent->span);
  if (ir::is_int_value(size, 1)) {
    return Value::of_expr(context_.build.int_imm(kInt32, 0, call.span),
                          module_.arena.make<Value>(Value::of_int(0)));
  }
  const auto kind = is_block ? ir::LaunchIndexKind::ThreadIdx : ir::LaunchIndexKind::BlockIdx;
  return Value::of_expr(context_.build.launch_index(kind, static_cast<int>(axis), call.span));
}

// The launch of a region that was put together from ids.
void FunctionSema::finish_extents() {
  if (region_.has_config) return;
  ScopeExtents& known = region_.extents;
  ir::LaunchConfig& launch = region_.kernel->launch;
  const ir::Builder& build = context_.build;
  if (known.warps != nullptr || known.lanes != nullptr) {
    const Span span = known.warps != nullptr ? known.warps_span : known.lanes_span;
    const Expr* warps = known.warps != nullptr ? known.warps : build.int_imm(kInt64, 1, span);
    const Expr* lanes = known.lanes != nullptr ? known.lanes : build.int_imm(kInt64, 32, span);
    const Expr* threads = build.fold_binary(ir::BinaryOp::Mul, warps, lanes, span);
    const bool has_block = known.block[0] != nullptr;
    if (!has_block) {
      known.block[0] = threads;
      known.block_span[0] = span;
    } else if (known.warps != nullptr) {
      check_warps_against_block(threads, span);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = known.grid[axis];
    launch.block[axis] = known.block[axis];
  }
  bool has_block = false;
  for (const Expr*& size : launch.block)
    has_block = has_block || size != nullptr;
  if (!has_block) {
    if (!diags_.has_errors()) {
      const bool is_native = context_.dialect != ir::Dialect::A;
      auto report = diags_.report(region_.span, is_native ? kNoThreads : kNoLaunch);
      if (is_native) {
        report.note(
            "here the scope ids give the sizes: 'bx = T.cta_id([blocks])', 't = "
            "T.thread_id([threads])'");
      }
    }
    return;
  }
  // Sizes of lower axes that were not mentioned are 1.
  const auto fill = [&](const Expr** sizes) {
    for (int axis = 0; axis < 2; ++axis) {
      const bool is_used = sizes[axis + 1] != nullptr || (axis == 0 && sizes[2] != nullptr);
      if (sizes[axis] == nullptr && is_used) sizes[axis] = build.int_imm(kInt64, 1, region_.span);
    }
    if (sizes[0] == nullptr) sizes[0] = build.int_imm(kInt64, 1, region_.span);
  };
  fill(launch.grid);
  fill(launch.block);
  check_block_size(region_.extents.block_span[0].is_valid() ? region_.extents.block_span[0]
                                                            : region_.span);
}

void FunctionSema::check_warps_against_block(const Expr* threads, Span span) {
  std::int64_t total = 1;
  for (const Expr* size : region_.extents.block) {
    if (size == nullptr) continue;
    const ir::IntImm* literal = ir::as_int(size);
    if (literal == nullptr) return;
    total *= literal->value;
  }
  const ir::IntImm* count = ir::as_int(threads);
  if (count == nullptr || count->value == total) return;
  diags_.report(span, kInconsistentBlock, count->value / 32, 32, count->value, total)
      .label(region_.extents.block_span[0], "the block is given here");
}

}  // namespace tirxcc::sema
