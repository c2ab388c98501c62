// SPDX-License-Identifier: Apache-2.0
//
// The few functions of the IR's own structs; everything else about nodes is in the files beside.
#include "ir/ir.h"

#include "base/int128.h"

namespace tirxcc::ir {

std::int64_t LaunchConfig::static_threads() const {
  int128 product = 1;
  for (const Expr* extent : block) {
    if (extent == nullptr) continue;
    const auto* literal = as<IntImm>(extent);
    if (literal == nullptr || literal->value <= 0) return 0;
    product *= literal->value;
    if (product > INT32_MAX) return 0;
  }
  return static_cast<std::int64_t>(product);
}

}  // namespace tirxcc::ir
