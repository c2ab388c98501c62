// SPDX-License-Identifier: Apache-2.0
//
// TIRXCC_CHECK: an internal invariant. It is on in release builds too. When it fails the message
// says that the fault is ours, in which stage, and while compiling which kernel, then aborts.
// Never use it for anything that user input can cause.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace tirxcc {

// Names the stage and kernel being compiled on this thread, for internal-error messages. Nested
// scopes restore the outer one.
class StageScope {
 public:
  StageScope(std::string_view stage, std::string_view kernel);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  std::string_view outer_stage_;
  std::string_view outer_kernel_;
};

[[noreturn, gnu::cold]] void internal_error(const char* file, int line, std::string_view message);

}  // namespace tirxcc

#define TIRXCC_CHECK(condition, ...)                                               \
  do {                                                                             \
    if (!(condition)) [[unlikely]]                                                 \
      ::tirxcc::internal_error(__FILE__, __LINE__, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
