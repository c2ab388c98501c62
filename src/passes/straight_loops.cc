// SPDX-License-Identifier: Apache-2.0
//
// See straight_loops.h. The statements of a loop are gone through for each lane of its first
// vector, with the numbers that the names in it have there; an array is given up at the first index
// that is no number, or where lanes of a vector are in different rows.
#include "passes/straight_loops.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/builder.h"
#include "ir/constant.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;

// Of one array, in bytes, and of all loops that are written out, in nodes.
constexpr std::int64_t kMostBytes = 4096;
constexpr std::int64_t kMostNodes = 3000;

class StraightLoops {
 public:
  StraightLoops(const ir::CpuKernel& kernel, std::span<ir::LaneLoop> loops)
      : loops_(loops), innermost_(kernel.innermost_loops.begin(), kernel.innermost_loops.end()) {
    for (std::size_t i = 0; i < loops.size(); ++i)
      by_counter_[loops[i].counter] = i;
    costs_.resize(loops.size(), 0);
  }

  void run(StmtList body) {
    walk(body);
    std::int64_t left = kMostNodes;
    for (const ir::Tensor* tensor : order_) {
      const Array& array = arrays_.at(tensor);
      if (!array.is_fixed || array.loops.empty()) continue;
      std::int64_t cost = 0;
      for (const std::size_t loop : array.loops)
        cost += loops_[loop].is_straight ? 0 : costs_[loop];
      if (cost > left) continue;
      left -= cost;
      for (const std::size_t loop : array.loops)
        loops_[loop].is_straight = true;
    }
  }

 private:
  // Offsets of its first and last lane so far.
  struct Access {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool is_scattered = false;
  };
  struct Array {
    bool is_fixed = false;
    std::vector<std::size_t> loops;
  };

  // Outside of the innermost loops over threads.
  void walk(StmtList list) {
    for (const Stmt* stmt : list) {
      if (const auto* alloc = ir::as<ir::Alloc>(stmt)) note_array(*alloc->tensor);
      if (const auto* let = ir::as<ir::Let>(stmt)) bind(*let);
      const auto* loop = ir::as<ir::For>(stmt);
      if (loop != nullptr && innermost_.contains(loop->var)) {
        enter(*loop);
        continue;
      }
      ir::for_each_operand(*stmt, [&](const Expr& expr) { give_up(expr); });
      if (const auto* store = ir::as<ir::Store>(stmt)) arrays_[store->tensor].is_fixed = false;
      ir::for_each_body(*stmt, [&](StmtList body) { walk(body); });
    }
  }

  void note_array(const ir::Tensor& tensor) {
    std::int64_t bytes = std::max<std::int64_t>(8, tensor.dtype.bits) / 8;
    for (const Expr* extent : tensor.shape) {
      const ir::IntImm* size = ir::as_int(extent);
      if (size == nullptr || size->value <= 0) return;
      bytes *= size->value;
      if (bytes > kMostBytes) return;
    }
    if (tensor.escapes || !tensor.strides.empty() || tensor.elem_offset != nullptr) return;
    order_.push_back(&tensor);
    arrays_[&tensor].is_fixed = true;
  }

  void bind(const ir::Let& let) {
    if (const auto value = number(*let.value)) numbers_[let.var] = *value;
  }

