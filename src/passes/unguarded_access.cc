// SPDX-License-Identifier: Apache-2.0
//
// See unguarded_access.h. One walk over what every thread of the launch runs; it ends at the first
// statement that may end a thread.
#include "passes/unguarded_access.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/pointer_map.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnguarded{"unguarded-access", Severity::Note, ErrorClass::Value,
                                "'{0}' goes {1}; {2}.shape[{3}] is {4}"};

// Names behind names that are followed: nobody writes more, and programs that do are not for us.
constexpr int kMostSteps = 8;

// An index that counts blocks, the threads of a block, or all threads, plus a constant.
struct Place {
  int axis = 0;
  bool has_block = false;
  bool has_thread = false;
  std::int64_t shift = 0;
};

const Expr* without_casts(const Expr* expr) {
  while (is<Cast>(expr) && expr->dtype.is_int())
    expr = as<Cast>(expr)->a;
  return expr;
}

bool has_jump(const Stmt& stmt) {
  bool found = false;
  for_each_body(stmt, [&](StmtList body) {
    walk_stmts(body, [&](const Stmt& inner) {
      found = found || is<Break>(&inner) || is<Continue>(&inner) || is<Leave>(&inner) ||
              is<ThreadReturn>(&inner) || is<Return>(&inner) || is<Assert>(&inner);
    });
  });
  return found;
}

class Finder {
 public:
  Finder(const Kernel& kernel, source::Diagnostics& diags) : launch_(kernel.launch), diags_(diags) {
    walk(kernel.body);
  }

 private:
  // False if not every thread comes to what is behind the list.
  bool walk(StmtList list) {
    return std::all_of(list.begin(), list.end(), [&](const Stmt* stmt) { return walk_one(*stmt); });
  }

  bool walk_one(const Stmt& stmt) {
    if (is_found_) return false;
    if (const auto* branch = as<If>(&stmt)) {
      look(*branch->clauses[0].condition);
      return !has_jump(stmt);
    }
    if (const auto* block = as<Block>(&stmt)) return walk(block->body);
    if (const auto* loop = as<For>(&stmt)) return walk_loop(*loop);
    if (is<CountedFor>(&stmt) || is<While>(&stmt)) return !has_jump(stmt);
    const bool is_plain = is<Let>(&stmt) || is<Assign>(&stmt) || is<Store>(&stmt) ||
                          is<DeclareLocal>(&stmt) || is<Alloc>(&stmt) || is<Evaluate>(&stmt);
    if (!is_plain || may_end_thread(stmt)) return false;
    for_each_operand(stmt, [&](const Expr& expr) { look(expr); });
    if (const auto* let = as<Let>(&stmt)) values_[let->var] = let->value;
    if (const auto* store = as<Store>(&stmt)) check(*store->tensor, store->indices);
    return true;
  }

  bool walk_loop(const For& loop) {
    const IntImm* begin = as_int(loop.begin);
    const IntImm* end = as_int(loop.end);
    const bool runs = begin != nullptr && end != nullptr &&
                      (loop.step > 0 ? begin->value < end->value : begin->value > end->value);
    return runs ? walk(loop.body) : !has_jump(loop);
  }

  static bool may_end_thread(const Stmt& stmt) {
    const auto* evaluate = as<Evaluate>(&stmt);
    const auto* call = evaluate == nullptr ? nullptr : as<Call>(evaluate->value);
    if (call == nullptr) return false;
    const std::string_view name = call->callee->name;
    return name.find("assert") != name.npos || name.find("trap") != name.npos;
  }

  // The parts of an expression that are certainly evaluated. Long sums are deep to the left.
  void look(const Expr& whole) {
    const Expr* at = &whole;
    while (const auto* binary = as<Binary>(at)) {
      if (!is_logical(binary->op)) look(*binary->b);
      at = binary->a;
    }
    const Expr& expr = *at;
    if (const auto* select = as<Select>(&expr)) return look(*select->condition);
    for_each_child(expr, [&](const Expr& child) { look(child); });
    if (const auto* load = as<Load>(&expr)) check(*load->tensor, load->indices);
    if (const auto* address = as<AddressOf>(&expr)) check(*address->tensor, address->indices);
  }

  const Expr* value_of(const Expr* expr) const {
    expr = without_casts(expr);
    for (int step = 0; step < kMostSteps; ++step) {
      const auto* ref = as<VarRef>(expr);
      if (ref == nullptr) break;
      const Expr* const* value = values_.find(ref->var);
      if (value == nullptr) break;
      expr = without_casts(*value);
    }
    return expr;
  }

