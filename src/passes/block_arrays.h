// SPDX-License-Identifier: Apache-2.0
//
// Small pieces of IR that passes on whole blocks need: the number of a thread in its block, arrays
// with an element for each thread, loops over the threads for the block itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/builder.h"
#include "ir/ir.h"

namespace tirxcc::passes {

class BlockArrays {
 public:
  BlockArrays(Arena& arena, const ir::Kernel& kernel);

  const ir::Builder& build() const { return build_; }
  ir::Span kernel_span() const { return kernel_span_; }
  // The largest number of threads of a block.
  std::int64_t most_threads() const { return most_threads_; }
  // Number of the running thread, x fastest; int32.
  const ir::Expr* thread(ir::Span span) const;
  // The number of threads in a block; int32.
  const ir::Expr* thread_count(ir::Span span) const;

  // Whether each row of the block is made of whole warps.
  bool has_whole_warps() const;
  // Where there are: a thread's place in its warp, and the number of that; int32.
  const ir::Expr* lane(ir::Span span) const;
  const ir::Expr* warp(ir::Span span) const;

  // An array of the block, of `shape` elements.
  const ir::Tensor* make(const std::string& name, DType type, ir::Span span,
                         std::vector<std::int64_t> shape);
  // One element for each thread.
  const ir::Tensor* make_per_thread(const std::string& name, DType type, ir::Span span) {
    return make(name, type, span, {most_threads_});
  }
  // What lanes exchange: where there are whole warps, a row of `width` elements for each warp.
  const ir::Tensor* make_per_lane(const std::string& name, DType type, ir::Span span,
                                  std::int64_t width);
  const std::vector<const ir::Tensor*>& warp_rows() const { return warp_rows_; }
  // Another such array with one row only, in its place.
  const ir::Tensor* without_rows(const ir::Tensor* array);
  // Alloc statements of all arrays made so far.
  const std::vector<const ir::Stmt*>& allocations() const { return allocations_; }

  const ir::Expr* element(const ir::Tensor* array, const ir::Expr* index, ir::Span span) const;
  const ir::Stmt* set(const ir::Tensor* array, const ir::Expr* index, const ir::Expr* value,
                      ir::Span span) const;
  // The same of an array for lanes: `place` is in the warp, or the thread's number without rows.
  const ir::Expr* lane_element(const ir::Tensor* array, const ir::Expr* place, ir::Span span) const;
  const ir::Stmt* set_lane(const ir::Tensor* array, const ir::Expr* place, const ir::Expr* value,
                           ir::Span span) const;
  // `for k in range(0, end): body(k)` of the block itself.
  const ir::Stmt* loop(const char* name, const ir::Expr* end, ir::Span span,
                       const std::function<std::vector<const ir::Stmt*>(const ir::Expr*)>& body);
  const ir::Local* local(const std::string& name, DType type, ir::Span span) const;

 private:
  Arena& arena_;
  ir::Builder build_;
  const ir::LaunchConfig& launch_;
  ir::Span kernel_span_;
  ir::ExprList lane_indices(const ir::Expr* place, ir::Span span) const;

  std::int64_t most_threads_;
  std::vector<const ir::Stmt*> allocations_;
  std::vector<const ir::Tensor*> warp_rows_;
};

}  // namespace tirxcc::passes
