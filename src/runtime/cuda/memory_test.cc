// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/memory.h"

#include <gtest/gtest.h>

#include "runtime/cuda/fake_driver.h"
#include "runtime/cuda/test_support.h"

namespace tirxcc::cuda {
namespace {

class MemoryTest : public FakeDriverTest {
 protected:
  void SetUp() override {
    FakeDriverTest::SetUp();
    open_driver();
  }
  unsigned long long live() const { return call<unsigned long long()>("fake_cuda_live_bytes"); }
};

TEST_F(MemoryTest, BuffersCopyBothWaysAndAreFreed) {
  {
    Result<DeviceBuffer> buffer = DeviceBuffer::allocate(*driver_, 1, 8);
    ASSERT_TRUE(buffer) << buffer.error().message;
    EXPECT_EQ(live(), 8u);
    ASSERT_TRUE(buffer->upload("1234567"));
    char back[8] = "";
    ASSERT_TRUE(buffer->download(back));
    EXPECT_STREQ(back, "1234567");
    DeviceBuffer moved = *std::move(buffer);
    EXPECT_NE(moved.pointer(), 0u);
  }
  EXPECT_EQ(live(), 0u);
}

TEST_F(MemoryTest, NoBytesAreNoMemory) {
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(*driver_, 0, 0);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->pointer(), 0u);
  EXPECT_TRUE(buffer->upload(nullptr));
  EXPECT_TRUE(buffer->download(nullptr));
}

TEST_F(MemoryTest, OutOfMemoryTellsHowMuchWasWanted) {
  setenv("FAKE_CUDA_MEMORY", "1000", 1);
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(*driver_, 0, 5000);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().message,
            "allocating 5000 bytes on CUDA device 0, which has 0 of 0 MiB left: words for 2 "
            "(CUDA_ERROR_OUT_OF_MEMORY)");
  EXPECT_EQ(buffer.error().error_class, ErrorClass::Memory);
}

TEST_F(MemoryTest, ErrorsOfEarlierKernelsSurfaceWhenWaiting) {
  fail_with("cuStreamSynchronize=700");
  Result<void> done = synchronize(*driver_, 0, nullptr, "running relu");
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().message, "running relu: words for 700"));
}

TEST_F(MemoryTest, TimesEachRunAfterClearingTheCache) {
  int runs = 0;
  auto count = [&]() -> Result<void> {
    ++runs;
    return {};
  };
  Result<std::vector<float>> times =
      time_on_device(*driver_, 0, nullptr, count, {.warm_up = 2, .repeats = 5});
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(runs, 7);
  EXPECT_EQ(*times, std::vector<float>(5, 1.0f));  // the fake clock ticks once an event
  EXPECT_TRUE(contains(log(), "cuMemsetD8Async 104857600\n"));
  EXPECT_EQ(live(), 0u);
  auto refuse = []() -> Result<void> { return fail("no"); };
  times = time_on_device(*driver_, 0, nullptr, refuse);
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().message, "no");
}

}  // namespace
}  // namespace tirxcc::cuda
