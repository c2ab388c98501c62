// SPDX-License-Identifier: Apache-2.0
//
// UTF-8: decoding one code point, encoding one, and finding the first byte that is not UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tirxcc {

struct CodePoint {
  char32_t value = 0;
  std::uint32_t length = 1;  // bytes
  bool is_valid = true;
};

// The code point at text[offset], which must exist. An ill-formed byte (also of an over-long form,
// a surrogate, or a value beyond U+10FFFF) gives U+FFFD with length 1.
inline CodePoint decode_utf8(std::string_view text, std::size_t offset) {
  constexpr CodePoint kIllFormed{.value = 0xFFFD, .length = 1, .is_valid = false};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {.value = lead};
  const std::uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - offset < length) return kIllFormed;
  char32_t value = lead & (0x7Fu >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return kIllFormed;
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  const bool is_overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (is_overlong || is_surrogate || value > 0x10FFFF) return kIllFormed;
  return {.value = value, .length = length};
}

// Appends the UTF-8 form of `value`; surrogates are encoded like other values below U+10000.
inline void append_utf8(std::string& out, char32_t value) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | (value >> 6));
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | (value >> 12));
    put(0x80 | ((value >> 6) & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | (value >> 18));
    put(0x80 | ((value >> 12) & 0x3F));
    put(0x80 | ((value >> 6) & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

// Offset of the first byte that is not part of well-formed UTF-8.
std::optional<std::size_t> find_ill_formed_utf8(std::string_view text);

}  // namespace tirxcc
