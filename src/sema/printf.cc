// SPDX-License-Identifier: Apache-2.0
//
// T.cuda.printf: the format is a literal, so each value is checked against the conversion that
// prints it and brought to the type which that conversion reads.
#include <array>

#include "intrinsics/intrinsics.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kFormat{"printf-format", Severity::Error, ErrorClass::Value,
                             "'{}' is no conversion that a kernel's printf knows"};
constexpr Diagnostic kCount{"printf-count", Severity::Error, ErrorClass::Type,
                            "the format prints {} value{}, {} given"};
constexpr Diagnostic kKind{"printf-value", Severity::Error, ErrorClass::Type,
                           "'{}' prints {}, not {}"};
constexpr Diagnostic kNotText{"printf-text", Severity::Error, ErrorClass::Type,
                              "the format of T.cuda.printf is a string literal, not {}"};
// PTX's vprintf reads no more (CUDA C++ Programming Guide, "Formatted Output").
constexpr Diagnostic kTooMany{"printf-too-many", Severity::Error, ErrorClass::Value,
                              "T.cuda.printf prints at most {} values, {} given"};
constexpr std::size_t kMostValues = 32;

enum class Kind : std::uint8_t { Int, UInt, Float, Text, Pointer };

// One value that the format asks for.
struct Placeholder {
  std::string_view text;  // "%-8.3f"
  Kind kind = Kind::Int;
  bool is_wide = false;  // 64 bits
};

bool is_one_of(char c, std::string_view set) {
  return c != '\0' && set.find(c) != std::string_view::npos;
}

// Reads the format from the `%` at `at`; leaves `at` behind the conversion. False: it is none.
bool read_conversion(std::string_view format, std::size_t& at, std::vector<Placeholder>& wanted) {
  const std::size_t start = at++;
  const auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  const auto whole = [&] { return format.substr(start, at - start); };
  while (is_one_of(peek(), "-+ #0"))
    ++at;
  while (is_one_of(peek(), "0123456789.*")) {
    if (peek() == '*') wanted.push_back({"*", Kind::Int, false});
    ++at;
  }
  int longs = 0;
  while (is_one_of(peek(), "hlzt"))
    longs += format[at++] != 'h' ? 1 : 0;
  const char letter = peek();
  if (letter == '\0') return false;
  ++at;
  if (letter == '%') return at - start == 2;
  Placeholder one{.text = whole(), .is_wide = longs > 0};
  if (is_one_of(letter, "dic")) {
    one.kind = Kind::Int;
  } else if (is_one_of(letter, "ouxX")) {
    one.kind = Kind::UInt;
  } else if (is_one_of(letter, "fFeEgGaA")) {
    one.kind = Kind::Float;
  } else if (letter == 's' || letter == 'p') {
    one.kind = letter == 's' ? Kind::Text : Kind::Pointer;
  } else {
    return false;
  }
  wanted.push_back(one);
  return true;
}

std::string_view name_of(const Placeholder& one) {
  switch (one.kind) {
    case Kind::Int:
    case Kind::UInt: return one.is_wide ? "an integer" : "an integer of up to 32 bits";
    case Kind::Float: return "a float";
    case Kind::Text: return "a string literal";
    case Kind::Pointer: return "a pointer";
  }
  __builtin_unreachable();
}

const ir::Expr* text_literal(Context& context, std::string_view text, Span span) {
  const ir::Expr head{ir::ExprKind::StringImm, kHandle, span};
  return context.arena.make<ir::StringImm>(head, text);
}

