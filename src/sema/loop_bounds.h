// SPDX-License-Identifier: Apache-2.0
//
// Start, stop and step of a loop, as `range`, T.serial, T.unroll, T.vectorized and T.parallel give
// them.
#pragma once

#include <optional>

#include "base/int128.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {

struct LoopBounds {
  Value begin = Value::of_int(0);
  Value end;
  Value step = Value::of_int(1);
  Span begin_span;
  Span end_span;
  Span step_span;
  DType type;  // of the loop variable
  // Where they are known while compiling.
  std::optional<int128> known_begin;
  std::optional<int128> known_end;
  std::optional<int128> known_step;
  std::int32_t unroll_pragma = -1;
  ir::ForKind kind = ir::ForKind::Serial;
  std::string_view callee;  // as written: "range", "T.serial"
};

// Turns of a loop whose bounds are all known; the step is not 0.
int128 count_turns(const LoopBounds& bounds);

// i + step after the last turn stays in the loop variable's type, as far as can be seen.
// `largest_end`: what the end is known not to exceed.
bool is_last_increment_safe(const LoopBounds& bounds, std::optional<int128> largest_end = {});

}  // namespace tirxcc::sema