  void give_up(const Expr& expr) {
    ir::walk_exprs(expr, [&](const Expr& e) {
      if (const auto* load = ir::as<ir::Load>(&e)) arrays_[load->tensor].is_fixed = false;
      if (const auto* address = ir::as<ir::AddressOf>(&e)) {
        arrays_[address->tensor].is_fixed = false;
      }
    });
  }
  void give_up(StmtList body) {
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      ir::for_each_operand(stmt, [&](const Expr& expr) { give_up(expr); });
      if (const auto* store = ir::as<ir::Store>(&stmt)) arrays_[store->tensor].is_fixed = false;
    });
  }

  void enter(const ir::For& loop) {
    const auto begin = number(*loop.begin);
    const auto end = number(*loop.end);
    const auto known = by_counter_.find(loop.var);
    const bool is_in_lanes = known != by_counter_.end();
    const std::int64_t width = is_in_lanes ? loops_[known->second].width : 1;
    if (!begin || !end || !is_plain(loop.body)) return give_up(loop.body);
    if (*begin >= *end) return;
    const std::int64_t turns = *end - *begin;
    const std::int64_t whole = is_in_lanes ? turns / width * width : 0;
    constexpr std::int64_t kMostSingle = 8;  // turns that LLVM writes out by itself
    if ((whole > 0 && *begin % width != 0) || turns - whole > kMostSingle) {
      return give_up(loop.body);
    }
    index_ = is_in_lanes ? known->second : loops_.size();
    if (is_in_lanes) costs_[index_] = (turns / width + turns - whole) * nodes_;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      if (turn >= width && turn < whole) continue;  // as in the first vector
      if (turn == 0 || turn >= whole) accesses_.clear();
      numbers_[loop.var] = *begin + turn;
      place_ = 0;
      go_through(loop.body, turn < whole ? width : 1);
    }
    numbers_.erase(loop.var);
  }

  // Statements without loops or jumps, and not too many.
  bool is_plain(StmtList body) {
    nodes_ = 0;
    bool is_plain = true;
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      ++nodes_;
      const bool is_known = ir::is<ir::Let>(&stmt) || ir::is<ir::Store>(&stmt) ||
                            ir::is<ir::If>(&stmt) || ir::is<ir::Assign>(&stmt) ||
                            ir::is<ir::DeclareLocal>(&stmt);
      is_plain = is_plain && is_known;
    });
    ir::walk_exprs(body, [&](const Expr&) { ++nodes_; });
    return is_plain && nodes_ <= kMostNodes;
  }

  // One lane's statements.
  void go_through(StmtList body, std::int64_t width) {
    for (const Stmt* stmt : body) {
      ir::for_each_operand(*stmt, [&](const Expr& expr) { go_through(expr, width); });
      if (const auto* store = ir::as<ir::Store>(stmt)) note(store->tensor, store->indices, width);
      if (const auto* let = ir::as<ir::Let>(stmt)) {
        numbers_.erase(let->var);
        bind(*let);
      }
      ir::for_each_body(*stmt, [&](StmtList inner) { go_through(inner, width); });
    }
  }
  void go_through(const Expr& expr, std::int64_t width) {
    ir::walk_exprs(expr, [&](const Expr& e) {
      if (const auto* load = ir::as<ir::Load>(&e)) {
        note(load->tensor, load->indices, width, /*is_load=*/true);
      }
      if (const auto* address = ir::as<ir::AddressOf>(&e)) {
        arrays_[address->tensor].is_fixed = false;
      }
    });
  }

  // An access, the `place_`th of the loop: all lanes must be in the row of the first, or read
  // neighbours.
  void note(const ir::Tensor* tensor, ir::ExprList indices, std::int64_t width,
            bool is_load = false) {
    const std::size_t place = place_++;
    const auto found = arrays_.find(tensor);
    if (found == arrays_.end() || !found->second.is_fixed) return;
    Array& array = found->second;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto index = number(*indices[i]);
      if (!index) {
        array.is_fixed = false;
        return;
      }
      offset = offset * (i == 0 ? 1 : ir::as_int(tensor->shape[i])->value) + *index;
    }
    Access& access = accesses_.try_emplace(place, Access{offset, offset}).first->second;
    const bool is_next = offset == access.last || offset == access.last + 1;
    const bool is_in_row = offset / width == access.first / width;
    access.is_scattered = access.is_scattered || !is_next;
    access.last = offset;
    const bool is_fine = is_in_row || (is_load && !access.is_scattered);
    if (offset < 0 || !is_fine) array.is_fixed = false;
    const bool is_known = !array.loops.empty() && array.loops.back() == index_;
    if (index_ < loops_.size() && !is_known) array.loops.push_back(index_);
  }

  std::optional<std::int64_t> number(const Expr& expr) const {
    if (const auto* imm = ir::as<ir::IntImm>(&expr)) return imm->value;
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
      const auto found = numbers_.find(ref->var);
      return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    if (const auto* cast = ir::as<ir::Cast>(&expr)) {
      const auto value = cast->is_bits ? std::nullopt : number(*cast->a);
      return value && cast->dtype.is_int() && cast->dtype.can_hold(*value) ? value : std::nullopt;
    }
    if (const auto* choice = ir::as<ir::Select>(&expr)) {
      const auto condition = number(*choice->condition);
      if (!condition) return std::nullopt;
      return number(*condition != 0 ? *choice->a : *choice->b);
    }
    const auto* node = ir::as<ir::Binary>(&expr);
    if (node == nullptr || !node->a->dtype.is_int_or_bool()) return std::nullopt;
    const auto a = number(*node->a);
    const auto b = a ? number(*node->b) : std::nullopt;
    return a && b ? result(*node, *a, *b) : std::nullopt;
  }

  static std::optional<std::int64_t> result(const ir::Binary& node, std::int64_t a,
                                            std::int64_t b) {
    const auto value = ir::fold_ints(node.op, node.a->dtype, a, b);
    if (!value || *value < INT64_MIN || *value > INT64_MAX) return std::nullopt;
    return static_cast<std::int64_t>(*value);
  }

  std::span<ir::LaneLoop> loops_;
  std::unordered_set<const ir::Var*> innermost_;
  std::unordered_map<const ir::Var*, std::size_t> by_counter_;
  std::vector<std::int64_t> costs_;       // of each loop, written out
  std::vector<const ir::Tensor*> order_;  // small arrays of the block
  std::unordered_map<const ir::Tensor*, Array> arrays_;
  std::unordered_map<const ir::Var*, std::int64_t> numbers_;
  // Of the loop that is gone through: its number (loops_.size(): not in lanes), its nodes, its
  // accesses.
  std::size_t index_ = 0;
  std::int64_t nodes_ = 0;
  std::size_t place_ = 0;
  std::unordered_map<std::size_t, Access> accesses_;
};

}  // namespace

void find_straight_loops(const ir::CpuKernel& kernel, std::span<ir::LaneLoop> loops) {
  if (!loops.empty()) StraightLoops(kernel, loops).run(kernel.kernel->body);
}

}  // namespace tirxcc::passes
