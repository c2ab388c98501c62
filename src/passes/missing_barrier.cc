// SPDX-License-Identifier: Apache-2.0
//
// See missing_barrier.h. Accesses to arrays that are both read and written are kept, with the lanes
// that come to them, until a barrier orders them before what follows; each new one is held against
// those. Where it is not known which threads come, the statement is passed over, and everything
// that it might order counts as ordered.
#include "passes/missing_barrier.h"

#include <algorithm>
#include <string>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"
#include "passes/element_table.h"
#include "passes/fibers.h"
#include "passes/index_limits.h"
#include "passes/lane_values.h"
#include "passes/lost_updates.h"
#include "passes/store_kinds.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kMissingBarrier{
    "missing-barrier", Severity::Warning, ErrorClass::Value,
    "thread {} {} '{}' and thread {} {} that element, with no barrier in between"};
constexpr Diagnostic kRacingBlocks{
    "racing-blocks", Severity::Warning, ErrorClass::Value,
    "block {} {} '{}' and block {} {} that element, and blocks run in any order"};

enum class AccessKind : std::uint8_t { Read, Write, Change };  // Change: by an atomic function

struct Access {
  const Tensor* tensor = nullptr;
  AccessKind kind = AccessKind::Read;
  LaneValue element;  // numbered as in no array, but each has its own
  LaneSet lanes;
  const Stmt* stmt = nullptr;
  Span span;
  int segment = 0;  // of the block: a barrier begins the next one
  bool is_later_turn = false;
  int loop = 0;              // the outermost around, numbered; 0: none
  bool is_anywhere = false;  // data says which element

  std::string_view verb() const {
    if (is_anywhere) return "may change";
    return kind == AccessKind::Read ? "reads" : kind == AccessKind::Write ? "writes" : "changes";
  }
};

// Arrays that are both read and written, where each place is in sight.
class ExchangedArrays {
 public:
  explicit ExchangedArrays(const Kernel& kernel) {
    walk_stmts(kernel.body, [&](const Stmt& stmt) {
      if (const auto* store = as<Store>(&stmt)) note(store->tensor, kWritten);
      for_each_operand(
          stmt, [&](const Expr& root) { walk_exprs(root, [&](const Expr& expr) { note(expr); }); });
    });
  }

  bool has(const Tensor* tensor) const {
    const std::uint8_t* found = uses_.find(tensor);
    if (found == nullptr || (*found & kAddressed) != 0 || tensor->escapes) return false;
    return *found == (kRead | kWritten) || (*found & kChanged) != 0;
  }
  bool has_any() {
    bool found = false;
    for (const Tensor* tensor : tensors_)
      found = found || has(tensor);
    return found;
  }
  bool has_global() const {
    return std::any_of(tensors_.begin(), tensors_.end(), [&](const Tensor* tensor) {
      return tensor->scope == Scope::Global && has(tensor);
    });
  }

 private:
  static constexpr std::uint8_t kRead = 1;
  static constexpr std::uint8_t kWritten = 2;
  static constexpr std::uint8_t kChanged = 4;    // by atomic functions
  static constexpr std::uint8_t kAddressed = 8;  // by a pointer that goes somewhere else

  void note(const Expr& expr) {
    if (const auto* load = as<Load>(&expr)) note(load->tensor, kRead);
    if (const auto* call = as<Call>(&expr)) {
      const bool is_atomic = call->callee->effect == intrinsics::Effect::Atomic;
      const auto* place = call->args.empty() ? nullptr : as<AddressOf>(call->args[0]);
      if (is_atomic && place != nullptr) ++atomics_[place];
    }
    const auto* address = as<AddressOf>(&expr);
    if (address == nullptr) return;
    note(address->tensor, atomics_.contains(address) ? kChanged : kAddressed);
  }

  void note(const Tensor* tensor, std::uint8_t use) {
    if (tensor->scope == Scope::Local) return;
    std::uint8_t& uses = uses_[tensor];
    if (uses == 0) tensors_.push_back(tensor);
    uses |= use;
  }

