// SPDX-License-Identifier: Apache-2.0
//
// Modules, kernels and launches on the fake driver.
#include "runtime/cuda/launch.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/cuda/fake_driver.h"
#include "runtime/cuda/plan_launcher.h"
#include "runtime/cuda/test_support.h"

namespace tirxcc::cuda {
namespace {

class LaunchTest : public FakeDriverTest {
 protected:
  void SetUp() override {
    FakeDriverTest::SetUp();
    open_driver();
    modules_ = std::make_unique<Modules>(*driver_);
    Result<LoadedModule*> module = modules_->load(image(0), "relu.py");
    ASSERT_TRUE(module) << module.error().message;
    Result<LoadedKernel*> kernel = (*module)->kernel("relu_kernel");
    ASSERT_TRUE(kernel) << kernel.error().message;
    kernel_ = *kernel;
    call<void(const char*)>("fake_cuda_kernels", "relu_kernel=8,8,4");
  }

  // What the fake driver takes for a cubin.
  static std::string image(char id) {
    std::string bytes(
        "\x7f"
        "ELF",
        4);
    bytes.resize(64, '\0');
    bytes[6] = id;
    return bytes;
  }

  std::string message(const LaunchShape& shape, int device = 0) {
    Result<void> done = launch(*kernel_, device, shape, arguments_);
    return done ? "" : done.error().message;
  }

