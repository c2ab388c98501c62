// SPDX-License-Identifier: Apache-2.0
//
// Python's built-in functions. On values that are known while compiling they do what Python does;
// `min max abs round pow int float bool` on kernel values are the forms of the language (rule 12).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;
using Arguments = std::vector<EvaluatedArgument>;

constexpr Diagnostic kPythonArgument{"python-argument", Severity::Error, ErrorClass::Type,
                                     "{} does not take {}"};
constexpr Diagnostic kPythonEmpty{"python-empty", Severity::Error, ErrorClass::Value,
                                  "{} of an empty sequence"};
constexpr Diagnostic kZeroStep{"zero-range-step", Severity::Error, ErrorClass::Value,
                               "the step of range cannot be 0"};
constexpr Diagnostic kRangeOfKernelValue{"range-of-kernel-value", Severity::Error, ErrorClass::Type,
                                         "this range is known only when the kernel runs; it can "
                                         "stand after 'in' of a 'for' loop"};

struct Call {
  Context& context;
  std::string_view name;
  const syntax::Call& node;
  Arguments args;

  const Value& operator[](std::size_t i) const { return args[i].value; }
  std::size_t size() const { return args.size(); }
  BinarySpans spans(std::size_t a, std::size_t b) const {
    return {args[a].span, args[b].span, node.func->span, node.span};
  }

  Value refuse(std::size_t i) const {
    context.diags.report(args[i].span, kPythonArgument, name, describe(args[i].value));
    return Value::error();
  }

  // False after a report.
  bool has_count(std::size_t least, std::size_t most) const {
    if (size() >= least && size() <= most) return true;
    const std::string wanted = least == most ? std::to_string(least)
                               : most == SIZE_MAX
                                   ? "at least " + std::to_string(least)
                                   : std::to_string(least) + " to " + std::to_string(most);
    report_argument_count(context, node.span, name, wanted, size());
    return false;
  }

  std::optional<Values> items(std::size_t i) const {
    return sequence_items(context, args[i].value, args[i].span);
  }
  Value list(const std::vector<Value>& values) const {
    return Value::sequence(ValueKind::List, make_values(context, values));
  }
  Value tuple(const std::vector<Value>& values) const {
    return Value::sequence(ValueKind::Tuple, make_values(context, values));
  }
  // Applies a function value to one argument that is there already.
  Value apply(const Value& function, const EvaluatedArgument& argument) const;
};

bool is_kernel_value(const Value& value) {
  return value.kind == ValueKind::Expr || value.kind == ValueKind::Symbol;
}

// `map(f, ...)` and `sorted(key=f)`: only lambdas of one parameter are called from here.
Value Call::apply(const Value& function, const EvaluatedArgument& argument) const {
  const bool is_lambda = function.kind == ValueKind::Function && function.function->lambda &&
                         function.function->lambda->params.size() == 1;
  if (function.kind == ValueKind::Type && function.dtype.is_numeric()) {
    const ir::Expr* expr =
        convert(context, argument.value, function.dtype, argument.span, Conversion::Explicit);
    return expr == nullptr ? Value::error() : Value::of_expr(expr);
  }
  if (!is_lambda) {
    context.diags.report(args[0].span, kPythonArgument, name, describe(function));
    return Value::error();
  }
  return apply_lambda(context, *function.function, {&argument.value, 1});
}

Value call_len(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  if (call[0].kind == ValueKind::Tensor) {
    const ir::Expr* extent = call[0].tensor->shape.empty() ? nullptr : call[0].tensor->shape[0];
    if (extent == nullptr) return call.refuse(0);
    const std::optional<Value> known = known_number(Value::of_expr(extent));
    return known.value_or(Value::of_expr(extent));
  }
  return is_sequence(call[0]) ? Value::of_int(sequence_size(call[0])) : call.refuse(0);
}

