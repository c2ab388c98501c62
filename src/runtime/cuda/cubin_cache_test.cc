// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cubin_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "runtime/cuda/test_support.h"

namespace tirxcc::cuda {
namespace {

constexpr const char* kText = "extern \"C\" __global__ void f(int* a) { *a = 1; }\n";

class CubinCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_ = CubinCache::Settings::from_environment();
    settings_.folder = (root_ / "cache").string();
    if (nvrtc_candidates(settings_.search).empty() && settings_.search.library.empty()) {
      GTEST_SKIP() << "no NVRTC: pip install nvidia-cuda-nvrtc";
    }
  }

  TemporaryFolder root_;
  CubinCache::Settings settings_;
};

TEST_F(CubinCacheTest, CompilesOnceThenMemoryThenDisk) {
  CubinCache first(settings_);
  Result<CubinCache::Cubin> compiled = first.get({.text = kText});
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(compiled->origin, CubinCache::Origin::Compiler);
  Result<CubinCache::Cubin> again = first.get({.text = kText});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->origin, CubinCache::Origin::Memory);
  EXPECT_EQ(again->bytes, compiled->bytes);
  CubinCache next(settings_);
  Result<CubinCache::Cubin> stored = next.get({.text = kText});
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->origin, CubinCache::Origin::Disk);
  EXPECT_EQ(*stored->bytes, *compiled->bytes);
  EXPECT_EQ(next.get({.text = kText, .arch = "sm_80"})->origin, CubinCache::Origin::Compiler);
}

TEST_F(CubinCacheTest, ADamagedFileIsCompiledAgain) {
  CubinCache first(settings_);
  ASSERT_TRUE(first.get({.text = kText}));
  for (const auto& file : std::filesystem::directory_iterator(first.disk().folder())) {
    std::filesystem::resize_file(file, 100);
  }
  CubinCache next(settings_);
  Result<CubinCache::Cubin> cubin = next.get({.text = kText});
  ASSERT_TRUE(cubin);
  EXPECT_EQ(cubin->origin, CubinCache::Origin::Compiler);
}

TEST_F(CubinCacheTest, ThreadsShareOneCompilation) {
  CubinCache cache(settings_);
  std::atomic<int> compilations{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      Result<CubinCache::Cubin> cubin = cache.get({.text = kText});
      ASSERT_TRUE(cubin);
      if (cubin->origin == CubinCache::Origin::Compiler) ++compilations;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(compilations, 1);
}

TEST_F(CubinCacheTest, FailuresAreNotKept) {
  CubinCache cache(settings_);
  EXPECT_FALSE(cache.get({.text = "nonsense"}));
  EXPECT_FALSE(cache.get({.text = "nonsense"}));
  EXPECT_EQ(cache.disk().usage().entries, 0u);
}

TEST_F(CubinCacheTest, MemoryIsBounded) {
  settings_.memory_limit = 1;
  settings_.folder = "";
  CubinCache cache(settings_);
  std::string other = std::string(kText) + "// other\n";
  ASSERT_TRUE(cache.get({.text = kText}));
  ASSERT_TRUE(cache.get({.text = other}));
  EXPECT_EQ(cache.get({.text = other})->origin, CubinCache::Origin::Memory);
  EXPECT_EQ(cache.get({.text = kText})->origin, CubinCache::Origin::Compiler);
}

TEST_F(CubinCacheTest, AnotherNvrtcIsAnotherKey) {
  CubinCache first(settings_);
  ASSERT_TRUE(first.get({.text = kText}));
  // The same library under another path.
  std::string real = settings_.search.library;
  if (real.empty()) real = nvrtc_candidates(settings_.search).front();
  std::filesystem::create_symlink(real, root_ / "libnvrtc.so.99");
  settings_.search.library = (root_ / "libnvrtc.so.99").string();
  CubinCache next(settings_);
  Result<CubinCache::Cubin> cubin = next.get({.text = kText});
  ASSERT_TRUE(cubin) << cubin.error().message;
  EXPECT_EQ(cubin->origin, CubinCache::Origin::Compiler);
}

TEST(CubinCacheWithoutNvrtc, WhatLiesOnDiskNeedsNoCompiler) {
  TemporaryFolder root;
  // A file that is no library, so that loading it would fail.
  CubinCache::Settings settings{.search = {.library = root.touch("libnvrtc.so.13")},
                                .folder = (root / "cache").string()};
  CubinCache cache(settings);
  Result<CubinCache::Cubin> cubin = cache.get({.text = kText});
  ASSERT_FALSE(cubin);
  EXPECT_TRUE(contains(cubin.error().message, "TIRXCC_NVRTC names a library"));
  ASSERT_TRUE(cache.disk().store(cache.key_of({.text = kText}), "machine code"));
  cubin = cache.get({.text = kText});
  ASSERT_TRUE(cubin) << cubin.error().message;
  EXPECT_EQ(*cubin->bytes, "machine code");
}

}  // namespace
}  // namespace tirxcc::cuda
