// SPDX-License-Identifier: Apache-2.0
//
// Puts the rows of the other files into one table, and proves while compiling that they are whole:
// names sorted, every operand in its spelling. To add a device function, add one row to
// rows_math.h, rows_cuda.h or rows_barriers.h; nothing else registers it.
#include "intrinsics/intrinsics.h"

#include <algorithm>

#include "intrinsics/rows_barriers.h"
#include "intrinsics/rows_cuda.h"
#include "intrinsics/rows_math.h"

namespace tirxcc::intrinsics {
namespace {

constexpr auto kRows = [] {
  std::array<Intrinsic, kMathRows.size() + kCudaRows.size() + kBarrierRows.size()> rows;
  auto* end = std::copy(kMathRows.begin(), kMathRows.end(), rows.data());
  end = std::copy(kCudaRows.begin(), kCudaRows.end(), end);
  std::copy(kBarrierRows.begin(), kBarrierRows.end(), end);
  std::sort(rows.begin(), rows.end(), [](const Intrinsic& a, const Intrinsic& b) {
    return a.name != b.name ? a.name < b.name : a.only_in < b.only_in;
  });
  return rows;
}();

// Rows are found by binary search; rows of one name are those of dialect A and B, in this order.
constexpr bool is_sorted_and_unique() {
  for (std::size_t i = 1; i < kRows.size(); ++i) {
    const Intrinsic& a = kRows[i - 1];
    const Intrinsic& b = kRows[i];
    if (b.name < a.name) return false;
    if (a.name != b.name) continue;
    if (a.only_in != OnlyIn::DialectA || b.only_in != OnlyIn::DialectB) return false;
  }
  return true;
}
static_assert(is_sorted_and_unique());

// True if exactly the slots {0} .. {arity - 1} occur.
constexpr bool has_slots(std::string_view spelling, int arity) {
  for (int i = 0; i < kMostParams; ++i) {
    const char slot[] = {'{', static_cast<char>('0' + i), '}', '\0'};
    if ((spelling.find(slot) != std::string_view::npos) != (i < arity)) return false;
  }
  return true;
}

constexpr bool is_known(std::string_view name) {
  return std::any_of(kRows.begin(), kRows.end(),
                     [&](const Intrinsic& row) { return row.name == name && row.same_as.empty(); });
}

constexpr bool is_complete(const Intrinsic& row) {
  if (row.name.empty() || row.doc.empty()) return false;
  if (!row.same_as.empty()) return row.cuda.empty() && is_known(row.same_as);
  if (row.is_variadic) return row.special != Special::None;
  if (!has_slots(row.cuda, row.arity())) return false;
  for (std::string_view column :
       {row.cuda_f32, row.cuda_f64, row.cuda_f16, row.cuda_bf16, row.cuda_i64, row.cuda_s64}) {
    if (!column.empty() && !has_slots(column, row.arity())) return false;
  }
  return true;
}
static_assert(std::all_of(kRows.begin(), kRows.end(), is_complete));

}  // namespace

std::span<const Intrinsic> table() {
  return kRows;
}

const Intrinsic* find(std::string_view name, char dialect) {
  const auto by_name = [](const Intrinsic& row, std::string_view wanted) {
    return row.name < wanted;
  };
  const Intrinsic* row = std::lower_bound(kRows.begin(), kRows.end(), name, by_name);
  for (; row != kRows.end() && row->name == name; ++row) {
    const bool is_other = (row->only_in == OnlyIn::DialectA && dialect != 'A') ||
                          (row->only_in == OnlyIn::DialectB && dialect != 'B');
    if (!is_other) return row;
  }
  return nullptr;
}

}  // namespace tirxcc::intrinsics
