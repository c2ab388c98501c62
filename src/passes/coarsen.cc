// SPDX-License-Identifier: Apache-2.0
#include "passes/coarsen.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "passes/global_index.h"
#include "passes/merge_branch_stores.h"
#include "passes/wide_access.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNotCoarsened{"not-coarsened", Severity::Note, ErrorClass::Value,
                                   "the kernel is not coarsened: {}"};

constexpr Diagnostic kOneByOne{
    "coarsened-one-by-one", Severity::Note, ErrorClass::Value,
    "each thread does the work of {} neighbours one after another, without wide accesses, because "
    "of {} in line {}"};

bool is_thread_x(const Expr& expr) {
  const auto* index = as<LaunchIndex>(&expr);
  return index != nullptr && index->index == LaunchIndexKind::ThreadIdx && index->axis == 0;
}

// Why the threads of the kernel cannot be taken together; empty if they can.
std::string obstacle(const Kernel& kernel, int width) {
  const Expr* block = kernel.launch.block[0];
  const IntImm* size = block == nullptr ? nullptr : as_int(block);
  if (size == nullptr || size->value % width != 0) {
    return fmt::format("the block's size in x is not known to be a multiple of {}", width);
  }
  std::string found;
  walk_stmts(kernel.body, [&](const Stmt& stmt) {
    const auto* alloc = as<Alloc>(&stmt);
    if (alloc != nullptr && alloc->tensor->scope != Scope::Local) found = "it has shared memory";
  });
  walk_exprs(kernel.body, [&](const Expr& expr) {
    const auto* call = as<Call>(&expr);
    if (call != nullptr && call->callee->convergence != intrinsics::Convergence::Thread) {
      found = fmt::format("its threads work together in T.{}", call->callee->name);
    }
    const auto* index = as<LaunchIndex>(&expr);
    if (index != nullptr && index->index == LaunchIndexKind::WarpId) found = "it asks for its warp";
  });
  return found;
}

// How threads are taken together.
struct Grouping {
  int width = 4;
  std::int64_t block_size = 0;
  // The kernel knows its place by this number alone, which grows by `width` lanes; else
  // thread_idx.x does.
  bool by_grid = false;
  GlobalIndex global = {};
  const Var* first = nullptr;  // of lane 0

  bool is_number(const Expr& expr) const {
    return by_grid ? global.matches(expr) : is_thread_x(expr);
  }
};

// The work of one lane, with names of its own.
class LaneCopy : public Rewriter<LaneCopy> {
 public:
  LaneCopy(Arena& arena, const Grouping& grouping, const Expr* lane)
      : Rewriter(arena), grouping_(grouping), lane_(lane) {}
  using Rewriter::map;
  using Rewriter::on_expr;
  using Rewriter::on_stmt;

  const Expr* on_expr(const LaunchIndex& node) {
    if (grouping_.is_number(node)) return number(node.span);
    const bool is_size = node.index == LaunchIndexKind::BlockDim && node.axis == 0;
    return is_size ? build().int_imm(node.dtype, grouping_.block_size, node.span) : &node;
  }
  const Expr* on_expr(const Binary& node) {
    if (grouping_.is_number(node)) return number(node.span);
    const Binary* made = rebuild(node);
    return made == &node ? &node : build().fold_binary(made->op, made->a, made->b, node.span);
  }
  const Expr* on_expr(const VarRef& node) {
    return numbers_.contains(node.var) ? number(node.span) : rebuild(node);
  }

  void on_stmt(const Let& node) {
    if (grouping_.by_grid && grouping_.global.names_part(node)) return;
    if (grouping_.is_number(*node.value)) {
      numbers_.insert(node.var);
      return;
    }
    const Expr* value = rewrite(node.value);
    emit(build().stmt<Let>(node.span, own(vars_, node.var), value));
  }
  void on_stmt(const For& node) { emit_declaring(vars_, node.var, node); }
  void on_stmt(const CountedFor& node) { emit_declaring(vars_, node.var, node); }
  void on_stmt(const DeclareLocal& node) { emit_declaring(locals_, node.local, node); }
  void on_stmt(const Alloc& node) { emit_declaring(tensors_, node.tensor, node); }
  void on_stmt(const Block& node) {
    if (node.label != nullptr) own(labels_, node.label);
    emit(rebuild(node));
  }
  // Ends the lane.
  void on_stmt(const ThreadReturn& node) {
    if (end_ == nullptr) {
      auto* label = arena().make<Label>();
      label->name = "lane_end";
      end_ = label;
    }
    emit(build().stmt<Leave>(node.span, end_));
  }