  std::unique_ptr<Modules> modules_;
  LoadedKernel* kernel_ = nullptr;
  std::uint64_t a_ = 0x1000;
  std::uint64_t b_ = 0x2000;
  int n_ = 17;
  void* arguments_[3] = {&a_, &b_, &n_};
};

TEST_F(LaunchTest, TheSameCubinIsLoadedOnce) {
  Result<LoadedModule*> again = modules_->load(image(0), "relu.py");
  Result<LoadedModule*> other = modules_->load(image(1), "other.py");
  ASSERT_TRUE(again && other);
  EXPECT_EQ((*again)->kernel("relu_kernel").value(), kernel_);
  EXPECT_NE((*other)->kernel("relu_kernel").value(), kernel_);
}

TEST_F(LaunchTest, WhatIsNoCubinIsRefused) {
  Result<LoadedModule*> bad = modules_->load(std::string(64, 'x'), "bad.py");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message,
            "loading the machine code of bad.py: words for 200 (CUDA_ERROR_INVALID_IMAGE); NVRTC "
            "may be newer than the driver; install nvidia-cuda-nvrtc of the driver's CUDA version");
  // The failure is not remembered as a module.
  EXPECT_FALSE(modules_->load(std::string(64, 'x'), "bad.py"));
}

TEST_F(LaunchTest, PassesGridBlockAndArguments) {
  LaunchShape shape{.grid = {4, 2, 1}, .block = {256, 1, 1}};
  EXPECT_EQ(message(shape), "");
  forget_log();
  EXPECT_EQ(message(shape), "");
  // The fast path: one question and one launch.
  EXPECT_EQ(new_log(),
            "cuCtxGetCurrent\n"
            "cuLaunchKernel relu_kernel grid=4,2,1 block=256,1,1 shared=0 stream=(nil) device=0 "
            "args=0x1000,0x2000,0x11\n");
}

TEST_F(LaunchTest, AllSharedMemoryIsAllowedWhenTheKernelIsMadeReady) {
  ASSERT_TRUE(kernel_->prepare(0));
  EXPECT_TRUE(contains(log(), "cuKernelSetAttribute 8=231424 device=0\n"));
  EXPECT_EQ(message({.dynamic_shared = 200000}), "");
  EXPECT_EQ(message({.dynamic_shared = 300000}),
            "relu_kernel with grid (1, 1, 1), block (1, 1, 1), 300000 bytes shared on CUDA device "
            "0 was not launched (300000 bytes of dynamic shared memory; the GPU has 232448 for a "
            "block, 1024 are the kernel's own): words for 1 (CUDA_ERROR_INVALID_VALUE)");
}

TEST_F(LaunchTest, AZeroGridLaunchesNothing) {
  forget_log();
  EXPECT_EQ(message({.grid = {0, 1, 1}}), "");
  EXPECT_EQ(new_log(), "");
}

TEST_F(LaunchTest, AttributesReachTheDriver) {
  LaunchAttributes attributes;
  attributes.cluster(2, 1, 1);
  attributes.cooperative();
  attributes.programmatic_stream_serialization();
  attributes.priority(-3);
  EXPECT_EQ(message({.grid = {4, 1, 1}, .attributes = &attributes}), "");
  EXPECT_TRUE(contains(log(),
                       "cuLaunchKernelEx relu_kernel grid=4,1,1 block=1,1,1 shared=0 "
                       "stream=(nil) device=0 args=0x1000,0x2000,0x11 4=(2,1,1) 2=1 6=1 "
                       "8=-3\n"));
}

TEST_F(LaunchTest, AnAttributeThatTheDriverIsTooOldForIsNamed) {
  LaunchAttributes attributes;
  attributes.number(LaunchAttributeId::SharedMemoryMode, 1);
  call<void(const char*)>("fake_cuda_fail", "cuLaunchKernelEx=801");
  EXPECT_EQ(message({.attributes = &attributes}),
            "relu_kernel with grid (1, 1, 1), block (1, 1, 1) on CUDA device 0 was not launched "
            "(shared_memory_mode needs a driver for CUDA 13.2 or newer; this one is for 13.0): "
            "words for 801 (CUDA_ERROR_NOT_SUPPORTED)");
  call<void(const char*)>("fake_cuda_fail", "");
}

TEST_F(LaunchTest, TheDeviceIsTheOneAskedForWhateverIsCurrent) {
  EXPECT_EQ(message({}, 0), "");
  EXPECT_EQ(message({}, 1), "");
  EXPECT_TRUE(contains(new_log(), "stream=(nil) device=1"));
  CuContext current = nullptr;
  driver_->api().CtxGetCurrent(&current);
  EXPECT_EQ(current, *driver_->primary_context(0));
  EXPECT_EQ(message({}, 2), "there is no CUDA device 2; this process sees 2");
  EXPECT_EQ(message({}, -1), "there is no CUDA device -1; this process sees 2");
}

TEST_F(LaunchTest, AContextOfTheUsersOwnIsUsed) {
  ASSERT_TRUE(kernel_->prepare(0));
  call<void(int)>("fake_cuda_push_own_context", 0);
  CuStream stream = nullptr;
  ASSERT_EQ(driver_->api().StreamCreate(&stream, 0), kCudaSuccess);
  // The fake driver refuses a stream or a function of another context.
  EXPECT_EQ(message({.stream = stream}), "");
}

TEST_F(LaunchTest, EveryThreadGetsAContext) {
  ASSERT_TRUE(kernel_->prepare(0));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        EXPECT_EQ(message({}, round % 2), "");
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(LaunchTest, ErrorsNameTheKernelAndTheCause) {
  fail_with("cuLaunchKernel=700@2");
  EXPECT_EQ(message({}), "");
  std::string lost = message({.block = {64, 1, 1}});
  EXPECT_TRUE(contains(lost,
                       "relu_kernel with grid (1, 1, 1), block (64, 1, 1) on CUDA device 0 "
                       "was not launched: words for 700 (CUDA_ERROR_ILLEGAL_ADDRESS)\n"
                       "note: kernels run asynchronously"));
  EXPECT_TRUE(contains(message({}), "the CUDA context was lost earlier"));
}

TEST_F(LaunchTest, TooManyThreadsOrBlocks) {
  EXPECT_TRUE(contains(message({.block = {2048, 1, 1}}),
                       "(2048 threads a block; with 32 registers a thread at most 1024 fit)"));
  EXPECT_TRUE(
      contains(message({.grid = {1, 70000, 1}}), "(grid dimensions y and z go up to 65535)"));
  fail_with("cuLaunchKernelEx=720");
  LaunchAttributes attributes;
  attributes.cooperative();
  EXPECT_TRUE(
      contains(message({.grid = {5000, 1, 1}, .block = {1024, 1, 1}, .attributes = &attributes}),
               "(a cooperative launch needs all 5000 blocks at once; 264 fit on this GPU)"));
}

TEST_F(LaunchTest, AKernelThatCannotBeLoadedNamesTheDevice) {
  fail_with("cuKernelGetFunction=209");
  EXPECT_EQ(message({}),
            "relu_kernel cannot be loaded on CUDA device 0 (Fake GPU 0, sm_90): words for 209 "
            "(CUDA_ERROR_NO_BINARY_FOR_GPU); compiled for another GPU; set the target's arch");
  // Not remembered.
  fail_with("");
  EXPECT_EQ(message({}), "");
}

TEST_F(LaunchTest, MissingKernelIsNamed) {
  fail_with("cuLibraryGetKernel=500");
  Result<LoadedKernel*> none = modules_->load(image(0), "relu.py").value()->kernel("none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "none of relu.py: words for 500 (CUDA_ERROR_NOT_FOUND)");
}

TEST_F(LaunchTest, ResourcesWithOccupancy) {
  Result<KernelResources> used = kernel_->resources(1, 256);
  ASSERT_TRUE(used) << used.error().message;
  EXPECT_EQ(used->registers, 32);
  EXPECT_EQ(used->shared_bytes, 1024);
  EXPECT_EQ(used->max_dynamic_shared, 231424);
  EXPECT_EQ(used->blocks_per_multiprocessor, 8);
  EXPECT_EQ(used->occupancy, 1.0);
}

class OneKernel final : public KernelSource {
 public:
  explicit OneKernel(LoadedKernel* kernel) : kernel_(kernel) {}
  Result<LoadedKernel*> kernel(std::uint32_t region, std::uint8_t variant) override {
    if (region != 0) return fail("no such region");
    variants |= variant;
    return kernel_;
  }
  std::uint8_t variants = 0;

 private:
  LoadedKernel* kernel_;
};

TEST_F(LaunchTest, PlansLaunchThroughTheSameWay) {
  OneKernel source(kernel_);
  PlanLauncher launcher(source, 1, nullptr);
  std::uint64_t words[3] = {0x1000, 0x2000, 17};
  abi::LaunchRequest request;
  request.grid[0] = 3;
  request.block[0] = 128;
  request.variant = abi::kAlias;
  request.args = words;
  ASSERT_TRUE(launcher.launch(request));
  EXPECT_EQ(source.variants, abi::kAlias);
  EXPECT_TRUE(contains(log(),
                       "cuLaunchKernel relu_kernel grid=3,1,1 block=128,1,1 shared=0 "
                       "stream=(nil) device=1 args=0x1000,0x2000,0x11\n"));
  request.cluster[0] = request.cluster[1] = request.cluster[2] = 1;
  request.has_priority = true;
  request.priority = 2;
  ASSERT_TRUE(launcher.launch(request));
  EXPECT_TRUE(contains(log(), " 4=(1,1,1) 8=2\n"));
  request.grid[0] = std::int64_t{1} << 40;
  Result<void> refused = launcher.launch(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a grid dimension is 1099511627776, beyond what a GPU takes");
  request.region = 1;
  EXPECT_FALSE(launcher.launch(request));
}

TEST_F(LaunchTest, ManyArgumentsNeedNoLimit) {
  call<void(const char*)>("fake_cuda_kernels", "");
  OneKernel source(kernel_);
  PlanLauncher launcher(source, 0, nullptr);
  std::vector<std::uint64_t> words(500, 1);
  abi::LaunchRequest request;
  request.args = words;
  EXPECT_TRUE(launcher.launch(request));
}

}  // namespace
}  // namespace tirxcc::cuda
