// SPDX-License-Identifier: Apache-2.0
//
// Calls: who is called, and which argument belongs to which parameter. What each function of the
// language means stands in the file of its family.
#include "intrinsics/intrinsics.h"
#include "sema/builtins.h"
#include "sema/expr_internal.h"
#include "sema/foreign_names.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kArgumentCount{"argument-count", Severity::Error, ErrorClass::Type,
                                    "{} takes {} argument{}{}, {} given"};
constexpr Diagnostic kMissingArgument{"missing-argument", Severity::Error, ErrorClass::Type,
                                      "{} needs the argument '{}'"};
constexpr Diagnostic kUnknownKeyword{"unknown-keyword", Severity::Error, ErrorClass::Type,
                                     "{} has no parameter '{}'"};
constexpr Diagnostic kDuplicateArgument{"duplicate-argument", Severity::Error, ErrorClass::Type,
                                        "{} gets '{}' twice"};
constexpr Diagnostic kUnpackedArgument{"unpacked-argument", Severity::Error, ErrorClass::Syntax,
                                       "{} takes its arguments one by one, not unpacked"};
constexpr Diagnostic kNotCallable{"not-callable", Severity::Error, ErrorClass::Type,
                                  "{} cannot be called"};
constexpr Diagnostic kNotADtype{"not-a-dtype", Severity::Error, ErrorClass::Type,
                                "{} is not a dtype; for example T.float32 or \"float32\""};
constexpr Diagnostic kNotSupportedYet{"not-supported-yet", Severity::Error, ErrorClass::Syntax,
                                      "{} is not supported yet"};

constexpr ParamSpec kBinaryParams[] = {{"a"}, {"b"}};
constexpr ParamSpec kUnaryParams[] = {{"a"}};

std::optional<std::size_t> find_param(std::span<const ParamSpec> params, std::string_view name) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].name == name) return i;
  }
  return std::nullopt;
}

bool bind_keyword(Context& context, const syntax::Keyword& keyword, Callee callee,
                  std::span<const ParamSpec> params, std::span<Argument> arguments) {
  const std::optional<std::size_t> at = find_param(params, keyword.name);
  if (at && !arguments[*at]) {
    arguments[*at].expr = keyword.value;
    return true;
  }
  if (at) {
    context.diags.report(keyword.name_span, kDuplicateArgument, callee.name(), keyword.name);
    return false;
  }
  NearestName nearest(keyword.name);
  for (const ParamSpec& param : params) {
    nearest.offer(param.name);
  }
  auto report =
      context.diags.report(keyword.name_span, kUnknownKeyword, callee.name(), keyword.name);
  if (!nearest.result().empty()) report.note("did you mean '{}'?", nearest.result());
  return false;
}

// T.floordiv(a, b), T.Add(a, b), T.LT(a, b), T.And(a, b), T.ceildiv(a, b).
struct TwoValues {
  Value a;
  Value b;
  BinarySpans spans;
  bool good = false;
};

TwoValues eval_two(Context& context, const syntax::Call& call, Callee callee) {
  Argument arguments[2];
  if (!bind_arguments(context, call, callee, kBinaryParams, arguments)) return {};
  TwoValues result{.a = eval_expr(context, *arguments[0].expr),
                   .b = eval_expr(context, *arguments[1].expr),
                   .spans = {arguments[0].span(), arguments[1].span(), call.func->span, call.span}};
  result.good = !result.a.is_error() && !result.b.is_error();
  return result;
}

// ceil(a / b): (a + b - 1) // b, in 64 bits so that no sum overflows (rule 25).
Value ceil_div(Context& context, const TwoValues& two) {
  const auto one = Value::of_int(1);
  const auto op = [&](syntax::BinaryOperator which, const Value& x, const Value& y) {
    return binary(context, which, x, y, two.spans);
  };
  using enum syntax::BinaryOperator;
  Value a = two.a;
  Value b = two.b;
  const bool is_python =
      !a.is_expr() && a.kind != ValueKind::Symbol && !b.is_expr() && b.kind != ValueKind::Symbol;
  if (is_python) return op(FloorDiv, op(Sub, op(Add, a, b), one), b);
  // The type that promotion gives; checks operands as `//` does.
  const Value plain = op(FloorDiv, a, b);
  if (plain.is_error() || !plain.expr->dtype.is_int()) return plain;
  const DType type = plain.expr->dtype;
  if (type.bits < 64) {
    const auto widen = [&](const Value& value, Span span) {
      if (!value.is_expr() && value.kind != ValueKind::Symbol) return value;
      return Value::of_expr(context.build.fold_cast(kInt64, to_expr(context, value, span), span),
                            value.constant);
    };
    a = widen(a, two.spans.a);
    b = widen(b, two.spans.b);
  }
  const Value last = op(Sub, b, one);
  const Value quotient = op(FloorDiv, op(Add, a, last), b);
  if (quotient.is_error() || !context.names->in_device_code()) return quotient;
  return Value::of_expr(context.build.fold_cast(type, quotient.expr, two.spans.whole),
                        quotient.constant);
}

