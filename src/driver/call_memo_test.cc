// SPDX-License-Identifier: Apache-2.0
//
// A remembered call does what the plan does: calls like earlier ones are repeated from memory, all
// others go by the plan, and the fake driver writes down the same. What the plan does is asked with
// force_variant, whose calls are neither remembered nor repeated.
#include "driver/call_memo.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/cuda/dynamic_library.h"
#include "tirxcc/compiler.h"

namespace tirxcc {
namespace {

constexpr const char* kText = R"(
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def scale(A: T.Tensor((n, 4), T.float32), k: T.int32, f: T.float32, B: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        for j in T.vectorized(4):
            B[i, j] = A[i, j] * f + T.cast(k, "float32")
)";

class CallMemoTest : public testing::Test {
 protected:
  template <typename Signature, typename... Arguments>
  auto call(const char* name, Arguments... arguments) const {
    return reinterpret_cast<Signature*>(library_->symbol(name))(arguments...);
  }

  void SetUp() override {
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    std::string fakes = (program.parent_path() / "tests/fake_cuda").string();
    setenv("TIRXCC_LIBCUDA", (fakes + "/libfake_cuda.so").c_str(), 1);
    setenv("TIRXCC_NVRTC", (fakes + "/libfake_nvrtc.so").c_str(), 1);
    setenv("TIRXCC_CACHE_DIR", "", 1);
    // For the first call to the library, and for later ones.
    constexpr const char* kSizes = "scale_kernel=8,4,4,8,4";
    setenv("FAKE_CUDA_KERNELS", kSizes, 1);
    Result<cuda::DynamicLibrary> library = cuda::DynamicLibrary::open(fakes + "/libfake_cuda.so");
    ASSERT_TRUE(library) << library.error().message;
    library_ = std::make_unique<cuda::DynamicLibrary>(*library);
    call<void(const char*)>("fake_cuda_kernels", kSizes);
    Expected<Module> module = compile_text(kText, "scale.py", {.target = Target::cuda()});
    ASSERT_TRUE(module) << module.error().message;
    kernel_ = std::make_unique<Kernel>(*module->kernel("scale"));
  }

  static TensorRef tensor(std::uintptr_t address, std::span<const std::int64_t> shape) {
    TensorRef ref;
    ref.data = reinterpret_cast<void*>(address);
    ref.shape = shape;
    ref.device = DeviceType::Cuda;
    return ref;
  }

  void TearDown() override { unsetenv("FAKE_CUDA_KERNELS"); }

  // The launches that the driver saw, or the error.
  std::string launch_with(std::span<const Argument> args, const LaunchOptions& options) const {
    const std::size_t before = std::strlen(call<const char*()>("fake_cuda_log"));
    Expected<Scalar> done = kernel_->launch(args, options);
    if (!done) return done.error().message;
    const std::string log = call<const char*()>("fake_cuda_log") + before;
    const std::size_t begin = log.find("LaunchKernel");
    return begin == std::string::npos ? "" : log.substr(begin);
  }
  std::string launch(const TensorRef& a, Argument k, Argument f, const TensorRef& b) const {
    return launch_with(std::vector<Argument>{a, k, f, b}, {});
  }

