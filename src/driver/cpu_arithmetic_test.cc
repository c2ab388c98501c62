// SPDX-License-Identifier: Apache-2.0
//
// Every operator and conversion of the language on the CPU target, at every width, on the values
// where things go wrong, against plain C++. Both pipelines (opt_level 0 and 2) must agree.
#include <cmath>
#include <cstring>
#include <limits>

#include "driver/cpu_testing.h"
#include "ir/constant.h"

namespace tirxcc::driver {
namespace {

using ir::BinaryOp;

constexpr DType kIntTypes[] = {kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64};
constexpr DType kFloatTypes[] = {kFloat16, kBFloat16, kFloat32, kFloat64};

// Arrays of any type as bytes.
using Bytes = std::vector<unsigned char>;

void put_int(Bytes& out, DType type, int128 value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::size_t at = out.size();
  out.resize(at + static_cast<std::size_t>(type.bytes()));
  std::memcpy(out.data() + at, &bits, static_cast<std::size_t>(type.bytes()));
}

int128 get_int(const Bytes& in, DType type, std::size_t index) {
  std::uint64_t bits = 0;
  const auto size = static_cast<std::size_t>(type.bytes());
  std::memcpy(&bits, in.data() + index * size, size);
  return wrap_int(type, type.is_bool() ? int128{bits} : static_cast<int128>(bits));
}

// float16 bits of a value that float16 can hold exactly.
std::uint16_t half_bits(double value) {
  if (std::isnan(value)) return 0x7e00;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isinf(size)) return sign | 0x7c00;
  if (size < std::ldexp(1.0, -14)) {
    return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(size, 24)));
  }
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);
  const int mantissa = static_cast<int>(std::ldexp(fraction, 11)) - 1024;
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | mantissa);
}

double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double size = 0;
  if (exponent == 31) {
    size = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  } else {
    size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

void put_float(Bytes& out, DType type, double value) {
  const auto append = [&](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    out.insert(out.end(), bytes, bytes + size);
  };
  const auto single = static_cast<float>(value);
  if (type.is_float64()) return append(&value, 8);
  if (type.is_float32()) return append(&single, 4);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, 4);
  const std::uint16_t half =
      type.is_float16() ? half_bits(value) : static_cast<std::uint16_t>(bits >> 16);
  append(&half, 2);
}

double get_float(const Bytes& in, DType type, std::size_t index) {
  double value = 0;
  float single = 0;
  std::uint16_t half = 0;
  if (type.is_float64()) {
    std::memcpy(&value, in.data() + index * 8, 8);
    return value;
  }
  if (type.is_float32()) {
    std::memcpy(&single, in.data() + index * 4, 4);
    return single;
  }
  std::memcpy(&half, in.data() + index * 2, 2);
  if (type.is_float16()) return half_value(half);
  const std::uint32_t bits = static_cast<std::uint32_t>(half) << 16;
  std::memcpy(&single, &bits, 4);
  return single;
}

bool is_same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

std::vector<int128> int_values(DType type) {
  std::vector<int128> values = {0,
                                1,
                                2,
                                3,
                                5,
                                7,
                                8,
                                31,
                                63,
                                100,
                                type.max_int(),
                                type.max_int() - 1,
                                type.max_int() / 2,
                                type.max_int() / 3};
  if (type.is_signed_int()) {
    for (int128 value : {-1, -2, -3, -7, -8, -100})
      values.push_back(value);
    values.push_back(type.min_int());
    values.push_back(type.min_int() + 1);
  }
  return values;
}

std::vector<double> float_values(DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values = {
      0.0,    -0.0,         1.0,   -1.0,  0.5,   1.5,      2.5,       -2.5,
      3.0,    -7.0,         0.1,   1e-3,  1e-8,  5.97e-8,  6e-5,      255.5,
      256.5,  65504.0,      65519, 65520, 1e10,  -3.4e38,  1e-40,     127.99,
      -128.5, 2147483647.0, 4e9,   1e19,  -1e19, infinity, -infinity, std::nan("")};
  for (double& value : values)
    value = ir::round_to(type, value);
  return values;
}

