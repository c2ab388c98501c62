// SPDX-License-Identifier: Apache-2.0
//
// See replicate_locals.h. One walk notes in which regions each name occurs; a second rewrites the
// regions.
#include "passes/replicate_locals.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "ir/warp.h"
#include "passes/cpu_facts.h"

namespace tirxcc::passes {
namespace {

using ir::Expr;
using ir::kWarpSize;
using ir::Label;
using ir::Stmt;

// A name in the regions.
struct Place {
  const Label* home = nullptr;  // where it is bound; null: by the block
  bool is_shared = false;       // other regions use it
  bool leaves_warp = false;     // some that the warp does not run together with its home
};

using Regions = std::unordered_set<const Label*>;

// Expressions of a tensor's layout.
template <typename F>
void for_each_extent(const ir::Tensor& tensor, F&& f) {
  for (const Expr* extent : tensor.shape)
    f(*extent);
  for (const Expr* stride : tensor.strides)
    f(*stride);
  if (tensor.elem_offset != nullptr) f(*tensor.elem_offset);
}

// What occurs where.
class Uses {
 public:
  Uses(ir::StmtList body, const Regions& regions, std::span<const ir::WarpRegion> warps)
      : regions_(regions) {
    for (const ir::WarpRegion& region : warps)
      groups_[region.region] = region.warp;
    walk(body);
  }

  // Whether only regions use it that a warp runs together.
  bool is_of_warp(const void* thing) const {
    const auto found = places_.find(thing);
    return found != places_.end() && found->second.home != nullptr && !found->second.leaves_warp &&
           group_of(found->second.home) != nullptr;
  }

  const Place& of(const void* thing) const { return places_.at(thing); }
  bool is_shared(const void* thing) const {
    const auto found = places_.find(thing);
    return found != places_.end() && found->second.is_shared;
  }
  const Expr* value_of(const ir::Var* var) const {
    const auto found = values_.find(var);
    return found == values_.end() ? nullptr : found->second;
  }
  bool has_address(const ir::Tensor* tensor) const { return with_address_.contains(tensor); }
  // Names that the region uses and others bind, in order of first use.
  const std::vector<const ir::Var*>& foreign(const Label* region) { return foreign_[region]; }

 private:
  void walk(ir::StmtList list) {
    for (const Stmt* stmt : list) {
      const auto* block = ir::as<ir::Block>(stmt);
      const bool is_region = block != nullptr && regions_.contains(block->label);
      if (is_region) region_ = block->label;
      note(*stmt);
      ir::for_each_operand(
          *stmt, [&](const Expr& expr) { ir::walk_exprs(expr, [&](const Expr& e) { note(e); }); });
      ir::for_each_body(*stmt, [&](ir::StmtList body) { walk(body); });
      if (is_region) region_ = nullptr;
    }
  }

  void bind(const void* thing) { places_[thing] = {region_, false}; }
  void use(const void* thing) {
    const auto found = places_.find(thing);
    if (found != places_.end() && found->second.home != nullptr && found->second.home != region_) {
      found->second.is_shared = true;
      if (group_of(region_) != group_of(found->second.home)) found->second.leaves_warp = true;
    }
  }
  void use_tensor(const ir::Tensor* tensor) {
    use(tensor);
    for_each_extent(*tensor, [&](const Expr& extent) {
      ir::walk_exprs(extent, [&](const Expr& e) {
        if (const auto* ref = ir::as<ir::VarRef>(&e)) use_var(ref->var);
      });
    });
  }
  void use_var(const ir::Var* var) {
    use(var);
    const auto found = places_.find(var);
    if (found == places_.end() || found->second.home == nullptr || region_ == nullptr) return;
    if (found->second.home == region_ || !seen_[region_].insert(var).second) return;
    foreign_[region_].push_back(var);
  }

  void note(const Stmt& stmt) {
    if (const auto* let = ir::as<ir::Let>(&stmt)) {
      bind(let->var);
      values_[let->var] = let->value;
    }
    if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) bind(declare->local);
    if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) bind(alloc->tensor);
    if (const auto* assign = ir::as<ir::Assign>(&stmt)) use(assign->local);
    if (const auto* store = ir::as<ir::Store>(&stmt)) use_tensor(store->tensor);
  }
  void note(const Expr& expr) {
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) use_var(ref->var);
    if (const auto* read = ir::as<ir::LocalRead>(&expr)) use(read->local);
    if (const auto* load = ir::as<ir::Load>(&expr)) use_tensor(load->tensor);
    if (const auto* address = ir::as<ir::AddressOf>(&expr)) {
      use_tensor(address->tensor);
      with_address_.insert(address->tensor);
    }
  }

  // Null where a region is not run warp by warp.
  const ir::Var* group_of(const Label* region) const {
    const auto found = groups_.find(region);
    return found == groups_.end() ? nullptr : found->second;
  }

  const Regions& regions_;
  const Label* region_ = nullptr;
  std::unordered_map<const Label*, const ir::Var*> groups_;
  std::unordered_map<const void*, Place> places_;
  std::unordered_map<const ir::Var*, const Expr*> values_;
  std::unordered_map<const Label*, std::vector<const ir::Var*>> foreign_;
  std::unordered_map<const Label*, std::unordered_set<const ir::Var*>> seen_;
  std::unordered_set<const ir::Tensor*> with_address_;
};