Value call_binary_form(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  const TwoValues two = eval_two(context, call, Callee::builtin(row.path));
  if (!two.good) return Value::error();
  if (row.family == BuiltinFamily::Operator) {
    const auto op = static_cast<syntax::BinaryOperator>(row.tag);
    return binary(context, op, two.a, two.b, two.spans);
  }
  if (row.family == BuiltinFamily::Comparison) {
    const auto op = static_cast<syntax::CompareOperator>(row.tag);
    return compare(context, op, two.a, two.b, two.spans);
  }
  if (row.family == BuiltinFamily::TruncDivision) {
    return trunc_division(context, static_cast<ir::BinaryOp>(row.tag), two.a, two.b, two.spans);
  }
  return ceil_div(context, two);
}

// T.And(a, b, ...): as the operators, from left to right.
Value call_logic(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  const std::string callee = display_name(row.path);
  const auto arguments = eval_arguments(context, call, callee);
  if (!arguments) return Value::error();
  if (arguments->size() < 2) {
    report_argument_count(context, call.span, callee, "at least 2", arguments->size());
    return Value::error();
  }
  const bool is_and = static_cast<syntax::BoolOperator>(row.tag) == syntax::BoolOperator::And;
  const ir::BinaryOp op = is_and ? ir::BinaryOp::And : ir::BinaryOp::Or;
  const ir::Expr* result = nullptr;
  for (const EvaluatedArgument& argument : *arguments) {
    const ir::Expr* test = condition(context, argument.value, argument.span);
    if (test == nullptr) return Value::error();
    result = result == nullptr ? test : context.build.fold_binary(op, result, test, call.span);
  }
  return Value::of_expr(result);
}

// What T.Select asks for: equal types; a Python int stands for an integer type, a float for floats.
bool is_one_type(const Value& a, const Value& b) {
  if (a.is_expr() && b.is_expr()) return a.expr->dtype == b.expr->dtype;
  if (!a.is_expr() && !b.is_expr()) return a.kind == b.kind;
  const DType typed = a.is_expr() ? a.expr->dtype : b.expr->dtype;
  const Value& literal = a.is_expr() ? b : a;
  if (literal.kind == ValueKind::Int) return typed.is_int();
  if (literal.kind == ValueKind::Float) return typed.is_float();
  return literal.kind != ValueKind::Bool || typed.is_bool();
}

Value as_literal_of(Context& context, const Value& literal, DType type, Span span) {
  const ir::Expr* expr = convert(context, literal, type, span, Conversion::Argument);
  return expr == nullptr ? Value::error() : Value::of_expr(expr);
}

Value call_choice(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"condition"}, {"true_value"}, {"false_value"}};
  static constexpr Diagnostic kSelectTypes{"select-types", Severity::Error, ErrorClass::Type,
                                           "T.Select needs two values of one type, not {} and {}"};
  Argument arguments[3];
  if (!bind_arguments(context, call, Callee::builtin(row.path), kParams, arguments)) {
    return Value::error();
  }
  const Value test = eval_expr(context, *arguments[0].expr);
  if (test.is_error()) return test;
  if (const std::optional<bool> truth = known_truth(test)) {
    return eval_expr(context, *arguments[*truth ? 1 : 2].expr);
  }
  const ir::Expr* decision = condition(context, test, arguments[0].span());
  const LazyOperand lazy(context);
  Value a = eval_expr(context, *arguments[1].expr);
  Value b = eval_expr(context, *arguments[2].expr);
  const bool must_match = row.tag == 1 && !a.is_error() && !b.is_error();
  if (must_match && !is_one_type(a, b)) {
    context.diags.report(call.span, kSelectTypes, describe(a), describe(b));
    return Value::error();
  }
  if (must_match && !a.is_expr() && b.is_expr()) {
    a = as_literal_of(context, a, b.expr->dtype, arguments[1].span());
  } else if (must_match && a.is_expr() && !b.is_expr()) {
    b = as_literal_of(context, b, a.expr->dtype, arguments[2].span());
  }
  return choose(context, decision, a, arguments[1].span(), b, arguments[2].span(), call.span);
}

