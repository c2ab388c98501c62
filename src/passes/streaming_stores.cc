// SPDX-License-Identifier: Apache-2.0
//
// See streaming_stores.h.
#include "passes/streaming_stores.h"

#include <unordered_map>
#include <unordered_set>

#include "ir/builder.h"
#include "ir/traverse.h"
#include "passes/cpu_facts.h"

namespace tirxcc::passes {
namespace {

using NoStreaming = CpuFacts::NoStreaming;

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

  // Null if there is none; `reason` and `nearest` then tell why.
  const ir::Tensor* streamed() {
    reason = can_leave_ ? NoStreaming::CanLeave : NoStreaming::NoStore;
    if (can_leave_) return nullptr;
    for (const ir::Stmt* stmt : loop_.body) {
      if (const auto* let = ir::as<ir::Let>(stmt)) lets_[let->var] = let->value;
      const auto* store = ir::as<ir::Store>(stmt);
      if (store == nullptr) continue;
      reason = refusal(*store);
      nearest = store;
      if (reason == NoStreaming::Unknown) return store->tensor;
    }
    return nullptr;
  }
  NoStreaming reason = NoStreaming::Unknown;
  const ir::Store* nearest = nullptr;

 private:
  // Why the store cannot go past the caches; Unknown: it can.
  NoStreaming refusal(const ir::Store& store) const {
    const ir::Tensor& tensor = *store.tensor;
    if (tensor.scope != ir::Scope::Global || !tensor.is_param || tensor.escapes) {
      return NoStreaming::NotParam;
    }
    if (tensor.shape.size() != 1 || !tensor.strides.empty() || tensor.elem_offset != nullptr ||
        tensor.dtype.bits < 8) {
      return NoStreaming::NotCompact;
    }
    if (stores_.at(&tensor) != 1) return NoStreaming::StoredTwice;
    if (touched_.contains(&tensor)) return NoStreaming::IsRead;
    return is_counter(store.indices[0]) ? NoStreaming::Unknown : NoStreaming::OtherIndex;
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
  if (context.facts != nullptr) context.facts->no_streaming = NoStreaming::NotOneLoop;
  if (!kernel.is_one_loop) return kernel;
  for (const ir::Stmt* stmt : kernel.kernel->body) {
    const auto* loop = ir::as<ir::For>(stmt);
    if (loop == nullptr || loop->var != kernel.innermost_loops[0]) continue;
    Body body(*loop);
    ir::CpuKernel made = kernel;
    made.streamed = body.streamed();
    if (context.facts != nullptr) {
      context.facts->no_streaming = body.reason;
      context.facts->store = body.nearest;
    }
    if (made.streamed != nullptr) return *context.arena.make<ir::CpuKernel>(made);
  }
  return kernel;
}

}  // namespace tirxcc::passes