class Replicate : public ir::Rewriter<Replicate> {
 public:
  using Rewriter::map;
  using Rewriter::on_expr;
  using Rewriter::on_stmt;

  Replicate(ir::StmtList body, const Regions& regions, std::span<const ir::WarpRegion> warps,
            BlockArrays& arrays, PassContext& context)
      : Rewriter(context.arena),
        regions_(regions),
        arrays_(arrays),
        facts_(context.facts),
        wants_views_(context.options.debug),
        uses_(body, regions, warps) {}

  void on_stmt(const ir::Block& block) {
    if (!regions_.contains(block.label)) return emit(rebuild(block));
    region_ = block.label;
    remade_.clear();
    tensors_.clear();
    std::vector<const Stmt*> body;
    for (const ir::Var* var : uses_.foreign(block.label)) {
      if (is_remade(var)) remake(var, body);
    }
    const ir::StmtList rest = rewrite(block.body);
    region_ = nullptr;
    if (wants_views_) append_views(arrays_.kernel_span(), body);
    body.insert(body.end(), rest.begin(), rest.end());
    emit(build().stmt<ir::Block>(block.span, block.label, ir::StmtList(arena().copy(body))));
  }

  const std::vector<ir::View>& views() const { return views_; }

  void on_stmt(const ir::Let& let) {
    emit(rebuild(let));
    if (!uses_.is_shared(let.var) || is_remade(let.var)) return;
    emit(arrays_.set(array_of(let.var, let.var->name, let.var->dtype, let.span),
                     place_of(let.var, let.span), build().var(let.var, let.span), let.span));
  }
  void on_stmt(const ir::DeclareLocal& declare) {
    if (!uses_.is_shared(declare.local)) return emit(rebuild(declare));
    const DType type = declare.local->dtype;
    const Expr* zero = type.is_float() ? build().float_imm(type, 0, declare.span)
                                       : build().int_imm(type, 0, declare.span);
    emit(set_local(declare.local, zero, declare.span));
  }
  void on_stmt(const ir::Assign& assign) {
    if (!uses_.is_shared(assign.local)) return emit(rebuild(assign));
    emit(set_local(assign.local, rewrite(assign.value), assign.span));
  }
  void on_stmt(const ir::Alloc& alloc) {
    if (!uses_.is_shared(alloc.tensor)) emit(rebuild(alloc));
  }
  void on_stmt(const ir::Store& store) {
    if (!uses_.is_shared(store.tensor)) return emit(rebuild(store));
    ir::Store made = store;
    made.tensor = replicated(store.tensor);
    made.indices = with_thread(store.tensor, rewrite_exprs(store.indices), store.span);
    made.value = rewrite(store.value);
    emit(arena().make<ir::Store>(made));
  }

  const Expr* on_expr(const ir::VarRef& ref) {
    if (const auto found = remade_.find(ref.var); found != remade_.end()) {
      return build().var(found->second, ref.span);
    }
    if (region_ == nullptr || !uses_.is_shared(ref.var) || uses_.of(ref.var).home == region_) {
      return &ref;
    }
    return arrays_.element(array_of(ref.var, ref.var->name, ref.dtype, ref.span),
                           place_of(ref.var, ref.span), ref.span);
  }
  const Expr* on_expr(const ir::LocalRead& read) {
    if (!uses_.is_shared(read.local)) return &read;
    return arrays_.element(array_of(read.local, read.local->name, read.dtype, read.span),
                           place_of(read.local, read.span), read.span);
  }
  const Expr* on_expr(const ir::Load& load) {
    if (!uses_.is_shared(load.tensor)) return rebuild(load);
    ir::Load made = load;
    made.tensor = replicated(load.tensor);
    made.indices = with_thread(load.tensor, rewrite_exprs(load.indices), load.span);
    return arena().make<ir::Load>(made);
  }
  const Expr* on_expr(const ir::AddressOf& address) {
    if (!uses_.is_shared(address.tensor)) return rebuild(address);
    ir::AddressOf made = address;
    made.tensor = replicated(address.tensor);
    made.indices = with_thread(address.tensor, rewrite_exprs(address.indices), address.span);
    return arena().make<ir::AddressOf>(made);
  }