Value call_range(const Call& call) {
  if (!call.has_count(1, 3)) return Value::error();
  std::int64_t bounds[3] = {0, 0, 1};
  for (std::size_t i = 0; i < call.size(); ++i) {
    const std::optional<int128> known = known_int(call[i]);
    if (!known && is_kernel_value(call[i])) {
      call.context.diags.report(call.node.span, kRangeOfKernelValue);
      return Value::error();
    }
    if (!known || !kInt64.can_hold(*known)) return call.refuse(i);
    bounds[call.size() == 1 ? 1 : i] = static_cast<std::int64_t>(*known);
  }
  if (bounds[2] == 0) {
    call.context.diags.report(call.args[2].span, kZeroStep);
    return Value::error();
  }
  Value value;
  value.kind = ValueKind::Range;
  value.range.begin = bounds[0];
  value.range.end = bounds[1];
  value.range_step = bounds[2];
  return value;
}

// min(a, b, ...) or min(sequence).
Value call_extreme(const Call& call, bool is_max) {
  if (!call.has_count(1, SIZE_MAX)) return Value::error();
  Arguments values = call.args;
  if (call.size() == 1) {
    const std::optional<Values> items = call.items(0);
    if (!items) return Value::error();
    values.clear();
    for (const Value& item : *items) {
      values.push_back({item, call.args[0].span});
    }
    if (values.empty()) {
      call.context.diags.report(call.args[0].span, kPythonEmpty, call.name);
      return Value::error();
    }
  }
  EvaluatedArgument best = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    const bool is_text = best.value.kind == ValueKind::String || is_sequence(best.value);
    if (is_text) {
      const auto op = is_max ? syntax::CompareOperator::Gt : syntax::CompareOperator::Lt;
      const std::optional<bool> better = python_compare(op, values[i].value, best.value);
      if (!better) return call.refuse(std::min(i, call.size() - 1));
      if (*better) best = values[i];
      continue;
    }
    best.value = max_or_min(call.context, is_max, best, values[i], call.node.span);
    if (best.value.is_error()) return Value::error();
  }
  return best.value;
}

Value call_sum(const Call& call) {
  if (!call.has_count(1, 2)) return Value::error();
  const std::optional<Values> items = call.items(0);
  if (!items) return Value::error();
  // Python starts from 0, which adds nothing.
  Value total = call.size() == 2 ? call[1] : Value::of_int(0);
  bool is_first = call.size() == 1;
  const Span span = call.args[0].span;
  for (const Value& item : *items) {
    // Bools are counted: 0 makes numbers of them.
    const bool is_bool = item.is_expr() && item.expr->dtype.is_bool();
    const bool starts = is_first && is_kernel_value(item) && !is_bool;
    total = starts ? item
                   : binary(call.context, syntax::BinaryOperator::Add, total, item,
                            {span, span, call.node.func->span, call.node.span});
    is_first = false;
  }
  return total;
}

Value call_abs(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  return apply_intrinsic(call.context, "abs", call.args, call.node.func->span, call.node.span);
}

// Halves to even, as T.round; a Python float becomes an int, as in Python.
Value call_round(const Call& call) {
  if (!call.has_count(1, 2)) return Value::error();
  if (is_kernel_value(call[0])) {
    if (!call.has_count(1, 1)) return Value::error();
    if (call[0].is_expr() && !call[0].expr->dtype.is_float()) return call[0];
    return apply_intrinsic(call.context, "round", call.args, call.node.func->span, call.node.span);
  }
  if (!call[0].is_meta_number()) return call.refuse(0);
  if (call.size() == 2) {
    const std::optional<int128> digits = known_int(call[1]);
    if (!digits || *digits < 0 || *digits > 17) return call.refuse(1);
    if (call[0].kind != ValueKind::Float) return call[0];
    const std::string text = fmt::format("{:.{}f}", call[0].float_value, static_cast<int>(*digits));
    return Value::of_float(std::strtod(text.c_str(), nullptr));
  }
  if (call[0].kind != ValueKind::Float) return Value::of_int(*known_int(call[0]));
  const double rounded = std::nearbyint(call[0].float_value);
  if (!(std::fabs(rounded) < 0x1p126)) return call.refuse(0);
  return Value::of_int(static_cast<int128>(rounded));
}

