// SPDX-License-Identifier: Apache-2.0
//
// What integers and conditions are in each thread of a few blocks: a kernel's index arithmetic
// carried out for the first blocks of a large launch. Sizes and scalar parameters are a million.
//
//   block=256:  t ^ 1                           1 0 3 2 ... in each block
//               block_idx * 256 + t < n         true everywhere
//               A[t] > 0                        not known
//
// It serves claims of the kind "in this launch, thread 1 writes what thread 0 reads": one launch in
// which that happens is enough.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/pointer_map.h"
#include "ir/ir.h"

namespace tirxcc::passes {

inline constexpr int kMostLanes = 2048;
using LaneSet = std::bitset<kMostLanes>;  // block 0's threads, x fastest, then block 1's, ...

// Unknown, one value for all lanes, or one for each.
class LaneValue {
 public:
  LaneValue() = default;
  explicit LaneValue(std::int64_t one, bool is_assumed = false)
      : one_(one), is_known_(true), is_assumed_(is_assumed) {}
  LaneValue(std::vector<std::int64_t> each, bool is_assumed)
      : each_(std::make_shared<const std::vector<std::int64_t>>(std::move(each))),
        is_known_(true),
        is_assumed_(is_assumed) {}

  bool is_known() const { return is_known_; }
  bool is_one() const { return each_ == nullptr; }
  // It rests on what the size of an argument is.
  bool is_assumed() const { return is_assumed_; }
  // One value for each lane, the same as there; false also if that is not known without a look.
  bool is_same(const LaneValue& other) const { return each_ != nullptr && each_ == other.each_; }
  std::int64_t at(std::size_t lane) const { return each_ == nullptr ? one_ : (*each_)[lane]; }

 private:
  std::shared_ptr<const std::vector<std::int64_t>> each_;
  std::int64_t one_ = 0;
  bool is_known_ = false;
  bool is_assumed_ = false;
};

class LaneValues {
 public:
  // Of at most so many blocks along x, if the launch has them and their lanes are not too many.
  LaneValues(const ir::Kernel& kernel, int blocks);

  std::size_t threads() const { return threads_; }  // of a block; 0: not known, or too many
  std::size_t count() const { return count_; }
  const LaneSet& all() const { return all_; }
  // The values that it takes so far; each costs a step for each thread.
  int cost() const { return cost_; }

  LaneValue of(const ir::Expr& expr) { return of(expr, 0); }
  void set(const void* variable, LaneValue value) { names_[variable] = std::move(value); }
  // `value` where `lanes` are, and what was there elsewhere.
  void assign(const ir::Local* local, const ir::Expr& value, const LaneSet& lanes);
  LaneValue sum(const LaneValue& a, std::int64_t step, DType type);
  // Of known operands.
  LaneValue compute(ir::BinaryOp op, DType type, const LaneValue& a, const LaneValue& b);
  // "5", or "(1, 0)" in blocks of several dimensions.
  std::string name_of(int lane) const;

  // The lanes of `among` in which the condition holds; false: not known.
  bool holds(const ir::Expr& condition, const LaneSet& among, LaneSet& result);
  LaneSet true_in(const LaneValue& condition, const LaneSet& among) const;

 private:
  std::int64_t known_blocks();
  LaneValue of(const ir::Expr& expr, int depth);
  LaneValue of_index(const ir::LaunchIndex& index);
  LaneValue of_place(const ir::LaunchIndex& index);
  LaneValue compare(ir::BinaryOp op, DType type, const LaneValue& a, const LaneValue& b);
  LaneValue of_binary(const ir::Binary& node, int depth);
  LaneValue of_select(const ir::Select& node, int depth);
  LaneValue of_call(const ir::Call& call, int depth);
  LaneValue of_name(const ir::Var& var);
  template <typename F>
  LaneValue each(const LaneValue& a, const LaneValue& b, F&& f);
  static LaneValue held_by(DType type, LaneValue value, std::size_t count);

  const ir::LaunchConfig& launch_;
  std::size_t sizes_[3] = {1, 1, 1};
  std::size_t threads_ = 0;
  std::size_t count_ = 0;
  LaneSet all_;
  int cost_ = 0;
  PointerMap<LaneValue> names_;
  LaneValue places_[5][3];  // by kind of index and axis
};

}  // namespace tirxcc::passes
