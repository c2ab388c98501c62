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

// Half edits must stay below.
int limit_for(std::size_t letters) {
  return letters <= 2 ? 3 : 1 + 2 * std::max(1, (static_cast<int>(letters) + 1) / 3);
}

// How much of both, up to an underscore, is the same: `atomic_` of atomic_mul and atomic_max.
std::size_t common_words(std::string_view a, std::string_view b) {
  const std::size_t same = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin()).first -
      a.begin());
  const std::size_t underscore = a.substr(0, same).rfind('_');
  return underscore == std::string_view::npos ? 0 : underscore + 1;
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted), limit_(limit_for(wanted.size())) {}

void NearestName::offer(std::string_view candidate) {
  if (candidate.size() > kLongestName || wanted_.size() > kLongestName || candidate.empty()) return;
  const int length_difference =
      std::abs(static_cast<int>(candidate.size()) - static_cast<int>(wanted_.size()));
  if (2 * length_difference >= limit_) return;
  const int edits = half_edits(wanted_, candidate);
  // Names with nothing in common are no help, however short; nor do names of one family have
  // anything in common but its name.
  const std::size_t letters = wanted_.size() - common_words(wanted_, candidate);
  if (edits >= std::min(limit_, limit_for(letters)) || edits >= static_cast<int>(2 * letters))
    return;
  limit_ = edits;
  best_ = candidate;
}

}  // namespace tirxcc::sema
