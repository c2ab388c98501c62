// SPDX-License-Identifier: Apache-2.0
//
// See streaming_stores.h.
#include "passes/streaming_stores.h"

#include <unordered_map>
#include <unordered_set>

#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

// What the statements of one loop's body say about memory.
class Body {
 public:
  explicit Body(const ir::For& loop) : loop_(loop) {
    ir::walk_exprs(loop.body, [&](const ir::Expr& expr) {
      if (const auto* load = ir::as<ir::Load>(&expr)) touched_.insert(load->tensor);
      if (const auto* load = ir::as<ir::VectorLoad>(&expr)) touched_.insert(load->tensor);
      if (const auto* address = ir::as<ir::AddressOf>(&expr)) touched_.insert(address->tensor);
    });
    ir::walk_stmts(loop.body, [&](const ir::Stmt& stmt) {
      if (const auto* store = ir::as<ir::Store>(&stmt)) ++stores_[store->tensor];
      if (const auto* store = ir::as<ir::VectorStore>(&stmt)) touched_.insert(store->tensor);
      can_leave_ |= ir::is<ir::Leave>(&stmt) || ir::is<ir::Assert>(&stmt) ||
                    ir::is<ir::Break>(&stmt) || ir::is<ir::Continue>(&stmt);
    });
  }

  const ir::Tensor* streamed() {
    if (can_leave_) return nullptr;
    for (const ir::Stmt* stmt : loop_.body) {
      if (const auto* let = ir::as<ir::Let>(stmt)) lets_[let->var] = let->value;
      const auto* store = ir::as<ir::Store>(stmt);
      if (store != nullptr && is_streamed(*store)) return store->tensor;
    }
    return nullptr;
  }

 private:
  bool is_streamed(const ir::Store& store) const {
    const ir::Tensor& tensor = *store.tensor;
    return tensor.scope == ir::Scope::Global && tensor.is_param && !tensor.escapes &&
           tensor.shape.size() == 1 && tensor.strides.empty() && tensor.elem_offset == nullptr &&
           tensor.dtype.bits >= 8 && stores_.at(&tensor) == 1 && !touched_.contains(&tensor) &&
           is_counter(store.indices[0]);
  }
  bool is_counter(const ir::Expr* expr) const {
    if (const auto* cast = ir::as<ir::Cast>(expr); cast != nullptr && !cast->is_bits) {
      return cast->dtype.is_int() && cast->dtype.bits >= 32 && is_counter(cast->a);
    }
    const auto* ref = ir::as<ir::VarRef>(expr);
    if (ref == nullptr) return false;
    if (ref->var == loop_.var) return true;
    const auto found = lets_.find(ref->var);
    return found != lets_.end() && is_counter(found->second);
  }

  const ir::For& loop_;
  std::unordered_set<const ir::Tensor*> touched_;  // other than by a plain store
  std::unordered_map<const ir::Tensor*, int> stores_;
  std::unordered_map<const ir::Var*, const ir::Expr*> lets_;
  bool can_leave_ = false;
};

}  // namespace

const ir::CpuKernel& streaming_stores(const ir::CpuKernel& kernel, PassContext& context) {
  if (!kernel.is_one_loop) return kernel;
  for (const ir::Stmt* stmt : kernel.kernel->body) {
    const auto* loop = ir::as<ir::For>(stmt);
    if (loop == nullptr || loop->var != kernel.innermost_loops[0]) continue;
    ir::CpuKernel made = kernel;
    made.streamed = Body(*loop).streamed();
    if (made.streamed != nullptr) return *context.arena.make<ir::CpuKernel>(made);
  }
  return kernel;
}

}  // namespace tirxcc::passes