  std::optional<Place> place_of(const Expr* expr, int depth = 0) const {
    if (depth > kMostSteps) return std::nullopt;
    expr = value_of(expr);
    if (const auto* index = as<LaunchIndex>(expr)) {
      const bool is_block = index->index == LaunchIndexKind::BlockIdx;
      if (!is_block && index->index != LaunchIndexKind::ThreadIdx) return std::nullopt;
      return Place{index->axis, is_block, !is_block};
    }
    const auto* sum = as<Binary>(expr);
    if (sum == nullptr || sum->op != BinaryOp::Add) return std::nullopt;
    for (const auto& [a, b] : {std::pair(sum->a, sum->b), std::pair(sum->b, sum->a)}) {
      if (const IntImm* literal = as_int(b); literal != nullptr && literal->value >= 0) {
        std::optional<Place> place = place_of(a, depth + 1);
        if (place) place->shift += literal->value;
        return place;
      }
      const auto* thread = as<LaunchIndex>(value_of(b));
      if (thread != nullptr && thread->index == LaunchIndexKind::ThreadIdx &&
          is_first_thread(a, thread->axis)) {
        return Place{thread->axis, true, true};
      }
    }
    return std::nullopt;
  }

  // `block_idx * block size` of the axis.
  bool is_first_thread(const Expr* expr, int axis) const {
    const auto* product = as<Binary>(value_of(expr));
    if (product == nullptr || product->op != BinaryOp::Mul) return false;
    for (const auto& [a, b] :
         {std::pair(product->a, product->b), std::pair(product->b, product->a)}) {
      const auto* block = as<LaunchIndex>(value_of(a));
      if (block == nullptr || block->index != LaunchIndexKind::BlockIdx || block->axis != axis) {
        continue;
      }
      const auto* dim = as<LaunchIndex>(value_of(b));
      const IntImm* size = as_int(value_of(b));
      return (dim != nullptr && dim->index == LaunchIndexKind::BlockDim && dim->axis == axis) ||
             (size != nullptr && size->value == size_of(launch_.block[axis]));
    }
    return false;
  }

  // A size of the launch that is a constant; 0: it is not.
  static std::int64_t size_of(const Expr* size) {
    if (size == nullptr) return 1;
    const IntImm* literal = as_int(size);
    return literal == nullptr ? 0 : literal->value;
  }

  // Whether the grid is ceildiv(extent, block size).
  bool is_rounded_up(const Expr* grid, const Expr* extent, std::int64_t block) const {
    const auto* quotient = as<Binary>(grid);
    if (quotient == nullptr || quotient->op != BinaryOp::FloorDiv ||
        !is_int_value(quotient->b, block)) {
      return false;
    }
    const auto* sum = as<Binary>(quotient->a);
    return sum != nullptr && sum->op == BinaryOp::Add && is_int_value(sum->b, block - 1) &&
           equal(without_casts(sum->a), without_casts(extent));
  }

  // How far the index goes where that is certainly too far; empty: it is not certain.
  std::string too_far(const Place& place, const Expr* extent) const {
    const Expr* grid = launch_.grid[place.axis];
    const std::int64_t block = size_of(launch_.block[place.axis]);
    if (const IntImm* literal = as_int(extent)) {
      const std::int64_t blocks = place.has_block ? size_of(grid) : 1;
      const std::int64_t count = place.has_thread ? blocks * block : blocks;
      const std::int64_t last = count - 1 + place.shift;
      return count > 0 && last >= literal->value ? fmt::format("up to {}", last) : "";
    }
    // Any size can be given for a symbol.
    const auto* size = as<VarRef>(without_casts(extent));
    const bool can_round = place.has_block && place.has_thread && block > 1;
    if (size == nullptr || !can_round || !is_rounded_up(grid, extent, block)) return {};
    const std::string beyond = fmt::format("beyond {} - 1", size->var->name);
    if (place.shift > 0) return beyond;
    return fmt::format("{} unless {} is a multiple of {}", beyond, size->var->name, block);
  }

  void check(const Tensor& tensor, ExprList indices) {
    const bool is_own = tensor.scope == Scope::Shared || tensor.scope == Scope::Local;
    if (is_found_ || !(tensor.is_param || is_own) || indices.size() != tensor.shape.size()) return;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::optional<Place> place = place_of(indices[i]);
      const std::string far = place ? too_far(*place, tensor.shape[i]) : "";
      if (far.empty()) continue;
      is_found_ = true;
      const auto text = [&](const Expr* expr) { return diags_.sources().text_of(expr->span); };
      const auto* size = as<VarRef>(without_casts(tensor.shape[i]));
      const std::string extent = size != nullptr
                                     ? std::string(size->var->name)
                                     : fmt::format("{}", as_int(tensor.shape[i])->value);
      diags_.report(indices[i]->span, kUnguarded, text(indices[i]), far, tensor.name, i, extent)
          .note("put the access under 'if {} < {}:'", text(indices[i]), extent);
      return;
    }
  }

  const LaunchConfig& launch_;
  source::Diagnostics& diags_;
  PointerMap<const Expr*> values_;
  bool is_found_ = false;
};

}  // namespace

void note_unguarded_accesses(const Function& function, source::Diagnostics& diags) {
  // Host code may launch the kernel for some sizes only.
  const auto is_simple = [](const Stmt* stmt) { return is<Let>(stmt) || is<Launch>(stmt); };
  if (!std::all_of(function.host_body.begin(), function.host_body.end(), is_simple)) return;
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind == KernelKind::Device) Finder(*kernel, diags);
  }
}

}  // namespace tirxcc::passes