  // A view whose layout uses names of other regions has a copy in each.
  const ir::Tensor* map(const ir::Tensor* tensor) {
    if (region_ == nullptr || tensor == nullptr) return tensor;
    bool is_affected = false;
    for_each_extent(*tensor, [&](const Expr& extent) {
      is_affected = is_affected || ir::any_expr(extent, [&](const Expr& e) {
                      const auto* ref = ir::as<ir::VarRef>(&e);
                      return ref != nullptr && uses_.is_shared(ref->var) &&
                             uses_.of(ref->var).home != region_;
                    });
    });
    if (!is_affected) return tensor;
    const ir::Tensor*& copy = tensors_[tensor];
    if (copy == nullptr) {
      ir::Tensor made = *tensor;
      made.shape = rewrite_exprs(tensor->shape);
      made.strides = rewrite_exprs(tensor->strides);
      made.elem_offset = rewrite(tensor->elem_offset);
      copy = arena().make<ir::Tensor>(made);
    }
    return copy;
  }

 private:
  // Whether computing the name again is cheap, cannot fail and gives the same.
  bool is_remade(const ir::Var* var) { return cost(var) <= kMostNodes; }

  int cost(const ir::Var* var) {
    const auto [found, is_new] = costs_.try_emplace(var, kNever);
    if (!is_new) return found->second;
    const Expr* value = uses_.value_of(var);
    const int result = value == nullptr ? kNever : cost(*value);
    costs_[var] = result;
    return result;
  }
  int cost(const Expr& expr) {
    if (ir::is<ir::IntImm>(&expr) || ir::is<ir::FloatImm>(&expr)) return 1;
    if (ir::is<ir::LaunchIndex>(&expr)) return 1;
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
      const Expr* value = uses_.value_of(ref->var);
      if (value != nullptr) {
        return uses_.of(ref->var).home == nullptr ? 1 : cost(ref->var);
      }
      const bool is_given =
          ref->var->kind == ir::VarKind::Param || ref->var->kind == ir::VarKind::Symbol;
      return is_given ? 1 : kNever;
    }
    if (const auto* binary = ir::as<ir::Binary>(&expr)) {
      using Op = ir::BinaryOp;
      const bool is_division = binary->op == Op::FloorDiv || binary->op == Op::FloorMod ||
                               binary->op == Op::TruncDiv || binary->op == Op::TruncMod;
      const ir::IntImm* divisor = ir::as_int(binary->b);
      if (is_division && (divisor == nullptr || divisor->value == 0)) return kNever;
    } else if (!ir::is<ir::Unary>(&expr) && !ir::is<ir::Cast>(&expr) &&
               !ir::is<ir::Select>(&expr)) {
      return kNever;
    }
    int total = 1;
    ir::for_each_child(expr,
                       [&](const Expr& child) { total = std::min(kNever, total + cost(child)); });
    return total;
  }

  void remake(const ir::Var* var, std::vector<const Stmt*>& into) {
    if (remade_.contains(var)) return;
    const Expr* value = uses_.value_of(var);
    ir::walk_exprs(*value, [&](const Expr& e) {
      const auto* ref = ir::as<ir::VarRef>(&e);
      if (ref != nullptr && uses_.value_of(ref->var) != nullptr &&
          uses_.of(ref->var).home != nullptr) {
        remake(ref->var, into);
      }
    });
    if (facts_ != nullptr && noted_.insert(var).second) {
      facts_->kept.push_back({var->name, var->span, nullptr});
    }
    const auto* made = arena().make<ir::Var>(*var);
    // To a debugger it is no line of the kernel's.
    const ir::Span span = wants_views_ ? arrays_.kernel_span() : value->span;
    into.push_back(build().stmt<ir::Let>(span, made, rewrite(value)));
    remade_[var] = made;
  }

  // How many threads keep the thing at a time, and the running one's place among them.
  std::int64_t size_of(const void* thing) const {
    return uses_.is_of_warp(thing) ? kWarpSize : arrays_.most_threads();
  }
  const Expr* place_of(const void* thing, ir::Span span) const {
    return uses_.is_of_warp(thing) ? arrays_.lane(span) : arrays_.thread(span);
  }

  const ir::Tensor* array_of(const void* thing, std::string_view name, DType type, ir::Span span) {
    const ir::Tensor*& array = arrays_of_[thing];
    if (array != nullptr) return array;
    array = arrays_.make(std::string(name) + "_of", type, span, {size_of(thing)});
    kept_.push_back({nullptr, name, type, nullptr});
    kept_arrays_.push_back(array);
    if (facts_ != nullptr) facts_->kept.push_back({name, span, array});
    return array;
  }
  const Stmt* set_local(const ir::Local* local, const Expr* value, ir::Span span) {
    return arrays_.set(array_of(local, local->name, local->dtype, span), place_of(local, span),
                       value, span);
  }

  // A local array for all threads: neighbours are neighbouring threads, unless a pointer into it
  // wants the elements of one thread together.
  const ir::Tensor* replicated(const ir::Tensor* tensor) {
    const ir::Tensor*& array = arrays_of_[tensor];
    if (array != nullptr) return array;
    std::vector<std::int64_t> shape;
    for (const Expr* extent : tensor->shape)
      shape.push_back(std::max<std::int64_t>(1, ir::as_int(extent)->value));
    const bool is_outer = is_thread_first(tensor);
    shape.insert(is_outer ? shape.begin() : shape.end(), size_of(tensor));
    array = arrays_.make(std::string(tensor->name) + "_of", tensor->dtype, tensor->span, shape);
    kept_.push_back({nullptr, tensor->name, tensor->dtype, tensor});
    kept_arrays_.push_back(array);
    if (facts_ != nullptr) facts_->kept.push_back({tensor->name, tensor->span, array});
    return array;
  }
  ir::ExprList with_thread(const ir::Tensor* tensor, ir::ExprList indices, ir::Span span) {
    std::vector<const Expr*> all(indices.begin(), indices.end());
    const bool is_outer = is_thread_first(tensor);
    all.insert(is_outer ? all.begin() : all.end(), place_of(tensor, span));
    return arena().copy(all);
  }

  // Whether all elements of one thread lie together.
  bool is_thread_first(const ir::Tensor* tensor) const {
    return uses_.has_address(tensor) || wants_views_;
  }

  // The addresses of everything that a thread keeps, as far as it is known.
  void append_views(ir::Span span, std::vector<const Stmt*>& into) {
    // The newest of them: many regions with many names each must stay linear.
    const std::size_t first = kept_.size() > kMostViews ? kept_.size() - kMostViews : 0;
    for (std::size_t i = first; i < kept_.size(); ++i) {
      ir::View view = kept_[i];
      std::vector<const Expr*> indices = {arrays_.thread(span)};
      indices.resize(kept_arrays_[i]->shape.size(), build().int_imm(kInt32, 0, span));
      ir::AddressOf address{{ir::ExprKind::AddressOf, kHandle, span}};
      address.tensor = kept_arrays_[i];
      address.indices = arena().copy(indices);
      auto* pointer = arena().make<ir::Var>(view.name, kHandle, span, ir::VarKind::Let);
      pointer->pointee = {view.dtype, ir::Scope::Shared};
      view.pointer = pointer;
      into.push_back(build().stmt<ir::Let>(
          span, view.pointer, static_cast<const Expr*>(arena().make<ir::AddressOf>(address))));
      views_.push_back(view);
    }
  }

  static constexpr std::size_t kMostViews = 100;  // in a region
  static constexpr int kMostNodes = 24;
  static constexpr int kNever = 1 << 20;

  const Regions& regions_;
  BlockArrays& arrays_;
  CpuFacts* facts_;
  bool wants_views_;
  Uses uses_;
  const Label* region_ = nullptr;
  std::unordered_map<const ir::Var*, const ir::Var*> remade_;  // in this region
  std::unordered_map<const ir::Tensor*, const ir::Tensor*> tensors_;
  std::vector<ir::View> kept_;  // without pointers
  std::vector<const ir::Tensor*> kept_arrays_;
  std::vector<ir::View> views_;
  std::unordered_set<const ir::Var*> noted_;
  std::unordered_map<const ir::Var*, int> costs_;
  std::unordered_map<const void*, const ir::Tensor*> arrays_of_;
};

}  // namespace

ir::StmtList replicate_locals(ir::StmtList body, std::span<const Label* const> regions,
                              std::span<const ir::WarpRegion> warp_regions, BlockArrays& arrays,
                              PassContext& context, std::vector<ir::View>& views) {
  const Regions known(regions.begin(), regions.end());
  Replicate replicate(body, known, warp_regions, arrays, context);
  const ir::StmtList made = replicate.rewrite(body);
  views = replicate.views();
  return made;
}

}  // namespace tirxcc::passes
