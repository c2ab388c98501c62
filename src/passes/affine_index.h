// SPDX-License-Identifier: Apache-2.0
//
// Integer expressions as sums: of what a launch counts (blocks, threads), of loop variables and of
// sizes, each times a constant, plus a constant. What tells the user about indices reads them so.
//
//   i = block_idx * 256 + thread_idx      # block=256
//   A[n - 1 - i]                          # n - (threads along x) - 1
//
// Numbers of blocks and threads that together number the threads of the grid become one counter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/pointer_map.h"
#include "ir/ir.h"

namespace tirxcc::passes {

enum class CounterKind : std::uint8_t {
  Size,         // a symbol or a scalar parameter: the same in all threads
  Loop,         // a loop variable
  Block,        // blocks along an axis
  Thread,       // threads of a block along an axis
  FirstThread,  // number of a block times the size of a block, where that is no constant
  Global,       // threads of the grid along an axis
};

struct Counter {
  CounterKind kind = CounterKind::Size;
  std::uint8_t axis = 0;
  const ir::Var* var = nullptr;  // of Size and Loop
  bool is_size() const { return kind == CounterKind::Size; }
  friend bool operator==(const Counter&, const Counter&) = default;
};

struct Term {
  Counter counter;
  std::int64_t factor = 0;
};

// Sum of few terms; no two have the same counter and no factor is 0.
class Affine {
 public:
  static constexpr int kMostTerms = 6;

  std::int64_t shift = 0;

  const Term* begin() const { return terms_.data(); }
  const Term* end() const { return terms_.data() + count_; }
  bool is_constant() const { return count_ == 0; }
  const Term* find(const Counter& counter) const;
  // False where there are too many terms or numbers too large to be meant.
  bool add(const Counter& counter, std::int64_t factor);
  bool add(const Affine& other, std::int64_t factor);
  void remove(const Counter& counter);

 private:
  std::array<Term, kMostTerms> terms_;
  int count_ = 0;
};

// Reads expressions of one kernel. The walk over the kernel tells what names stand for.
class AffineReader {
 public:
  explicit AffineReader(const ir::LaunchConfig& launch) : launch_(&launch) {}

  void define(const ir::Let& let) { values_[let.var] = let.value; }
  // Behind names and casts that keep the value.
  const ir::Expr* value_of(const ir::Expr* expr) const;
  // Nothing if it is no such sum.
  std::optional<Affine> read(const ir::Expr* expr) const;

  // A size of the launch that is a constant (1 where none is given); 0: it is not.
  static std::int64_t constant_size(const ir::Expr* size);
  std::int64_t block_size(int axis) const { return constant_size(launch_->block[axis]); }
  const ir::LaunchConfig& launch() const { return *launch_; }

 private:
  bool read_into(const ir::Expr* expr, std::int64_t factor, Affine& sum, int depth) const;
  bool read_product(const ir::Binary& product, std::int64_t factor, Affine& sum, int depth) const;
  bool add_launch_index(const ir::LaunchIndex& index, std::int64_t factor, Affine& sum) const;
  // `block_idx * block_dim` of one axis.
  const ir::LaunchIndex* first_thread(const ir::Expr* a, const ir::Expr* b) const;
  void join_axes(Affine& sum) const;

  const ir::LaunchConfig* launch_;
  PointerMap<const ir::Expr*> values_;
  // The name that was read last: most kernels use one index again and again.
  mutable const ir::Var* last_name_ = nullptr;
  mutable std::optional<Affine> last_sum_;
};

}  // namespace tirxcc::passes