  std::unique_ptr<cuda::DynamicLibrary> library_;
  std::unique_ptr<Kernel> kernel_;
};

TEST_F(CallMemoTest, BothWaysStartTheSameKernelWithTheSameArguments) {
  std::int64_t shape[] = {130, 4};
  TensorRef a = tensor(0x10000, shape);
  TensorRef b = tensor(0x20000, shape);
  std::string first = launch(a, -7, 0.5, b);
  EXPECT_EQ(first,
            "LaunchKernel scale_kernel grid=3,1,1 block=64,1,1 shared=0 stream=(nil) device=0 "
            "args=0x10000,0xfffffff9,0x3f000000,0x20000,0x82\n");
  EXPECT_EQ(launch(a, -7, 0.5, b), first);
  EXPECT_EQ(launch(a, -7, 0.5, b), first);
  std::int64_t other[] = {1, 4};
  EXPECT_EQ(launch(tensor(0x30000, other), 1, 2.0, tensor(0x40000, other)),
            "LaunchKernel scale_kernel grid=1,1,1 block=64,1,1 shared=0 stream=(nil) device=0 "
            "args=0x30000,0x1,0x40000000,0x40000,0x1\n");
}

TEST_F(CallMemoTest, WhatIsNotUsualGoesByThePlan) {
  std::int64_t shape[] = {130, 4};
  TensorRef a = tensor(0x10000, shape);
  TensorRef b = tensor(0x20000, shape);
  for (int i = 0; i < 2; ++i) {
    // A float where an integer belongs, an integer where a float does, a value out of range.
    EXPECT_NE(launch(a, 0.5, 0.5, b).find("k"), std::string::npos);
    EXPECT_NE(launch(a, 1, 2, b).find("0x1,0x40000000,0x20000"), std::string::npos);
    EXPECT_NE(launch(a, std::int64_t{1} << 40, 0.5, b).find("does not fit int32"),
              std::string::npos);
    // Shapes that differ, another column count, nothing to do.
    std::int64_t shorter[] = {129, 4};
    EXPECT_NE(launch(a, 1, 0.5, tensor(0x20000, shorter)).find("expected 130 to match A.shape[0]"),
              std::string::npos);
    std::int64_t wider[] = {130, 5};
    EXPECT_NE(launch(tensor(0x10000, wider), 1, 0.5, b).find("expected 4, got 5"),
              std::string::npos);
    std::int64_t none[] = {0, 4};
    EXPECT_EQ(launch(tensor(0x10000, none), 1, 0.5, tensor(0x20000, none)), "");
    // Gaps between rows.
    std::int64_t strides[] = {8, 1};
    TensorRef gaps = a;
    gaps.strides = strides;
    EXPECT_NE(launch(gaps, 1, 0.5, b).find("stride"), std::string::npos);
    // Memory that overlaps, and a base that is not aligned for 16 bytes, have their own variants.
    EXPECT_NE(launch(a, 1, 0.5, tensor(0x10010, shape)).find("scale_kernel_alias"),
              std::string::npos);
    EXPECT_NE(launch(tensor(0x10004, shape), 1, 0.5, b).find("scale_kernel_scalar"),
              std::string::npos);
    // A tensor of the host, or of another GPU.
    TensorRef host = b;
    host.device = DeviceType::Cpu;
    EXPECT_NE(launch(a, 1, 0.5, host).find("expected a tensor on cuda:0, got one on cpu"),
              std::string::npos);
    TensorRef elsewhere = b;
    elsewhere.device_index = 1;
    EXPECT_NE(launch(a, 1, 0.5, elsewhere).find("expected a tensor on cuda:0, got one on cuda:1"),
              std::string::npos);
    // Between the rounds, a usual call is remembered.
    for (int k = 0; k < 3; ++k)
      EXPECT_NE(launch(a, 1, 0.5, b).find("LaunchKernel scale_kernel grid=3"), std::string::npos);
  }
}

TEST_F(CallMemoTest, ARefusedLaunchIsReportedWithItsReason) {
  std::int64_t shape[] = {130, 4};
  TensorRef a = tensor(0x10000, shape);
  TensorRef b = tensor(0x20000, shape);
  for (int k = 0; k < 3; ++k)
    launch(a, 1, 0.5, b);
  call<void(const char*)>("fake_cuda_fail", (std::string("cu") + "LaunchKernel=701").c_str());
  EXPECT_EQ(launch(a, 1, 0.5, b),
            "scale_kernel with grid (3, 1, 1), block (64, 1, 1) on CUDA device 0 was not launched: "
            "words for 701 (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)");
  call<void(const char*)>("fake_cuda_fail", "");
}

constexpr const char* kMixedText = R"(
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def mixed(
    A: T.Tensor((n, 4), T.float32),
    k: T.int32,
    B: T.Tensor((n, 4), T.float32),
    m: T.int32,
    C: T.Tensor((n,), T.int8),
    u: T.uint8,
    f: T.float32,
    d: T.float64,
    h: T.float16,
    y: T.bool,
    q: T.int64 = 7,
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64) * m, block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        for j in T.vectorized(4):
            B[i, j] = A[i, j] * f
        C[i] = T.cast(k + m + u, "int8")
        if y:
            B[i, 0] = T.cast(d, "float32") + T.cast(h, "float32") + T.cast(q, "float32")
)";

// Arguments of `mixed`, each changed to something that may be right or wrong.
class MixedCall {
 public:
  explicit MixedCall(unsigned seed) : random_(seed) {}

  void change() {
    // Mostly, what was changed is put right again.
    if (below(3) != 0) *this = MixedCall(random_);
    const std::size_t i = below(3);
    Tensor& tensor = tensors_[i];
    switch (below(9)) {
      case 0:
        tensor.address = pick({0x10000, 0x20000, 0x30000, 0x20010, 0x10004, 0x10001, 0});
        break;
      case 1: tensor.shape[0] = pick({130, 129, 1, 0, -1, 1L << 29, 1L << 40}); break;
      case 2: tensor.shape[1] = pick({4, 5, 0}); break;
      case 3: tensor.strides = {pick({4, 8, 1, -4}), pick({1, 2})}; break;
      case 4: tensor.type = below(2) == 0 ? ElementType::Int32 : ElementType::Float32; break;
      case 5: tensor.device = below(2) == 0 ? DeviceType::Cpu : DeviceType::Cuda; break;
      case 6: tensor.device_index = static_cast<int>(below(2)); break;
      case 7: tensor.read_only = below(2) == 0; break;
      default: tensor.rank = below(3); break;
    }
    for (Tensor& other : tensors_) {
      if (below(2) == 0) other.shape[0] = tensor.shape[0];
      if (below(2) == 0) other.device_index = tensor.device_index;
    }
    scalars_[below(8)] = scalar();
  }

