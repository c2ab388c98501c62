// SPDX-License-Identifier: Apache-2.0
//
// Validation of whole texts, eight ASCII bytes at a time.
#include "base/utf8.h"

#include <cstring>

namespace tirxcc {

std::optional<std::size_t> find_ill_formed_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  std::size_t offset = 0;
  while (offset < text.size()) {
    std::uint64_t word = 0;
    if (text.size() - offset >= sizeof word) {
      std::memcpy(&word, text.data() + offset, sizeof word);
      if ((word & kHighBits) == 0) {
        offset += sizeof word;
        continue;
      }
    }
    const CodePoint point = decode_utf8(text, offset);
    if (!point.is_valid) return offset;
    offset += point.length;
  }
  return std::nullopt;
}

}  // namespace tirxcc