  PointerMap<std::uint8_t> uses_;
  PointerMap<int> atomics_;
  std::vector<const Tensor*> tensors_;
};

class Finder {
 public:
  Finder(const Kernel& kernel, source::Diagnostics& diags)
      : arrays_(kernel),
        lanes_(kernel, arrays_.has_global() ? kMostBlocks : 1),
        updates_(kernel, diags),
        diags_(diags) {
    // Threads that wait for each other's memory have an order that is not looked for here.
    if (!arrays_.has_any() || lanes_.threads() < 2 || needs_fibers(kernel)) return;
    active_ = lanes_.all();
    walk(kernel.body);
  }

 private:
  // False: it is not known who comes to what is behind.
  bool walk(StmtList list) {
    const LaneSet before = active_;
    for (const Stmt* stmt : list) {
      if (active_.none()) break;
      if (is_over() || !walk_one(*stmt)) return false;
      active_ &= ~ended_;
    }
    active_ = before & ~ended_;
    return true;
  }

  bool is_over() const { return is_found_ || lanes_.cost() + cost_ > kMostCost; }

  bool walk_one(const Stmt& stmt) {
    if (const auto* branch = as<If>(&stmt)) return walk_if(*branch);
    if (const auto* block = as<Block>(&stmt)) return walk(block->body);
    if (const auto* loop = as<For>(&stmt)) return walk_for(*loop);
    if (const auto* loop = as<While>(&stmt)) return walk_while(*loop);
    if (is<CountedFor>(&stmt)) return pass_over(stmt);
    if (is<ThreadReturn>(&stmt)) {
      ended_ |= active_;
      return true;
    }
    const bool is_plain = is<Let>(&stmt) || is<Assign>(&stmt) || is<Store>(&stmt) ||
                          is<DeclareLocal>(&stmt) || is<Alloc>(&stmt) || is<Evaluate>(&stmt);
    if (!is_plain) return false;
    stmt_ = &stmt;
    bool is_good = true;
    for_each_operand(stmt, [&](const Expr& expr) { is_good = is_good && look(expr, 0); });
    if (!is_good) return false;
    if (const auto* let = as<Let>(&stmt)) define(*let);
    if (const auto* declare = as<DeclareLocal>(&stmt)) lanes_.set(declare->local, {});
    if (const auto* assign = as<Assign>(&stmt)) {
      lanes_.assign(assign->local, *assign->value, active_);
    }
    if (const auto* store = as<Store>(&stmt)) walk_store(*store);
    return true;
  }

  void define(const Let& let) {
    updates_.define(let);
    if (let.var->dtype.is_int_or_bool()) lanes_.set(let.var, lanes_.of(*let.value));
  }

  void walk_store(const Store& store) {
    if (!arrays_.has(store.tensor)) return;
    const Span target = target_of(store, diags_.sources());
    LaneValue element = element_of(store.indices);
    if (!has_waits_ && !is_found_) updates_.check(store, target, element, active_, lanes_);
    take(store.tensor, std::move(element), AccessKind::Write, target);
  }

  bool walk_if(const If& branch) {
    const LaneSet before = active_;
    LaneSet rest = before;
    for (const IfClause& clause : branch.clauses) {
      stmt_ = &branch;
      active_ = rest;
      if (rest.any() && !look(*clause.condition, 0)) return false;
      LaneSet chosen;
      if (!lanes_.holds(*clause.condition, rest, chosen)) {
        active_ = before;
        return pass_over(branch);
      }
      active_ = chosen;
      if (chosen.any() && !walk(clause.body)) return false;
      rest &= ~chosen;
    }
    active_ = rest;
    if (rest.any() && !walk(branch.else_body)) return false;
    active_ = before & ~ended_;
    return true;
  }

