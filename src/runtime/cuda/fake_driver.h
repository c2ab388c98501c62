// SPDX-License-Identifier: Apache-2.0
//
// Test fixture: our Driver on top of the fake libcuda of tests/fake_cuda, freshly reset.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "runtime/cuda/driver.h"
#include "runtime/cuda/dynamic_library.h"

namespace tirxcc::cuda {

class FakeDriverTest : public testing::Test {
 protected:
  // The library that was built beside the test program.
  static std::string library_path() {
    if (const char* named = std::getenv("TIRXCC_FAKE_CUDA")) return named;
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    return (program.parent_path() / "tests/fake_cuda/libfake_cuda.so").string();
  }

  // Calls a function of fake_cuda.h.
  template <typename Signature, typename... Arguments>
  auto call(const char* name, Arguments... arguments) const {
    return reinterpret_cast<Signature*>(library_->symbol(name))(arguments...);
  }

  void SetUp() override {
    Result<DynamicLibrary> library = DynamicLibrary::open(library_path());
    ASSERT_TRUE(library) << library.error().message;
    library_ = std::make_unique<DynamicLibrary>(*library);
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    call<void()>("fake_cuda_reset");
  }

  void TearDown() override {
    for (const char* name : {"FAKE_CUDA_DEVICES", "FAKE_CUDA_VERSION", "FAKE_CUDA_MEMORY"}) {
      unsetenv(name);
    }
  }

  void open_driver() {
    Result<std::unique_ptr<Driver>> opened = Driver::open(library_path());
    ASSERT_TRUE(opened) << opened.error().message;
    driver_ = *std::move(opened);
  }

  std::string log() const { return call<const char*()>("fake_cuda_log"); }
  void fail_with(const char* spec) const { call<void(const char*)>("fake_cuda_fail", spec); }
  void forget_log() const {
    std::string kept = log();
    log_begin_ = kept.size();
  }
  // What was logged since forget_log().
  std::string new_log() const { return log().substr(log_begin_); }

  std::unique_ptr<DynamicLibrary> library_;
  std::unique_ptr<Driver> driver_;
  mutable std::size_t log_begin_ = 0;
};

}  // namespace tirxcc::cuda
