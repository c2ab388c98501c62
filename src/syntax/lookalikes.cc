// SPDX-License-Identifier: Apache-2.0
//
// See lookalikes.h.
#include "syntax/lookalikes.h"

namespace tirxcc::syntax {
namespace {

struct Lookalike {
  char32_t character;
  std::string_view twin;
};

constexpr Lookalike kLookalikes[] = {
    {0x2010, "-"},  {0x2011, "-"}, {0x2012, "-"}, {0x2013, "-"}, {0x2014, "-"},  {0x2212, "-"},
    {0xFE63, "-"},  {0xFF0D, "-"}, {0x00D7, "*"}, {0x22C5, "*"}, {0x2217, "*"},  {0xFF0A, "*"},
    {0x00F7, "/"},  {0x2044, "/"}, {0x2215, "/"}, {0xFF0F, "/"}, {0x2264, "<="}, {0x2265, ">="},
    {0x2260, "!="}, {0xFF08, "("}, {0xFF09, ")"}, {0xFF3B, "["}, {0xFF3D, "]"},  {0xFF0B, "+"},
    {0xFF0C, ","},  {0xFF0E, "."}, {0xFF1A, ":"}, {0xFF1C, "<"}, {0xFF1D, "="},  {0xFF1E, ">"},
};

}  // namespace

std::string_view ascii_twin(char32_t value) {
  for (const Lookalike& lookalike : kLookalikes) {
    if (lookalike.character == value) return lookalike.twin;
  }
  return {};
}

}  // namespace tirxcc::syntax
