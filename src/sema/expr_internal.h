// SPDX-License-Identifier: Apache-2.0
//
// How the files of the expression half of sema see each other. ExprSema (expr_sema.h) is the face
// for everybody else; it forwards here. One file per family of expressions; each function below is
// defined in the file that its group names.
//
// Every function reports what is wrong once and then answers Error (or null), about which callers
// stay silent.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sema/context.h"
#include "sema/expr_sema.h"
#include "sema/types.h"

namespace tirxcc::sema {

// expr_sema.cc: dispatch.
Value eval_expr(Context& context, const syntax::Expr& expr);
// Forms that write an operand several times (powers, chains, lambdas) can double what is inside
// them again and again. False, with a report, once the whole would be thousands of operations.
bool is_written_shortly(Context& context, const ir::Expr* expr, Span span);

// expr_convert.cc: values as typed expressions.
const ir::Expr* to_expr(Context& context, const Value& value, Span span);
const ir::Expr* convert(Context& context, const Value& value, DType type, Span span,
                        Conversion how);
// A literal, a bool, None, ... as IR of exactly that type; the value must fit.
const ir::Expr* literal_expr(Context& context, const Value& literal, DType type, Span span);
const ir::Expr* condition(Context& context, const Value& value, Span span);
std::optional<bool> known_truth(const Value& value);
// The literal behind a value: itself, or what a name or a typed literal stands for.
std::optional<Value> known_number(const Value& value);
std::optional<int128> known_int(const Value& value);
std::optional<DType> as_dtype(const Value& value);
// The IntImm or FloatImm that the value stands for; null if only the kernel knows.
const ir::Expr* literal_of(Context& context, const Value& value);

// Two operands brought to one type. Null members after an error.
struct Operands {
  const ir::Expr* a = nullptr;
  const ir::Expr* b = nullptr;
};
Operands unify(Context& context, const Value& a, Span a_span, const Value& b, Span b_span,
               NarrowOperand narrow, std::string_view what, Span what_span);

// expr_literals.cc
Value eval_constant(Context& context, const syntax::Constant& constant);
Value eval_joined_str(Context& context, const syntax::JoinedStr& text);
// str(value) as Python prints it; nullopt for values that have no text while compiling.
std::optional<std::string> python_text(const Value& value, bool is_repr);

// expr_operators.cc
Value eval_bin_op(Context& context, const syntax::BinOp& op);
Value eval_unary_op(Context& context, const syntax::UnaryOp& op);
struct BinarySpans {
  Span a;
  Span b;
  Span op;     // the operator, or the name of the function form
  Span whole;  // of the result
};
Value binary(Context& context, syntax::BinaryOperator op, const Value& a, const Value& b,
             const BinarySpans& spans);
Value report_zero_divisor(Context& context, Span span);
// T.truncdiv and T.truncmod.
Value trunc_division(Context& context, ir::BinaryOp op, const Value& a, const Value& b,
                     const BinarySpans& spans);
// An operation of IR on operands of the right types, folded, with a warning when a signed constant
// overflows and the value of named constants carried along.
Value typed_binary(Context& context, ir::BinaryOp op, const Value& a, const Value& b,
                   Operands operands, const BinarySpans& spans);
Value unary(Context& context, syntax::UnaryOperator op, const Value& a, Span a_span, Span op_span,
            Span span);

// expr_logic.cc
Value eval_compare(Context& context, const syntax::Compare& compare);
Value eval_bool_op(Context& context, const syntax::BoolOp& op);
Value eval_if_exp(Context& context, const syntax::IfExp& choice);
Value compare(Context& context, syntax::CompareOperator op, const Value& a, const Value& b,
              const BinarySpans& spans);
Value choose(Context& context, const ir::Expr* test, const Value& a, Span a_span, const Value& b,
             Span b_span, Span span);

// python_arithmetic.cc: numbers, strings and sequences that are known while compiling.
Value python_binary(Context& context, syntax::BinaryOperator op, const Value& a, const Value& b,
                    const BinarySpans& spans);
Value python_unary(Context& context, syntax::UnaryOperator op, const Value& a, Span span);
// nullopt: Python has no order of these two.
std::optional<bool> python_compare(syntax::CompareOperator op, const Value& a, const Value& b);
bool python_equal(const Value& a, const Value& b);
double as_double(const Value& number);

// python_sequences.cc: strings, lists, tuples, dicts and ranges.
bool is_sequence(const Value& value);
std::int64_t sequence_size(const Value& value);
Value sequence_item(Context& context, const Value& value, std::int64_t index);
// All items; for a dict its keys. nullopt (with a report) if the value cannot be iterated.
std::optional<Values> sequence_items(Context& context, const Value& value, Span span);
Value python_subscript(Context& context, const Value& value, const syntax::Subscript& subscript);
Value eval_display(Context& context, const syntax::Expr& expr);  // List, Tuple, Set, Dict
Value eval_comprehension(Context& context, const syntax::Expr& expr);
std::optional<bool> python_contains(const Value& container, const Value& item);

// expr_subscripts.cc
Value eval_subscript(Context& context, const syntax::Subscript& subscript);
bool eval_indices(Context& context, const ir::Tensor& tensor, const syntax::Expr& index,
                  std::vector<const ir::Expr*>& indices);

// expr_attributes.cc
Value eval_attribute(Context& context, const syntax::Attribute& attribute);

// expr_calls.cc
Value eval_call(Context& context, const syntax::Call& call);
// "T.cast", "len", "math.sqrt".
std::string display_name(std::string_view path);
// Who is called, for messages: a name as it stands, or the path of a builtin. Put into words only
// when there is a message.
class Callee {
 public:
  template <typename Text>
  requires std::is_convertible_v<const Text&, std::string_view> Callee(const Text& name)
      : text_(name) {}  // NOLINT: a name is a callee
  static Callee builtin(std::string_view path) { return {path, true}; }

