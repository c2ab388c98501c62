// SPDX-License-Identifier: Apache-2.0
#include "sema/suggest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace tirxcc::sema {
namespace {

constexpr std::size_t kLongestName = 48;

bool equal_but_for_case(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

int substitution_cost(char a, char b) {
  return a == b ? 0 : equal_but_for_case(a, b) ? 1 : 2;
}

// Edits between two names in halves: insertion, deletion, substitution and swap of neighbours cost
// 2, a change of case 1.
int half_edits(std::string_view a, std::string_view b) {
  std::array<std::array<int, kLongestName + 1>, 3> rows;
  for (std::size_t j = 0; j <= b.size(); ++j) {
    rows[0][j] = static_cast<int>(2 * j);
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int cost = std::min(
          {above[j] + 2, row[j - 1] + 2, above[j - 1] + substitution_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost = std::min(cost, rows[(i + 1) % 3][j - 2] + 2);
      }
      row[j] = cost;
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted),
      limit_(wanted.size() <= 2 ? 3
                                : 1 + 2 * std::max(1, (static_cast<int>(wanted.size()) + 1) / 3)) {}

void NearestName::offer(std::string_view candidate) {
  if (candidate.size() > kLongestName || wanted_.size() > kLongestName || candidate.empty()) return;
  const int length_difference =
      std::abs(static_cast<int>(candidate.size()) - static_cast<int>(wanted_.size()));
  if (2 * length_difference >= limit_) return;
  const int edits = half_edits(wanted_, candidate);
  // Names with nothing in common are no help, however short.
  if (edits >= limit_ || edits >= static_cast<int>(2 * wanted_.size())) return;
  limit_ = edits;
  best_ = candidate;
}

}  // namespace tirxcc::sema
