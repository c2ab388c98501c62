// SPDX-License-Identifier: Apache-2.0
//
// The short way of a launch does what the plan does: the first call of a kernel goes by the plan,
// later ones by the short way, and the fake driver writes down the same.
#include "driver/quick_launch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

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

class QuickLaunchTest : public testing::Test {
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
  std::string launch(const TensorRef& a, Argument k, Argument f, const TensorRef& b) const {
    std::size_t before = std::string(call<const char*()>("fake_cuda_log")).size();
    Expected<Scalar> done = kernel_->launch({Argument(a), k, f, Argument(b)});
    if (!done) return done.error().message;
    std::string log = std::string(call<const char*()>("fake_cuda_log")).substr(before);
    std::size_t begin = log.find("LaunchKernel");
    return begin == std::string::npos ? "" : log.substr(begin);
  }

  std::unique_ptr<cuda::DynamicLibrary> library_;
  std::unique_ptr<Kernel> kernel_;
};

TEST_F(QuickLaunchTest, BothWaysStartTheSameKernelWithTheSameArguments) {
  std::int64_t shape[] = {130, 4};
  TensorRef a = tensor(0x10000, shape);
  TensorRef b = tensor(0x20000, shape);
  std::string first = launch(a, -7, 0.5, b);
  EXPECT_EQ(first,
            "LaunchKernel scale_kernel grid=3,1,1 block=64,1,1 shared=0 stream=(nil) device=0 "
            "args=0x10000,0xfffffff9,0x3f000000,0x20000,0x82\n");
  EXPECT_EQ(launch(a, -7, 0.5, b), first);
  std::int64_t other[] = {1, 4};
  EXPECT_EQ(launch(tensor(0x30000, other), 1, 2.0, tensor(0x40000, other)),
            "LaunchKernel scale_kernel grid=1,1,1 block=64,1,1 shared=0 stream=(nil) device=0 "
            "args=0x30000,0x1,0x40000000,0x40000,0x1\n");
}

TEST_F(QuickLaunchTest, WhatIsNotUsualGoesByThePlan) {
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
    // Between the rounds, a usual call makes the short way ready.
    EXPECT_NE(launch(a, 1, 0.5, b).find("LaunchKernel scale_kernel grid=3"), std::string::npos);
  }
}

TEST_F(QuickLaunchTest, ARefusedLaunchIsReportedWithItsReason) {
  std::int64_t shape[] = {130, 4};
  TensorRef a = tensor(0x10000, shape);
  TensorRef b = tensor(0x20000, shape);
  launch(a, 1, 0.5, b);
  call<void(const char*)>("fake_cuda_fail", (std::string("cu") + "LaunchKernel=701").c_str());
  EXPECT_EQ(launch(a, 1, 0.5, b),
            "scale_kernel with grid (3, 1, 1), block (64, 1, 1) on CUDA device 0 was not launched: "
            "words for 701 (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)");
  call<void(const char*)>("fake_cuda_fail", "");
}

}  // namespace
}  // namespace tirxcc
