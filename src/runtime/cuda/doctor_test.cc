// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/doctor.h"

#include <gtest/gtest.h>

#include "runtime/cuda/fake_driver.h"
#include "runtime/cuda/test_support.h"

namespace tirxcc::cuda {
namespace {

using DoctorTest = FakeDriverTest;

TEST_F(DoctorTest, NothingThere) {
  CubinCache cache({.search = {.ask_loader = false}});
  std::string text = render(examine(fail("no CUDA driver: libcuda.so.1 not found"), cache));
  EXPECT_EQ(text,
            "missing  driver    no CUDA driver: libcuda.so.1 not found\n"
            "missing  NVRTC     NVRTC, the CUDA compiler library, was not found; install it with "
            "'pip install nvidia-cuda-nvrtc', or set TIRXCC_NVRTC to the path of libnvrtc.so\n"
            "ok       cache     none on disk: HOME is not set, or TIRXCC_CACHE_DIR is empty\n");
}

TEST_F(DoctorTest, DriverDevicesAndCache) {
  TemporaryFolder root;
  open_driver();
  CubinCache cache({.search = {.ask_loader = false}, .folder = (root / "cache").string()});
  ASSERT_TRUE(cache.disk().store(content_key({"x"}), std::string(1 << 20, 'x')));
  Result<Driver*> driver = driver_.get();
  std::string text = render(examine(driver, cache));
  EXPECT_TRUE(contains(text, "ok       driver    CUDA 13.0, /"));
  EXPECT_TRUE(
      contains(text, "ok       GPU 1     Fake GPU 1, sm_90a, 132 multiprocessors, 1 GiB\n"));
  EXPECT_TRUE(contains(text, (root / "cache/cubin").string() + ", 1 entries, 1.0 of 512 MiB\n"));
}

TEST_F(DoctorTest, NvrtcNewerThanTheDriver) {
  setenv("FAKE_CUDA_VERSION", "12040", 1);
  open_driver();
  CubinCache cache({.search = NvrtcSearch::from_environment()});
  if (!cache.nvrtc()) GTEST_SKIP() << cache.nvrtc().error().message;
  if ((*cache.nvrtc())->version() < "13") GTEST_SKIP() << "an NVRTC of CUDA 12";
  std::string text = render(examine(Result<Driver*>(driver_.get()), cache));
  EXPECT_TRUE(contains(text, "missing  NVRTC"));
  EXPECT_TRUE(contains(text, "; newer than the driver's CUDA 12.4: install"));
}

}  // namespace
}  // namespace tirxcc::cuda