Value call_max_min(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  const std::string callee = display_name(row.path);
  const auto arguments = eval_arguments(context, call, callee);
  if (!arguments) return Value::error();
  if (arguments->size() < 2) {
    report_argument_count(context, call.span, callee, "at least 2", arguments->size());
    return Value::error();
  }
  EvaluatedArgument result = arguments->front();
  for (std::size_t i = 1; i < arguments->size(); ++i) {
    result.value = max_or_min(context, row.tag == 1, result, (*arguments)[i], call.span);
    result.span = call.span;
  }
  return result.value;
}

Value call_limit(Context& context, const BuiltinRow& row, const syntax::Call& call);
Value call_address_of(Context& context, const BuiltinRow& row, const syntax::Call& call);

Value call_one(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  Argument arguments[1];
  if (!bind_arguments(context, call, Callee::builtin(row.path), kUnaryParams, arguments)) {
    return Value::error();
  }
  const Value value = eval_expr(context, *arguments[0].expr);
  if (row.family == BuiltinFamily::MetaVar || value.is_error()) return value;
  if (row.family == BuiltinFamily::Likely) {
    const ir::Expr* test = condition(context, value, arguments[0].span());
    return test == nullptr ? Value::error() : Value::of_expr(test);
  }
  const auto op = static_cast<syntax::UnaryOperator>(row.tag);
  return unary(context, op, value, arguments[0].span(), call.func->span, call.span);
}

Value call_limit(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"ty"}};
  static constexpr Diagnostic kNoInfinity{"no-infinity", Severity::Error, ErrorClass::Type,
                                          "{} has no infinity"};
  Argument arguments[1];
  if (!bind_arguments(context, call, Callee::builtin(row.path), kParams, arguments)) {
    return Value::error();
  }
  const std::optional<DType> type = dtype_argument(context, arguments[0]);
  if (!type) return Value::error();
  const bool is_infinity = row.tag == 0;
  if (!type->is_scalar() || !type->is_numeric() || (is_infinity && !type->is_float())) {
    context.diags.report(arguments[0].span(), kNoInfinity, to_string(*type));
    return Value::error();
  }
  if (!type->is_float()) {
    const int128 limit = row.tag == 1 ? type->max_int() : type->min_int();
    return Value::of_expr(literal_expr(context, Value::of_int(limit), *type, call.span));
  }
  double limit = type->is_float64()    ? 1.7976931348623157e308
                 : type->is_float32()  ? 3.4028234663852886e38
                 : type->is_bfloat16() ? 3.3895313892515355e38
                                       : 65504.0;
  if (is_infinity) limit = __builtin_inf();
  return Value::of_expr(context.build.float_imm(*type, row.tag == 2 ? -limit : limit, call.span));
}

const ir::Expr* address(Context& context, const ir::Tensor& tensor,
                        const std::vector<const ir::Expr*>& indices, Span span) {
  const ir::Expr head{ir::ExprKind::AddressOf, kHandle, span};
  return context.arena.make<ir::AddressOf>(head, &tensor, context.arena.copy(indices));
}

