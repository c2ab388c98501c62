// SPDX-License-Identifier: Apache-2.0
//
// See racing_store.h. Most kernels have no store whose index lacks the thread; only the others are
// analysed.
#include "passes/racing_store.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"
#include "ir/uniformity.h"
#include "passes/affine_index.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kRacingStore{
    "racing-store", Severity::Warning, ErrorClass::Value,
    "every thread of {} stores a value of its own to '{}'; which one stays is left to chance"};
constexpr Diagnostic kRacingUpdate{
    "racing-update", Severity::Warning, ErrorClass::Value,
    "every thread of {} changes '{}' at the same time; most of the changes are lost"};

class Finder {
 public:
  Finder(const Kernel& kernel, source::Diagnostics& diags)
      : kernel_(kernel), reader_(kernel.launch), diags_(diags) {
    collect();
    if (candidates_.empty()) return;
    const UniformityAnalysis uniformity(kernel);
    for (const Store* store : candidates_) {
      if (check(*store, uniformity)) return;
    }
  }

 private:
  void collect() {
    walk_stmts(kernel_.body, [&](const Stmt& stmt) {
      if (const auto* let = as<Let>(&stmt)) reader_.define(*let);
      if (const auto* assign = as<Assign>(&stmt)) assigned_[assign->local].push_back(assign->value);
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

  bool check(const Store& store, const UniformityAnalysis& uniformity) {
    Uniformity level = uniformity.control(&store);
    for (const Expr* index : store.indices)
      level = std::max(level, uniformity.of(index));
    if (store.tensor->scope != Scope::Global) level = std::max(level, Uniformity::Block);
    if (level > Uniformity::Block || !has_several_threads(level)) return false;
    level_ = level;
    const bool is_update = reads_itself(store, *store.value, 0);
    if (!is_update && !differs(store.value, 0)) return false;
    report(store, is_update);
    return true;
  }

  bool is_one(const Expr* size) const { return AffineReader::constant_size(size) == 1; }

  bool has_several_threads(Uniformity level) const {
    const LaunchConfig& launch = kernel_.launch;
    for (int axis = 0; axis < 3; ++axis) {
      if (!is_one(launch.block[axis])) return true;
      if (level == Uniformity::Grid && !is_one(launch.grid[axis])) return true;
    }
    return false;
  }

  // Whether the threads that come to the store certainly have different values in it.
  bool differs(const Term& term) const {
    const LaunchConfig& launch = kernel_.launch;
    const int axis = term.counter.axis;
    const bool has_threads = !is_one(launch.block[axis]);
    const bool has_blocks = level_ == Uniformity::Grid && !is_one(launch.grid[axis]);
    switch (term.counter.kind) {
      case CounterKind::Thread: return has_threads;
      case CounterKind::Global: return has_threads || has_blocks;
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

  static bool is_arithmetic(const Expr& expr) {
    if (is<Unary>(&expr) || is<Cast>(&expr)) return true;
    if (const auto* call = as<Call>(&expr)) {
      return call->callee->effect == intrinsics::Effect::Pure &&
             call->callee->convergence == intrinsics::Convergence::Thread;
    }
    const auto* binary = as<Binary>(&expr);
    return binary != nullptr && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub ||
                                 binary->op == BinaryOp::Mul || binary->op == BinaryOp::Div);
  }

  template <typename F>
  static bool any_child(const Expr& expr, F&& f) {
    bool found = false;
    for_each_child(expr, [&](const Expr& child) { found = found || f(child); });
    return found;
  }

  // `B[0] = B[0] + x`.
  bool reads_itself(const Store& store, const Expr& value, int depth) const {
    if (depth > kMostDepth) return false;
    if (const auto* load = as<Load>(&value)) {
      return load->tensor == store.tensor &&
             std::equal(load->indices.begin(), load->indices.end(), store.indices.begin(),
                        store.indices.end(),
                        [](const Expr* a, const Expr* b) { return equal(a, b); });
    }
    return is_arithmetic(value) && any_child(value, [&](const Expr& child) {
             return reads_itself(store, child, depth + 1);
           });
  }

  // The place that is stored to: up to the bracket behind the last index.
  Span target_of(const Store& store) const {
    if (store.indices.empty()) return store.span;
    const Span last = store.indices.back()->span;
    const std::string_view all = diags_.sources().text_of(store.span);
    if (!last.is_valid() || last.begin < store.span.begin || last.end > store.span.end) {
      return store.span;
    }
    const std::size_t bracket = all.find(']', last.end - store.span.begin);
    if (bracket == all.npos) return store.span;
    return {store.span.begin, store.span.begin + static_cast<std::uint32_t>(bracket) + 1};
  }

  void report(const Store& store, bool is_update) {
    const Span target = target_of(store);
    const bool is_grid = level_ == Uniformity::Grid;
    const std::string_view whole = is_grid ? "the launch" : "a block";
    const std::string_view text = diags_.sources().text_of(target);
    const std::string_view one = is_grid ? "i == 0" : "T.cuda.thread_idx(\"x\") == 0";
    std::string indices;
    for (const Expr* index : store.indices) {
      indices += indices.empty() ? "" : ", ";
      indices += diags_.sources().text_of(index->span);
    }
    auto message = diags_.report(target, is_update ? kRacingUpdate : kRacingStore, whole, text);
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
  source::Diagnostics& diags_;
  std::vector<const Store*> candidates_;
  std::unordered_map<const Local*, std::vector<const Expr*>> assigned_;
  Uniformity level_ = Uniformity::Grid;
  bool is_in_local_ = false;
};

}  // namespace

void warn_of_racing_stores(const Function& function, source::Diagnostics& diags) {
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind == KernelKind::Device) Finder(*kernel, diags);
  }
}

}  // namespace tirxcc::passes
