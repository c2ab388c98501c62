// SPDX-License-Identifier: Apache-2.0
//
// See racing_store.h. Most kernels have no store whose index lacks the thread; only the others are
// analysed: which threads come there, and whether what they store differs.
#include "passes/racing_store.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/builder.h"
#include "ir/ranges.h"
#include "ir/traverse.h"
#include "ir/uniformity.h"
#include "passes/affine_index.h"
#include "passes/index_limits.h"
#include "passes/store_kinds.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kRacingStore{
    "racing-store", Severity::Warning, ErrorClass::Value,
    "{} stores a value of its own to '{}'; which one stays is left to chance"};
constexpr Diagnostic kRacingUpdate{
    "racing-update", Severity::Warning, ErrorClass::Value,
    "{} changes '{}' at the same time; most of the changes are lost"};

// Along which axes threads that come to a store differ: in their number in the block, and in that
// of their block.
struct Arrivals {
  struct Axis {
    bool has_threads = false;
    bool has_blocks = false;
  };
  std::array<Axis, 3> axes;
  bool are_all = true;  // no guard holds any back
};

class Finder {
 public:
  Finder(const Kernel& kernel, source::Diagnostics& diags)
      : kernel_(kernel), reader_(kernel.launch), limits_(reader_), diags_(diags) {
    find_candidates();
    if (candidates_.empty()) return;
    walk_stmts(kernel.body, [&](const Stmt& stmt) {
      if (const auto* assign = as<Assign>(&stmt)) assigned_[assign->local].push_back(assign->value);
    });
    follow_guards(kernel.body);
    const UniformityAnalysis uniformity(kernel);
    for (const Store* store : candidates_) {
      if (check(*store, uniformity)) return;
    }
  }

 private:
  void find_candidates() {
    walk_stmts(kernel_.body, [&](const Stmt& stmt) {
      if (const auto* let = as<Let>(&stmt)) reader_.define(*let);
      const auto* store = as<Store>(&stmt);
      if (store == nullptr || store->tensor->scope == Scope::Local) return;
      const bool is_of_all =
          std::all_of(store->indices.begin(), store->indices.end(), [&](const Expr* index) {
            const std::optional<Affine> sum = reader_.read(index);
            return sum && std::none_of(sum->begin(), sum->end(), [](const Term& term) {
                     return term.counter.kind == CounterKind::Thread ||
                            term.counter.kind == CounterKind::Global;
                   });
          });
      if (is_of_all) candidates_.push_back(store);
    });
  }

  // Which threads come to stores under guards such as `if i < n:` alone, and behind
  // `if i >= n: return`. Loops and other conditions are left to the analysis of uniformity.
  void follow_guards(StmtList list) {
    const std::size_t mark = limits_.mark();
    for (const Stmt* stmt : list) {
      if (const auto* branch = as<If>(stmt)) {
        if (!follow_branch(*branch)) break;
      } else if (const auto* block = as<Block>(stmt)) {
        follow_guards(block->body);
        if (has_jump(*stmt)) break;
      } else if (const auto* store = as<Store>(stmt)) {
        guarded_[store] = arrivals();
      } else if (has_jump(*stmt)) {
        break;
      }
    }
    limits_.forget(mark);
  }

  // False if it is not known who comes to what is behind it.
  bool follow_branch(const If& branch) {
    const Expr& condition = *branch.clauses[0].condition;
    const std::size_t mark = limits_.mark();
    if (branch.clauses.size() == 1 && branch.else_body.empty() &&
        ends_in_jump(branch.clauses[0].body)) {
      return limits_.assume(condition, false);
    }
    if (limits_.assume(condition, true)) follow_guards(branch.clauses[0].body);
    limits_.forget(mark);
    return !has_jump(branch);
  }