Value call_address_of(Context& context, const BuiltinRow& row, const syntax::Call& call) {
  static constexpr Diagnostic kNoAddress{"no-address", Severity::Error, ErrorClass::Type,
                                         "{} takes an element of a tensor, such as A[0]"};
  Argument arguments[1];
  const std::string callee = display_name(row.path);
  if (!bind_arguments(context, call, callee, kUnaryParams, arguments)) return Value::error();
  if (const auto* subscript = syntax::as<syntax::Subscript>(arguments[0].expr)) {
    const Value base = eval_expr(context, *subscript->value);
    if (base.is_error()) return base;
    if (base.kind == ValueKind::Tensor) {
      std::vector<const ir::Expr*> indices;
      if (!eval_indices(context, *base.tensor, *subscript->index, indices)) return Value::error();
      return Value::of_expr(address(context, *base.tensor, indices, call.span));
    }
  } else if (syntax::is<syntax::Name>(arguments[0].expr)) {
    // A scalar in shared memory.
    const Value value = eval_expr(context, *arguments[0].expr);
    if (value.is_error()) return value;
    if (const auto* load = ir::as<ir::Load>(value.expr)) {
      return Value::of_expr(
          address(context, *load->tensor, {load->indices.begin(), load->indices.end()}, call.span));
    }
  }
  context.diags.report(arguments[0].span(), kNoAddress, callee);
  return Value::error();
}

Value call_ptr_to(Context& context, const ir::Tensor& tensor, const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"indices"}};
  Argument arguments[1];
  if (!bind_arguments(context, call, fmt::format("{}.ptr_to", tensor.name), kParams, arguments)) {
    return Value::error();
  }
  // The list is checked as the subscript it means.
  const syntax::Expr* index = arguments[0].expr;
  syntax::Tuple tuple{};
  if (const auto* list = syntax::as<syntax::List>(index)) {
    tuple.kind = syntax::NodeKind::Tuple;
    tuple.span = list->span;
    tuple.elements = list->elements;
    index = &tuple;
  }
  std::vector<const ir::Expr*> indices;
  if (!eval_indices(context, tensor, *index, indices)) return Value::error();
  return Value::of_expr(address(context, tensor, indices, call.span));
}

Value call_builtin(Context& context, const Value& callee, const syntax::Call& call) {
  const std::string_view path = callee.text;
  const BuiltinRow* row = find_builtin(path);
  if (row == nullptr) {
    if (path.starts_with("ptx.") && intrinsics::find(path, context.dialect_letter()) == nullptr) {
      return not_supported(context, call.func->span, display_name(path));
    }
    return call_intrinsic(context, path, call);
  }
  switch (row->family) {
    case BuiltinFamily::Operator:
    case BuiltinFamily::Comparison:
    case BuiltinFamily::TruncDivision:
    case BuiltinFamily::CeilDiv: return call_binary_form(context, *row, call);
    case BuiltinFamily::Logic: return call_logic(context, *row, call);
    case BuiltinFamily::Unary:
    case BuiltinFamily::Likely:
    case BuiltinFamily::MetaVar: return call_one(context, *row, call);
    case BuiltinFamily::Cast: return call_cast(context, row->tag == 1, call);
    case BuiltinFamily::Reinterpret: return call_reinterpret(context, call);
    case BuiltinFamily::Choice: return call_choice(context, *row, call);
    case BuiltinFamily::MaxMin: return call_max_min(context, *row, call);
    case BuiltinFamily::Limit: return call_limit(context, *row, call);
    case BuiltinFamily::AddressOf: return call_address_of(context, *row, call);
    case BuiltinFamily::LaunchIndex: {
      const auto kind = static_cast<ir::LaunchIndexKind>(row->tag);
      return call_launch_index(context, kind, Callee::builtin(path), call);
    }
    case BuiltinFamily::DerivedIndex:
      return call_derived_index(context, row->tag, Callee::builtin(path), call);
    case BuiltinFamily::Statement: return context.names->call_statement_builtin(callee, call);
    case BuiltinFamily::Later:
      return not_supported(context, call.func->span, display_name(path), advice_instead_of(path));
    case BuiltinFamily::Python: return call_python_builtin(context, path.substr(3), call);
    case BuiltinFamily::Math: return call_math(context, path, call);
    case BuiltinFamily::Namespace:
    case BuiltinFamily::Type: break;
  }
  context.diags.report(call.func->span, kNotCallable, describe(callee));
  return Value::error();
}

Value call_method(Context& context, const Value& callee, const syntax::Call& call) {
  if (callee.text == "ptr_to") return call_ptr_to(context, *callee.tensor, call);
  const Value& receiver = *callee.constant;
  if (callee.text == "astype") return call_astype(context, receiver, call);
  if (callee.text == "scope") {
    if (!bind_arguments(context, call, "scope", {}, {})) return Value::error();
    constexpr std::string_view kNames[] = {"global", "shared", "shared.dyn", "local"};
    return Value::of_string(kNames[static_cast<int>(callee.tensor->scope)]);
  }
  return call_python_method(context, receiver, callee.text, call);
}

