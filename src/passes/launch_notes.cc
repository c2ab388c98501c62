// SPDX-License-Identifier: Apache-2.0
//
// See launch_notes.h.
#include "passes/launch_notes.h"

#include <array>
#include <vector>

#include "ir/builder.h"
#include "ir/traverse.h"
#include "passes/affine_index.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kOtherBlock{
    "block-size-mismatch", Severity::Note, ErrorClass::Value,
    "'{}' is made for blocks of {} threads, and the launch has {}; {}"};

constexpr Diagnostic kMayWrap{"index-may-wrap", Severity::Note, ErrorClass::Value,
                              "'{}' is int32 and wraps beyond 2147483647; '{}' is int64 and may be "
                              "larger"};

bool has_wide_size(const Kernel& kernel) {
  for (const Var* symbol : kernel.symbols) {
    if (symbol->dtype == kInt64) return true;
  }
  for (const Param& param : kernel.params) {
    if (param.var != nullptr && param.var->dtype == kInt64) return true;
  }
  return false;
}

// What a name stands for, if that is a sum of what the launch counts.
std::optional<Affine> counted(const Let& let, const AffineReader& reader) {
  return let.var->dtype.is_int() ? reader.read(let.value) : std::nullopt;
}

class Finder {
 public:
  Finder(const Kernel& kernel, source::Diagnostics& diags)
      : kernel_(kernel), reader_(kernel.launch), diags_(diags) {
    walk_stmts(kernel.body, [&](const Stmt& stmt) {
      if (const auto* let = as<Let>(&stmt)) define(*let);
    });
    if (has_wide_size(kernel)) {
      walk_exprs(kernel.body, [&](const Expr& expr) {
        if (const auto* binary = as<Binary>(&expr)) check_width(*binary);
      });
    }
    // Nearly all kernels end here.
    if (candidate_ == nullptr) return;
    walk_exprs(kernel.body, [&](const Expr& expr) { count(expr); });
    check_block();
  }

 private:
  void define(const Let& let) {
    reader_.define(let);
    lets_.push_back(&let);
    if (candidate_ != nullptr) return;
    if (const std::optional<Affine> sum = counted(let, reader_)) take(let, *sum);
  }

