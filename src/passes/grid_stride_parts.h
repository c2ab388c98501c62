// SPDX-License-Identifier: Apache-2.0
//
// A loop over threads taken apart around the loop in it that threads step through together, for
// grid_stride_loops:
//
//   for thread in range(256):
//       i = block * 256 + thread          # before
//       while i < n:                      # the loop
//           ...                           # body of a turn
//           i = i + 256 * blocks
//       B[...] = total                    # behind
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/builder.h"
#include "ir/ir.h"
#include "ir/value_ranges.h"

namespace tirxcc::passes {

struct GridStrideParts {
  using Lets = std::unordered_map<const ir::Var*, const ir::Let*>;

  ir::StmtList before;
  const ir::Stmt* loop = nullptr;
  ir::StmtList body;  // of a turn, without the counter's step
  ir::StmtList behind;
  const ir::Local* counter = nullptr;  // of a while
  const ir::Var* var = nullptr;        // of a for
  const ir::Expr* first = nullptr;     // of a thread; each next one's is greater by 1
  const ir::Expr* bound = nullptr;     // this and the step are the same in all threads
  const ir::Expr* step = nullptr;
  ir::BinaryOp op = ir::BinaryOp::Lt;

  Lets lets;                           // names from before the loop that threads have each
  std::vector<const ir::Let*> even;    // those that are the same in all threads
  std::vector<const ir::Local*> kept;  // scalars from before that are used in the loop or behind

  const ir::Span& span() const { return loop->span; }
  DType type() const { return first->dtype; }
};

// Nothing if there is no such loop, or if the order of its turns among threads could be seen. Binds
// in `ranges` what the loop over threads makes known.
std::optional<GridStrideParts> take_apart_grid_stride(const ir::For& threads, ir::Ranges& ranges,
                                                      ir::Builder& build);

}  // namespace tirxcc::passes
