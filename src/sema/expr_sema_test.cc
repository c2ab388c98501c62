// SPDX-License-Identifier: Apache-2.0
//
// Expressions alone: text -> value, in a scope where `i32`, `u8`, `f16`, ... are values of these
// types, `A` is a float32 tensor of 64 elements, `M` an int32 tensor of (8, 4), `four` a name bound
// to the literal 4.
#include "sema/expr_sema.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/printer.h"
#include "sema/builtins.h"
#include "sema/expr_internal.h"
#include "syntax/parser.h"

namespace tirxcc::sema {
namespace {

class EmptyScope : public CapturedScope {
 public:
  std::optional<Value> lookup(std::string_view) override { return std::nullopt; }
  std::vector<std::string_view> names() const override { return {}; }
};

class TestNames : public NameResolver {
 public:
  explicit TestNames(Arena& arena) : arena_(arena), build_(arena) {
    for (const std::string_view name : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16",
                                        "bf16", "f32", "f64", "boolean"}) {
      add(name == "boolean" ? "b" : name, *parse_dtype(name));
    }
    names_.emplace_back("T", Value::of_builtin(""));
    names_.emplace_back("math", Value::of_builtin("math"));
    names_.emplace_back("A", tensor("A", kFloat32, {64}));
    names_.emplace_back("M", tensor("M", kInt32, {8, 4}));
    names_.emplace_back("half", tensor("half", kFloat16, {64}));
    const ir::Var* four = var("four", kInt32);
    names_.emplace_back("four",
                        Value::of_expr(build_.var(four), arena.make<Value>(Value::of_int(4))));
  }

  Value lookup(const syntax::Name& name) override {
    if (const Value* bound = find_binding(name.id)) return *bound;
    for (auto it = names_.rbegin(); it != names_.rend(); ++it) {
      if (it->first == name.id) return it->second;
    }
    const std::string path = "py." + std::string(name.id);
    const BuiltinRow* row = find_builtin(path);
    return row != nullptr ? Value::of_builtin(row->path) : Value::error();
  }
  const ir::Var* symbol_var(const DynamicSymbol& symbol, Span) override {
    return var(symbol.name, symbol.dtype);
  }
  bool in_device_code() const override { return in_device; }
  std::optional<std::int64_t> static_extent(ir::LaunchIndexKind kind, int axis) override {
    if (kind == ir::LaunchIndexKind::BlockDim) return block[static_cast<std::size_t>(axis)];
    return axis == 0 ? std::nullopt : std::optional<std::int64_t>(1);
  }
  Value call_statement_builtin(const Value&, const syntax::Call&) override { return Value::none(); }
  Value call_function(const Value&, const syntax::Call&) override { return Value::error(); }

  std::array<std::int64_t, 3> block = {256, 1, 1};
  bool in_device = true;

 private:
  const ir::Var* var(std::string_view name, DType type) {
    return arena_.make<ir::Var>(ir::Var{name, type, {}, ir::VarKind::Let});
  }
  void add(std::string_view name, DType type) {
    names_.emplace_back(name, Value::of_expr(build_.var(var(name, type))));
  }
  Value tensor(std::string_view name, DType type, std::initializer_list<std::int64_t> extents) {
    std::vector<const ir::Expr*> shape;
    for (const std::int64_t extent : extents) {
      shape.push_back(build_.int_imm(kInt32, extent));
    }
    auto* made = arena_.make<ir::Tensor>();
    made->name = name;
    made->dtype = type;
    made->shape = arena_.copy(shape);
    return Value::of_tensor(made);
  }

  Arena& arena_;
  ir::Builder build_;
  std::vector<std::pair<std::string_view, Value>> names_;
};

class ExprSemaTest : public ::testing::Test {
 protected:
  ExprSemaTest()
      : diags(sources),
        names(arena),
        context{.arena = arena, .diags = diags, .build = ir::Builder(arena), .scope = scope} {
    context.names = &names;
  }