  const Var* map(const Var* var) { return find(vars_, var); }
  const Local* map(const Local* local) { return find(locals_, local); }
  const Tensor* map(const Tensor* tensor) { return find(tensors_, tensor); }
  const Label* map(const Label* label) { return find(labels_, label); }

  StmtList body(StmtList list, Span span) {
    StmtList made = rewrite(list);
    if (end_ == nullptr) return made;
    return arena().copy({static_cast<const Stmt*>(build().stmt<Block>(span, end_, made))});
  }

 private:
  template <typename T>
  using Own = std::unordered_map<const T*, const T*>;

  template <typename T>
  const T* own(Own<T>& made, const T* object) {
    return made[object] = arena().make<T>(*object);
  }
  template <typename T>
  static const T* find(const Own<T>& made, const T* object) {
    auto place = made.find(object);
    return place == made.end() ? object : place->second;
  }
  template <typename T, typename Node>
  void emit_declaring(Own<T>& made, const T* object, const Node& node) {
    own(made, object);
    emit(rebuild(node));
  }
  const Expr* number(Span span) {
    return build().fold_binary(BinaryOp::Add, build().var(grouping_.first, span), lane_, span);
  }

  const Grouping& grouping_;
  const Expr* lane_;
  std::unordered_set<const Var*> numbers_;
  Own<Var> vars_;
  Own<Local> locals_;
  Own<Tensor> tensors_;
  Own<Label> labels_;
  const Label* end_ = nullptr;
};

// A body that does nothing unless some conditions hold, which cost nothing to ask.
struct Guarded {
  std::vector<const Stmt*> names = {};       // pure ones, that the conditions or the work use
  VarMap values = {};                        // of the names
  std::vector<const Expr*> conditions = {};  // without the names; all must hold
  StmtList work = {};
};

const Expr* opposite(const Builder& build, const Expr* condition) {
  const auto* compare = as<Binary>(condition);
  if (compare != nullptr && is_comparison(compare->op) && compare->a->dtype.is_int()) {
    return build.make_binary(negated(compare->op), compare->a, compare->b, condition->span);
  }
  return build.fold_unary(UnaryOp::Not, condition, condition->span);
}

void add_condition(Guarded& guarded, const Expr* condition) {
  const auto* both = as<Binary>(condition);
  if (both != nullptr && both->op == BinaryOp::And) {
    add_condition(guarded, both->a);
    add_condition(guarded, both->b);
  } else {
    guarded.conditions.push_back(condition);
  }
}

// Takes names and one guard off the work: `if c: ...` with nothing behind it, or
// `if c: T.gpu_thread_return()` before the rest.
bool take_guard(Arena& arena, Guarded& guarded) {
  std::vector<const Stmt*> names;
  VarMap values = guarded.values;
  std::size_t at = 0;
  for (; at < guarded.work.size(); ++at) {
    const auto* let = as<Let>(guarded.work[at]);
    if (let == nullptr || !is_pure_value(let->value)) break;
    names.push_back(let);
    values[let->var] = substitute(arena, let->value, values);
  }
  const auto* guard = at < guarded.work.size() ? as<If>(guarded.work[at]) : nullptr;
  if (guard == nullptr || guard->clauses.size() != 1 || !guard->else_body.empty()) return false;
  const IfClause& clause = guard->clauses[0];
  if (!is_pure_value(clause.condition)) return false;
  const Expr* condition = substitute(arena, clause.condition, values);
  StmtList rest = guarded.work.subspan(at + 1);
  if (rest.empty()) {
    guarded.work = clause.body;
  } else if (clause.body.size() == 1 && is<ThreadReturn>(clause.body[0])) {
    condition = opposite(Builder(arena), condition);
    guarded.work = rest;
  } else {
    return false;
  }
  add_condition(guarded, condition);
  guarded.names.insert(guarded.names.end(), names.begin(), names.end());
  guarded.values = std::move(values);
  return true;
}