Value call_host(Context& context, const Value& callee, const syntax::Call& call) {
  const auto arguments = eval_arguments(context, call, callee.text);
  if (!arguments) return Value::error();
  std::vector<Value> values;
  for (const EvaluatedArgument& argument : *arguments) {
    if (argument.value.is_error()) return Value::error();
    values.push_back(argument.value);
  }
  const std::optional<Value> result =
      context.scope.call(callee, make_values(context, values), call.span);
  if (result) return *result;
  context.diags.report(call.func->span, kNotCallable, describe(callee));
  return Value::error();
}

}  // namespace

std::string display_name(std::string_view path) {
  if (path.empty()) return "T";
  if (path.starts_with("py.")) return std::string(path.substr(3));
  if (path == "math" || path.starts_with("math.")) return std::string(path);
  return "T." + std::string(path);
}

Value not_supported(Context& context, Span span, std::string_view what, std::string_view advice) {
  auto report = context.diags.report(span, kNotSupportedYet, what);
  if (!advice.empty()) report.note("{}", advice);
  return Value::error();
}

void report_argument_count(Context& context, Span span, std::string_view callee,
                           std::string_view wanted, std::size_t given) {
  // `wanted` may end in the names: "2 (pointer, value)".
  const std::size_t end = std::min(wanted.find(" ("), wanted.size());
  const std::string_view count = wanted.substr(0, end);
  const bool is_one = count == "1" || count == "at least 1";
  context.diags.report(span, kArgumentCount, callee, count, is_one ? "" : "s", wanted.substr(end),
                       given);
}

bool bind_arguments(Context& context, const syntax::Call& call, Callee callee,
                    std::span<const ParamSpec> params, std::span<Argument> arguments) {
  std::size_t at = 0;
  for (const syntax::Expr* argument : call.args) {
    if (syntax::is<syntax::Starred>(argument)) {
      context.diags.report(argument->span, kUnpackedArgument, callee.name());
      return false;
    }
    if (at < params.size()) arguments[at].expr = argument;
    ++at;
  }
  if (at > params.size()) {
    const Span extra = cover(call.args[params.size()]->span, call.args.back()->span);
    report_argument_count(context, extra, callee.name(), std::to_string(params.size()), at);
    return false;
  }
  for (const syntax::Keyword* keyword : call.keywords) {
    if (keyword->name.empty()) {
      context.diags.report(keyword->span, kUnpackedArgument, callee.name());
      return false;
    }
    if (!bind_keyword(context, *keyword, callee, params, arguments)) return false;
  }
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (!params[i].is_required || arguments[i]) continue;
    auto report = context.diags.report(call.span, kMissingArgument, callee.name(), params[i].name);
    if (callee.definition().is_valid()) {
      report.label(callee.definition(), "'{}' is defined here", callee.name());
    }
    return false;
  }
  return true;
}

std::optional<std::vector<EvaluatedArgument>> eval_arguments(Context& context,
                                                             const syntax::Call& call,
                                                             std::string_view callee) {
  if (!call.keywords.empty()) {
    const syntax::Keyword& keyword = *call.keywords.front();
    context.diags.report(keyword.name_span, kUnknownKeyword, callee, keyword.name);
    return std::nullopt;
  }
  std::vector<EvaluatedArgument> arguments;
  std::vector<StatementMark> marks;
  arguments.reserve(call.args.size());
  bool failed = false;
  for (const syntax::Expr* argument : call.args) {
    const auto* star = syntax::as<syntax::Starred>(argument);
    const Value value = eval_expr(context, star != nullptr ? *star->value : *argument);
    failed |= value.is_error();
    if (star == nullptr) {
      arguments.push_back({value, argument->span});
      marks.resize(arguments.size(), context.names->mark());
      continue;
    }
    const std::optional<Values> items = sequence_items(context, value, star->value->span);
    if (!items) return std::nullopt;
    for (const Value& item : *items) {
      arguments.push_back({item, argument->span});
    }
    marks.resize(arguments.size(), context.names->mark());
  }
  if (failed) return std::nullopt;
  // From the last to the first: what is put in moves the places behind it.
  for (std::size_t i = arguments.size(); i-- > 0;) {
    arguments[i].value = context.names->settle(marks[i], arguments[i].value, arguments[i].span);
  }
  return arguments;
}

