// SPDX-License-Identifier: Apache-2.0
//
// See unguarded_access.h. One walk over what threads of the launch certainly run; it ends at the
// first statement that may end a thread, unless what that leaves is understood.
#include "passes/unguarded_access.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/ranges.h"
#include "ir/traverse.h"
#include "passes/index_limits.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnguarded{"unguarded-access", Severity::Note, ErrorClass::Value,
                                "'{0}' goes {1}; {2}.shape[{3}] is {4}"};
constexpr Diagnostic kOutside{"access-outside", Severity::Warning, ErrorClass::Value,
                              "'{0}' goes up to {1}; {2}.shape[{3}] is {4}"};
constexpr Diagnostic kBehindEnd{"access-behind-end", Severity::Warning, ErrorClass::Value,
                                "'{0}' is behind the end; {1}.shape[{2}] is {3}"};
constexpr Diagnostic kBelowZero{"access-below-zero", Severity::Warning, ErrorClass::Value,
                                "'{0}' goes down to {1}; tensors do not count from the end"};

// `2 * n + 1`.
std::string text_of(const Affine& sum) {
  std::string text;
  for (const Term& term : sum) {
    const std::int64_t times = term.factor < 0 ? -term.factor : term.factor;
    text += text.empty() ? (term.factor < 0 ? "-" : "") : term.factor < 0 ? " - " : " + ";
    text += times == 1 ? std::string(term.counter.var->name)
                       : fmt::format("{} * {}", times, term.counter.var->name);
  }
  if (text.empty()) return fmt::format("{}", sum.shift);
  if (sum.shift != 0) {
    text += fmt::format(" {} {}", sum.shift < 0 ? '-' : '+', std::abs(sum.shift));
  }
  return text;
}

std::string_view size_name(const Affine& sum) {
  return sum.is_constant() ? std::string_view() : sum.begin()->counter.var->name;
}

class Finder {
 public:
  Finder(const Kernel& kernel, source::Diagnostics& diags)
      : reader_(kernel.launch), limits_(reader_), diags_(diags) {
    walk(kernel.body);
  }

  bool may_exchange() const {
    return has_block_memory_ ||
           std::any_of(written_.begin(), written_.end(), [&](const auto* tensor) {
             return std::find(read_.begin(), read_.end(), tensor) != read_.end();
           });
  }

 private:
  // False if not every thread comes to what is behind the list.
  bool walk(StmtList list) {
    const std::size_t mark = limits_.mark();
    bool are_all_here = true;
    for (const Stmt* stmt : list) {
      if (leaves_understood(*stmt)) {
        are_all_here = false;
        continue;
      }
      if (walk_one(*stmt)) continue;
      are_all_here = false;
      break;
    }
    limits_.forget(mark);
    return are_all_here;
  }

  // `if i >= n: return`: behind it, i < n.
  bool leaves_understood(const Stmt& stmt) {
    const auto* branch = as<If>(&stmt);
    if (branch == nullptr || branch->clauses.size() != 1 || !branch->else_body.empty() ||
        !ends_in_jump(branch->clauses[0].body)) {
      return false;
    }
    const std::size_t mark = limits_.mark();
    if (!limits_.assume(*branch->clauses[0].condition, false)) {
      limits_.forget(mark);
      return false;
    }
    look(*branch->clauses[0].condition);
    return true;
  }

  bool walk_one(const Stmt& stmt) {
    if (is_unguarded_found_ && is_outside_found_ && is_low_found_) return false;
    if (const auto* branch = as<If>(&stmt)) {
      walk_branches(*branch);
      return !has_jump(stmt);
    }
    if (const auto* block = as<Block>(&stmt)) return walk(block->body);
    if (const auto* loop = as<For>(&stmt)) return walk_loop(*loop);
    if (is<CountedFor>(&stmt) || is<While>(&stmt)) return !has_jump(stmt);
    const bool is_plain = is<Let>(&stmt) || is<Assign>(&stmt) || is<Store>(&stmt) ||
                          is<DeclareLocal>(&stmt) || is<Alloc>(&stmt) || is<Evaluate>(&stmt);
    if (!is_plain || may_end_thread(stmt)) return false;
    for_each_operand(stmt, [&](const Expr& expr) { look(expr); });
    if (const auto* let = as<Let>(&stmt)) reader_.define(*let);
    if (const auto* alloc = as<Alloc>(&stmt)) {
      has_block_memory_ = has_block_memory_ || alloc->tensor->scope != Scope::Local;
    }
    if (const auto* store = as<Store>(&stmt)) {
      note(store->tensor, written_);
      check(*store->tensor, store->indices);
    }
    return true;
  }