// The first statement that is more than a step straight on; null: there is none.
const Stmt* first_bend(StmtList list) {
  const auto found = std::find_if_not(list.begin(), list.end(), [](const Stmt* stmt) {
    return is<Let>(stmt) || is<Store>(stmt) || is<DeclareLocal>(stmt) || is<Assign>(stmt) ||
           is<Evaluate>(stmt);
  });
  return found == list.end() ? nullptr : *found;
}

std::string_view bend_words(const Stmt& stmt) {
  if (is<For>(&stmt) || is<CountedFor>(&stmt) || is<While>(&stmt)) return "the loop";
  return is<If>(&stmt) ? "the 'if'" : is<Alloc>(&stmt) ? "the array" : "the statement";
}

const Expr* without_casts(const Expr* expr) {
  while (const auto* cast = as<Cast>(expr))
    expr = cast->a;
  return expr;
}

class Coarsening {
 public:
  Coarsening(Arena& arena, const Kernel& kernel, int width)
      : arena_(arena), build_(arena), kernel_(kernel), made_(kernel) {
    grouping_.width = width;
    grouping_.block_size = as_int(kernel.launch.block[0])->value;
    guarded_.work = kernel.body;
    while (take_guard(arena, guarded_)) {
    }
  }

  // What keeps the lanes from wide accesses; null: nothing does.
  const Stmt* bend() const { return first_bend(guarded_.work); }

  const Kernel& run() {
    choose_grouping();
    const Expr* first = grouping_.by_grid ? number() : launch_index(LaunchIndexKind::ThreadIdx);
    grouping_.first = arena_.make<Var>(Var{first_name(), kInt32, kernel_.span});
    const Expr* start = binary(BinaryOp::Mul, first, grouping_.width);
    body_.push_back(build_.stmt<Let>(kernel_.span, grouping_.first, start));
    emit_lanes();
    made_.body = arena_.copy(body_);
    return *arena_.make<Kernel>(made_);
  }

 private:
  const Expr* launch_index(LaunchIndexKind kind) { return build_.launch_index(kind, 0); }
  const Expr* binary(BinaryOp op, const Expr* a, std::int64_t b) {
    return build_.fold_binary(op, a, build_.int_imm(a->dtype, b), kernel_.span);
  }
  const Expr* number() {
    const Expr* start =
        binary(BinaryOp::Mul, launch_index(LaunchIndexKind::BlockIdx), grouping_.block_size);
    return build_.make_binary(BinaryOp::Add, start, launch_index(LaunchIndexKind::ThreadIdx),
                              kernel_.span);
  }

  // The user's name of the number.
  std::string_view first_name() {
    std::string_view name = "first";
    walk_stmts(kernel_.body, [&](const Stmt& stmt) {
      const auto* let = as<Let>(&stmt);
      if (let != nullptr && grouping_.is_number(*let->value)) name = let->var->name;
    });
    return name;
  }

  void choose_grouping() {
    LaunchConfig& launch = made_.launch;
    grouping_.global = GlobalIndex(kernel_, 1, GlobalIndex::Widths::Int32);
    const bool has_blocks_to_choose = launch.cluster[0] == nullptr && launch.cooperative == nullptr;
    if (grouping_.global.is_only_index() && grouping_.global.is_flat() && has_blocks_to_choose) {
      grouping_.by_grid = true;
      if (const Expr* grid = smaller_grid(launch.grid[0])) {
        launch.grid[0] = grid;
        return;
      }
      grouping_.by_grid = false;
    }
    launch.block[0] = build_.int_imm(launch.block[0]->dtype, grouping_.block_size / grouping_.width,
                                     kernel_.span);
  }

