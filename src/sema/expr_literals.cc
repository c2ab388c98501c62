// SPDX-License-Identifier: Apache-2.0
//
// Literals and texts: numbers, strings, f-strings, and how Python writes a value.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kIntBeyond128{"int-beyond-128-bits", Severity::Error, ErrorClass::Value,
                                   "integer literal does not fit in 128 bits"};
constexpr Diagnostic kInfiniteLiteral{"infinite-literal", Severity::Warning, ErrorClass::Value,
                                      "{} is too large for any float: it becomes inf"};
constexpr Diagnostic kUnsupportedLiteral{"unsupported-literal", Severity::Error, ErrorClass::Syntax,
                                         "{} are not part of the language"};
constexpr Diagnostic kNamedCharacter{"named-character", Severity::Error, ErrorClass::Value,
                                     "'\\N{{...}}' needs Python's table of names; write the "
                                     "character itself, or '\\u' and its number"};
constexpr Diagnostic kHalfOfAPair{
    "half-of-a-pair", Severity::Error, ErrorClass::Value,
    "this string holds one half of a surrogate pair, which is no character; write '\\U' and eight "
    "digits for characters beyond '\\uffff'"};
constexpr Diagnostic kNoText{"no-text", Severity::Error, ErrorClass::Type,
                             "{} has no text while the kernel is compiled"};
constexpr Diagnostic kFormatSpec{"format-spec", Severity::Error, ErrorClass::Value,
                                 "the format '{}' does not suit {}"};

// An integer literal of 2^64 and more.
std::optional<int128> parse_wide_int(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) text.remove_prefix(2);
  }
  int128 value = 0;
  for (const char c : text) {
    if (c == '_') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (__builtin_mul_overflow(value, static_cast<int128>(base), &value) ||
        __builtin_add_overflow(value, static_cast<int128>(digit), &value)) {
      return std::nullopt;
    }
  }
  return value;
}

std::string int_text(int128 value) {
  return fmt::format("{}", value);
}

// Shortest digits that read back, laid out as Python's repr does.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  const double magnitude = std::fabs(value);
  const bool is_fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  const auto format = is_fixed ? std::chars_format::fixed : std::chars_format::scientific;
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, format);
  std::string text(buffer, result.ptr);
  if (is_fixed && text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string quoted(std::string_view text) {
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"'
                                                                                            : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + quote;
}

std::optional<std::string> items_text(const Value& value) {
  const bool is_dict = value.kind == ValueKind::Dict;
  std::string result;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::optional<std::string> item = python_text(value.items[i], true);
    if (!item) return std::nullopt;
    if (i > 0) result += is_dict && i % 2 == 1 ? ": " : ", ";
    result += *item;
  }
  if (is_dict) return "{" + result + "}";
  if (value.kind == ValueKind::List) return "[" + result + "]";
  return value.items.size() == 1 ? "(" + result + ",)" : "(" + result + ")";
}

// `[[fill]align][sign][#][0][width][,][.precision][type]`
struct FormatSpec {
  std::string fill = " ";
  char align = 0;
  char sign = 0;
  bool is_alternate = false;
  bool pads_zero = false;
  std::size_t width = 0;
  bool has_comma = false;
  int precision = -1;
  char type = 0;
};

std::size_t parse_number(std::string_view& text) {
  std::size_t value = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9' && value < 10000) {
    value = value * 10 + static_cast<std::size_t>(text[0] - '0');
    text.remove_prefix(1);
  }
  return value;
}

bool is_align(char c) {
  return c == '<' || c == '>' || c == '^' || c == '=';
}

std::optional<FormatSpec> parse_format(std::string_view text) {
  FormatSpec spec;
  const auto take = [&](std::string_view any) {
    if (text.empty() || any.find(text[0]) == std::string_view::npos) return '\0';
    const char c = text[0];
    text.remove_prefix(1);
    return c;
  };
  const std::size_t first = text.empty() ? 0 : decode_utf8(text, 0).length;
  if (text.size() > first && first > 0 && is_align(text[first])) {
    spec.fill = text.substr(0, first);
    text.remove_prefix(first);
  }
  spec.align = take("<>^=");
  spec.sign = take("+- ");
  spec.is_alternate = take("#") != 0;
  spec.pads_zero = take("0") != 0;
  spec.width = parse_number(text);
  spec.has_comma = take(",_") != 0;
  if (take(".") != 0) spec.precision = static_cast<int>(parse_number(text));
  spec.type = take("bcdeEfFgGnosxX%");
  if (!text.empty() || spec.has_comma || spec.width > 4096) return std::nullopt;
  return spec;
}

