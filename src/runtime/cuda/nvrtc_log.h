// SPDX-License-Identifier: Apache-2.0
//
// NVRTC's log taken apart, so that a message about the CUDA text can be shown at the line of the
// kernel that the text line came from.
//
//   relu_kernel.cu(3): error: identifier "x" is undefined
//       x = 1;
//       ^
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tirxcc::cuda {

struct LogMessage {
  std::string file;  // as the request or a #line directive names it
  int line = 0;      // from 1; 0 for a message without a place
  bool is_error = false;
  std::string text;    // identifier "x" is undefined
  std::string source;  // the quoted source line, without indentation; may be empty
};

// The messages of a log in order; lines that belong to none are left out.
std::vector<LogMessage> parse_log(std::string_view log);

}  // namespace tirxcc::cuda
