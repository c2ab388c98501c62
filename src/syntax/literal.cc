// SPDX-License-Identifier: Apache-2.0
//
// Decoding of number and string literals.
#include "syntax/literal.h"

#include <charconv>
#include <cstdlib>
#include <system_error>

#include "base/utf8.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kTruncatedEscape{"truncated-escape", Severity::Error, ErrorClass::Syntax,
                                      "'\\{}' needs {} hexadecimal digits"};
constexpr Diagnostic kIllegalCodePoint{"illegal-code-point", Severity::Error, ErrorClass::Syntax,
                                       "'\\U{}' is beyond the last Unicode character"};
constexpr Diagnostic kMalformedName{"named-escape", Severity::Error, ErrorClass::Syntax,
                                    "malformed '\\N{{...}}' character escape"};
constexpr Diagnostic kBytesNotAscii{"bytes-not-ascii", Severity::Error, ErrorClass::Syntax,
                                    "bytes can only hold ASCII characters; write '\\x..'"};

std::string without_underscores(std::string_view text) {
  std::string digits;
  digits.reserve(text.size());
  for (const char c : text) {
    if (c != '_') digits.push_back(c);
  }
  return digits;
}

double parse_double(const std::string& digits) {
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // Too large is infinity and too small zero; from_chars does not tell which.
  if (result.ec == std::errc::result_out_of_range) return std::strtod(digits.c_str(), nullptr);
  return value;
}

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

NumberValue decode_number(std::string_view text) {
  NumberValue value;
  const char letter = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '0';
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  if (base == 10 && text.find_first_of(".eEjJ") != std::string_view::npos) {
    const bool is_imaginary = (text.back() | 0x20) == 'j';
    value.kind = is_imaginary ? ConstantKind::Imaginary : ConstantKind::Float;
    value.float_value =
        parse_double(without_underscores(text.substr(0, text.size() - is_imaginary)));
    return value;
  }
  value.is_hex = base == 16;
  std::string_view digits = base == 10 ? text : text.substr(2);
  std::string stripped;
  if (digits.find('_') != std::string_view::npos) {
    stripped = without_underscores(digits);
    digits = stripped;
  }
  const auto result =
      std::from_chars(digits.data(), digits.data() + digits.size(), value.int_value, base);
  value.is_too_wide = result.ec == std::errc::result_out_of_range;
  return value;
}

StringPrefix read_string_prefix(std::string_view text) {
  StringPrefix prefix;
  while (text[prefix.length] != '"' && text[prefix.length] != '\'') {
    switch (text[prefix.length] | 0x20) {
      case 'r': prefix.is_raw = true; break;
      case 'b': prefix.is_bytes = true; break;
      case 'u': prefix.is_unicode = true; break;
      default: break;
    }
    ++prefix.length;
  }
  const char quote = text[prefix.length];
  const std::string_view rest = text.substr(prefix.length);
  if (rest.size() >= 3 && rest[1] == quote && rest[2] == quote) prefix.quotes = 3;
  return prefix;
}

bool StringDecoder::append(std::string& out, std::string_view body, std::uint32_t begin) {
  body_ = body;
  begin_ = begin;
  pos_ = 0;
  while (pos_ < body_.size()) {
    const char c = body_[pos_];
    if (c == '\\' && !prefix_.is_raw) {
      if (!append_escape(out)) return false;
    } else if (c == '\r') {
      append_line_end(out);
    } else if (prefix_.is_bytes && static_cast<unsigned char>(c) >= 0x80) {
      const auto at = begin_ + static_cast<std::uint32_t>(pos_);
      diags_.report({at, at + decode_utf8(body_, pos_).length}, kBytesNotAscii);
      return false;
    } else {
      out.push_back(c);
      ++pos_;
      // `{{` and `}}`.
      if (is_fstring_ && (c == '{' || c == '}') && pos_ < body_.size() && body_[pos_] == c) ++pos_;
    }
  }
  return true;
}

// Python reads "\r\n" and "\r" as "\n".
void StringDecoder::append_line_end(std::string& out) {
  ++pos_;
  if (pos_ < body_.size() && body_[pos_] == '\n') ++pos_;
  out.push_back('\n');
}

// Values up to 255 in bytes are bytes.
void StringDecoder::append_value(std::string& out, char32_t value) const {
  if (prefix_.is_bytes) {
    out.push_back(static_cast<char>(value));
  } else {
    append_utf8(out, value);
  }
}

void StringDecoder::append_octal_escape(std::string& out) {
  char32_t value = 0;
  for (int i = 0; i < 3 && pos_ < body_.size(); ++i, ++pos_) {
    if (body_[pos_] < '0' || body_[pos_] > '7') break;
    value = value * 8 + static_cast<char32_t>(body_[pos_] - '0');
  }
  append_value(out, value);
}

// pos_ is at the letter of \x, \u or \U.
bool StringDecoder::append_hex_escape(std::string& out, std::size_t digits) {
  const char letter = body_[pos_];
  const std::size_t start = pos_ - 1;
  std::size_t end = pos_ + 1;
  while (end < body_.size() && end - pos_ <= digits && is_hex_digit(body_[end]))
    ++end;
  const source::Span span{begin_ + static_cast<std::uint32_t>(start),
                          begin_ + static_cast<std::uint32_t>(end)};
  if (end - pos_ - 1 != digits) {
    diags_.report(span, kTruncatedEscape, letter, digits);
    return false;
  }
  std::uint32_t value = 0;
  std::from_chars(body_.data() + pos_ + 1, body_.data() + end, value, 16);
  if (value > 0x10FFFF) {
    diags_.report(span, kIllegalCodePoint, body_.substr(pos_ + 1, digits));
    return false;
  }
  append_value(out, value);
  pos_ = end;
  return true;
}

// pos_ is at a backslash. Unknown escapes stand for themselves.
bool StringDecoder::append_escape(std::string& out) {
  ++pos_;
  if (pos_ == body_.size()) {
    out.push_back('\\');
    return true;
  }
  const char c = body_[pos_];
  const auto simple = [&](char value) {
    out.push_back(value);
    ++pos_;
    return true;
  };
  switch (c) {
    case '\n': ++pos_; return true;
    case '\r':
      append_line_end(out);
      out.pop_back();
      return true;
    case '\\':
    case '\'':
    case '"': return simple(c);
    case 'a': return simple('\a');
    case 'b': return simple('\b');
    case 'f': return simple('\f');
    case 'n': return simple('\n');
    case 'r': return simple('\r');
    case 't': return simple('\t');
    case 'v': return simple('\v');
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': append_octal_escape(out); return true;
    case 'x': return append_hex_escape(out, 2);
    default: break;
  }
  if (!prefix_.is_bytes && c == 'u') return append_hex_escape(out, 4);
  if (!prefix_.is_bytes && c == 'U') return append_hex_escape(out, 8);
  out.push_back('\\');
  if (prefix_.is_bytes || c != 'N') return true;

  const std::size_t end = body_.find('}', pos_);
  if (end == std::string_view::npos || body_.substr(pos_, 2) != "N{" || end == pos_ + 2) {
    const auto at = begin_ + static_cast<std::uint32_t>(pos_) - 1;
    diags_.report({at, at + 2}, kMalformedName);
    return false;
  }
  out.append(body_, pos_, end + 1 - pos_);
  pos_ = end + 1;
  has_named_escape_ = true;
  return true;
}

}  // namespace tirxcc::syntax
