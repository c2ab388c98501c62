// SPDX-License-Identifier: Apache-2.0
//
// See fission_at_barriers.h. The work is in fission_plan.cc (what is the block's), fission.cc (the
// block's program) and replicate_locals.cc (what threads keep); lazy_sync.cc prepares for it.
#include "passes/fission_at_barriers.h"

#include <unordered_set>

#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "passes/fission.h"
#include "passes/lazy_sync.h"
#include "passes/replicate_locals.h"
#include "passes/warp_groups.h"

namespace tirxcc::passes {
namespace {

void describe(const Fission& fission, const BlockArrays& arrays, CpuFacts& facts) {
  facts.is_split = true;
  facts.regions = fission.regions().size();
  facts.heading = fission.heading();
  std::unordered_set<const ir::Tensor*> known = {facts.heading};
  for (const CpuFacts::Kept& kept : facts.kept)
    known.insert(kept.array);
  for (const ir::Stmt* stmt : arrays.allocations()) {
    const ir::Tensor* array = ir::as<ir::Alloc>(stmt)->tensor;
    if (!known.contains(array)) facts.exchanges.push_back(array);
  }
}

}  // namespace

const ir::CpuKernel& fission_at_barriers(const ir::Kernel& kernel, PassContext& context) {
  ir::CpuKernel made;
  made.kernel = &kernel;
  const FissionPlan plan(kernel);
  if (!plan.is_needed()) return *context.arena.make<ir::CpuKernel>(made);
  if (const ir::Kernel& eager = with_eager_sync(kernel, context); &eager != &kernel) {
    return fission_at_barriers(eager, context);
  }
  BlockArrays arrays(context.arena, kernel);
  Fission fission(kernel, plan, arrays, context);
  ir::StmtList program = context.arena.copy(fission.run());
  made.regions = context.arena.copy(fission.regions());
  WarpGroups warps(fission, arrays, context);
  if (!context.options.debug) program = warps.group(program);
  made.warp_regions = context.arena.copy(warps.regions());
  std::vector<ir::View> views;
  const ir::StmtList kept =
      replicate_locals(program, made.regions, made.warp_regions, arrays, context, views);
  const ir::StmtList body = warps.finish(kept);
  if (context.options.debug) {
    made.views = context.arena.copy(views);
    std::vector<const ir::Tensor*> own;
    for (const ir::Stmt* stmt : arrays.allocations())
      own.push_back(ir::as<ir::Alloc>(stmt)->tensor);
    made.own_arrays = context.arena.copy(own);
  }
  if (context.facts != nullptr) {
    plan.describe(kernel, *context.facts);
    describe(fission, arrays, *context.facts);
  }
  std::vector<const ir::Stmt*> all;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    const auto* alloc = ir::as<ir::Alloc>(&stmt);
    if (alloc != nullptr && alloc->tensor->scope != ir::Scope::Local) all.push_back(alloc);
  });
  all.insert(all.end(), arrays.allocations().begin(), arrays.allocations().end());
  all.insert(all.end(), body.begin(), body.end());
  made.kernel = &ir::with_body(context.arena, kernel, context.arena.copy(all));
  return *context.arena.make<ir::CpuKernel>(made);
}

}  // namespace tirxcc::passes