Value call_pow(const Call& call) {
  if (!call.has_count(2, 2)) return Value::error();
  return binary(call.context, syntax::BinaryOperator::Pow, call[0], call[1], call.spans(0, 1));
}

Value call_divmod(const Call& call) {
  if (!call.has_count(2, 2)) return Value::error();
  const BinarySpans spans = call.spans(0, 1);
  const Value quotient =
      binary(call.context, syntax::BinaryOperator::FloorDiv, call[0], call[1], spans);
  const Value remainder =
      binary(call.context, syntax::BinaryOperator::Mod, call[0], call[1], spans);
  if (quotient.is_error() || remainder.is_error()) return Value::error();
  return call.tuple({quotient, remainder});
}

// int(x), float(x), bool(x): Python's on Python values, casts to int32, float32, bool on others.
Value call_number_type(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  const Value& value = call[0];
  if (call.name == "bool") {
    if (const std::optional<bool> truth = known_truth(value); truth && !value.is_expr()) {
      return Value::of_bool(*truth);
    }
    const ir::Expr* test = condition(call.context, value, call.args[0].span);
    return test == nullptr ? Value::error() : Value::of_expr(test);
  }
  const bool is_int = call.name == "int";
  if (is_kernel_value(value)) {
    // An int stays as wide as it is, and so does a float.
    const ir::Expr* expr = to_expr(call.context, value, call.args[0].span);
    const DType type = expr->dtype;
    if (is_int ? type.is_int() : type.is_float()) return value;
    const ir::Expr* result = convert(call.context, value, is_int ? kInt32 : kFloat32,
                                     call.args[0].span, Conversion::Explicit);
    return result == nullptr ? Value::error() : Value::of_expr(result);
  }
  if (value.kind == ValueKind::String) {
    const DType type = is_int ? kInt64 : kFloat64;
    const ir::Expr* parsed =
        convert(call.context, value, type, call.args[0].span, Conversion::Explicit);
    return parsed == nullptr ? Value::error() : *known_number(Value::of_expr(parsed));
  }
  if (!value.is_meta_number()) return call.refuse(0);
  if (!is_int) return Value::of_float(as_double(value));
  if (value.kind != ValueKind::Float) return Value::of_int(*known_int(value), value.is_hex);
  if (!(std::fabs(value.float_value) < 0x1p126)) return call.refuse(0);
  return Value::of_int(static_cast<int128>(value.float_value));
}

Value call_sorted(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  const std::optional<Values> items = call.items(0);
  if (!items) return Value::error();
  std::vector<Value> sorted(items->begin(), items->end());
  for (const Value& item : sorted) {
    if (!python_compare(syntax::CompareOperator::Lt, sorted[0], item)) return call.refuse(0);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Value& a, const Value& b) {
    return python_compare(syntax::CompareOperator::Lt, a, b) == true;
  });
  return call.list(sorted);
}

Value call_enumerate(const Call& call) {
  if (!call.has_count(1, 2)) return Value::error();
  const std::optional<Values> items = call.items(0);
  const std::optional<int128> start = call.size() == 2 ? known_int(call[1]) : 0;
  if (!items || !start) return items ? call.refuse(1) : Value::error();
  std::vector<Value> pairs;
  for (std::size_t i = 0; i < items->size(); ++i) {
    pairs.push_back(call.tuple({Value::of_int(*start + static_cast<int128>(i)), (*items)[i]}));
  }
  return call.list(pairs);
}

Value call_zip(const Call& call) {
  std::vector<Values> columns;
  std::size_t rows = SIZE_MAX;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const std::optional<Values> items = call.items(i);
    if (!items) return Value::error();
    columns.push_back(*items);
    rows = std::min(rows, items->size());
  }
  if (columns.empty()) rows = 0;
  std::vector<Value> result;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Value> row;
    for (const Values& column : columns) {
      row.push_back(column[i]);
    }
    result.push_back(call.tuple(row));
  }
  return call.list(result);
}