  // The grid for threads that do more, if those beyond the old one have nothing to do: there are
  // none, or the guard is `number < e` and the grid ceildiv(e, block) blocks. Null if neither is
  // certain.
  const Expr* smaller_grid(const Expr* grid) {
    if (const IntImm* blocks = as_int(grid)) {
      std::int64_t width = grouping_.width;
      const std::int64_t threads = blocks->value * grouping_.block_size;
      const bool is_whole = blocks->value % width == 0 || is_guarded_below(threads);
      return is_whole ? build_.int_imm(grid->dtype, (blocks->value + width - 1) / width) : nullptr;
    }
    const auto* quotient = as<Binary>(grid);
    const std::int64_t size = grouping_.block_size;
    if (quotient == nullptr || quotient->op != BinaryOp::FloorDiv ||
        !is_int_value(quotient->b, size)) {
      return nullptr;
    }
    const auto* sum = as<Binary>(quotient->a);
    if (sum == nullptr || sum->op != BinaryOp::Add || !is_int_value(sum->b, size - 1) ||
        !is_guarded_below(sum->a)) {
      return nullptr;
    }
    const std::int64_t wide = size * grouping_.width;
    return binary(BinaryOp::FloorDiv, binary(BinaryOp::Add, sum->a, wide - 1), wide);
  }

  // Whether one of the conditions is `number < e`; `accepts` looks at e.
  template <typename Accepts>
  bool is_guarded(Accepts&& accepts) {
    return std::any_of(guarded_.conditions.begin(), guarded_.conditions.end(), [&](const Expr* e) {
      const auto* compare = as<Binary>(e);
      if (compare == nullptr) return false;
      if (compare->op == BinaryOp::Lt && grouping_.is_number(*compare->a)) {
        return accepts(compare->b);
      }
      return compare->op == BinaryOp::Gt && grouping_.is_number(*compare->b) && accepts(compare->a);
    });
  }
  bool is_guarded_below(const Expr* bound) {
    return is_guarded([&](const Expr* e) { return equal(without_casts(e), without_casts(bound)); });
  }
  bool is_guarded_below(std::int64_t bound) {
    return is_guarded([&](const Expr* e) {
      const IntImm* value = as_int(e);
      return value != nullptr && value->value <= bound;
    });
  }

  void emit_lanes() {
    if (bend() != nullptr) {
      body_.push_back(loop(kernel_.body, ForKind::Serial, 0));
    } else if (guarded_.conditions.empty()) {
      body_.push_back(loop(kernel_.body, ForKind::Vectorized, -1));
    } else {
      std::vector<const Stmt*> work = guarded_.names;
      work.insert(work.end(), guarded_.work.begin(), guarded_.work.end());
      const Stmt* wide = loop(arena_.copy(work), ForKind::Vectorized, -1);
      const IfClause each{all_of(guarded_.conditions), guarded_.work, kernel_.span};
      std::vector<const Stmt*> guarded = guarded_.names;
      guarded.push_back(build_.stmt<If>(kernel_.span, arena_.copy({each}), StmtList()));
      const Stmt* rest = loop(arena_.copy(guarded), ForKind::Serial, -1);
      const IfClause clause{all_lanes(), arena_.copy({wide}), kernel_.span};
      body_.push_back(build_.stmt<If>(kernel_.span, arena_.copy({clause}), arena_.copy({rest})));
    }
  }

  const Stmt* loop(StmtList body, ForKind kind, std::int32_t unroll) {
    const Var* lane = arena_.make<Var>(Var{"lane", kInt32, kernel_.span, VarKind::Loop});
    LaneCopy copy(arena_, grouping_, build_.var(lane, kernel_.span));
    return build_.stmt<For>(kernel_.span, lane, build_.int_imm(kInt32, 0),
                            build_.int_imm(kInt32, grouping_.width), std::int64_t{1}, kind, unroll,
                            false, copy.body(body, kernel_.span));
  }

  const Expr* all_of(std::span<const Expr* const> conditions) {
    const Expr* all = conditions[0];
    for (const Expr* condition : conditions.subspan(1))
      all = build_.fold_binary(BinaryOp::And, all, condition, condition->span);
    return all;
  }