  std::vector<Argument> arguments() const {
    const auto& s = scalars_;
    return {ref(0), s[0], ref(1), s[1], ref(2), s[2], s[3], s[4], s[5], s[6], s[7]};
  }

 private:
  struct Tensor {
    std::uintptr_t address;
    std::array<std::int64_t, 2> shape;
    std::size_t rank = 2;
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> strides = {};
    DeviceType device = DeviceType::Cuda;
    int device_index = 0;
    bool read_only = false;
  };

  explicit MixedCall(const std::mt19937& random) : random_(random) {}

  std::size_t below(std::size_t end) { return random_() % end; }
  std::int64_t pick(std::vector<std::int64_t> values) { return values[below(values.size())]; }

  Argument scalar() {
    switch (below(7)) {
      case 0: return pick({1, 0, -1, 2, 255, 256, 1L << 31, 1L << 40});
      case 1: return below(2) == 0 ? 0.5 : 1e300;
      case 2: return below(2) == 0;
      case 3: return std::uint64_t{1} << (below(2) == 0 ? 63 : 4);
      case 4: return nullptr;
      case 5: return {};
      default: return std::numeric_limits<double>::infinity();
    }
  }

  TensorRef ref(std::size_t i) const {
    const Tensor& tensor = tensors_[i];
    TensorRef made;
    made.data = reinterpret_cast<void*>(tensor.address);
    made.type = tensor.type;
    made.shape = std::span(tensor.shape).first(tensor.rank);
    if (!tensor.strides.empty()) made.strides = std::span(tensor.strides).first(tensor.rank);
    made.read_only = tensor.read_only;
    made.device = tensor.device;
    made.device_index = tensor.device_index;
    return made;
  }