  Arrivals arrivals() const {
    Arrivals here;
    here.are_all = false;
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
      const bool has_threads = has_several(CounterKind::Thread, axis, kernel_.launch.block[axis]);
      const bool has_blocks = has_several(CounterKind::Block, axis, kernel_.launch.grid[axis]);
      const bool is_one_thread = is_single(CounterKind::Global, axis);
      here.axes[axis] = {has_threads && !is_one_thread, has_blocks && !is_one_thread};
    }
    return here;
  }

  bool has_several(CounterKind kind, std::uint8_t axis, const Expr* size) const {
    return !is_one(size) && !is_single(kind, axis);
  }

  // The guards leave one value.
  bool is_single(CounterKind kind, std::uint8_t axis) const {
    return limits_.is_single({kind, axis, nullptr});
  }

  bool check(const Store& store, const UniformityAnalysis& uniformity) {
    Uniformity level = Uniformity::Grid;
    for (const Expr* index : store.indices)
      level = std::max(level, uniformity.of(index));
    if (store.tensor->scope != Scope::Global) level = std::max(level, Uniformity::Block);
    const Uniformity control = uniformity.control(&store);
    if (control <= Uniformity::Block) {
      level = std::max(level, control);
      arrivals_ = everybody();
    } else {
      const auto found = guarded_.find(&store);
      if (found == guarded_.end()) return false;
      arrivals_ = found->second;
    }
    if (level > Uniformity::Block || !has_several_threads(level)) return false;
    level_ = level;
    const bool is_update = reads_itself(store);
    if (!is_update && !differs(store.value, 0)) return false;
    report(store, is_update);
    return true;
  }

  bool is_one(const Expr* size) const { return AffineReader::constant_size(size) == 1; }

  Arrivals everybody() const {
    Arrivals here;
    for (int axis = 0; axis < 3; ++axis) {
      const bool has_threads = !is_one(kernel_.launch.block[axis]);
      const bool has_blocks = !is_one(kernel_.launch.grid[axis]);
      here.axes[axis] = {has_threads, has_blocks};
    }
    return here;
  }

  bool has_several_threads(Uniformity level) const {
    return std::any_of(
        arrivals_.axes.begin(), arrivals_.axes.end(), [&](const Arrivals::Axis& axis) {
          return level == Uniformity::Grid ? axis.has_threads || axis.has_blocks : axis.has_threads;
        });
  }

  // Whether the threads that come to the store certainly have different values in it.
  bool differs(const Term& term) const {
    const Arrivals::Axis& axis = arrivals_.axes[term.counter.axis];
    const bool has_blocks = level_ == Uniformity::Grid && axis.has_blocks;
    switch (term.counter.kind) {
      case CounterKind::Thread: return axis.has_threads;
      case CounterKind::Global: return axis.has_threads || has_blocks;
      case CounterKind::Block:
      case CounterKind::FirstThread: return has_blocks;
      case CounterKind::Size:
      case CounterKind::Loop: return false;
    }
    return false;
  }

  // The value of an element that is each thread's own counts as different.
  bool differs(const Expr* expr, int depth) {
    if (depth > kMostDepth) return false;
    expr = reader_.value_of(expr);
    if (const std::optional<Affine> sum = reader_.read(expr)) {
      return std::any_of(sum->begin(), sum->end(), [&](const Term& term) { return differs(term); });
    }
    if (const auto* load = as<Load>(expr)) {
      return load->tensor->scope == Scope::Global && load->tensor->is_param &&
             std::any_of(load->indices.begin(), load->indices.end(), [&](const Expr* index) {
               return reader_.read(index) && differs(index, depth + 1);
             });
    }
    if (const auto* read = as<LocalRead>(expr)) return differs(*read->local, depth + 1);
    return is_arithmetic(*expr) &&
           any_child(*expr, [&](const Expr& child) { return differs(&child, depth + 1); });
  }

  // All values that the scalar gets are constants or differ, as in `total += A[i]`. Other scalars
  // are not followed from here.
  bool differs(const Local& local, int depth) {
    const auto found = assigned_.find(&local);
    if (found == assigned_.end() || found->second.size() > kMostAssignments || is_in_local_) {
      return false;
    }
    is_in_local_ = true;
    bool is_any = false;
    const bool are_all =
        std::all_of(found->second.begin(), found->second.end(), [&](const Expr* value) {
          if (is<IntImm>(value) || is<FloatImm>(value)) return true;
          is_any = differs(value, depth + 1);
          return is_any;
        });
    is_in_local_ = false;
    return are_all && is_any;
  }

  template <typename F>
  static bool any_child(const Expr& expr, F&& f) {
    bool found = false;
    for_each_child(expr, [&](const Expr& child) { found = found || f(child); });
    return found;
  }

  void report(const Store& store, bool is_update) {
    const Span target = target_of(store, diags_.sources());
    const bool is_grid = level_ == Uniformity::Grid;
    const std::string_view text = diags_.sources().text_of(target);
    const std::string_view one = is_grid ? "i == 0" : "T.cuda.thread_idx(\"x\") == 0";
    std::string indices;
    for (const Expr* index : store.indices) {
      indices += indices.empty() ? "" : ", ";
      indices += diags_.sources().text_of(index->span);
    }
    const std::string_view everyone =
        is_grid ? "every thread of the launch" : "every thread of a block";
    const std::string_view who = arrivals_.are_all ? everyone : "every thread that comes here";
    auto message = diags_.report(target, is_update ? kRacingUpdate : kRacingStore, who, text);
    if (is_update) {
      message.note("'T.cuda.atomic_add({}.ptr_to([{}]), ...)' adds without losing anything",
                   store.tensor->name, indices);
    } else {
      message.note(
          "one thread stores under a condition such as 'if {}:'; what all of them have is "
          "added up by 'T.cuda.atomic_add({}.ptr_to([{}]), ...)'",
          one, store.tensor->name, indices);
    }
  }

  static constexpr int kMostDepth = 8;
  static constexpr std::size_t kMostAssignments = 8;

  const Kernel& kernel_;
  AffineReader reader_;
  IndexLimits limits_;
  source::Diagnostics& diags_;
  std::vector<const Store*> candidates_;                // the same place in several threads
  std::unordered_map<const Store*, Arrivals> guarded_;  // under guards alone that are understood
  std::unordered_map<const Local*, std::vector<const Expr*>> assigned_;
  Uniformity level_ = Uniformity::Grid;  // of the store that is looked at
  Arrivals arrivals_;                    // there
  bool is_in_local_ = false;
};

}  // namespace

void warn_of_racing_stores(const Function& function, source::Diagnostics& diags) {
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind == KernelKind::Device) Finder(*kernel, diags);
  }
}

}  // namespace tirxcc::passes
