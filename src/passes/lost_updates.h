// SPDX-License-Identifier: Apache-2.0
//
// Part of missing_barrier: `S[x] += ...` by several threads whose x is the same. Either the numbers
// of the threads say so, or there are more threads than elements, or it counts what data says:
//
//   S[t % 4] += 1
//   S[A[i] & 3] += w[i]      # 256 threads
//   count[A[i]] += 1
#pragma once

#include "ir/ir.h"
#include "passes/affine_index.h"
#include "passes/lane_values.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

class LostUpdates {
 public:
  LostUpdates(const ir::Kernel& kernel, source::Diagnostics& diags)
      : reader_(kernel.launch), diags_(diags) {}

  void define(const ir::Let& let) { reader_.define(let); }
  // What threads look up, and nothing else that differs between them, says which element it is.
  bool is_counted_by_data(ir::ExprList indices) const;
  // A store that `active` lanes come to; reports at most one.
  void check(const ir::Store& store, source::Span target, const LaneValue& element,
             const LaneSet& active, const LaneValues& lanes);

 private:
  enum class Origin : std::uint8_t { None, Data, Thread };

  Origin origin_of(const ir::Expr& expr, int depth) const;
  std::int64_t most_elements(const ir::Store& store) const;
  void report_same(const ir::Store& store, source::Span target, const LaneValue& element,
                   const LaneSet& active, const LaneValues& lanes);
  void note_cure(source::MessageBuilder message, const ir::Store& store, std::string_view value);

  AffineReader reader_;
  source::Diagnostics& diags_;
  bool is_found_ = false;
};

}  // namespace tirxcc::passes
