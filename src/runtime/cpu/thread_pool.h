// SPDX-License-Identifier: Apache-2.0
//
// Threads for the blocks of a launch and the turns of T.parallel loops. The calling thread always
// takes part, and runs small work alone without touching a lock. Other threads start when work
// first needs them; a forked child starts its own.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/cpu_plugin.h"
#include "base/result.h"

namespace tirxcc::runtime_cpu {

// The most threads that one launch uses, the caller among them: $TIRXCC_NUM_THREADS, else the
// processors that this process may run on.
int thread_count();

// A failure where $TIRXCC_NUM_THREADS is no such number; whoever compiles for the CPU asks first.
Result<void> check_thread_count();

// The status of work that was stopped from outside.
inline constexpr std::int64_t kStopped = INT64_MIN;

// While it lives, parallel_for on this thread looks at `stop` between parts, and ends with kStopped
// once it is true. Null: cannot be stopped.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* stop);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const std::atomic<bool>* outer_;
};

// Runs body(context, first, last) on disjoint parts of [0, count). Returns the first non-zero
// status that a part returned (no new parts start after one), else 0. A call from inside a part
// runs on its own thread alone.
std::int64_t parallel_for(abi::CpuParallelBody body, void* context, std::int64_t count);

// The same for turns that lie in rows of `row`: parts begin and end with rows, where they are not
// much shorter than one. Memory is then read on from row to row, while each of a part's many lines
// of memory would break off where the part does.
std::int64_t parallel_for_rows(abi::CpuParallelBody body, void* context, std::int64_t count,
                               std::int64_t row);

// The multiple of `row` that is next to `part`, if that is not more than twice as much.
std::int64_t whole_rows(std::int64_t part, std::int64_t row);

// The same without looking how long it takes: the turns go to different threads at once, as far as
// there are any, for turns that may wait for each other's work.
std::int64_t run_shared(abi::CpuParallelBody body, void* context, std::int64_t count);

// What the innermost StopScope of this thread looks at; null: nothing.
const std::atomic<bool>* current_stop();

}  // namespace tirxcc::runtime_cpu
