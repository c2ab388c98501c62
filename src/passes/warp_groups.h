// SPDX-License-Identifier: Apache-2.0
//
// Regions with no barrier of the block between them are run warp by warp: all of them for the first
// 32 threads, then for the next. What lanes keep and exchange there has 32 elements, at known
// places, so it can live in registers.
//
//   region_1: put down v       ──▶   for warp in range(0, 8):
//   region_2: read, put down           region_1, region_2, region_3 of its 32 threads
//   region_3: read
//
// What only some warps run (Fission::warp_of) is such a loop already.
//
// Only where the block's rows are whole warps. Warps between two barriers do not depend on each
// other, so any order of theirs is right.
#pragma once

#include <vector>

#include "ir/cpu_kernel.h"
#include "passes/block_arrays.h"
#include "passes/fission.h"
#include "passes/pass.h"

namespace tirxcc::passes {

class WarpGroups {
 public:
  WarpGroups(const Fission& fission, BlockArrays& arrays, PassContext& context);

  // Puts the loops over warps around the regions of the block's statements.
  ir::StmtList group(ir::StmtList program);
  // Behind replicate_locals: arrays of one group get the size of a warp, and places in a warp their
  // names.
  ir::StmtList finish(ir::StmtList program);
  const std::vector<ir::WarpRegion>& regions() const { return regions_; }

 private:
  using Stmts = std::vector<const ir::Stmt*>;
  void close(Stmts& group, Stmts& made);
  template <typename F>
  const ir::Stmt* with_bodies(const ir::Stmt& stmt, F&& body);
  ir::StmtList in_warp(ir::StmtList list, const ir::Var* warp);
  void add_region(const ir::Block& region, const ir::Var* warp);
  void append_turn(const ir::For& loop, const ir::Var* warp, Stmts& made);
  const ir::Var* make_var(const char* name, ir::VarKind kind, ir::Span span);
  void shrink_exchanges(ir::StmtList program);

  const Fission& fission_;
  BlockArrays& arrays_;
  PassContext& context_;
  ir::Builder build_;
  std::vector<ir::WarpRegion> regions_;
};

}  // namespace tirxcc::passes