// Plain C++ for language.md's integer operators, in exact arithmetic and then wrapped.
int128 expected_int(BinaryOp op, DType type, int128 a, int128 b) {
  const auto floor_mod = [](int128 x, int128 y) {
    const int128 rest = x % y;
    return rest != 0 && ((rest < 0) != (y < 0)) ? rest + y : rest;
  };
  if (op == BinaryOp::Add) return wrap_int(type, a + b);
  if (op == BinaryOp::Sub) return wrap_int(type, a - b);
  if (op == BinaryOp::Mul) {
    return wrap_int(type, static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b)));
  }
  if (op == BinaryOp::FloorDiv) return b == 0 ? 0 : wrap_int(type, (a - floor_mod(a, b)) / b);
  if (op == BinaryOp::FloorMod) return b == 0 ? a : floor_mod(a, b);
  if (op == BinaryOp::TruncDiv) return b == 0 ? 0 : wrap_int(type, a / b);
  if (op == BinaryOp::TruncMod) return b == 0 ? a : a % b;
  if (op == BinaryOp::BitAnd) return a & b;
  if (op == BinaryOp::BitOr) return a | b;
  if (op == BinaryOp::BitXor) return wrap_int(type, a ^ b);
  const bool is_large = b < 0 || b >= type.bits;
  if (op == BinaryOp::ShiftLeft) return is_large ? 0 : wrap_int(type, a << static_cast<int>(b));
  return is_large ? (a < 0 ? -1 : 0) : a >> static_cast<int>(b);
}

bool expected_comparison(BinaryOp op, auto a, auto b) {
  if (op == BinaryOp::Eq) return a == b;
  if (op == BinaryOp::Ne) return a != b;
  if (op == BinaryOp::Lt) return a < b;
  if (op == BinaryOp::Le) return a <= b;
  if (op == BinaryOp::Gt) return a > b;
  return a >= b;
}

constexpr BinaryOp kIntOps[] = {BinaryOp::Add,      BinaryOp::Sub,       BinaryOp::Mul,
                                BinaryOp::FloorDiv, BinaryOp::FloorMod,  BinaryOp::TruncDiv,
                                BinaryOp::TruncMod, BinaryOp::BitAnd,    BinaryOp::BitOr,
                                BinaryOp::BitXor,   BinaryOp::ShiftLeft, BinaryOp::ShiftRight};
constexpr BinaryOp kComparisons[] = {BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt,
                                     BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge};

class CpuArithmetic : public testing::CpuTest, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { options.opt_level = GetParam(); }

  // A kernel of `count` threads that stores each of `values` (made from the thread's index) to a
  // row of the output.
  void run_rows(const ir::Tensor* out, const List<Expr>& values, std::vector<std::uint64_t> args,
                std::size_t count) {
    block[0] = i64(static_cast<std::int64_t>(count));
    List<Stmt> body;
    for (std::size_t row = 0; row < values.size(); ++row) {
      const Expr* index = add(thread(), i32(static_cast<std::int64_t>(row * count)));
      body.push_back(store(out, index, values[row]));
    }
    run(std::move(body), std::move(args), 1, static_cast<std::int64_t>(count));
    params.clear();
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, CpuArithmetic, ::testing::Values(0, 2));

