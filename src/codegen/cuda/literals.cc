// SPDX-License-Identifier: Apache-2.0
//
// Printing literals. See literals.h.
#include "codegen/cuda/literals.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "ir/constant.h"

namespace tirxcc::codegen_cuda {

namespace {

std::string_view suffix_of(DType type) {
  if (type == kUInt32) return "u";
  if (type == kInt64) return "ll";
  if (type == kUInt64) return "ull";
  return "";
}

template <typename T>
void append_number(std::string& out, T value, int base = 10) {
  char buffer[72];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, base).ptr);
}

// C has no literal for the smallest value: the minus would apply to a number that does not fit.
bool is_minimum(DType type, std::int64_t value) {
  return (type == kInt32 && value == std::numeric_limits<std::int32_t>::min()) ||
         (type == kInt64 && value == std::numeric_limits<std::int64_t>::min());
}

// The digits of a finite number and where its point stands: d.ddd x 10^exponent.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

template <typename T>
Decimal shortest_digits(T magnitude) {
  char buffer[64];
  char* end =
      std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  std::size_t e = text.find('e');
  Decimal result;
  for (char c : text.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

// Fractions are written as the shortest float32 that rounds to the half, whole numbers as they are.
Decimal shortest_half_digits(DType type, double magnitude) {
  Decimal exact = shortest_digits(static_cast<float>(magnitude));
  if (magnitude == std::floor(magnitude)) return exact;
  for (std::size_t count = 1; count < exact.digits.size(); ++count) {
    char buffer[32];
    char* end = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                              std::chars_format::scientific, static_cast<int>(count) - 1)
                    .ptr;
    float read = 0;
    std::from_chars(buffer, end, read);
    if (ir::round_to(type, read) == magnitude) return shortest_digits(read);
  }
  return exact;
}

// `1000000.0` and `0.0001` as people write them, `1e30` and `1e-5` beyond.
void append_decimal(std::string& out, const Decimal& number) {
  int count = static_cast<int>(number.digits.size());
  int exponent = number.exponent;
  bool is_plain = exponent >= -4 && (exponent <= 8 || (exponent < 16 && count > exponent));
  if (!is_plain) {
    out += number.digits[0];
    if (count > 1) out.append(".").append(number.digits, 1);
    out += 'e';
    append_number(out, exponent);
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(number.digits);
  } else if (count > exponent + 1) {
    auto point = static_cast<std::size_t>(exponent + 1);
    out.append(number.digits, 0, point).append(".").append(number.digits, point);
  } else {
    out.append(number.digits).append(static_cast<std::size_t>(exponent + 1 - count), '0');
    out.append(".0");
  }
}

// Infinities and NaN have no literal; their bits do.
void append_special(std::string& out, DType type, double value) {
  bool is_negative = std::signbit(value);
  bool is_nan = std::isnan(value);
  if (type.is_float64()) {
    out.append("__longlong_as_double(0x").append(is_negative ? "f" : "7");
    out.append(is_nan ? "ff8" : "ff0").append("000000000000").append(is_negative ? "ull)" : "ll)");
  } else if (type.is_float32()) {
    out.append("__int_as_float(0x").append(is_negative ? "f" : "7").append(is_nan ? "fc" : "f8");
    out.append("00000)");
  } else if (type.is_float16()) {
    out.append("__ushort_as_half(0x").append(is_negative ? "f" : "7").append(is_nan ? "e" : "c");
    out.append("00)");
  } else {
    out.append("__ushort_as_bfloat16(0x").append(is_negative ? "f" : "7");
    out.append(is_nan ? "fc" : "f8").append("0)");
  }
}

}  // namespace

void append_int(std::string& out, DType type, std::int64_t value, bool is_hex, bool bare) {
  if (type.is_bool()) {
    out.append(value != 0 ? "true" : "false");
    return;
  }
  if (is_minimum(type, value)) {
    out.append(type == kInt32 ? "(-2147483647 - 1)" : "(-9223372036854775807ll - 1)");
    return;
  }
  if (is_hex && (value >= 0 || type == kUInt64)) {
    out.append("0x");
    append_number(out, static_cast<std::uint64_t>(value), 16);
  } else if (type == kUInt64) {
    append_number(out, static_cast<std::uint64_t>(value));
  } else {
    append_number(out, value);
  }
  bool fits_int = value >= std::numeric_limits<std::int32_t>::min() &&
                  value <= std::numeric_limits<std::int32_t>::max();
  if (!(bare && fits_int)) out.append(suffix_of(type));
}

void append_float(std::string& out, DType type, double value) {
  if (!std::isfinite(value)) {
    append_special(out, type, value);
    return;
  }
  if (type.is_half_like()) out.append(type.is_bfloat16() ? "__float2bfloat16(" : "__float2half(");
  if (std::signbit(value)) out += '-';
  double magnitude = std::fabs(value);
  append_decimal(out, type.is_half_like() ? shortest_half_digits(type, magnitude)
                      : type.is_float64() ? shortest_digits(magnitude)
                                          : shortest_digits(static_cast<float>(magnitude)));
  if (!type.is_float64()) out += 'f';
  if (type.is_half_like()) out += ')';
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '\\' || c == '"') {
      out.append(1, '\\').append(1, c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      // Three octal digits: a following digit cannot become part of the escape.
      out += '\\';
      for (int shift = 6; shift >= 0; shift -= 3)
        out += static_cast<char>('0' + ((static_cast<unsigned char>(c) >> shift) & 7));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace tirxcc::codegen_cuda