  // Each branch under its guard, as far as the guards before it are understood.
  void walk_branches(const If& branch) {
    const std::size_t mark = limits_.mark();
    look(*branch.clauses[0].condition);
    bool is_understood = true;
    for (const IfClause& clause : branch.clauses) {
      const std::size_t before = limits_.mark();
      if (limits_.assume(*clause.condition, true)) walk(clause.body);
      limits_.forget(before);
      is_understood = limits_.assume(*clause.condition, false);
      if (!is_understood) break;
    }
    if (is_understood) walk(branch.else_body);
    limits_.forget(mark);
  }

  bool walk_loop(const For& loop) {
    look(*loop.begin);
    look(*loop.end);
    const std::size_t mark = limits_.mark();
    bool are_all_here = !has_jump(loop);
    // A turn that ends the loop leaves the last values out.
    if (!are_all_here || !limits_.assume_loop(loop)) limits_.forget(mark);
    if (limits_.mark() != mark || is_surely_run(loop)) are_all_here &= walk(loop.body);
    limits_.forget(mark);
    return are_all_here;
  }

  static bool is_surely_run(const For& loop) {
    const IntImm* begin = as_int(loop.begin);
    const IntImm* end = as_int(loop.end);
    return begin != nullptr && end != nullptr &&
           (loop.step > 0 ? begin->value < end->value : begin->value > end->value);
  }

  static bool may_end_thread(const Stmt& stmt) {
    const auto* evaluate = as<Evaluate>(&stmt);
    const auto* call = evaluate == nullptr ? nullptr : as<Call>(evaluate->value);
    if (call == nullptr) return false;
    const std::string_view name = call->callee->name;
    return name.find("assert") != name.npos || name.find("trap") != name.npos;
  }

  // What is evaluated only where the condition has a value: the same expression below a guard.
  void look_under(const Expr& condition, bool holds, const Expr& expr) {
    const std::size_t mark = limits_.mark();
    if (limits_.assume(condition, holds)) look(expr);
    limits_.forget(mark);
  }

  // The parts of an expression that are certainly evaluated. Long sums are deep to the left.
  void look(const Expr& whole) {
    const std::size_t bottom = spine_.size();
    const Expr* at = &whole;
    for (const auto* binary = as<Binary>(at); binary != nullptr; binary = as<Binary>(at)) {
      spine_.push_back(binary);
      at = binary->a;
    }
    look_at_operands(*at);
    while (spine_.size() > bottom) {
      const Binary& binary = *spine_.back();
      spine_.pop_back();
      if (is_logical(binary.op)) {
        look_under(*binary.a, binary.op == BinaryOp::And, *binary.b);
      } else {
        look(*binary.b);
      }
    }
  }

  void look_at_operands(const Expr& expr) {
    if (const auto* select = as<Select>(&expr)) {
      look(*select->condition);
      look_under(*select->condition, true, *select->a);
      look_under(*select->condition, false, *select->b);
      return;
    }
    for_each_child(expr, [&](const Expr& child) { look(child); });
    if (const auto* load = as<Load>(&expr)) {
      note(load->tensor, read_);
      check(*load->tensor, load->indices);
    }
    if (const auto* address = as<AddressOf>(&expr)) check(*address->tensor, address->indices);
  }

  static void note(const Tensor* tensor, std::vector<const Tensor*>& list) {
    if (tensor->is_param && (list.empty() || list.back() != tensor)) list.push_back(tensor);
  }