TEST_P(CpuArithmetic, IntegerOperators) {
  for (const DType type : kIntTypes) {
    Bytes a_bytes;
    Bytes b_bytes;
    std::vector<std::pair<int128, int128>> pairs;
    for (const int128 a : int_values(type)) {
      for (const int128 b : int_values(type)) {
        pairs.emplace_back(a, b);
        put_int(a_bytes, type, a);
        put_int(b_bytes, type, b);
      }
    }
    const ir::Tensor* a = tensor("A", type);
    const ir::Tensor* b = tensor("B", type);
    const ir::Tensor* out = tensor("O", type);
    List<Expr> values;
    for (const BinaryOp op : kIntOps)
      values.push_back(binary(op, load(a, thread()), load(b, thread())));
    Bytes result(a_bytes.size() * std::size(kIntOps));
    run_rows(out, values, {word(a_bytes.data()), word(b_bytes.data()), word(result.data())},
             pairs.size());
    for (std::size_t row = 0; row < std::size(kIntOps); ++row) {
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [x, y] = pairs[i];
        ASSERT_TRUE(get_int(result, type, row * pairs.size() + i) ==
                    expected_int(kIntOps[row], type, x, y))
            << to_string(type) << " operator " << static_cast<int>(kIntOps[row]) << " on "
            << static_cast<std::int64_t>(x) << " and " << static_cast<std::int64_t>(y);
      }
    }
  }
}

TEST_P(CpuArithmetic, DivisionAndShiftByConstants) {
  for (const DType type : kIntTypes) {
    const std::vector<int128> left = int_values(type);
    Bytes a_bytes;
    for (const int128 value : left)
      put_int(a_bytes, type, value);
    const ir::Tensor* a = tensor("A", type);
    const ir::Tensor* out = tensor("O", type);
    List<Expr> values;
    std::vector<std::pair<BinaryOp, int128>> rows;
    for (const BinaryOp op : kIntOps) {
      for (const int128 constant : int_values(type)) {
        rows.emplace_back(op, constant);
        const Expr* literal =
            build.int_imm(type, static_cast<std::int64_t>(constant), testing::kSpan);
        values.push_back(binary(op, load(a, thread()), literal));
      }
    }
    Bytes result(a_bytes.size() * rows.size());
    run_rows(out, values, {word(a_bytes.data()), word(result.data())}, left.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t i = 0; i < left.size(); ++i) {
        ASSERT_TRUE(get_int(result, type, row * left.size() + i) ==
                    expected_int(rows[row].first, type, left[i], rows[row].second))
            << to_string(type) << " operator " << static_cast<int>(rows[row].first) << " on "
            << static_cast<std::int64_t>(left[i]) << " and constant "
            << static_cast<std::int64_t>(rows[row].second);
      }
    }
  }
}

TEST_P(CpuArithmetic, Comparisons) {
  for (const DType type : kIntTypes) {
    Bytes a_bytes;
    Bytes b_bytes;
    std::vector<std::pair<int128, int128>> pairs;
    for (const int128 a : int_values(type)) {
      for (const int128 b : int_values(type)) {
        pairs.emplace_back(a, b);
        put_int(a_bytes, type, a);
        put_int(b_bytes, type, b);
      }
    }
    const ir::Tensor* a = tensor("A", type);
    const ir::Tensor* b = tensor("B", type);
    const ir::Tensor* out = tensor("O", kBool);
    List<Expr> values;
    for (const BinaryOp op : kComparisons)
      values.push_back(binary(op, load(a, thread()), load(b, thread())));
    Bytes result(pairs.size() * std::size(kComparisons));
    run_rows(out, values, {word(a_bytes.data()), word(b_bytes.data()), word(result.data())},
             pairs.size());
    for (std::size_t row = 0; row < std::size(kComparisons); ++row) {
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [x, y] = pairs[i];
        ASSERT_EQ(result[row * pairs.size() + i], expected_comparison(kComparisons[row], x, y));
      }
    }
  }
}

double expected_float(BinaryOp op, DType type, double a, double b) {
  if (op == BinaryOp::Add) return ir::round_to(type, a + b);
  if (op == BinaryOp::Sub) return ir::round_to(type, a - b);
  if (op == BinaryOp::Mul) return ir::round_to(type, a * b);
  if (op == BinaryOp::Div) return ir::round_to(type, a / b);
  if (op == BinaryOp::FloorDiv) return std::floor(ir::round_to(type, a / b));
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  const bool moves = rest != 0 && ((rest < 0) != (b < 0));
  return ir::round_to(type, moves ? rest + b : rest);
}

