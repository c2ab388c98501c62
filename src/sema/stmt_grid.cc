// SPDX-License-Identifier: Apache-2.0
//
// T.grid: a nest of serial loops, the last one fastest; and T.thread_binding, the older form of a
// thread index that looks like a loop.
//
//   for i, (j0, n) in T.grid(8, (2, 6))   ->   for i in range(8): for j in range(2, 8):
#include "sema/expr_internal.h"
#include "sema/loop_bounds.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNoExtents{"grid-without-extents", Severity::Error, ErrorClass::Type,
                                "T.grid expects at least one extent"};
constexpr Diagnostic kTargetCount{
    "grid-target-count", Severity::Error, ErrorClass::Value,
    "Loop target count differs from iteration dimensions: {} targets for {} extents"};
constexpr Diagnostic kExtentType{
    "grid-extent-type", Severity::Error, ErrorClass::Type,
    "an extent of T.grid must be an integer or (start, extent), got {}"};
constexpr Diagnostic kGridKeyword{"grid-keyword", Severity::Error, ErrorClass::Type,
                                  "T.grid got an unexpected keyword argument '{}'"};
constexpr Diagnostic kThreadBindingName{"thread-binding-target", Severity::Error, ErrorClass::Type,
                                        "T.thread_binding gives one index"};

}  // namespace

// One loop of the nest.
struct FunctionSema::GridLevel {
  LoopBounds bounds;
  const syntax::Expr* target = nullptr;
  const ir::Var* var = nullptr;

  bool runs_surely() const {
    return bounds.known_begin.has_value() && bounds.known_end.has_value() &&
           count_turns(bounds) > 0;
  }
  static bool read_dtype(FunctionSema& sema, const syntax::Call& call, DType& type);
  ir::For* make_loop(FunctionSema& sema, Span span) const;
};

bool FunctionSema::GridLevel::read_dtype(FunctionSema& sema, const syntax::Call& call,
                                         DType& type) {
  for (const syntax::Keyword* keyword : call.keywords) {
    if (keyword->name == "annotations") continue;
    if (keyword->name != "dtype") {
      sema.diags_.report(keyword->name_span, kGridKeyword, keyword->name);
      return false;
    }
    LoopBounds option;
    if (!sema.read_loop_options(nullptr, keyword->value, option)) return false;
    type = option.type;
  }
  return true;
}

// Null after an error.
ir::For* FunctionSema::GridLevel::make_loop(FunctionSema& sema, Span span) const {
  auto* node = sema.make_stmt<ir::For>(span);
  node->var = var;
  node->begin =
      sema.expr_.convert(bounds.begin, bounds.type, bounds.begin_span, Conversion::Argument);
  node->end = sema.expr_.convert(bounds.end, bounds.type, bounds.end_span, Conversion::Argument);
  if (node->begin == nullptr || node->end == nullptr) return nullptr;
  node->copy_end = !ir::is_pure_value(node->end);
  return node;
}

bool FunctionSema::read_grid_extent(const syntax::Expr& arg, GridLevel& level) {
  const Value value = expr_.eval(arg);
  if (value.is_error()) return false;
  LoopBounds& bounds = level.bounds;
  bounds.callee = "T.grid";
  bounds.begin_span = bounds.end_span = arg.span;
  if (value.kind != ValueKind::Tuple && value.kind != ValueKind::List) {
    bounds.end = value;
    return true;
  }
  if (value.items.size() != 2) {
    diags_.report(arg.span, kExtentType, describe(value));
    return false;
  }
  bounds.begin = value.items[0];
  bounds.end =
      expr_.binary(syntax::BinaryOperator::Add, value.items[0], value.items[1], arg.span, arg.span);
  return !bounds.end.is_error();
}