  void check(const Tensor& tensor, ExprList indices) {
    const bool is_own = tensor.scope == Scope::Shared || tensor.scope == Scope::Local;
    if (!(tensor.is_param || is_own) || indices.size() != tensor.shape.size()) return;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::optional<Affine> index = reader_.read(indices[i]);
      // Constants were looked at before.
      if (!index || index->is_constant()) continue;
      if (!is_low_found_) check_low(*indices[i], *index);
      if (!is_unguarded_found_ || !is_outside_found_) check_high(*indices[i], *index, tensor, i);
    }
  }

  std::string_view source_of(const Expr& expr) const { return diags_.sources().text_of(expr.span); }

  void check_low(const Expr& index, const Affine& sum) {
    if (limits_.is_plainly_positive(sum)) return;
    const std::optional<Edge> edge = limits_.smallest(sum);
    if (!edge || !edge->value.is_constant() || edge->value.shift + edge->slack >= 0) return;
    if (!limits_.may_reach_edges(sum)) return;
    is_low_found_ = true;
    diags_.report(index.span, kBelowZero, source_of(index), edge->value.shift)
        .note("put the access under 'if {} >= 0:'", source_of(index));
  }

  void check_high(const Expr& index, const Affine& sum, const Tensor& tensor, std::size_t dim) {
    const std::optional<Affine> extent = reader_.read(tensor.shape[dim]);
    const std::optional<Edge> edge = extent ? limits_.largest(sum) : std::nullopt;
    if (!edge) return;
    Affine beyond = edge->value;
    if (!beyond.add(*extent, -1) || !beyond.is_constant() || beyond.shift < 0) return;
    if (!limits_.may_reach_edges(sum)) return;
    const std::string size = text_of(*extent);
    const std::string_view text = source_of(index);
    if (std::all_of(sum.begin(), sum.end(),
                    [](const Term& term) { return term.counter.is_size(); })) {
      if (std::exchange(is_outside_found_, true)) return;
      diags_.report(index.span, kBehindEnd, text, tensor.name, dim, size)
          .note("the last index is {} - 1", size);
      return;
    }
    const bool is_certain = beyond.shift >= edge->slack;
    if (is_certain && edge->is_limited) {
      if (std::exchange(is_outside_found_, true)) return;
      diags_.report(index.span, kOutside, text, text_of(edge->value), tensor.name, dim, size)
          .note("put the access under 'if {} < {}:'", text, size);
      return;
    }
    if (std::exchange(is_unguarded_found_, true)) return;
    std::string far = fmt::format("up to {}", text_of(edge->value));
    if (edge->slack > 0) far = fmt::format("beyond {} - 1", size);
    // A guard that goes too far is what is wrong, not a launch without one.
    if (edge->is_limited) {
      diags_
          .report(index.span, kUnguarded, text, fmt::format("up to {}", text_of(edge->value)),
                  tensor.name, dim, size)
          .note("the condition around lets it go so far; 'if {} < {}:' does not", text, size);
      return;
    }
    if (!is_certain) far += exception_of(*edge, beyond.shift, *extent);
    diags_.report(index.span, kUnguarded, text, far, tensor.name, dim, size)
        .note("put the access under 'if {} < {}:'", text, size);
  }

  // With which sizes it does not go too far, where that can be said in few words.
  static std::string exception_of(const Edge& edge, std::int64_t beyond, const Affine& extent) {
    // The slack of a launch is one less than the block; the last thread of n is n - 1.
    const bool is_rounded_up = beyond + 1 == edge.slack;
    if (is_rounded_up)
      return fmt::format(" unless {} is a multiple of {}", text_of(extent), edge.slack + 1);
    return fmt::format(" for some {}", size_name(extent));
  }

  AffineReader reader_;
  IndexLimits limits_;
  source::Diagnostics& diags_;
  std::vector<const Binary*> spine_;  // sums under way
  std::vector<const Tensor*> read_;   // parameters
  std::vector<const Tensor*> written_;
  bool has_block_memory_ = false;
  bool is_unguarded_found_ = false;
  bool is_outside_found_ = false;
  bool is_low_found_ = false;
};

}  // namespace

bool note_unguarded_accesses(const Function& function, source::Diagnostics& diags) {
  // Host code may launch the kernel for some sizes only.
  const auto is_simple = [](const Stmt* stmt) { return is<Let>(stmt) || is<Launch>(stmt); };
  if (!std::all_of(function.host_body.begin(), function.host_body.end(), is_simple)) {
    return false;
  }
  bool may_exchange = false;
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind != KernelKind::Device) continue;
    may_exchange = Finder(*kernel, diags).may_exchange() || may_exchange;
  }
  return may_exchange;
}

}  // namespace tirxcc::passes
