// SPDX-License-Identifier: Apache-2.0
#include "crash.h"

#include <unistd.h>

#include <utility>

#include "commands.h"

namespace tirxcc::tool {
namespace {

// What the handler says: a signal handler can take no argument and allocate nothing.
std::string message_of_crash;

void tell_and_exit(int) {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, message_of_crash.data(), message_of_crash.size());
  _exit(kFailure);
}

}  // namespace

CrashWatch::CrashWatch(std::string message) {
  message_of_crash = std::move(message);
  struct sigaction action = {};
  action.sa_handler = tell_and_exit;
  sigaction(SIGSEGV, &action, &old_segv_);
  sigaction(SIGBUS, &action, &old_bus_);
}

CrashWatch::~CrashWatch() {
  sigaction(SIGSEGV, &old_segv_, nullptr);
  sigaction(SIGBUS, &old_bus_, nullptr);
}

}  // namespace tirxcc::tool
