// SPDX-License-Identifier: Apache-2.0
//
// The walk that gathers facts. See facts.h.
#include "codegen/cuda/facts.h"

#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/traverse.h"

namespace tirxcc::codegen_cuda {

namespace {

class FactWalk {
 public:
  explicit FactWalk(KernelFacts& facts) : facts_(facts) {}

  void body(ir::StmtList list) {
    ir::walk_stmts(
        list,
        [&](const ir::Stmt& stmt) {
          note(stmt);
          if (const auto* block = ir::as<ir::Block>(&stmt)) blocks_.push_back(block);
        },
        [&](const ir::Stmt& stmt) {
          if (ir::is<ir::Block>(&stmt)) blocks_.pop_back();
        });
    ir::walk_exprs(list, [&](const ir::Expr& expr) { note(expr); });
  }

  void type(DType type) {
    facts_.uses_fp16 |= type.is_float16();
    facts_.uses_bf16 |= type.is_bfloat16();
  }

 private:
  void note(const ir::Stmt& stmt) {
    if (const auto* store = ir::as<ir::Store>(&stmt)) {
      facts_.written.insert(store->tensor);
    } else if (const auto* wide = ir::as<ir::VectorStore>(&stmt)) {
      facts_.written.insert(wide->tensor);
    } else if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) {
      type(alloc->tensor->dtype);
      if (alloc->tensor->scope == ir::Scope::SharedDyn) {
        std::int32_t align = std::max(alloc->tensor->align, 16);
        facts_.arena_align = std::max(facts_.arena_align, align);
      }
    } else if (const auto* declared = ir::as<ir::DeclareLocal>(&stmt)) {
      type(declared->local->dtype);
    } else if (const auto* leave = ir::as<ir::Leave>(&stmt)) {
      facts_.left.insert(leave->label);
      if (!blocks_.empty()) facts_.jumped_from.insert(blocks_.back());
    }
  }

  void note(const ir::Expr& expr) {
    type(expr.dtype);
    if (const auto* index = ir::as<ir::LaunchIndex>(&expr)) {
      facts_.uses_warp_id |= index->index == ir::LaunchIndexKind::WarpId;
    } else if (const auto* address = ir::as<ir::AddressOf>(&expr)) {
      facts_.written.insert(address->tensor);
    } else if (const auto* call = ir::as<ir::Call>(&expr)) {
      if (std::find(facts_.callees.begin(), facts_.callees.end(), call->callee) ==
          facts_.callees.end()) {
        facts_.callees.push_back(call->callee);
      }
    }
  }

  KernelFacts& facts_;
  std::vector<const ir::Block*> blocks_;
};

}  // namespace

void gather_facts(const ir::Kernel& kernel, KernelFacts& facts) {
  FactWalk walk(facts);
  for (const ir::Param& param : kernel.params) {
    if (param.tensor != nullptr) {
      walk.type(param.tensor->dtype);
      if (param.tensor->escapes) facts.written.insert(param.tensor);
    }
    if (param.var != nullptr) walk.type(param.var->dtype);
  }
  walk.body(kernel.body);
}

bool declares_name(ir::StmtList list) {
  return std::any_of(list.begin(), list.end(), [](const ir::Stmt* stmt) {
    return ir::is<ir::Let>(stmt) || ir::is<ir::DeclareLocal>(stmt) || ir::is<ir::Alloc>(stmt) ||
           ir::is<ir::CountedFor>(stmt);
  });
}

std::string_view called_name(std::string_view spelling) {
  std::size_t end = 0;
  auto is_letter = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  while (end < spelling.size() && is_letter(spelling[end]))
    ++end;
  return end < spelling.size() && spelling[end] == '(' ? spelling.substr(0, end) : "";
}

}  // namespace tirxcc::codegen_cuda