  // Whether all lanes do their work.
  const Expr* all_lanes() {
    std::vector<const Expr*> conditions;
    for (const Expr* condition : guarded_.conditions) {
      if (const Expr* last = condition_of_last(condition)) {
        conditions.push_back(last);
        continue;
      }
      for (int lane = 0; lane < grouping_.width; ++lane)
        conditions.push_back(in_lane(condition, lane));
    }
    return all_of(conditions);
  }

  const Expr* in_lane(const Expr* expr, int lane) {
    return LaneCopy(arena_, grouping_, build_.int_imm(kInt32, lane)).rewrite(expr);
  }

  // The condition in the last lane, if it holds in all lanes when it holds there; null if that is
  // not certain.
  const Expr* condition_of_last(const Expr* condition) {
    const Expr* last = in_lane(condition, grouping_.width - 1);
    if (equal(in_lane(condition, 0), last)) return last;
    const auto* compare = as<Binary>(condition);
    if (compare == nullptr) return nullptr;
    const bool is_upper = compare->op == BinaryOp::Lt || compare->op == BinaryOp::Le;
    const bool is_lower = compare->op == BinaryOp::Gt || compare->op == BinaryOp::Ge;
    if (!is_upper && !is_lower) return nullptr;
    const Expr* grows = is_upper ? compare->a : compare->b;
    const Expr* stays = is_upper ? compare->b : compare->a;
    const bool is_fixed = equal(in_lane(stays, 0), in_lane(stays, 1));
    return is_fixed && grows_by_one(grows) ? last : nullptr;
  }

  // Whether the value grows by one from lane to lane, and does not wrap on the way.
  bool grows_by_one(const Expr* expr) {
    if (!expr->dtype.is_int()) return false;
    const Var* lane = arena_.make<Var>(Var{"lane", kInt32, kernel_.span, VarKind::Loop});
    const LinearOffset offset = linear_offset(
        LaneCopy(arena_, grouping_, build_.var(lane, kernel_.span)).rewrite(expr), lane);
    Multiples multiples;
    multiples.define(grouping_.first, grouping_.width);
    return offset.is_linear && offset.scale == 1 &&
           multiples.of(in_lane(expr, 0)) % grouping_.width == 0;
  }

  Arena& arena_;
  Builder build_;
  const Kernel& kernel_;
  Kernel made_;
  Grouping grouping_;
  Guarded guarded_;
  std::vector<const Stmt*> body_;
};

// The host's statements with other kernels to launch.
class Relaunching : public Rewriter<Relaunching> {
 public:
  Relaunching(Arena& arena, const std::unordered_map<const Kernel*, const Kernel*>& made)
      : Rewriter(arena), made_(made) {}
  using Rewriter::on_stmt;
  void on_stmt(const Launch& node) { emit(build().stmt<Launch>(node.span, made_.at(node.kernel))); }

 private:
  const std::unordered_map<const Kernel*, const Kernel*>& made_;
};

}  // namespace

const Function& coarsen(const Function& function, int width, PassContext& context) {
  std::unordered_map<const Kernel*, const Kernel*> made;
  std::vector<const Kernel*> kernels;
  for (const Kernel* kernel : function.kernels) {
    const Kernel* coarse = kernel;
    if (kernel->kind == KernelKind::Device) {
      const std::string reason = obstacle(*kernel, width);
      if (!reason.empty()) context.diags.report(kernel->span, kNotCoarsened, reason);
      if (reason.empty()) {
        const Kernel& merged = merge_branch_stores(*kernel, context);
        Coarsening coarsening(context.arena, merged, width);
        coarse = &coarsening.run();
        if (const Stmt* bend = coarsening.bend()) {
          const auto line = context.diags.sources().position(bend->span).line;
          context.diags.report(kernel->span, kOneByOne, width, bend_words(*bend), line);
        }
      }
    }
    made[kernel] = coarse;
    kernels.push_back(coarse);
  }
  Function copy = function;
  copy.kernels = context.arena.copy(kernels);
  copy.host_body = Relaunching(context.arena, made).rewrite(function.host_body);
  return *context.arena.make<Function>(copy);
}

}  // namespace tirxcc::passes