Value call_reversed(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  const std::optional<Values> items = call.items(0);
  if (!items) return Value::error();
  return call.list(std::vector<Value>(items->rbegin(), items->rend()));
}

// list(...), tuple(...), with nothing: empty.
Value call_sequence_type(const Call& call) {
  if (!call.has_count(0, 1)) return Value::error();
  const ValueKind kind = call.name == "list" ? ValueKind::List : ValueKind::Tuple;
  if (call.size() == 0) return Value::sequence(kind, {});
  const std::optional<Values> items = call.items(0);
  return items ? Value::sequence(kind, *items) : Value::error();
}

Value call_any_all(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  const std::optional<Values> items = call.items(0);
  if (!items) return Value::error();
  const bool is_all = call.name == "all";
  const ir::Expr* result = nullptr;
  for (const Value& item : *items) {
    const std::optional<bool> truth = known_truth(item);
    if (truth && *truth != is_all) return Value::of_bool(!is_all);
    if (truth) continue;
    const ir::Expr* test = condition(call.context, item, call.args[0].span);
    if (test == nullptr) return Value::error();
    const ir::BinaryOp op = is_all ? ir::BinaryOp::And : ir::BinaryOp::Or;
    result =
        result == nullptr ? test : call.context.build.fold_binary(op, result, test, call.node.span);
  }
  return result == nullptr ? Value::of_bool(is_all) : Value::of_expr(result);
}

Value call_map(const Call& call) {
  if (!call.has_count(2, 2)) return Value::error();
  const std::optional<Values> items = call.items(1);
  if (!items) return Value::error();
  std::vector<Value> result;
  for (const Value& item : *items) {
    const Value mapped = call.apply(call[0], {item, call.args[1].span});
    if (mapped.is_error()) return mapped;
    if (call.name == "map") {
      result.push_back(mapped);
      continue;
    }
    const std::optional<bool> truth = known_truth(mapped);
    if (!truth) return call.refuse(0);
    if (*truth) result.push_back(item);
  }
  return call.list(result);
}

Value call_text(const Call& call) {
  if (!call.has_count(1, 1)) return Value::error();
  const std::optional<std::string> text = python_text(call[0], call.name == "repr");
  return text ? string_value(call.context, *text) : call.refuse(0);
}

struct Function {
  std::string_view name;
  Value (*call)(const Call&);
};

constexpr std::array kFunctions = {
    Function{"abs", call_abs},
    Function{"all", call_any_all},
    Function{"any", call_any_all},
    Function{"bool", call_number_type},
    Function{"divmod", call_divmod},
    Function{"enumerate", call_enumerate},
    Function{"filter", call_map},
    Function{"float", call_number_type},
    Function{"int", call_number_type},
    Function{"len", call_len},
    Function{"list", call_sequence_type},
    Function{"map", call_map},
    Function{"max", [](const Call& call) { return call_extreme(call, true); }},
    Function{"min", [](const Call& call) { return call_extreme(call, false); }},
    Function{"pow", call_pow},
    Function{"range", call_range},
    Function{"repr", call_text},
    Function{"reversed", call_reversed},
    Function{"round", call_round},
    Function{"sorted", call_sorted},
    Function{"str", call_text},
    Function{"sum", call_sum},
    Function{"tuple", call_sequence_type},
    Function{"zip", call_zip},
};

Value dict_view(const Call& call, const Value& dict, std::string_view which) {
  std::vector<Value> result;
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    if (which == "keys") result.push_back(dict.items[i]);
    if (which == "values") result.push_back(dict.items[i + 1]);
    if (which == "items") result.push_back(call.tuple({dict.items[i], dict.items[i + 1]}));
  }
  return call.list(result);
}

