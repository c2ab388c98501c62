// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace tirxcc {
namespace {

thread_local std::string_view current_stage = "start-up";
thread_local std::string_view current_kernel;

}  // namespace

StageScope::StageScope(std::string_view stage, std::string_view kernel)
    : outer_stage_(current_stage), outer_kernel_(current_kernel) {
  current_stage = stage;
  current_kernel = kernel;
}

StageScope::~StageScope() {
  current_stage = outer_stage_;
  current_kernel = outer_kernel_;
}

void internal_error(const char* file, int line, std::string_view message) {
  std::string text = fmt::format(
      "tirxcc: internal error in {}{}{}: {}\n  at {}:{}\n"
      "  This is a fault of tirxcc, not of the kernel; please report it with the kernel.\n",
      current_stage, current_kernel.empty() ? "" : " of kernel ", current_kernel, message, file,
      line);
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace tirxcc