// The value as the conversion reads it; null if it is of another kind.
const ir::Expr* as_printed(Context& context, const Placeholder& one,
                           const EvaluatedArgument& argument) {
  const Value& value = argument.value;
  const auto as = [&](DType type) {
    return convert(context, value, type, argument.span, Conversion::Explicit);
  };
  if (one.kind == Kind::Text) {
    const bool is_text = value.kind == ValueKind::String;
    return is_text ? text_literal(context, value.text, argument.span) : nullptr;
  }
  const bool is_number = value.is_meta_number() || value.kind == ValueKind::Symbol;
  if (!value.is_expr() && !is_number) return nullptr;
  if (value.kind == ValueKind::Float) return one.kind == Kind::Float ? as(kFloat32) : nullptr;
  const ir::Expr* expr = to_expr(context, value, argument.span);
  if (expr == nullptr) return nullptr;
  const DType type = expr->dtype;
  if (one.kind == Kind::Pointer) return type == kHandle ? expr : nullptr;
  if (one.kind == Kind::Float) {
    if (!type.is_float()) return nullptr;
    return type.is_half_like() ? as(kFloat32) : expr;
  }
  if (!type.is_int_or_bool() || (type.bits == 64 && !one.is_wide)) return nullptr;
  if (one.kind == Kind::Int) return as(one.is_wide ? kInt64 : kInt32);
  return as(one.is_wide ? kUInt64 : kUInt32);
}

// A float for `%d`, an integer for `%f`: the other conversion, or a cast.
std::string cure_for(const Placeholder& one, const Value& value) {
  DType type = kError;
  if (value.is_expr()) type = value.expr->dtype;
  if (value.kind == ValueKind::Float) type = kFloat32;
  if (value.kind == ValueKind::Int || value.kind == ValueKind::Symbol) type = kInt32;
  const bool is_int = one.kind == Kind::Int || one.kind == Kind::UInt;
  if (is_int && type.is_float()) return "'%f' prints a float; T.int32(...) makes it an integer";
  if (is_int && type.is_int()) return fmt::format("'%ll{}' prints 64 bits", one.text.back());
  if (one.kind == Kind::Float && type.is_int_or_bool()) {
    return fmt::format("'%{}' prints {}; T.float32(...) makes it a float",
                       type.bits == 64 ? "lld" : "d",
                       type.bits == 64 ? "an integer of 64 bits" : "an integer");
  }
  return {};
}

std::optional<std::vector<Placeholder>> read_format(Context& context,
                                                    const EvaluatedArgument& argument) {
  if (argument.value.kind != ValueKind::String) {
    context.diags.report(argument.span, kNotText, describe(argument.value));
    return std::nullopt;
  }
  const std::string_view format = argument.value.text;
  std::vector<Placeholder> wanted;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      ++at;
      continue;
    }
    const std::size_t start = at;
    if (!read_conversion(format, at, wanted)) {
      context.diags.report(argument.span, kFormat, format.substr(start, at - start));
      return std::nullopt;
    }
  }
  return wanted;
}

}  // namespace

Value call_printf(Context& context, const intrinsics::Intrinsic& row,
                  std::span<const EvaluatedArgument> arguments, Span span) {
  const auto wanted = read_format(context, arguments[0]);
  if (!wanted) return Value::error();
  const std::span<const EvaluatedArgument> values = arguments.subspan(1);
  if (values.size() != wanted->size()) {
    context.diags.report(span, kCount, wanted->size(), wanted->size() == 1 ? "" : "s",
                         values.size());
    return Value::error();
  }
  if (values.size() > kMostValues) {
    context.diags.report(span, kTooMany, kMostValues, values.size());
    return Value::error();
  }
  std::vector<const ir::Expr*> operands;
  operands.push_back(text_literal(context, arguments[0].value.text, arguments[0].span));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Placeholder& one = (*wanted)[i];
    const ir::Expr* operand = as_printed(context, one, values[i]);
    if (operand == nullptr) {
      if (!values[i].value.is_error()) {
        auto report = context.diags.report(values[i].span, kKind, one.text, name_of(one),
                                           describe(values[i].value));
        const std::string cure = cure_for(one, values[i].value);
        if (!cure.empty()) report.note("{}", cure);
      }
      return Value::error();
    }
    operands.push_back(operand);
  }
  return Value::of_expr(context.build.make_call(&row, kVoid, context.arena.copy(operands), span));
}

}  // namespace tirxcc::sema