TEST_P(CpuArithmetic, FloatOperators) {
  constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub,      BinaryOp::Mul,
                               BinaryOp::Div, BinaryOp::FloorDiv, BinaryOp::FloorMod};
  for (const DType type : kFloatTypes) {
    Bytes a_bytes;
    Bytes b_bytes;
    std::vector<std::pair<double, double>> pairs;
    for (const double a : float_values(type)) {
      for (const double b : float_values(type)) {
        pairs.emplace_back(a, b);
        put_float(a_bytes, type, a);
        put_float(b_bytes, type, b);
      }
    }
    const std::size_t count = pairs.size();
    const ir::Tensor* a = tensor("A", type);
    const ir::Tensor* b = tensor("B", type);
    const ir::Tensor* out = tensor("O", type);
    List<Expr> values;
    for (const BinaryOp op : kOps)
      values.push_back(binary(op, load(a, thread()), load(b, thread())));
    for (const char* name : {"max", "min"}) {
      for (const ir::Dialect each : {ir::Dialect::A, ir::Dialect::B}) {
        dialect = each;
        values.push_back(call(name, type, {load(a, thread()), load(b, thread())}));
      }
    }
    Bytes result(a_bytes.size() * values.size());
    run_rows(out, values, {word(a_bytes.data()), word(b_bytes.data()), word(result.data())}, count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto [x, y] = pairs[i];
      for (std::size_t row = 0; row < std::size(kOps); ++row) {
        const double got = get_float(result, type, row * count + i);
        const double wanted = expected_float(kOps[row], type, x, y);
        ASSERT_TRUE(is_same(got, wanted))
            << to_string(type) << " operator " << static_cast<int>(kOps[row]) << " on " << x
            << " and " << y << ": " << got << ", not " << wanted;
      }
      const bool has_nan = std::isnan(x) || std::isnan(y);
      const double nan = std::nan("");
      // Of zeros, -0.0 is the lesser.
      const double most = x != y ? std::fmax(x, y) : std::signbit(x) ? y : x;
      const double least = x != y ? std::fmin(x, y) : std::signbit(x) ? x : y;
      const double choices[] = {has_nan ? nan : most, most, has_nan ? nan : least, least};
      for (std::size_t k = 0; k < 4; ++k) {
        const double got = get_float(result, type, (std::size(kOps) + k) * count + i);
        ASSERT_TRUE(is_same(got, choices[k]))
            << to_string(type) << " max/min " << k << " of " << x << " and " << y << ": " << got;
      }
    }
  }
}

TEST_P(CpuArithmetic, FloatComparisons) {
  for (const DType type : kFloatTypes) {
    Bytes a_bytes;
    Bytes b_bytes;
    std::vector<std::pair<double, double>> pairs;
    for (const double a : float_values(type)) {
      for (const double b : float_values(type)) {
        pairs.emplace_back(a, b);
        put_float(a_bytes, type, a);
        put_float(b_bytes, type, b);
      }
    }
    const ir::Tensor* a = tensor("A", type);
    const ir::Tensor* b = tensor("B", type);
    const ir::Tensor* out = tensor("O", kBool);
    List<Expr> values;
    for (const BinaryOp op : kComparisons)
      values.push_back(binary(op, load(a, thread()), load(b, thread())));
    Bytes result(pairs.size() * std::size(kComparisons));
    run_rows(out, values, {word(a_bytes.data()), word(b_bytes.data()), word(result.data())},
             pairs.size());
    for (std::size_t row = 0; row < std::size(kComparisons); ++row) {
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [x, y] = pairs[i];
        ASSERT_EQ(result[row * pairs.size() + i], expected_comparison(kComparisons[row], x, y));
      }
    }
  }
}

