// SPDX-License-Identifier: Apache-2.0
//
// Plans written by hand, run against a launcher that only records.
#include "abi/launch.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "abi/bind.h"
#include "abi/half.h"
#include "abi/scalar.h"

namespace tirxcc::abi {
namespace {

struct Recorder : Launcher {
  std::vector<LaunchRequest> requests;
  std::vector<std::vector<std::uint64_t>> words;
  Result<void> launch(const LaunchRequest& request) override {
    requests.push_back(request);
    words.emplace_back(request.args.begin(), request.args.end());
    return {};
  }
};

// A tensor argument with its own shape and strides.
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  TensorView view;
  Tensor(void* data, DType type, std::vector<std::int64_t> extents,
         std::vector<std::int64_t> steps = {})
      : shape(std::move(extents)), strides(std::move(steps)) {
    view.data = data;
    view.dtype = type;
    view.rank = static_cast<std::int32_t>(shape.size());
    view.shape = shape.data();
    view.strides = strides.empty() ? nullptr : strides.data();
  }
  Argument arg() const {
    Argument argument;
    argument.kind = ArgumentKind::Tensor;
    argument.tensor = &view;
    return argument;
  }
};

Argument integer(std::int64_t value) {
  Argument argument;
  argument.kind = ArgumentKind::Int;
  argument.int_value = value;
  return argument;
}
Argument real(double value) {
  Argument argument;
  argument.kind = ArgumentKind::Float;
  argument.float_value = value;
  return argument;
}

DimSpec constant(std::int64_t value) {
  DimSpec dim;
  dim.kind = DimSpec::Kind::Constant;
  dim.value = value;
  return dim;
}
DimSpec symbol(DimSpec::Kind kind, Slot slot) {
  DimSpec dim;
  dim.kind = kind;
  dim.slot = slot;
  dim.text = "n";
  return dim;
}

// f(A: Tensor([n, 4], float32), B: Tensor([n], float32), s: int32), B written,
// grid = n, block = 32.
Plan example() {
  Plan plan;
  plan.function_name = "f";
  plan.signature = "f(A: Tensor([n, 4], float32), B: Tensor([n], float32), s: int32)";
  ParamSpec a;
  a.name = "A";
  a.dtype = kFloat32;
  a.shape = {symbol(DimSpec::Kind::Bind, 1), constant(4)};
  a.is_read = true;
  ParamSpec b;
  b.name = "B";
  b.dtype = kFloat32;
  b.shape = {symbol(DimSpec::Kind::Formula, 1)};
  b.is_written = true;
  ParamSpec s;
  s.name = "s";
  s.kind = ParamKind::Scalar;
  s.dtype = kInt32;
  s.slot = 0;
  plan.params = {a, b, s};
  plan.symbols = {{"n", kInt32, 1, "A.shape[0]"}};
  plan.slot_count = 3;
  plan.code = {{.op = HostOp::Const, .dst = 2, .imm = 32},
               {.op = HostOp::Launch, .imm = 0},
               {.op = HostOp::Return}};
  RegionSpec region;
  region.kernel_name = "f_kernel";
  region.grid[0] = 1;
  region.block[0] = 2;
  region.args = {{KernelArgSpec::Kind::Tensor, 0, kFloat32},
                 {KernelArgSpec::Kind::Tensor, 1, kFloat32},
                 {KernelArgSpec::Kind::Value, 0, kInt32},
                 {KernelArgSpec::Kind::Value, 1, kInt32}};
  plan.regions = {region};
  plan.result = kVoid;
  return plan;
}

struct PlanTest : testing::Test {
  Plan plan = example();
  Recorder recorder;
  alignas(16) std::array<float, 64> a_data{};
  alignas(16) std::array<float, 16> b_data{};
  Tensor a{a_data.data(), kFloat32, {8, 4}};
  Tensor b{b_data.data(), kFloat32, {8}};
  std::uint8_t variants = 0;