  bool walk_for(const For& loop) {
    LaneValue place = lanes_.of(*loop.begin);
    const LaneValue end = lanes_.of(*loop.end);
    if (!place.is_known() || !end.is_known()) return pass_over(loop);
    const BinaryOp order = loop.step > 0 ? BinaryOp::Lt : BinaryOp::Gt;
    const auto turn = [&](LaneSet& here) {
      lanes_.set(loop.var, place);
      const LaneValue is_here = lanes_.compute(order, kBool, place, end);
      place = lanes_.sum(place, loop.step, loop.var->dtype);
      here = lanes_.true_in(is_here, here);
      return true;
    };
    return walk_turns(loop, loop.body, turn);
  }

  bool walk_while(const While& loop) {
    const auto turn = [&](LaneSet& here) {
      stmt_ = &loop;
      return look(*loop.condition, 0) && lanes_.holds(*loop.condition, here, here);
    };
    return walk_turns(loop, loop.body, turn);
  }

  // Two turns; what the others do is not known.
  bool walk_turns(const Stmt& loop, StmtList body, FunctionRef<bool(LaneSet&)> turn) {
    const LaneSet before = active_;
    const bool was_later = is_later_turn_;
    if (depth_++ == 0) loop_ = ++loops_;
    const int turns = depth_ == 1 || has_order(loop) ? 2 : 1;
    bool is_good = true;
    for (int i = 0; i < turns && is_good; ++i) {
      is_later_turn_ = was_later || i > 0;
      if (!turn(active_)) break;
      is_good = active_.none() || walk(body);
    }
    if (--depth_ == 0) loop_ = 0;
    is_later_turn_ = was_later;
    active_ = before & ~ended_;
    return is_good && pass_over(loop);
  }

  static bool has_order(const Stmt& loop) {
    bool found = false;
    for_each_body(loop, [&](StmtList body) {
      walk_stmts(body, [&](const Stmt& inner) { found = found || is<Evaluate>(&inner); });
    });
    return found;
  }

  // What threads do here is not known; what it may order counts as ordered.
  bool pass_over(const Stmt& stmt) {
    if (has_jump(stmt)) return false;
    const Stmt* self = &stmt;
    walk_stmts(StmtList(&self, 1), [&](const Stmt& inner) {
      if (const auto* assign = as<Assign>(&inner)) lanes_.set(assign->local, {});
      for_each_operand(inner, [&](const Expr& root) {
        walk_exprs(root, [&](const Expr& expr) {
          const auto* call = as<Call>(&expr);
          if (call == nullptr || is_arithmetic(*call)) return;
          has_waits_ = has_waits_ || call->callee->effect == intrinsics::Effect::Atomic;
          order_everything();
        });
      });
    });
    return true;
  }

  // Notes what an expression certainly reads and orders.
  bool look(const Expr& expr, int depth) {
    if (depth > kMostDepth) return false;
    const auto* binary = as<Binary>(&expr);
    if (binary != nullptr && is_logical(binary->op)) {
      return look(*binary->a, depth + 1) &&
             look_under(*binary->a, binary->op == BinaryOp::And, *binary->b, depth);
    }
    if (const auto* select = as<Select>(&expr)) {
      return look(*select->condition, depth + 1) &&
             look_under(*select->condition, true, *select->a, depth) &&
             look_under(*select->condition, false, *select->b, depth);
    }
    bool is_good = true;
    for_each_child(expr, [&](const Expr& child) { is_good = is_good && look(child, depth + 1); });
    if (!is_good) return false;
    if (const auto* load = as<Load>(&expr)) {
      if (arrays_.has(load->tensor)) {
        take(load->tensor, element_of(load->indices), AccessKind::Read, load->span);
      }
    }
    const auto* call = as<Call>(&expr);
    return call == nullptr || is_arithmetic(*call) || follow_call(*call);
  }

  bool look_under(const Expr& condition, bool holds, const Expr& expr, int depth) {
    const LaneSet before = active_;
    LaneSet chosen;
    // What is not known to be read is left out, if nothing else happens in it.
    if (!lanes_.holds(condition, before, chosen)) return has_no_effect(&expr);
    active_ = holds ? chosen : before & ~chosen;
    const bool is_good = active_.none() || look(expr, depth + 1);
    active_ = before;
    return is_good;
  }