  std::string name() const { return is_path_ ? display_name(text_) : std::string(text_); }
  // Where a function of the user's is defined.
  Callee defined_at(Span span) const {
    Callee result = *this;
    result.definition_ = span;
    return result;
  }
  Span definition() const { return definition_; }

 private:
  Callee(std::string_view text, bool is_path) : text_(text), is_path_(is_path) {}

  std::string_view text_;
  bool is_path_ = false;
  Span definition_;
};

// One parameter of a function of the language, and what a call gives for it.
struct ParamSpec {
  std::string_view name;
  bool is_required = true;
};
struct Argument {
  const syntax::Expr* expr = nullptr;  // null: not given
  explicit operator bool() const { return expr != nullptr; }
  Span span() const { return expr->span; }
};
// Matches positional and keyword arguments with parameters. False after an error.
bool bind_arguments(Context& context, const syntax::Call& call, Callee callee,
                    std::span<const ParamSpec> params, std::span<Argument> arguments);
// All positional arguments, `*xs` expanded; keywords are an error. nullopt after an error.
struct EvaluatedArgument {
  Value value;
  Span span;
};
std::optional<std::vector<EvaluatedArgument>> eval_arguments(Context& context,
                                                             const syntax::Call& call,
                                                             std::string_view callee);
// "T.sqrt takes 1 argument, 2 given".
void report_argument_count(Context& context, Span span, std::string_view callee,
                           std::string_view wanted, std::size_t given);
// The dtype that an argument names; nullopt after an error.
void report_not_a_dtype(Context& context, const Value& value, Span span);
std::optional<DType> dtype_argument(Context& context, const Argument& argument);
// For a name that is bound to `A[i] or 7`, which is no flag.
void warn_if_choice_is_named(Context& context, const Value& value);
// Evaluates the body with one value for each parameter.
Value apply_lambda(Context& context, const FunctionValue& function, Values values);
Value call_lambda(Context& context, const Value& callee, const syntax::Call& call);
// `text` is made of numbers alone, without names: a slip there is the writer's, while the same
// value of a constant may be right.
bool is_written_literal(std::string_view text);
Value not_supported(Context& context, Span span, std::string_view what,
                    std::string_view advice = {});

// expr_casts.cc
Value call_type(Context& context, const Value& callee, const syntax::Call& call);
Value call_cast(Context& context, bool type_first, const syntax::Call& call);
Value call_astype(Context& context, const Value& receiver, const syntax::Call& call);
Value call_reinterpret(Context& context, const syntax::Call& call);

// expr_intrinsics.cc
Value call_intrinsic(Context& context, std::string_view path, const syntax::Call& call);
// The row `name` for operands that are there already, converted as it demands.
Value apply_intrinsic(Context& context, std::string_view name,
                      std::span<const EvaluatedArgument> arguments, Span callee_span, Span span);
// printf.cc: T.cuda.printf; checks the format against the values.
Value call_printf(Context& context, const intrinsics::Intrinsic& row,
                  std::span<const EvaluatedArgument> arguments, Span span);
// max or min of two values, by the kernel's dialect.
Value max_or_min(Context& context, bool is_max, const EvaluatedArgument& a,
                 const EvaluatedArgument& b, Span span);

// expr_launch.cc: T.cuda.thread_idx and its relatives.
const ir::Expr* launch_index(Context& context, ir::LaunchIndexKind kind, int axis, Span span);
const ir::Expr* linear_thread_id(Context& context, Span span);
const ir::Expr* lane_id(Context& context, Span span);
const ir::Expr* warp_id(Context& context, Span span);
Value call_launch_index(Context& context, ir::LaunchIndexKind kind, Callee callee,
                        const syntax::Call& call);
Value call_derived_index(Context& context, std::uint8_t tag, Callee callee,
                         const syntax::Call& call);

// python_builtins.cc: len, range, min, int, ... and math.sqrt, ...
Value call_python_builtin(Context& context, std::string_view name, const syntax::Call& call);
Value call_python_method(Context& context, const Value& receiver, std::string_view name,
                         const syntax::Call& call);
Value call_math(Context& context, std::string_view path, const syntax::Call& call);
// "math.pi" and its like; nullopt for functions.
std::optional<double> math_constant(std::string_view path);

// Shared small things.
template <typename T>
Values make_values(Context& context, const T& items) {
  return context.arena.copy(std::span<const Value>(items));
}
inline Value string_value(Context& context, std::string_view text) {
  return Value::of_string(context.arena.copy_string(text));
}

}  // namespace tirxcc::sema