std::string digits_in_base(uint128 value, unsigned base, bool is_upper) {
  std::string digits;
  do {
    const char* letters = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
    digits.insert(digits.begin(), letters[value % base]);
    value /= base;
  } while (value != 0);
  return digits;
}

// Sign and digits of a number; nullopt if the type letter does not suit it.
std::optional<std::string> format_number(const Value& value, const FormatSpec& spec) {
  const bool is_int = value.kind != ValueKind::Float;
  const bool wants_int = spec.type == 'b' || spec.type == 'o' || spec.type == 'x' ||
                         spec.type == 'X' || spec.type == 'd';
  if (is_int && (spec.type == 0 || wants_int)) {
    const int128 number = value.kind == ValueKind::Bool ? value.bool_value : value.int_value;
    const uint128 magnitude = number < 0 ? -static_cast<uint128>(number) : number;
    const unsigned base = spec.type == 'b'                         ? 2
                          : spec.type == 'o'                       ? 8
                          : (spec.type == 'x' || spec.type == 'X') ? 16
                                                                   : 10;
    std::string digits = digits_in_base(magnitude, base, spec.type == 'X');
    if (spec.is_alternate && base != 10) digits = std::string("0") + spec.type + digits;
    return number < 0 ? "-" + digits : digits;
  }
  if (wants_int || spec.type == 'c' || spec.type == 's' || spec.type == 'n') return std::nullopt;
  const double number = as_double(value);
  if (spec.type == 0 && spec.precision < 0) return float_text(number);
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  if (precision > 300) return std::nullopt;
  const char* format = spec.type == 'e'                                           ? "{:.{}e}"
                       : spec.type == 'E'                                         ? "{:.{}E}"
                       : spec.type == 'f' || spec.type == 'F' || spec.type == '%' ? "{:.{}f}"
                                                                                  : "{:.{}g}";
  if (spec.type == '%') return fmt::format(fmt::runtime(format), number * 100, precision) + "%";
  return fmt::format(fmt::runtime(format), number, precision);
}

std::string pad(std::string text, const FormatSpec& spec, bool is_number) {
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) {
    ++length;
  }
  if (length >= spec.width) return text;
  const std::size_t missing = spec.width - length;
  const bool zeros = spec.pads_zero && spec.align == 0;
  const char align = zeros ? '=' : spec.align != 0 ? spec.align : is_number ? '>' : '<';
  const std::string& fill = zeros ? "0" : spec.fill;
  const std::size_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string left;
  std::string right;
  for (std::size_t i = 0; i < missing; ++i) {
    (i < before ? left : right) += fill;
  }
  if (align == '=' && is_number && (text[0] == '-' || text[0] == '+')) {
    return text.substr(0, 1) + left + text.substr(1);
  }
  return left + text + right;
}

std::optional<std::string> format_value(const Value& value, std::string_view spec_text) {
  const std::optional<FormatSpec> spec = parse_format(spec_text);
  if (!spec) return std::nullopt;
  const bool is_number =
      value.is_meta_number() && !(value.kind == ValueKind::Bool && spec->type == 0);
  std::optional<std::string> text;
  if (is_number) {
    text = format_number(value, *spec);
    const bool shows_plus = spec->sign == '+' || spec->sign == ' ';
    if (text && shows_plus && !text->starts_with('-')) text->insert(0, 1, spec->sign);
  } else if (spec->type == 0 || spec->type == 's') {
    text = python_text(value, false);
    if (text && spec->precision >= 0)
      text->resize(std::min<std::size_t>(text->size(), spec->precision));
  }
  if (!text) return std::nullopt;
  return pad(std::move(*text), *spec, is_number);
}

// The conversion of T.cuda.printf for a type.
std::string_view printf_conversion(DType type) {
  if (type.is_float()) return "%f";
  if (type.is_unsigned_int()) return type.bits == 64 ? "%llu" : "%u";
  return type.bits == 64 ? "%lld" : "%d";
}

// One `{value!r:spec}`; false after an error.
bool append_formatted(Context& context, const syntax::FormattedValue& part, std::string& out) {
  Value value = eval_expr(context, *part.value);
  if (value.is_error()) return false;
  if (const std::optional<Value> number = known_number(value)) value = *number;
  Value spec = Value::of_string("");
  if (part.format_spec != nullptr) spec = eval_expr(context, *part.format_spec);
  if (spec.is_error()) return false;
  std::optional<std::string> text = python_text(value, part.conversion == 'r');
  if (!text) {
    auto report = context.diags.report(part.value->span, kNoText, describe(value));
    if (value.is_expr() && value.expr->dtype.is_scalar() && value.expr->dtype.is_numeric()) {
      report.note("what a kernel computes is printed by 'T.cuda.printf(\"{}\\n\", {})'",
                  printf_conversion(value.expr->dtype),
                  context.diags.sources().text_of(part.value->span));
    }
    return false;
  }
  if (part.conversion != 0) value = string_value(context, *text);
  if (!spec.text.empty()) text = format_value(value, spec.text);
  if (!text) {
    context.diags.report(part.format_spec->span, kFormatSpec, spec.text, describe(value));
    return false;
  }
  out += *text;
  return true;
}