  // `i = block_idx * 256 + thread_idx` where the block has another size.
  void take(const Let& let, const Affine& sum) {
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
      const Term* block = sum.find({CounterKind::Block, axis, nullptr});
      const Term* thread = sum.find({CounterKind::Thread, axis, nullptr});
      const std::int64_t size = reader_.block_size(axis);
      if (block == nullptr || thread == nullptr || thread->factor != 1 || block->factor < 1 ||
          size < 2 || sum.shift != 0 || sum.end() - sum.begin() != 2) {
        continue;
      }
      candidate_ = &let;
      axis_ = axis;
      stride_ = block->factor;
    }
  }

  // `i < n`, where i counts the threads of the grid in 32 bits and n has 64.
  void check_width(const Binary& comparison) {
    if (has_width_note_ || !is_comparison(comparison.op)) return;
    check_width(*comparison.a, *comparison.b);
    check_width(*comparison.b, *comparison.a);
  }

  void check_width(const Expr& index, const Expr& size) {
    const Expr* counted = reader_.value_of(&index);
    const Expr* limit = reader_.value_of(&size);
    const auto* name = as<VarRef>(limit);
    const bool is_wide = name != nullptr && name->var->dtype == kInt64 &&
                         (name->var->kind == VarKind::Symbol || name->var->kind == VarKind::Param);
    if (!is_wide || counted->dtype != kInt32 || !is<Binary>(counted)) return;
    const std::optional<Affine> sum = reader_.read(counted);
    if (!sum) return;
    for (const Term& term : *sum) {
      const CounterKind kind = term.counter.kind;
      const bool is_far = kind == CounterKind::Global || kind == CounterKind::FirstThread ||
                          (kind == CounterKind::Block && term.factor > 1);
      if (!is_far || has_width_note_) continue;
      has_width_note_ = true;
      constexpr std::string_view kAxes[] = {"x", "y", "z"};
      diags_.report(index.span, kMayWrap, diags_.sources().text_of(index.span), name->var->name)
          .note("write 'T.int64(T.cuda.block_idx(\"{}\"))', and it counts in int64",
                kAxes[term.counter.axis]);
    }
  }

  void count(const Expr& expr) {
    if (const auto* ref = as<VarRef>(&expr)) ++uses_[ref->var];
    const auto* index = as<LaunchIndex>(&expr);
    if (index == nullptr) return;
    const bool is_block = index->index == LaunchIndexKind::BlockIdx;
    if (!is_block && index->index != LaunchIndexKind::ThreadIdx) return;
    ++places_[index->axis];
  }

  // Names of the block and the thread on the way to the candidate are used for it alone.
  bool is_all_of_the_place() {
    if (places_[axis_] != 2) return false;
    for (const Let* let : lets_) {
      const std::optional<Affine> sum = counted(*let, reader_);
      if (let == candidate_ || !sum) continue;
      const bool is_part = sum->find({CounterKind::Block, axis_, nullptr}) != nullptr ||
                           sum->find({CounterKind::Thread, axis_, nullptr}) != nullptr;
      if (is_part && uses_[let->var] != 1) return false;
    }
    return true;
  }

  bool is_candidate(const Expr& expr) const {
    const Expr* at = &expr;
    while (is<Cast>(at) && at->dtype.is_int())
      at = as<Cast>(at)->a;
    const auto* ref = as<VarRef>(at);
    return ref != nullptr && ref->var == candidate_->var;
  }

  // Whether the number stands for one element: as an index or in a comparison, or a neighbour of
  // it.
  bool is_element(const Expr& expr) const {
    if (is_candidate(expr)) return true;
    const auto* sum = as<Binary>(&expr);
    if (sum == nullptr || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return false;
    const IntImm* step = as_int(sum->b);
    return step != nullptr && std::abs(step->value) < 8 && is_candidate(*sum->a);
  }

  int elements_in(const Expr& expr) const {
    int found = 0;
    const auto add = [&](ExprList indices) {
      for (const Expr* index : indices)
        found += is_element(*index) ? 1 : 0;
    };
    walk_exprs(expr, [&](const Expr& inner) {
      if (const auto* load = as<Load>(&inner)) add(load->indices);
      const auto* binary = as<Binary>(&inner);
      if (binary == nullptr || !is_comparison(binary->op)) return;
      found += (is_element(*binary->a) ? 1 : 0) + (is_element(*binary->b) ? 1 : 0);
    });
    return found;
  }

  void check_block() {
    if (!is_all_of_the_place()) return;
    int elements = 0;
    walk_stmts(kernel_.body, [&](const Stmt& stmt) {
      if (const auto* store = as<Store>(&stmt)) {
        for (const Expr* index : store->indices)
          elements += is_element(*index) ? 1 : 0;
      }
      for_each_operand(stmt, [&](const Expr& expr) { elements += elements_in(expr); });
    });
    // Used for something else too: the other elements may be reached from there.
    if (elements == 0 || elements != uses_[candidate_->var]) return;
    const std::int64_t size = reader_.block_size(axis_);
    const Span span = candidate_->value->span;
    constexpr std::string_view kAxes[] = {"x", "y", "z"};
    diags_
        .report(span, kOtherBlock, diags_.sources().text_of(span), stride_, size,
                stride_ > size ? "elements between the blocks are left out"
                               : "neighbouring blocks do the same elements")
        .note("'T.cuda.block_dim(\"{}\")' is the size that the launch gives", kAxes[axis_]);
  }

  const Kernel& kernel_;
  AffineReader reader_;
  source::Diagnostics& diags_;
  std::vector<const Let*> lets_;
  PointerMap<int> uses_;
  std::array<int, 3> places_{};
  const Let* candidate_ = nullptr;
  std::uint8_t axis_ = 0;
  std::int64_t stride_ = 0;
  bool has_width_note_ = false;
};

}  // namespace

void note_launch_mismatches(const Function& function, source::Diagnostics& diags) {
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind == KernelKind::Device) Finder(*kernel, diags);
  }
}

}  // namespace tirxcc::passes