  bool follow_call(const Call& call) {
    using intrinsics::Convergence;
    using intrinsics::Effect;
    const intrinsics::Intrinsic& row = *call.callee;
    if (row.cpu == "assert") return false;
    if (row.special == intrinsics::Special::Printf || row.cpu == "nothing") return true;
    if (row.effect == Effect::Atomic) {
      const auto* place = as<AddressOf>(call.args[0]);
      if (place == nullptr || place->tensor->scope == Scope::Global) {
        order_everything();
      } else if (arrays_.has(place->tensor)) {
        take(place->tensor, element_of(place->indices), AccessKind::Change, place->span,
             updates_.is_counted_by_data(place->indices));
      }
      return true;
    }
    const bool is_of_block = row.convergence == Convergence::Warp && row.effect != Effect::Barrier;
    if (row.convergence == Convergence::Block || is_of_block) {
      begin_segment();
    } else {
      order_everything();
    }
    return true;
  }

  // What blocks do to memory of their own is done, and what they do to that of all, but for others.
  void begin_segment() {
    ++segment_;
    std::erase_if(accesses_,
                  [](const Access& access) { return access.tensor->scope != Scope::Global; });
  }

  void order_everything() {
    ++segment_;
    accesses_.clear();
  }

  LaneValue element_of(ExprList indices) {
    if (indices.size() == 1) return lanes_.of(*indices[0]);
    std::vector<std::int64_t> made(lanes_.count());
    for (const Expr* index : indices) {
      const LaneValue value = lanes_.of(*index);
      if (!value.is_known()) return {};
      constexpr std::uint64_t kFarApart = 0x100000001B3u;
      for (std::size_t lane = 0; lane < made.size(); ++lane) {
        made[lane] = static_cast<std::int64_t>(static_cast<std::uint64_t>(made[lane]) * kFarApart +
                                               static_cast<std::uint64_t>(value.at(lane)));
      }
    }
    return LaneValue(std::move(made), false);
  }

  // A new access, held against those before.
  void take(const Tensor* tensor, LaneValue element, AccessKind kind, Span span,
            bool is_of_data = false) {
    const bool is_anywhere = is_of_data && !element.is_known();
    if (is_found_ || active_.none() || !(element.is_known() || is_anywhere)) return;
    const Access access{tensor, kind,     std::move(element), active_, stmt_,
                        span,   segment_, is_later_turn_,     loop_,   is_anywhere};
    for (const Access& other : accesses_) {
      const bool is_both = other.tensor == tensor && other.kind != kind;
      if (is_both && !access.element.is_same(other.element) && meets(other, access)) return;
    }
    if (accesses_.size() < kMostAccesses) accesses_.push_back(access);
  }

  // Whether some lane of one comes to an element of another lane in the other.
  bool meets(const Access& before, const Access& now) {
    cost_ += 4 * static_cast<int>(lanes_.count());
    // Writers of one element by several lanes write the same, or are told of elsewhere.
    const bool is_by_first = before.kind == AccessKind::Write ||
                             (before.kind == AccessKind::Change && now.kind == AccessKind::Read);
    const Access& writers = is_by_first ? before : now;
    const Access& others = is_by_first ? now : before;
    if (before.is_anywhere || now.is_anywhere) return meets_somewhere(before, now);
    const ElementTable table(writers.element, writers.lanes, lanes_.count());
    for (std::size_t lane = 0; lane < lanes_.count(); ++lane) {
      if (!others.lanes[lane]) continue;
      const ElementTable::Visitors* found = table.find(others.element.at(lane));
      if (found == nullptr) continue;
      if (writers.kind == AccessKind::Write && found->second >= 0) continue;
      const int here = static_cast<int>(lane);
      const int writer = found->first == here ? found->second : found->first;
      if (writer < 0 || !are_unordered(before, now, block_of(writer), block_of(here))) continue;
      report(before, now, is_by_first ? writer : here, is_by_first ? here : writer);
      return true;
    }
    return false;
  }