  Value eval(std::string_view text) {
    diags.clear();
    const source::SourceFile& file = sources.add("test.py", std::string(text));
    const syntax::Expr* expr = syntax::parse_expression(file, arena, diags);
    return expr == nullptr ? Value::error() : ExprSema(context).eval(*expr);
  }

  // The value as text: "f32 * 2.0", or what Python would print, or the first message.
  std::string text(std::string_view source) {
    const Value value = eval(source);
    if (!diags.messages().empty()) return diags.messages().front().text;
    if (value.is_expr()) return ir::dump(value.expr);
    return python_text(value, true).value_or(describe(value));
  }

  std::string type(std::string_view source) {
    const Value value = eval(source);
    if (!diags.messages().empty()) return diags.messages().front().text;
    return to_string(ExprSema(context).type_of(value));
  }

  // The source text that the first message points at.
  std::string place(std::string_view source) {
    eval(source);
    if (diags.messages().empty()) return "";
    return std::string(sources.text_of(diags.messages().front().span));
  }

  source::SourceManager sources;
  source::Diagnostics diags;
  Arena arena;
  EmptyScope scope;
  TestNames names;
  Context context;
};

// The table of language.md 3.2, row by row.
constexpr std::array<std::string_view, 12> kColumns = {"i8",  "i16", "i32", "i64",  "u8",  "u16",
                                                       "u32", "u64", "f16", "bf16", "f32", "f64"};
struct TableRow {
  std::string_view name;
  std::array<std::string_view, 12> results;
};
constexpr TableRow kTable[] = {
    {"b", {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"i8", {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"i16", {"i16", "i16", "i32", "i64", "i16", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"i32", {"i32", "i32", "i32", "i64", "i32", "i32", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"i64", {"i64", "i64", "i64", "i64", "i64", "i64", "i64", "u64", "f16", "bf16", "f32", "f64"}},
    {"u8", {"u8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"u16", {"u16", "u16", "i32", "i64", "u16", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"u32", {"u32", "u32", "u32", "i64", "u32", "u32", "u32", "u64", "f16", "bf16", "f32", "f64"}},
    {"u64", {"u64", "u64", "u64", "u64", "u64", "u64", "u64", "u64", "f16", "bf16", "f32", "f64"}},
    {"f16", {"f16", "f16", "f16", "f16", "f16", "f16", "f16", "f16", "f16", "f16", "f32", "f64"}},
    {"bf16",
     {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "f16", "bf16", "f32", "f64"}},
    {"f32", {"f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f64"}},
    {"f64", {"f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64"}},
};

TEST_F(ExprSemaTest, SumsHaveTheTypeOfTheTable) {
  for (const TableRow& row : kTable) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const std::string wanted = to_string(*parse_dtype(row.results[i]));
      const std::string sum = fmt::format("{} + {}", row.name, kColumns[i]);
      EXPECT_EQ(type(sum), wanted) << sum;
      EXPECT_EQ(type(fmt::format("{} * {}", kColumns[i], row.name)), wanted) << sum;
      EXPECT_EQ(type(fmt::format("{} < {}", row.name, kColumns[i])), "bool") << sum;
    }
  }
  EXPECT_EQ(text("b + b"), "'+' of two bools is their 'or', a bool again");
  EXPECT_EQ(type("b | b"), "bool");
}

TEST_F(ExprSemaTest, LiteralsAdoptTheOtherType) {
  EXPECT_EQ(type("i8 + 1"), "int32");
  EXPECT_EQ(type("u16 & 255"), "int32");
  EXPECT_EQ(type("b + 1"), "int32");
  EXPECT_EQ(type("i8 % 3"), "int32");
  EXPECT_EQ(type("u32 + 1"), "uint32");
  EXPECT_EQ(type("u32 & 0xFFFF0000"), "uint32");
  EXPECT_EQ(type("i32 & 0xFF000000"), "int64");
  EXPECT_EQ(type("i32 + 4294967296"), "int64");
  EXPECT_EQ(type("u64 + 9223372036854775808"), "uint64");
  EXPECT_EQ(type("i64 + 9223372036854775808"), "uint64");
  EXPECT_EQ(type("u32 + -1"), "uint32");
  EXPECT_EQ(text("u32 + -1"), "u32 + 4294967295");
  EXPECT_EQ(type("f16 * 2"), "float16");
  EXPECT_EQ(type("f16 * 2.5"), "float32");
  EXPECT_EQ(type("bf16 * 2.5"), "float32");
  EXPECT_EQ(type("i64 * 0.5"), "float32");
  EXPECT_EQ(type("f64 * 0.1"), "float64");
  EXPECT_EQ(type("u8 << 3"), "uint8");
  EXPECT_EQ(type("i8 >> i64"), "int8");
  EXPECT_EQ(type("1 << u8"), "int32");
}

TEST_F(ExprSemaTest, PythonNumbersStayPythons) {
  EXPECT_EQ(text("1 << 40"), "1099511627776");
  EXPECT_EQ(text("-7 // 2"), "-4");
  EXPECT_EQ(text("7 // -2"), "-4");
  EXPECT_EQ(text("-7 % 2"), "1");
  EXPECT_EQ(text("7 % -2"), "-1");
  EXPECT_EQ(text("-7.5 // 2"), "-4.0");
  EXPECT_EQ(text("-7.5 % 2"), "0.5");
  EXPECT_EQ(text("7 / 2"), "3.5");
  EXPECT_EQ(text("2 ** 100"), "1267650600228229401496703205376");
  EXPECT_EQ(text("2 ** -1"), "0.5");
  EXPECT_EQ(text("2 ** 127"), "the result of '**' does not fit in 128 bits");
  EXPECT_EQ(text("1 // 0"), "division by zero");
  EXPECT_EQ(text("True + True"), "2");
  EXPECT_EQ(text("True & False"), "False");
  EXPECT_EQ(text("~5"), "-6");
  EXPECT_EQ(text("1e16"), "1e+16");
  EXPECT_EQ(text("0.1 + 0.2"), "0.30000000000000004");
  EXPECT_EQ(text("1_000.0"), "1000.0");
  EXPECT_EQ(text("math.pi * 2"), "6.283185307179586");
  EXPECT_EQ(text("math.sqrt(2)"), "1.4142135623730951");
  EXPECT_EQ(text("math.floor(-2.5)"), "-3");
  EXPECT_EQ(text("math.gcd(12, 18)"), "6");
  EXPECT_EQ(text("round(2.5)"), "2");
  EXPECT_EQ(text("int(-2.7)"), "-2");
  EXPECT_EQ(text("divmod(-7, 2)"), "(-4, 1)");
}

TEST_F(ExprSemaTest, SequencesAreKnownWhileCompiling) {
  EXPECT_EQ(text("[1, 2, 3][-1]"), "3");
  EXPECT_EQ(text("[1, 2, 3, 4, 5][1:4:2]"), "[2, 4]");
  EXPECT_EQ(text("[1, 2, 3][::-1]"), "[3, 2, 1]");
  EXPECT_EQ(text("(1,) + (2, 3)"), "(1, 2, 3)");
  EXPECT_EQ(text("[0] * 3"), "[0, 0, 0]");
  EXPECT_EQ(text("[k * k for k in range(4) if k != 2]"), "[0, 1, 9]");
  EXPECT_EQ(text("{k: k + 1 for k in (1, 2)}"), "{1: 2, 2: 3}");
  EXPECT_EQ(text("{'a': 1, 'b': 2}['b']"), "2");
  EXPECT_EQ(text("sum([1, 2, 3])"), "6");
  EXPECT_EQ(text("sorted([3, 1, 2])"), "[1, 2, 3]");
  EXPECT_EQ(text("list(zip([1, 2], 'ab'))"), "[(1, 'a'), (2, 'b')]");
  EXPECT_EQ(text("list(enumerate('ab', 1))"), "[(1, 'a'), (2, 'b')]");
  EXPECT_EQ(text("len(range(10, 0, -3))"), "4");
  EXPECT_EQ(text("range(10)[2:8:3][1]"), "5");
  EXPECT_EQ(text("3 in [1, 2]"), "False");
  EXPECT_EQ(text("(lambda x, y=2: x * y)(4)"), "8");
  EXPECT_EQ(text("f'{four:03d} {0.5:.2f} {\"x\"!r}'"), "\"004 0.50 'x'\"");
  EXPECT_EQ(text("'ab'.upper() + 'c'"), "'ABc'");
  EXPECT_EQ(text("[1, 2][2]"), "index 2 is out of range; a list has 2 items");
  EXPECT_EQ(text("[1, 2][i32]"),
            "an index of a list must be an int that is known while compiling, not int32");
}

TEST_F(ExprSemaTest, OperatorsKeepWhatWasWritten) {
  EXPECT_EQ(text("f32 > 0.0"), "f32 > 0.0");
  EXPECT_EQ(text("0 < i32"), "0 < i32");
  EXPECT_EQ(text("i32 * -1"), "i32 * -1");
  EXPECT_EQ(text("-i32"), "-i32");
  EXPECT_EQ(text("i32 + 0"), "i32");
  EXPECT_EQ(text("i32 * 1"), "i32");
  EXPECT_EQ(text("i32 - i32"), "0");
  EXPECT_EQ(text("f32 * 0.0"), "f32 * 0.0");
  EXPECT_EQ(text("f32 + 0.0"), "f32 + 0.0");
  EXPECT_EQ(text("four * 2 + i32"), "four * 2 + i32");
  EXPECT_EQ(text("i32 ** 3"), "i32 * i32 * i32");
  EXPECT_EQ(text("f32 ** 0.5"), "T.pow(f32, 0.5)");
  EXPECT_EQ(text("not (i32 < 4)"), "not i32 < 4");
}

TEST_F(ExprSemaTest, NamesBoundToLiteralsAreKnown) {
  EXPECT_EQ(ExprSema(context).known_int(eval("four * 2 - 1")), 7);
  EXPECT_EQ(ExprSema(context).known_truth(eval("four == 4")), true);
  EXPECT_EQ(ExprSema(context).known_truth(eval("not four")), false);
  EXPECT_EQ(ExprSema(context).known_int(eval("T.int64(four) << 1")), 8);
  EXPECT_EQ(ExprSema(context).known_int(eval("-four")), -4);
  EXPECT_EQ(ExprSema(context).known_int(eval("four + i32")), std::nullopt);
}

TEST_F(ExprSemaTest, ErrorsOfOperators) {
  EXPECT_EQ(text("i32 / 3"), "'/' on int32 and a Python int; use // or T.truncdiv");
  EXPECT_EQ(place("i32 / 3"), "/");
  EXPECT_EQ(text("u32 / b"), "'/' on uint32 and bool; use // or T.truncdiv");
  EXPECT_EQ(text("i32 // 0"), "division by zero");
  EXPECT_EQ(place("i32 // 0"), "0");
  EXPECT_EQ(text("i32 % (four - 4)"), "division by zero");
  EXPECT_EQ(text("i32 << 32"), "shift amount 32 is outside 0..31 of int32");
  EXPECT_EQ(text("i8 >> -1"), "shift amount -1 is outside 0..7 of int8");
  EXPECT_EQ(text("f32 << 1"), "'<<' takes integers, not float32 and a Python int");
  EXPECT_EQ(text("f32 & i32"), "'&' takes integers and bools, not float32 and int32");
  EXPECT_EQ(text("b // b"), "'//' takes numbers, not bool and bool");
  EXPECT_EQ(text("A + 1"), "tensor A is used as a number; read an element of it");
  EXPECT_EQ(text("[1] + i32"), "'+' does not take a list and int32");
  EXPECT_EQ(text("i32 ** i32"),
            "'**' on integers takes a literal exponent from 0 to 8; use T.pow for floats");
  EXPECT_EQ(text("i32 ** -1"),
            "'**' on integers takes a literal exponent from 0 to 8; use T.pow for floats");
  EXPECT_EQ(text("i32 is None"),
            "'is' asks about Python objects, and int32 is known only when the kernel runs");
  EXPECT_EQ(text("i32 in [1, 2]"),
            "'in' asks about Python objects, and int32 is known only when the kernel runs");
  EXPECT_EQ(text("A is None"), "False");
  EXPECT_EQ(text("A is not None"), "True");
  EXPECT_EQ(text("i32 + 99999999999999999999"), "99999999999999999999 does not fit in 64 bits");
  EXPECT_EQ(text("T.int32(2147483647) + T.int32(1)"),
            "2147483648 does not fit int32 and wraps to -2147483648");
}

TEST_F(ExprSemaTest, ComparisonsThatNeverDiffer) {
  EXPECT_EQ(text("u32 > -1"), "comparison is always false");
  EXPECT_EQ(text("u8 < 300"), "comparison is always true");
  EXPECT_EQ(text("300 > u8"), "comparison is always true");
  EXPECT_EQ(text("i32 == 3000000000"), "comparison is always false");
  EXPECT_EQ(text("u32 == -1"), "u32 == 4294967295");
  EXPECT_EQ(text("u8 < 255"), "T.int32(u8) < 255");
}

TEST_F(ExprSemaTest, ChainsAndLogic) {
  EXPECT_EQ(text("0 <= i32 < 8"), "0 <= i32 and i32 < 8");
  EXPECT_EQ(text("1 < 2 < i32"), "2 < i32");
  EXPECT_EQ(text("1 > 2 > undefined_name"), "False");
  EXPECT_EQ(text("i32 and f32"), "i32 != 0 and f32 != 0.0");
  EXPECT_EQ(text("True and b"), "b");
  EXPECT_EQ(text("False and A[1.5]"), "False");
  EXPECT_EQ(text("b or True"), "True");
  EXPECT_EQ(text("not b"), "not b");
  EXPECT_EQ(text("1 if four > 3 else A[1.5]"), "1");
  EXPECT_EQ(text("i32 if b else 0.5"), "T.float32(i32) if b else 0.5");
  EXPECT_EQ(type("u8 if b else 0"), "uint8");
  EXPECT_EQ(text("T.if_then_else(b, i32, 1.5)"), "T.float32(i32) if b else 1.5");
  EXPECT_EQ(text("T.Select(b, i32, f32)"),
            "T.Select needs two values of one type, not int32 and float32");
}

TEST_F(ExprSemaTest, Casts) {
  EXPECT_EQ(text("T.int32(2.9)"), "2");
  EXPECT_EQ(text("T.int32('5')"), "5");
  EXPECT_EQ(text("T.int32(f32)"), "T.int32(f32)");
  EXPECT_EQ(text("T.cast(i32, 'int64')"), "T.int64(i32)");
  EXPECT_EQ(text("T.Cast('float16', f32)"), "T.float16(f32)");
  EXPECT_EQ(text("f32.astype(T.int64)"), "T.int64(f32)");
  EXPECT_EQ(text("T.int32(i32)"), "i32");
  EXPECT_EQ(text("T.reinterpret(f32, 'int32')"), text("T.reinterpret('int32', f32)"));
  EXPECT_EQ(type("T.reinterpret(f32, 'int32')"), "int32");
  EXPECT_EQ(text("T.uint8(300)"), "300 does not fit uint8");
  EXPECT_EQ(text("T.uint32(-1)"), "-1 does not fit uint32");
  EXPECT_EQ(text("T.float16(70000)"), "70000 does not fit float16");
  EXPECT_EQ(text("T.float32(1e40)"), "1e+40 does not fit float32");
  EXPECT_EQ(text("T.float32('abc')"), "'abc' is no float32");
  EXPECT_EQ(type("T.float32('inf')"), "float32");
  EXPECT_EQ(type("T.float64('nan')"), "float64");
  EXPECT_EQ(text("T.reinterpret(f32, 'int64')"),
            "T.reinterpret keeps the bits; float32 has 32 bits and int64 has 64 bits");
  EXPECT_EQ(text("T.cast(i32)"), "T.cast needs the argument 'dtype'");
  EXPECT_EQ(text("T.cast(i32, 'int33')"),
            "the string 'int33' is not a dtype; for example T.float32 or \"float32\"");
}

TEST_F(ExprSemaTest, Mathematics) {
  EXPECT_EQ(text("T.sqrt(f32)"), "T.sqrt(f32)");
  EXPECT_EQ(text("T.sqrt(i32)"), "T.sqrt(T.float32(i32))");
  EXPECT_EQ(type("T.exp(f16)"), "float16");
  EXPECT_EQ(type("T.pow(f32, f64)"), "float64");
  EXPECT_EQ(type("T.pow(f64, 2)"), "float64");
  EXPECT_EQ(type("T.pow(i32, 2)"), "float32");
  EXPECT_EQ(type("T.isnan(f64)"), "bool");
  EXPECT_EQ(type("T.popcount(u64)"), "int32");
  EXPECT_EQ(text("T.popcount(i8)"), "T.popcount(T.uint32(T.uint8(i8)))");
  EXPECT_EQ(text("T.clz(u8)"), "T.clz(T.uint32(u8)) - 24");
  EXPECT_EQ(text("T.max(f32, 0.0)"), "T.max(f32, 0.0)");
  EXPECT_EQ(text("T.max(1, 2)"), "2");
  EXPECT_EQ(type("max(u8, 3)"), "uint8");
  EXPECT_EQ(text("min(i32, 4, 2)"), "T.min(T.min(i32, 4), 2)");
  EXPECT_EQ(text("abs(-3)"), "3");
  EXPECT_EQ(text("abs(u32)"), "u32");
  EXPECT_EQ(text("T.sqrt(f32, f32)"), "T.sqrt takes 1 argument (x), 2 given");
  EXPECT_EQ(text("T.sqrt('x')"), "the string 'x' is not a number that the kernel can compute with");
  EXPECT_EQ(text("math.sqrt(f32)"),
            "math.sqrt takes numbers that are known while compiling, not float32");
  EXPECT_EQ(text("T.no_such_function(1)"), "T has no 'no_such_function'");
  EXPECT_EQ(text("T.truncdiv(-7, 2)"), "-3");
  EXPECT_EQ(text("T.ceildiv(7, 2)"), "4");
  EXPECT_EQ(text("T.max_value('int8')"), "T.int8(127)");
  EXPECT_EQ(text("T.nextafter(f16, f16)"), "T.nextafter takes float32 or float64, not float16");
}

TEST_F(ExprSemaTest, UnknownNamesAreCorrected) {
  eval("T.sqr(f32)");
  ASSERT_EQ(diags.messages().size(), 1u);
  EXPECT_EQ(diags.messages()[0].notes, std::vector<std::string>{"did you mean 'T.sqrt'?"});
  eval("T.cuda.thread_id('x')");
  ASSERT_EQ(diags.messages().size(), 1u);
  EXPECT_EQ(diags.messages()[0].notes,
            std::vector<std::string>{"did you mean 'T.cuda.thread_idx'?"});
  EXPECT_EQ(place("T.cuda.thread_id('x')"), "thread_id");
}

TEST_F(ExprSemaTest, Tensors) {
  EXPECT_EQ(text("A[i32]"), "A[i32]");
  EXPECT_EQ(text("M[i32, 3]"), "M[i32, 3]");
  EXPECT_EQ(text("A.shape"), "(64,)");
  EXPECT_EQ(text("len(M.shape)"), "2");
  EXPECT_EQ(text("A.dtype == 'float32'"), "True");
  EXPECT_EQ(text("A.scope()"), "'global'");
  EXPECT_EQ(text("M[i32]"), "M has 2 dimensions, 1 index given");
  EXPECT_EQ(text("A[i32, 0]"), "A has 1 dimension, 2 indices given");
  EXPECT_EQ(text("A[1.5]"), "an index of A must be an integer, not a Python float");
  EXPECT_EQ(text("A[f32]"), "an index of A must be an integer, not float32");
  EXPECT_EQ(text("A[64]"), "index 64 is out of range; dimension 0 of A has 64 elements");
  EXPECT_EQ(text("A[-1]"), "index -1 is negative; tensors do not count from the end");
  EXPECT_EQ(text("M[0, four]"), "index 4 is out of range; dimension 1 of M has 4 elements");
  EXPECT_EQ(text("A.shap"), "tensor A has no attribute 'shap'");
  EXPECT_EQ(text("half[i8] * 2"), "half[T.int32(i8)] * T.float16(2.0)");
}

TEST_F(ExprSemaTest, LaunchIndices) {
  EXPECT_EQ(text("T.cuda.thread_idx('x')"), "T.cuda.thread_idx(\"x\")");
  EXPECT_EQ(text("T.cuda.thread_idx('y')"), "0");
  EXPECT_EQ(text("T.cuda.block_dim('x')"), "256");
  EXPECT_EQ(text("T.cuda.lane_id()"), "T.cuda.thread_idx(\"x\") & 31");
  names.block = {16, 16, 1};
  EXPECT_EQ(text("T.cuda.linear_thread_id()"),
            "T.cuda.thread_idx(\"x\") + T.cuda.thread_idx(\"y\") * 16");
  EXPECT_EQ(text("T.cuda.thread_idx()"), "T.cuda.thread_idx takes the axis \"x\", \"y\" or \"z\"");
  EXPECT_EQ(text("T.cuda.thread_idx('w')"),
            "T.cuda.thread_idx takes the axis \"x\", \"y\" or \"z\", not the string 'w'");
  names.in_device = false;
  EXPECT_EQ(text("T.cuda.thread_idx('x')"),
            "T.cuda.thread_idx has a value only in device code, after T.device_entry");
}

TEST_F(ExprSemaTest, WhatTheLanguageDoesNotHave) {
  EXPECT_EQ(text("(x := 1)"), "':=' is not part of the language");
  EXPECT_EQ(text("i32 @ i32"), "'@' is not part of the language");
  EXPECT_EQ(text("1j"), "complex numbers are not part of the language");
  EXPECT_EQ(text("T.cuda.cluster_sync()"), "T.cuda.cluster_sync is not supported yet");
  EXPECT_EQ(text("T.ptx.ld.global_.f32(f32, A.data)"), "T.ptx.ld.global_.f32 is not supported yet");
}

TEST_F(ExprSemaTest, StoresWarnOfWhatIsLost) {
  const auto store = [&](std::string_view source, DType type) -> std::string {
    const Value value = eval(source);
    ExprSema(context).convert(value, type, {}, Conversion::Store);
    return diags.messages().empty() ? "" : diags.messages().front().text;
  };
  EXPECT_EQ(store("300", kUInt8), "300 does not fit uint8");
  EXPECT_EQ(store("2.7", kInt32), "2.7 is stored as 2 in int32");
  EXPECT_EQ(store("2.0", kInt32), "");
  EXPECT_EQ(store("i64", kInt32), "int64 is narrowed to int32");
  EXPECT_EQ(store("f32", kInt32), "float32 is narrowed to int32");
  EXPECT_EQ(store("f64", kFloat32), "float64 is narrowed to float32");
  EXPECT_EQ(store("u8 + 1", kUInt8), "");
  EXPECT_EQ(store("f16 * 2.5", kFloat16), "");
  EXPECT_EQ(store("i32 & 255", kUInt8), "");
  EXPECT_EQ(store("i32", kInt64), "");
  EXPECT_EQ(store("0.1", kFloat64), "");
}

// A kernel of thousands of terms must not take the stack with it.
TEST_F(ExprSemaTest, LongSumsAreFlat) {
  std::string sum = "i32";
  for (int i = 0; i < 2900; ++i) {
    sum += " + i32";
  }
  EXPECT_EQ(type(sum), "int32");
}

}  // namespace
}  // namespace tirxcc::sema