  std::mt19937 random_;
  std::array<Tensor, 3> tensors_ = {
      Tensor{.address = 0x10000, .shape = {130, 4}}, Tensor{.address = 0x20000, .shape = {130, 4}},
      Tensor{.address = 0x30000, .shape = {130, 1}, .rank = 1, .type = ElementType::Int8}};
  std::array<Argument, 8> scalars_ = {-7, 2, 200, 0.5, 0.25, 1.5, true, std::int64_t{9}};
};

TEST_F(CallMemoTest, AnyChangeBetweenCallsIsSeen) {
  call<void(const char*)>("fake_cuda_kernels",
                          "mixed_kernel=8,4,8,4,8,1,4,8,2,1,8,4;mixed_kernel_alias=8,4,8,4,8,1,4,"
                          "8,2,1,8,4;mixed_kernel_scalar=8,4,8,4,8,1,4,8,2,1,8,4");
  Expected<Module> module = compile_text(kMixedText, "mixed.py", {.target = Target::cuda()});
  ASSERT_TRUE(module) << module.error().message;
  kernel_ = std::make_unique<Kernel>(*module->kernel("mixed"));
  int launched = 0;
  int refused = 0;
  MixedCall mixed(1);
  for (int step = 0; step < 4000; ++step) {
    const std::vector<Argument> args = mixed.arguments();
    const std::string wanted = launch_with(args, {.force_variant = "default"});
    for (int repeat = 0; repeat < 3; ++repeat)
      ASSERT_EQ(launch_with(args, {}), wanted) << "step " << step;
    ++(wanted.starts_with("LaunchKernel") ? launched : refused);
    mixed.change();
  }
  // Both must be many, or nothing was tested.
  EXPECT_GT(launched, 500);
  EXPECT_GT(refused, 500);
}

TEST_F(CallMemoTest, ThreadsHaveTheirOwn) {
  const std::size_t before = std::string(call<const char*()>("fake_cuda_log")).size();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 16; ++t) {
    threads.emplace_back([this, t] {
      for (int round = 0; round < 200; ++round) {
        std::int64_t shape[] = {64 * (1 + round % 3), 4};
        TensorRef a = tensor(0x100000 * (t + 1), shape);
        TensorRef b = tensor(0x100000 * (t + 1) + (round % 5 == 0 ? 0 : 0x10000), shape);
        Expected<Scalar> done = kernel_->launch({Argument(a), round, 0.5, Argument(b)});
        ASSERT_TRUE(done) << done.error().message;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const std::string log = std::string(call<const char*()>("fake_cuda_log")).substr(before);
  auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = log.find(text); at != std::string::npos; at = log.find(text, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("LaunchKernel scale_kernel_alias"), 16u * 40);
  EXPECT_EQ(count("LaunchKernel scale_kernel grid="), 16u * 160);
  for (int blocks = 1; blocks <= 3; ++blocks) {
    EXPECT_EQ(count(fmt::format("grid={},1,1", blocks)), 16u * (blocks == 3 ? 66 : 67));
  }
}

// f(A: Tensor([n], float32), s: int32), A written, the kernel gets A, s, n and 5.
abi::Plan small_plan() {
  abi::Plan plan;
  abi::ParamSpec a;
  a.dtype = kFloat32;
  a.is_written = true;
  a.wide_align = 16;
  a.shape.resize(1);
  a.shape[0].kind = abi::DimSpec::Kind::Bind;
  a.shape[0].slot = 1;
  abi::ParamSpec s;
  s.kind = abi::ParamKind::Scalar;
  s.dtype = kInt32;
  s.slot = 0;
  s.is_only_passed = true;
  plan.params = {a, s};
  abi::RegionSpec region;
  region.args = {{abi::KernelArgSpec::Kind::Tensor, 0, kFloat32},
                 {abi::KernelArgSpec::Kind::Value, 0, kInt32},
                 {abi::KernelArgSpec::Kind::Value, 1, kInt32},
                 {abi::KernelArgSpec::Kind::Value, 2, kInt32}};
  plan.regions = {region};
  return plan;
}

TEST(CallMemo, IsFoundFromTheThirdCallOnAndFilledIn) {
  const abi::Plan plan = small_plan();
  const std::int64_t shape[] = {64};
  TensorRef tensor;
  tensor.data = reinterpret_cast<void*>(0x1000);
  tensor.shape = shape;
  std::vector<Argument> args = {tensor, 3};
  constexpr std::uint64_t kNumber = ~std::uint64_t{0};
  EXPECT_EQ(driver::CallMemo::find(kNumber, args), nullptr);
  EXPECT_EQ(driver::CallMemo::place(kNumber, args), nullptr);
  driver::CallMemo* memo = driver::CallMemo::place(kNumber, args);
  ASSERT_NE(memo, nullptr);
  const std::uint64_t words[] = {0x1000, 3, 64, 5};
  abi::LaunchRequest request;
  request.args = words;
  memo->note(request);
  EXPECT_EQ(driver::CallMemo::find(kNumber, args), nullptr);
  memo->finish(plan, args);
  tensor.data = reinterpret_cast<void*>(0x2000);
  args = {tensor, -1};
  ASSERT_EQ(driver::CallMemo::find(kNumber, args), memo);
  EXPECT_EQ(driver::CallMemo::find(kNumber - 1, args), nullptr);
  const std::span<const std::uint64_t> found = memo->words(memo->launches()[0]);
  EXPECT_EQ(std::vector(found.begin(), found.end()),
            (std::vector<std::uint64_t>{0x2000, ~std::uint64_t{0}, 64, 5}));
  // One byte, one element, one type, one bit too many.
  for (std::uintptr_t address : {0x2001, 0x2004, 0}) {
    tensor.data = reinterpret_cast<void*>(address);
    EXPECT_EQ(driver::CallMemo::find(kNumber, std::vector<Argument>{tensor, 1}), nullptr);
  }
  tensor.data = reinterpret_cast<void*>(0x2000);
  EXPECT_EQ(driver::CallMemo::find(kNumber, std::vector<Argument>{tensor, 1L << 31}), nullptr);
  EXPECT_EQ(driver::CallMemo::find(kNumber, std::vector<Argument>{tensor, 1.0}), nullptr);
  tensor.type = ElementType::Int32;
  EXPECT_EQ(driver::CallMemo::find(kNumber, std::vector<Argument>{tensor, 1}), nullptr);
  EXPECT_EQ(driver::CallMemo::find(kNumber, args), memo);
}

TEST(CallMemo, SizesThatNeverComeTwiceAreLeftAloneUntilTheySettle) {
  constexpr std::uint64_t kNumber = ~std::uint64_t{1};
  TensorRef tensor;
  tensor.data = reinterpret_cast<void*>(0x1000);
  std::int64_t extent = 1;
  auto place = [&] {
    tensor.shape = {&extent, 1};
    return driver::CallMemo::place(kNumber, std::vector<Argument>{tensor, 3});
  };
  for (; extent <= 10000; ++extent)
    ASSERT_EQ(place(), nullptr);
  int calls = 1;
  while (place() == nullptr)
    ++calls;
  EXPECT_GT(calls, 2);
  EXPECT_LE(calls, 32);
}

}  // namespace
}  // namespace tirxcc