TEST_P(CpuArithmetic, Casts) {
  std::vector<DType> all(std::begin(kIntTypes), std::end(kIntTypes));
  all.insert(all.end(), std::begin(kFloatTypes), std::end(kFloatTypes));
  all.push_back(kBool);
  for (const DType from : all) {
    Bytes input;
    std::vector<int128> ints = from.is_bool() ? std::vector<int128>{0, 1} : std::vector<int128>{};
    if (from.is_int()) ints = int_values(from);
    // Beyond float32's 24 bits, near a tie of bfloat16 or float16.
    for (const int128 extra : {int128{0x1018001}, int128{0x4040000001}, int128{0x40400000000001},
                               int128{0x1010000000000001}, int128{2049}, int128{65520}}) {
      if (from.is_int() && from.can_hold(extra)) ints.push_back(extra);
    }
    std::vector<double> floats = from.is_float() ? float_values(from) : std::vector<double>{};
    if (from.is_float64()) {
      // Just above a tie of the halves, which float32 cannot tell from the tie.
      floats.push_back(1.0 + 0x1p-11 + 0x1p-40);
      floats.push_back(1.0 + 0x1p-8 + 0x1p-40);
      floats.push_back(-1.0 - 0x1p-8 - 0x1p-40);
      floats.push_back(0x1p-25 + 0x1p-60);
      floats.push_back(1e300);
      floats.push_back(1e-300);
    }
    for (const int128 value : ints)
      put_int(input, from, value);
    for (const double value : floats)
      put_float(input, from, value);
    const std::size_t count = ints.size() + floats.size();
    for (const DType to : all) {
      const ir::Tensor* a = tensor("A", from);
      const ir::Tensor* out = tensor("O", to);
      Bytes result(count * static_cast<std::size_t>(to.bytes()));
      run_rows(out, {cast(to, load(a, thread()))}, {word(input.data()), word(result.data())},
               count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::string what =
            to_string(from) + " to " + to_string(to) + " of " +
            (from.is_float() ? std::to_string(floats[i])
                             : std::to_string(static_cast<std::int64_t>(ints[i])));
        if (to.is_float()) {
          const double wanted =
              from.is_float() ? ir::round_to(to, floats[i]) : ir::round_int_to(to, ints[i]);
          ASSERT_TRUE(is_same(get_float(result, to, i), wanted))
              << what << ": " << get_float(result, to, i) << ", not " << wanted;
        } else {
          const int128 wanted = from.is_float() ? ir::float_to_int(to, floats[i])
                                : to.is_bool()  ? int128{ints[i] != 0}
                                                : wrap_int(to, ints[i]);
          ASSERT_TRUE(get_int(result, to, i) == wanted)
              << what << ": " << static_cast<std::int64_t>(get_int(result, to, i)) << ", not "
              << static_cast<std::int64_t>(wanted);
        }
      }
    }
  }
}

TEST_P(CpuArithmetic, UnaryOperatorsAndBits) {
  for (const DType type : kIntTypes) {
    const std::vector<int128> inputs = int_values(type);
    Bytes bytes;
    for (const int128 value : inputs)
      put_int(bytes, type, value);
    const ir::Tensor* a = tensor("A", type);
    const ir::Tensor* out = tensor("O", type);
    Bytes result(bytes.size() * 3);
    run_rows(out,
             {build.make_unary(ir::UnaryOp::Neg, load(a, thread()), testing::kSpan),
              build.make_unary(ir::UnaryOp::BitNot, load(a, thread()), testing::kSpan),
              call("abs", type, {load(a, thread())})},
             {word(bytes.data()), word(result.data())}, inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const int128 x = inputs[i];
      ASSERT_TRUE(get_int(result, type, i) == wrap_int(type, -x));
      ASSERT_TRUE(get_int(result, type, inputs.size() + i) == wrap_int(type, ~x));
      ASSERT_TRUE(get_int(result, type, 2 * inputs.size() + i) == wrap_int(type, x < 0 ? -x : x));
    }
  }
}

}  // namespace
}  // namespace tirxcc::driver
