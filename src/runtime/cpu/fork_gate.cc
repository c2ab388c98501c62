// SPDX-License-Identifier: Apache-2.0
//
// See fork_gate.h.
#include "runtime/cpu/fork_gate.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tirxcc::runtime_cpu {
namespace {

constexpr auto kLongestWait = std::chrono::seconds(2);

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int compiling = 0;
  bool is_forking = false;
};

// A child makes its own: the condition variable may know threads that the child does not have.
Gate* gate = new Gate();
std::atomic<bool> is_broken = false;

thread_local int depth = 0;

void before_fork() {
  std::unique_lock lock(gate->mutex);
  gate->is_forking = true;
  // A thread that forks while it compiles itself waits for the others.
  const int own = depth > 0 ? 1 : 0;
  gate->changed.wait_for(lock, kLongestWait, [&] { return gate->compiling <= own; });
  lock.release();
}

void after_fork_in_parent() {
  gate->is_forking = false;
  gate->mutex.unlock();
  gate->changed.notify_all();
}

void after_fork_in_child() {
  const int own = depth > 0 ? 1 : 0;
  if (gate->compiling > own) is_broken = true;
  gate = new Gate();
  gate->compiling = own;
}

// Installed when the library is loaded, before any thread can hold the lock.
const int fork_handlers = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

CompileScope::CompileScope() {
  if (depth++ > 0) return;
  std::unique_lock lock(gate->mutex);
  gate->changed.wait(lock, [] { return !gate->is_forking; });
  ++gate->compiling;
}

CompileScope::~CompileScope() {
  if (--depth > 0) return;
  const std::lock_guard lock(gate->mutex);
  --gate->compiling;
  gate->changed.notify_all();
}

Result<void> check_can_compile() {
  if (!is_broken.load(std::memory_order_relaxed)) return {};
  return fail(
      "this process was forked while another thread of its parent compiled a kernel; compile "
      "before "
      "the fork, or start processes by 'spawn'");
}

}  // namespace tirxcc::runtime_cpu