  Result<std::uint64_t> call(std::vector<Argument> args) {
    return run(plan, args, recorder, {.device = {}, .variants_run = &variants});
  }
  // The words before "; when calling ...".
  std::string error(std::vector<Argument> args) {
    Result<std::uint64_t> result = call(std::move(args));
    if (result) return "no error";
    std::string text = result.error().message;
    std::string tail = "; when calling " + plan.signature;
    EXPECT_TRUE(text.ends_with(tail)) << text;
    return text.substr(0, text.size() - tail.size());
  }
};

TEST_F(PlanTest, BindsSymbolsAndPassesWords) {
  ASSERT_TRUE(call({a.arg(), b.arg(), integer(-7)}));
  ASSERT_EQ(recorder.requests.size(), 1u);
  EXPECT_EQ(recorder.requests[0].grid[0], 8);
  EXPECT_EQ(recorder.requests[0].block[0], 32);
  EXPECT_EQ(recorder.words[0][0], reinterpret_cast<std::uintptr_t>(a_data.data()));
  EXPECT_EQ(static_cast<std::int64_t>(recorder.words[0][2]), -7);
  EXPECT_EQ(recorder.words[0][3], 8u);
  EXPECT_EQ(variants, kDefaultVariant);
}

TEST_F(PlanTest, CountAndKinds) {
  EXPECT_EQ(error({a.arg(), b.arg()}), "expected 3 arguments, got 2");
  EXPECT_EQ(error({a.arg(), integer(1), integer(1)}), "argument #2 'B': expected a tensor, got 1");
  EXPECT_EQ(error({a.arg(), b.arg(), real(1.5)}),
            "argument #3 's': the float 1.5 is not a value of type int32");
  EXPECT_EQ(error({a.arg(), b.arg(), integer(1LL << 40)}),
            "argument #3 's': 1099511627776 does not fit int32");
}

TEST_F(PlanTest, ShapesBeforeStrides) {
  Tensor wrong(a_data.data(), kFloat32, {8, 5}, {7, 1});
  EXPECT_EQ(error({wrong.arg(), b.arg(), integer(0)}), "A.shape[1]: expected 4, got 5");
  Tensor shorter(b_data.data(), kFloat32, {7});
  EXPECT_EQ(error({a.arg(), shorter.arg(), integer(0)}),
            "B.shape[0]: expected 8 to match A.shape[0] (n), got 7");
  Tensor strided(a_data.data(), kFloat32, {8, 4}, {8, 1});
  EXPECT_EQ(error({strided.arg(), b.arg(), integer(0)}),
            "A must be contiguous (row-major): A.strides[0]: expected 4, got 8; pass a contiguous "
            "copy");
  Tensor flat(a_data.data(), kFloat32, {32});
  EXPECT_EQ(error({flat.arg(), b.arg(), integer(0)}),
            "A: expected 2 dimensions, got 1 with shape (32,)");
}

TEST_F(PlanTest, TypesDevicesMemory) {
  Tensor wide(a_data.data(), kFloat64, {8, 4});
  EXPECT_EQ(error({wide.arg(), b.arg(), integer(0)}), "A: expected dtype float32, got float64");
  Tensor null(nullptr, kFloat32, {8, 4});
  EXPECT_EQ(error({null.arg(), b.arg(), integer(0)}), "A: the data pointer is NULL");
  Tensor odd(reinterpret_cast<char*>(a_data.data()) + 1, kFloat32, {8, 4});
  EXPECT_NE(error({odd.arg(), b.arg(), integer(0)}).find("A: misaligned data"), std::string::npos);
  b.view.read_only = true;
  EXPECT_EQ(error({a.arg(), b.arg(), integer(0)}), "B is read-only, but the kernel writes it");
  b.view.read_only = false;
  b.view.device = {DeviceKind::Cuda, 1};
  EXPECT_EQ(error({a.arg(), b.arg(), integer(0)}),
            "B: expected a tensor on cpu, got one on cuda:1");
}

TEST_F(PlanTest, ExtentOneAndEmptyHaveNoStrideRequirement) {
  Tensor one(a_data.data(), kFloat32, {1, 4}, {99, 1});
  Tensor one_b(b_data.data(), kFloat32, {1}, {17});
  EXPECT_TRUE(call({one.arg(), one_b.arg(), integer(0)}));
  Tensor none(nullptr, kFloat32, {0, 4}, {3, 9});
  Tensor none_b(nullptr, kFloat32, {0});
  recorder.requests.clear();
  EXPECT_TRUE(call({none.arg(), none_b.arg(), integer(0)}));
  EXPECT_TRUE(recorder.requests.empty()) << "a zero grid launches nothing";
}

TEST_F(PlanTest, Variants) {
  Tensor inside(a_data.data() + 2, kFloat32, {8});
  ASSERT_TRUE(call({a.arg(), inside.arg(), integer(0)}));
  EXPECT_EQ(variants, kAlias);
  variants = 0;
  plan.params[0].wide_align = 16;
  Tensor shifted(a_data.data() + 1, kFloat32, {8, 4});
  auto* base = reinterpret_cast<char*>(a_data.data());
  bool is_aligned = reinterpret_cast<std::uintptr_t>(base) % 16 == 0;
  ASSERT_TRUE(call({shifted.arg(), b.arg(), integer(0)}));
  EXPECT_EQ(variants, is_aligned ? std::uint8_t{kScalar} : variants);
  variants = 0;
  plan.params[0].wide_align = 0;
  plan.params[0].shape[1] = constant(1LL << 20);
  Tensor huge(a_data.data(), kFloat32, {4096, 1LL << 20});
  Tensor other(b_data.data(), kFloat32, {4096});
  // A covers everything behind it, B included.
  ASSERT_TRUE(call({huge.arg(), other.arg(), integer(0)}));
  EXPECT_NE(variants & kIndex64, 0);
}

TEST_F(PlanTest, SymbolsAreCheckedAgainstTheirType) {
  Tensor long_a(a_data.data(), kFloat32, {(1LL << 31) + 5, 4});
  EXPECT_EQ(
      error({long_a.arg(), b.arg(), integer(0)}),
      "A.shape[0] is 2147483653; n (int32) goes up to 2147483647; declare it T.dynamic(\"n\", "
      "\"int64\") and compute what is compared with it in int64 too, "
      "'T.int64(T.cuda.block_idx(\"x\")) * 256 + ...'");
}

TEST_F(PlanTest, LinearFormsAreSolved) {
  plan.params[0].shape[0].kind = DimSpec::Kind::Linear;
  plan.params[0].shape[0].value = 4;
  plan.params[0].shape[0].offset = 0;
  plan.params[0].shape[0].text = "n * 4";
  Tensor two(b_data.data(), kFloat32, {2});
  ASSERT_TRUE(call({a.arg(), two.arg(), integer(0)}));
  EXPECT_EQ(recorder.words[0][3], 2u);
  Tensor six(a_data.data(), kFloat32, {6, 4});
  EXPECT_EQ(error({six.arg(), two.arg(), integer(0)}),
            "A.shape[0]: expected n * 4, got 6, which leaves no whole number for n");
}

// The short way through the checks accepts only what the long way accepts, and binds the same.
TEST_F(PlanTest, TheShortWayBindsWhatTheLongWayDoes) {
  plan.params[1].shape = {symbol(DimSpec::Kind::Formula, 1), symbol(DimSpec::Kind::Bind, 2)};
  plan.symbols.push_back({"m", kInt64, 2, "B.shape[1]"});
  std::mt19937 random(7);
  auto pick = [&](auto... values) {
    const std::int64_t all[] = {static_cast<std::int64_t>(values)...};
    return all[random() % (sizeof...(values))];
  };
  plan.params[0].wide_align = 16;
  plan.params[1].wide_align = 16;
  int usual = 0;
  std::array<bool, 32> seen = {};
  for (int round = 0; round < 20000; ++round) {
    const std::int64_t n = pick(8, 8, 1, 0, -1, 1LL << 33);
    const std::int64_t m = pick(3, 3, 1, 0, -2, 1LL << 33);
    Tensor left(a_data.data() + pick(0, 0, 1), kFloat32, {n, pick(4, 4, 4, 4, 5)});
    Tensor right(pick(0, 1) != 0 ? b_data.data() : a_data.data() + 4 * pick(0, 1, 2, 8),
                 pick(0, 0, 0, 1) != 0 ? kFloat64 : kFloat32, {n, m});
    if (pick(0, 1) != 0) left.strides = {pick(4, 4, 4, 5), pick(1, 1, 1, 2)};
    if (pick(0, 1) != 0) right.strides = {pick(m, m, 7), 1};
    for (Tensor* tensor : {&left, &right}) {
      if (!tensor->strides.empty()) tensor->view.strides = tensor->strides.data();
      tensor->view.read_only = pick(0, 0, 0, 1) != 0;
      if (pick(0, 0, 0, 0, 1) != 0) tensor->view.device = {DeviceKind::Cuda, 0};
      if (pick(0, 0, 0, 0, 1) != 0)
        tensor->view.data = pick(0, 1) != 0 ? nullptr : reinterpret_cast<char*>(a_data.data()) + 1;
    }
    const Argument scalar = pick(0, 0, 0, 1) != 0 ? real(1.5) : integer(pick(-7, 1, 1LL << 40));
    const std::vector<Argument> args = {left.arg(), right.arg(), scalar};
    std::array<std::int64_t, 3> slots[2] = {};
    std::uint8_t variant = 0;
    const BindFailure quick = bind(plan, args, {}, slots[0].data(), variant);
    const BindFailure careful = bind_carefully(plan, args, {}, slots[1].data());
    ASSERT_EQ(quick.fault, careful.fault);
    ASSERT_EQ(quick.param, careful.param);
    ASSERT_EQ(quick.expected, careful.expected);
    ASSERT_EQ(quick.got, careful.got);
    if (quick) continue;
    ++usual;
    ASSERT_EQ(slots[0], slots[1]);
    ASSERT_EQ(variant, needed_variant(plan, args));
    seen[variant] = true;
  }
  EXPECT_GT(usual, 100);
  for (int variant : {kDefaultVariant + 0, kAlias + 0, kScalar + 0, kAlias + kScalar})
    EXPECT_TRUE(seen[static_cast<std::size_t>(variant)]) << variant;
}

TEST_F(PlanTest, SizesAreChecked) {
  plan.code[0].imm = 2000;
  EXPECT_EQ(error({a.arg(), b.arg(), integer(0)}),
            "block.x is 2000; it must be between 1 and 1024");
  plan.code[0].imm = 32;
  plan.regions[0].block[1] = 2;
  plan.regions[0].block[2] = 2;
  EXPECT_EQ(error({a.arg(), b.arg(), integer(0)}),
            "block is 32 x 32 x 32 = 32768 threads; a block has at most 1024");
}

TEST_F(PlanTest, HostArithmeticOverflows) {
  plan.code.insert(
      plan.code.begin(),
      {.op = HostOp::Const, .dst = 2, .imm = std::numeric_limits<std::int64_t>::max()});
  plan.code.insert(plan.code.begin() + 1, {.op = HostOp::Mul, .dst = 2, .a = 2, .b = 1});
  EXPECT_EQ(error({a.arg(), b.arg(), integer(0)}), "a size computed on the host overflows 64 bits");
}

TEST(ScalarBits, HalvesRoundOnceToNearestEven) {
  EXPECT_EQ(float_bits(kFloat16, 1.0), 0x3c00u);
  EXPECT_EQ(float_bits(kFloat16, 65504.0), 0x7bffu);
  EXPECT_EQ(float_bits(kFloat16, 65520.0), 0x7c00u);
  EXPECT_EQ(float_bits(kFloat16, 65519.999), 0x7bffu);
  EXPECT_EQ(float_bits(kFloat16, std::ldexp(1, -24)), 1u);
  EXPECT_EQ(float_bits(kFloat16, std::ldexp(1, -25)), 0u);
  EXPECT_EQ(float_bits(kFloat16, -0.0), 0x8000u);
  EXPECT_EQ(float_bits(kBFloat16, 1.0), 0x3f80u);
  EXPECT_EQ(float_bits(kBFloat16, 1.00390625), 0x3f80u) << "a tie goes to even";
  // Twice rounded (through float32) this would be a tie and go up.
  EXPECT_EQ(float_bits(kFloat16, 1.0 + std::ldexp(1, -11) - std::ldexp(1, -40)), 0x3c00u);
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    EXPECT_EQ(float_bits(kFloat16, half_value(kFloat16, static_cast<std::uint16_t>(bits))), bits);
  }
}

}  // namespace
}  // namespace tirxcc::abi
