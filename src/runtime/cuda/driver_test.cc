// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/cuda/fake_driver.h"
#include "runtime/cuda/test_support.h"

namespace tirxcc::cuda {
namespace {

using DriverTest = FakeDriverTest;

TEST_F(DriverTest, WithoutALibraryTheMessageSaysWhatToDo) {
  Result<std::unique_ptr<Driver>> opened = Driver::open("libcuda-none.so.1");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message,
            "no CUDA driver: libcuda-none.so.1 not found; use target='cpu'");
}

TEST_F(DriverTest, ALibraryThatCannotBeLoadedIsNamed) {
  TemporaryFolder root;
  std::string file = root.touch("libcuda.so.1");
  Result<std::unique_ptr<Driver>> opened = Driver::open(file);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(contains(opened.error().message, "no CUDA driver: " + file));
  EXPECT_TRUE(contains(opened.error().message, "; use target='cpu'"));
}

TEST_F(DriverTest, DescribesTheDevices) {
  open_driver();
  EXPECT_EQ(driver_->version_text(), "13.0");
  ASSERT_EQ(driver_->devices().size(), 2u);
  EXPECT_EQ(driver_->devices()[1].name, "Fake GPU 1");
  EXPECT_EQ(driver_->devices()[1].arch(), "sm_90a");
  EXPECT_EQ(driver_->devices()[1].max_shared_bytes, 232448);
  DeviceInfo ampere;
  ampere.major = 8;
  ampere.minor = 6;
  EXPECT_EQ(ampere.arch(), "sm_86");
}

TEST_F(DriverTest, NoDevice) {
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  Result<std::unique_ptr<Driver>> opened = Driver::open(library_path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message,
            "the CUDA driver does not start: words for 100 (CUDA_ERROR_NO_DEVICE); no GPU is "
            "visible; see CUDA_VISIBLE_DEVICES, or use target='cpu'");
}

TEST_F(DriverTest, TooOld) {
  setenv("FAKE_CUDA_VERSION", "11080", 1);
  Result<std::unique_ptr<Driver>> opened = Driver::open(library_path());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(contains(opened.error().message,
                       "CUDA 11.8) is too old: 12.0 or later is needed; use target='cpu'"));
}

TEST_F(DriverTest, StartErrorsCarryAdvice) {
  fail_with("cuInit=803");
  Result<std::unique_ptr<Driver>> opened = Driver::open(library_path());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(contains(opened.error().message, "restart the machine"));
  fail_with("cuInit=34");
  opened = Driver::open(library_path());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(contains(opened.error().message, "stub for linking"));
  fail_with("cuDeviceGetCount=999");
  opened = Driver::open(library_path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "counting the GPUs: unknown error (CUDA error 999)");
}

TEST_F(DriverTest, ThePrimaryContextIsRetainedOnce) {
  open_driver();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_TRUE(driver_->primary_context(1)); });
  }
  for (std::thread& thread : threads)
    thread.join();
  std::string text = log();
  EXPECT_EQ(text.find("cuDevicePrimaryCtxRetain 1"), text.rfind("cuDevicePrimaryCtxRetain"));
  Result<CuContext> missing = driver_->primary_context(2);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "there is no CUDA device 2; this process sees 2");
}

TEST_F(DriverTest, OutOfMemoryIsAMemoryError) {
  open_driver();
  Failure failure = driver_->failure(kCudaOutOfMemory, "allocating 8 bytes");
  EXPECT_EQ(failure.error_class, ErrorClass::Memory);
  EXPECT_EQ(failure.message, "allocating 8 bytes: words for 2 (CUDA_ERROR_OUT_OF_MEMORY)");
  EXPECT_FALSE(driver_->is_lost(0));
}

TEST_F(DriverTest, AfterAStickyErrorTheContextIsLost) {
  open_driver();
  Failure first = driver_->failure(kCudaIllegalAddress, "waiting", 0);
  EXPECT_TRUE(contains(first.message, "waiting: words for 700 (CUDA_ERROR_ILLEGAL_ADDRESS)\n"));
  EXPECT_TRUE(contains(first.message, "an earlier launch may be the cause"));
  EXPECT_TRUE(driver_->is_lost(0));
  Failure second = driver_->failure(kCudaIllegalAddress, "launching", 0);
  EXPECT_TRUE(
      contains(second.message, "the CUDA context was lost earlier (CUDA_ERROR_ILLEGAL_ADDRESS)"));
  // The other GPU is as it was.
  EXPECT_FALSE(driver_->is_lost(1));
  ASSERT_TRUE(ContextScope::enter(*driver_, 1));
  Failure other = driver_->failure(kCudaInvalidValue, "launching");
  EXPECT_EQ(other.message, "launching: words for 1 (CUDA_ERROR_INVALID_VALUE)");
}

TEST_F(DriverTest, ContextScopeKeepsTheCallersContext) {
  open_driver();
  CuContext current = nullptr;
  // None current: the primary one becomes it and stays.
  { ASSERT_TRUE(ContextScope::enter(*driver_, 0)); }
  driver_->api().CtxGetCurrent(&current);
  EXPECT_EQ(current, *driver_->primary_context(0));
  // Another device's: put back.
  {
    Result<ContextScope> scope = ContextScope::enter(*driver_, 1);
    ASSERT_TRUE(scope);
    driver_->api().CtxGetCurrent(&current);
    EXPECT_EQ(current, *driver_->primary_context(1));
  }
  driver_->api().CtxGetCurrent(&current);
  EXPECT_EQ(current, *driver_->primary_context(0));
  // The user's own one of that device: left alone.
  call<void(int)>("fake_cuda_push_own_context", 1);
  CuContext own = nullptr;
  driver_->api().CtxGetCurrent(&own);
  {
    Result<ContextScope> scope = ContextScope::enter(*driver_, 1);
    ASSERT_TRUE(scope);
    driver_->api().CtxGetCurrent(&current);
    EXPECT_EQ(current, own);
  }
}

}  // namespace
}  // namespace tirxcc::cuda