void FunctionSema::translate_grid(const syntax::For& stmt, const syntax::Call& call) {
  const std::size_t count = call.args.size();
  if (count == 0) {
    diags_.report(call.span, kNoExtents);
    return;
  }
  DType type = kError;
  if (!GridLevel::read_dtype(*this, call, type)) return;
  syntax::Exprs targets;
  if (const auto* tuple = syntax::as<syntax::Tuple>(stmt.target)) targets = tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(stmt.target)) targets = list->elements;
  if (!targets.empty() && targets.size() != count) {
    diags_.report(stmt.target->span, kTargetCount, targets.size(), count);
    return;
  }
  std::vector<GridLevel> levels(count);
  for (std::size_t i = 0; i < count; ++i) {
    GridLevel& level = levels[i];
    level.bounds.type = type;
    level.target = targets.empty() ? stmt.target : targets[i];
    if (!read_grid_extent(*call.args[i], level) || !settle_bounds(level.bounds)) return;
    level.var = loop_var(*level.target, level.bounds.type);
    // Extents are evaluated before the nest, not once for each turn of an outer loop.
    if (i > 0) {
      const std::string_view name = name_with(level.var->name, "_end");
      level.bounds.end = materialize(level.bounds.end, name, call.args[i]->span);
      level.bounds.begin = materialize(level.bounds.begin, name, call.args[i]->span);
    }
  }

  const std::size_t mark = trail_.size();
  const bool was_reachable = is_reachable_;
  bool runs_surely = true;
  std::vector<ir::For*> nodes;
  std::vector<Value> indices;
  for (const GridLevel& level : levels) {
    nodes.push_back(level.make_loop(*this, stmt.span));
    if (nodes.back() == nullptr) return;
    indices.push_back(Value::of_expr(context_.build.var(level.var, level.target->span)));
    runs_surely = runs_surely && level.runs_surely();
  }
  const std::uint32_t started = ++clock_;
  for (std::size_t i = 0; i < count; ++i)
    open_frame();
  if (targets.empty() && count > 1) {
    bind_loop_variable(*stmt.target,
                       Value::sequence(ValueKind::Tuple, module_.arena.copy(indices)));
  } else {
    for (std::size_t i = 0; i < count; ++i)
      bind_loop_variable(*levels[i].target, indices[i]);
  }
  // A loop that runs in the kernel and has a name is the innermost of a nest (see `break`).
  const std::string_view innermost = count > 1 ? levels[count - 1].var->name : "";
  loops_.push_back(
      {.kind = Loop::Kind::RunTime, .name = innermost, .started = started, .mark = mark});
  translate_block(stmt.body);
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  for (std::size_t i = count; i-- > 0;) {
    close_frame(&nodes[i]->body);
    emit(nodes[i]);
  }
  join_into(loop.exits, mark);
  forget_since(mark);
  // A break leaves the innermost loop only.
  if (runs_surely && !loop.continues.is_reached && loop.exits.is_reached) {
    continue_from(loop.exits);
  } else {
    is_reachable_ = was_reachable;
  }
}

void FunctionSema::translate_thread_binding(const syntax::For& stmt, const syntax::Call& call) {
  static constexpr std::array<ParamSpec, 3> kParams = {
      ParamSpec{"extent"}, ParamSpec{"stop", false}, ParamSpec{"thread", false}};
  std::array<Argument, 3> args;
  if (!bind_arguments(context_, call, "T.thread_binding", kParams, args)) return;
  if (!syntax::is<syntax::Name>(stmt.target)) {
    diags_.report(stmt.target->span, kThreadBindingName);
    return;
  }
  const bool starts_region = region_.number == 0;
  if (starts_region) begin_region(call.span);
  const Value index = launch_thread(args[2].expr, args[0].expr, call);
  bind_meta(entry_of(syntax::as<syntax::Name>(stmt.target)->id), key_of(stmt.target), index,
            stmt.target->span);
  translate_block(stmt.body);
  if (starts_region) end_region();
}

}  // namespace tirxcc::sema