void report_not_a_dtype(Context& context, const Value& value, Span span) {
  auto report = context.diags.report(span, kNotADtype, describe(value));
  std::string_view name;
  if (value.kind == ValueKind::String) name = value.text;
  if (value.kind == ValueKind::Builtin && value.text.starts_with("py.")) {
    name = value.text.substr(3);
  }
  NearestName nearest(name);
  for (const BuiltinRow& row : builtins()) {
    if (row.family == BuiltinFamily::Type && row.path.size() > 3) nearest.offer(row.path);
  }
  if (const std::string_view ours = type_for(name); !ours.empty()) {
    report.note("did you mean '{}'?", ours);
  } else if (!nearest.result().empty()) {
    const bool is_text = value.kind == ValueKind::String;
    const std::string written = is_text ? "\"{}\"" : "'T.{}'";
    report.note("did you mean {}?", fmt::format(fmt::runtime(written), nearest.result()));
  }
}

std::optional<DType> dtype_argument(Context& context, const Argument& argument) {
  const Value value = eval_expr(context, *argument.expr);
  if (value.is_error()) return std::nullopt;
  const std::optional<DType> type = as_dtype(value);
  if (!type) report_not_a_dtype(context, value, argument.span());
  return type;
}

Value apply_lambda(Context& context, const FunctionValue& function, Values values) {
  NameResolver& names = *context.names;
  const std::size_t outer_bindings = names.hide_bindings();
  const void* outer_names = names.enter_names_of(function);
  for (const Binding& bound : function.bound)
    names.push_binding(bound.name, bound.cell);
  for (std::size_t i = 0; i < values.size(); ++i)
    names.push_binding(function.lambda->params[i]->name, context.arena.make<Value>(values[i]));
  const Value result = eval_expr(context, *function.lambda->body);
  for (std::size_t i = function.bound.size() + values.size(); i > 0; --i)
    names.pop_binding();
  names.leave_names(outer_names);
  names.exchange_base(outer_bindings);
  return result;
}

Value call_lambda(Context& context, const Value& callee, const syntax::Call& call) {
  static constexpr Diagnostic kTooDeep{"lambda-too-deep", Severity::Error, ErrorClass::Value,
                                       "calls of lambdas are nested more than {} deep"};
  const syntax::Lambda& lambda = *callee.function->lambda;
  std::vector<ParamSpec> params;
  for (const syntax::Param* param : lambda.params) {
    params.push_back({param->name, param->default_value == nullptr});
  }
  std::vector<Argument> arguments(params.size());
  if (!bind_arguments(context, call, "the lambda", params, arguments)) return Value::error();
  constexpr int kDeepest = 100;
  if (context.lambda_depth == kDeepest) {
    context.diags.report(call.span, kTooDeep, kDeepest);
    return Value::error();
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < params.size(); ++i) {
    values.push_back(arguments[i] ? eval_expr(context, *arguments[i].expr)
                                  : callee.function->defaults[i]);
  }
  ++context.lambda_depth;
  const Value result = apply_lambda(context, *callee.function, values);
  --context.lambda_depth;
  if (result.is_expr() && !is_written_shortly(context, result.expr, call.span)) {
    return Value::error();
  }
  return result;
}

Value eval_call(Context& context, const syntax::Call& call) {
  const Value callee = eval_expr(context, *call.func);
  switch (callee.kind) {
    case ValueKind::Error: return callee;
    case ValueKind::Builtin: return call_builtin(context, callee, call);
    case ValueKind::Type: return call_type(context, callee, call);
    case ValueKind::Method: return call_method(context, callee, call);
    case ValueKind::Function:
      if (callee.function->lambda != nullptr) return call_lambda(context, callee, call);
      return context.names->call_function(callee, call);
    case ValueKind::Host: return call_host(context, callee, call);
    case ValueKind::None:
    case ValueKind::Ellipsis:
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::String:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Range:
    case ValueKind::Expr:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Symbol:
    case ValueKind::Object: break;
  }
  auto report = context.diags.report(call.func->span, kNotCallable, describe(callee));
  if (callee.kind == ValueKind::Tensor) report.note("an element is in brackets: 'A[i]'");
  return Value::error();
}

}  // namespace tirxcc::sema