  // Data may bring every lane to every element.
  bool meets_somewhere(const Access& before, const Access& now) {
    for (std::size_t lane = 0; lane < lanes_.threads(); ++lane) {
      for (std::size_t other = 0; other < lanes_.threads(); ++other) {
        if (lane == other || !before.lanes[lane] || !now.lanes[other]) continue;
        report(before, now, static_cast<int>(lane), static_cast<int>(other));
        return true;
      }
    }
    return false;
  }

  static bool are_unordered(const Access& before, const Access& now, int block, int other) {
    return before.segment == now.segment ? before.tensor->scope == Scope::Global || block == other
                                         : block != other;
  }

  int block_of(int lane) const { return lane / static_cast<int>(lanes_.threads()); }

  void report(const Access& before, const Access& now, int lane_before, int lane_now) {
    is_found_ = true;
    const bool is_one_stmt = before.stmt == now.stmt && before.is_later_turn == now.is_later_turn;
    // Of one statement the reading is what is wrong.
    const bool is_first = is_one_stmt && before.kind == AccessKind::Read;
    const Access& shown = is_first ? before : now;
    const Access& other = is_first ? now : before;
    const int lane_shown = is_first ? lane_before : lane_now;
    const int lane_other = is_first ? lane_now : lane_before;
    const std::string_view text = diags_.sources().text_of(shown.span);
    const bool is_blocks = block_of(lane_shown) != block_of(lane_other);
    const auto name = [&](int lane) {
      return is_blocks ? fmt::format("{}", block_of(lane)) : lanes_.name_of(lane);
    };
    auto message =
        diags_.report(shown.span, is_blocks ? kRacingBlocks : kMissingBarrier, name(lane_shown),
                      shown.verb(), text, name(lane_other), other.verb());
    const bool is_earlier =
        !is_first && now.is_later_turn && !before.is_later_turn && before.loop == now.loop;
    message.label(other.span, "{} {} {} it here{}", is_blocks ? "block" : "thread",
                  name(lane_other), other.verb(), is_earlier ? ", in the turn before" : "");
    const bool is_of_grid = now.tensor->scope == Scope::Global && lanes_.count() > lanes_.threads();
    if (is_of_grid && before.kind == AccessKind::Read) {
      message.note("write to another tensor than the one that is read");
    } else if (is_of_grid) {
      message.note(
          "all blocks have written in a later launch, or behind 'T.cuda.grid_sync()' in a "
          "cooperative one");
    } else if (is_one_stmt) {
      message.note(
          "read into a name, then 'T.cuda.cta_sync()', which waits for all threads of the block, "
          "then write");
    } else {
      message.note("'T.cuda.cta_sync()' between the two waits for all threads of the block");
    }
  }

  static constexpr int kMostBlocks = 8;
  static constexpr int kMostCost = 200'000;
  static constexpr int kMostDepth = 64;
  static constexpr std::size_t kMostAccesses = 64;

  ExchangedArrays arrays_;
  LaneValues lanes_;
  LostUpdates updates_;
  source::Diagnostics& diags_;
  LaneSet active_;
  LaneSet ended_;
  std::vector<Access> accesses_;  // that may be unordered with the next
  const Stmt* stmt_ = nullptr;    // that is looked at
  int segment_ = 0;
  int depth_ = 0;  // of loops
  int loop_ = 0;   // the outermost around
  int loops_ = 0;
  int cost_ = 0;
  bool is_later_turn_ = false;
  bool has_waits_ = false;  // there may be a lock
  bool is_found_ = false;
};

}  // namespace

void warn_of_missing_barriers(const Function& function, source::Diagnostics& diags) {
  // Host code may launch the kernel for some sizes only.
  const auto is_simple = [](const Stmt* stmt) { return is<Let>(stmt) || is<Launch>(stmt); };
  if (!std::all_of(function.host_body.begin(), function.host_body.end(), is_simple)) return;
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind == KernelKind::Device) Finder(*kernel, diags);
  }
}

}  // namespace tirxcc::passes
