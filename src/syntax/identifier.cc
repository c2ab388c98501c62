// SPDX-License-Identifier: Apache-2.0
//
// XID_Start and XID_Continue by Unicode category (PEP 3131), and NFKC by utf8proc.
#include "syntax/identifier.h"

#include <utf8proc.h>

#include <cstdint>
#include <cstdlib>

namespace tirxcc::syntax {
namespace {

// Other_ID_Start of PropList.txt.
bool is_other_start(char32_t value) {
  return value == 0x1885 || value == 0x1886 || value == 0x2118 || value == 0x212E ||
         value == 0x309B || value == 0x309C;
}

// Other_ID_Continue of PropList.txt.
bool is_other_continue(char32_t value) {
  return value == 0xB7 || value == 0x387 || (value >= 0x1369 && value <= 0x1371) || value == 0x19DA;
}

// Characters that XID_Start leaves out of ID_Start, because their NFKC form is no identifier:
// U+037A and the Arabic presentation forms that decompose to a space and a mark.
bool is_lost_by_normalization(char32_t value) {
  return value == 0x37A || (value >= 0xFC5E && value <= 0xFC63) || value == 0xFDFA ||
         value == 0xFDFB || (value >= 0xFE70 && value <= 0xFE7E && value % 2 == 0) ||
         value == 0x309B || value == 0x309C;
}

bool is_in_category(char32_t value, std::uint32_t categories) {
  return (1u << utf8proc_category(static_cast<utf8proc_int32_t>(value)) & categories) != 0;
}

}  // namespace

bool is_identifier_start(char32_t value) {
  constexpr std::uint32_t kLetters = 1u << UTF8PROC_CATEGORY_LU | 1u << UTF8PROC_CATEGORY_LL |
                                     1u << UTF8PROC_CATEGORY_LT | 1u << UTF8PROC_CATEGORY_LM |
                                     1u << UTF8PROC_CATEGORY_LO | 1u << UTF8PROC_CATEGORY_NL;
  const bool may_start = value == '_' || is_other_start(value) || is_in_category(value, kLetters);
  return may_start && !is_lost_by_normalization(value);
}

bool is_identifier_continue(char32_t value) {
  constexpr std::uint32_t kMarksAndDigits = 1u << UTF8PROC_CATEGORY_MN |
                                            1u << UTF8PROC_CATEGORY_MC |
                                            1u << UTF8PROC_CATEGORY_ND | 1u << UTF8PROC_CATEGORY_PC;
  return is_identifier_start(value) || is_other_continue(value) ||
         is_in_category(value, kMarksAndDigits);
}

std::optional<std::string> normalize_identifier(std::string_view text) {
  utf8proc_uint8_t* normalized = nullptr;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &normalized, options);
  if (length < 0) return std::nullopt;
  std::string result(reinterpret_cast<const char*>(normalized), static_cast<std::size_t>(length));
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): utf8proc allocates with malloc.
  std::free(normalized);
  return result;
}

}  // namespace tirxcc::syntax