std::string in_case(std::string_view text, bool is_upper) {
  std::string result(text);
  for (char& c : result) {
    if (is_upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!is_upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  while (!from.empty()) {
    const std::size_t at = text.find(from);
    if (at == std::string_view::npos) break;
    result.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return result.append(text);
}

Value split(const Call& call, std::string_view text) {
  std::vector<Value> parts;
  const std::string_view separator = call.size() == 1 ? call[0].text : " ";
  const bool skips_empty = call.size() == 0;
  while (true) {
    const std::size_t at = separator.empty() ? std::string_view::npos : text.find(separator);
    const std::string_view part = text.substr(0, at);
    if (!skips_empty || !part.empty()) parts.push_back(string_value(call.context, part));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + separator.size());
  }
  return call.list(parts);
}

Value join(const Call& call, std::string_view separator) {
  const std::optional<Values> items = call.items(0);
  if (!items) return Value::error();
  std::string result;
  for (std::size_t i = 0; i < items->size(); ++i) {
    if ((*items)[i].kind != ValueKind::String) return call.refuse(0);
    if (i > 0) result += separator;
    result += (*items)[i].text;
  }
  return string_value(call.context, result);
}

Value string_method(const Call& call, std::string_view text) {
  const std::string_view name = call.name;
  const std::size_t least =
      name == "replace"                                                          ? 2
      : name == "split" || name == "lower" || name == "upper" || name == "strip" ? 0
                                                                                 : 1;
  const std::size_t most = name == "split" ? 1 : least;
  if (!call.has_count(least, most)) return Value::error();
  if (name == "join") return join(call, text);
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (call[i].kind != ValueKind::String) return call.refuse(i);
  }
  if (name == "startswith") return Value::of_bool(text.starts_with(call[0].text));
  if (name == "endswith") return Value::of_bool(text.ends_with(call[0].text));
  if (name == "split") return split(call, text);
  if (name == "replace") {
    return string_value(call.context, replaced(text, call[0].text, call[1].text));
  }
  if (name == "strip") {
    const std::size_t first = text.find_first_not_of(" \t\n\r");
    if (first == std::string_view::npos) return Value::of_string("");
    return Value::of_string(text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1));
  }
  return string_value(call.context, in_case(text, name == "upper"));
}

Value sequence_method(const Call& call, const Value& sequence) {
  if (!call.has_count(1, 1)) return Value::error();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < sequence.items.size(); ++i) {
    if (!python_equal(sequence.items[i], call[0])) continue;
    if (call.name == "index") return Value::of_int(static_cast<int128>(i));
    ++count;
  }
  return call.name == "count" ? Value::of_int(count) : call.refuse(0);
}

Value dict_method(const Call& call, const Value& dict) {
  if (call.name != "get") {
    return call.has_count(0, 0) ? dict_view(call, dict, call.name) : Value::error();
  }
  if (!call.has_count(1, 2)) return Value::error();
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    if (python_equal(dict.items[i], call[0])) return dict.items[i + 1];
  }
  return call.size() == 2 ? call[1] : Value::none();
}

}  // namespace

Value call_python_builtin(Context& context, std::string_view name, const syntax::Call& node) {
  const auto* function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                      [&](const Function& f) { return f.name == name; });
  if (function == kFunctions.end()) {
    return not_supported(
        context, node.func->span, fmt::format("Python's '{}'", name),
        name == "print" ? "in a kernel, write 'T.cuda.printf(\"%d %f\\n\", i, x)'" : "");
  }
  std::optional<Arguments> arguments = eval_arguments(context, node, name);
  if (!arguments) return Value::error();
  return function->call(Call{context, name, node, std::move(*arguments)});
}

Value call_python_method(Context& context, const Value& receiver, std::string_view name,
                         const syntax::Call& node) {
  std::optional<Arguments> arguments = eval_arguments(context, node, name);
  if (!arguments) return Value::error();
  const Call call{context, name, node, std::move(*arguments)};
  if (receiver.kind == ValueKind::String) return string_method(call, receiver.text);
  if (receiver.kind == ValueKind::Dict) return dict_method(call, receiver);
  return sequence_method(call, receiver);
}

}  // namespace tirxcc::sema
