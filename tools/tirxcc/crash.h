// SPDX-License-Identifier: Apache-2.0
//
// A kernel on the CPU that goes far outside its arrays is stopped by the operating system. While a
// CrashWatch lives, the process then ends with our words rather than with a bare "Segmentation
// fault".
#pragma once

#include <csignal>
#include <string>

namespace tirxcc::tool {

class CrashWatch {
 public:
  // At most one at a time. The message is written to stderr; the exit status is 1.
  explicit CrashWatch(std::string message);
  ~CrashWatch();
  CrashWatch(const CrashWatch&) = delete;
  CrashWatch& operator=(const CrashWatch&) = delete;

 private:
  struct sigaction old_segv_ = {};
  struct sigaction old_bus_ = {};
};

}  // namespace tirxcc::tool