// Text that is whole: no `\N{name}`, which only Python can look up, and no half of a surrogate
// pair.
Value eval_string(Context& context, const syntax::Constant& constant) {
  const std::string_view text = constant.text;
  if (constant.has_named_escape) {
    context.diags.report(constant.span, kNamedCharacter);
    return Value::error();
  }
  // In UTF-8 a surrogate begins with ED and a byte of A0 and more.
  for (std::size_t at = text.find('\xed'); at != std::string_view::npos;
       at = text.find('\xed', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xa0) {
      context.diags.report(constant.span, kHalfOfAPair);
      return Value::error();
    }
  }
  return Value::of_string(text);
}

}  // namespace

bool is_written_literal(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z' && c != 'x') || (c >= 'A' && c <= 'Z');
  });
}

Value eval_constant(Context& context, const syntax::Constant& constant) {
  using syntax::ConstantKind;
  switch (constant.constant_kind) {
    case ConstantKind::None: return Value::none();
    case ConstantKind::True: return Value::of_bool(true);
    case ConstantKind::False: return Value::of_bool(false);
    case ConstantKind::Float:
      if (std::isinf(constant.float_value)) {
        const source::Span span = constant.span;
        context.diags.report(span, kInfiniteLiteral, context.diags.sources().text_of(span))
            .note("write float(\"inf\") to say that this is meant");
      }
      return Value::of_float(constant.float_value);
    case ConstantKind::String: return eval_string(context, constant);
    case ConstantKind::Ellipsis: {
      Value value;
      value.kind = ValueKind::Ellipsis;
      return value;
    }
    case ConstantKind::Int:
      if (!constant.is_too_wide) {
        return Value::of_int(static_cast<int128>(constant.int_value), constant.is_hex);
      }
      if (const std::optional<int128> wide = parse_wide_int(constant.text)) {
        return Value::of_int(*wide, constant.is_hex);
      }
      context.diags.report(constant.span, kIntBeyond128);
      return Value::error();
    case ConstantKind::Imaginary:
      context.diags.report(constant.span, kUnsupportedLiteral, "complex numbers");
      return Value::error();
    case ConstantKind::Bytes:
      context.diags.report(constant.span, kUnsupportedLiteral, "bytes");
      return Value::error();
  }
  __builtin_unreachable();
}

Value eval_joined_str(Context& context, const syntax::JoinedStr& text) {
  std::string result;
  bool failed = false;
  for (const syntax::Expr* part : text.values) {
    if (const auto* literal = syntax::as<syntax::Constant>(part)) {
      result += literal->text;
    } else if (const auto* formatted = syntax::as<syntax::FormattedValue>(part)) {
      failed |= !append_formatted(context, *formatted, result);
    }
  }
  return failed ? Value::error() : string_value(context, result);
}

std::optional<std::string> python_text(const Value& value, bool is_repr) {
  switch (value.kind) {
    case ValueKind::None: return "None";
    case ValueKind::Ellipsis: return "Ellipsis";
    case ValueKind::Bool: return value.bool_value ? "True" : "False";
    case ValueKind::Int: return int_text(value.int_value);
    case ValueKind::Float: return float_text(value.float_value);
    case ValueKind::String: return is_repr ? quoted(value.text) : std::string(value.text);
    case ValueKind::Type: return to_string(value.dtype);
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict: return items_text(value);
    case ValueKind::Range: {
      std::string text = fmt::format("range({}, {}", value.range.begin, value.range.end);
      if (value.range_step != 1) text += fmt::format(", {}", value.range_step);
      return text + ")";
    }
    case ValueKind::Host: return std::string(value.text);
    case ValueKind::Expr: {
      const std::optional<Value> number = known_number(value);
      return number ? python_text(*number, is_repr) : std::nullopt;
    }
    case ValueKind::Error:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Symbol:
    case ValueKind::Builtin:
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Object: return std::nullopt;
  }
  __builtin_unreachable();
}

}  // namespace tirxcc::sema
