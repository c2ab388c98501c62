// SPDX-License-Identifier: Apache-2.0
//
// See fiber_launch.h.
#include "runtime/cpu/fiber_launch.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "base/int128.h"
#include "runtime/cpu/thread_pool.h"

namespace tirxcc::runtime_cpu {
namespace {

using Clock = std::chrono::steady_clock;

// For what the C library does on a fiber's stack (printf), and what the scheduler does.
constexpr std::int64_t kLibraryBytes = 40 << 10;
// Of all stacks of a launch together.
constexpr std::int64_t kMostStackBytes = std::int64_t{4} << 30;
// So often in a row all blocks of a worker only spin before it begins another one.
constexpr int kPatience = 64;
// How long nothing may happen at all when no further block can begin.
constexpr std::chrono::seconds kLongest(2);
// A worker keeps that many stacks from launch to launch.
constexpr std::size_t kKeptStacks = 2048;

struct Launch {
  FiberProgram program;
  std::int64_t stack_bytes = 0;
  std::int64_t blocks = 0;
  const std::atomic<bool>* stop = nullptr;
  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> under_way = 0;
  std::atomic<std::int64_t> steps = 0;  // that got on, of workers that were stuck
  std::atomic<bool> has_failed = false;
  std::mutex mutex;
  FiberFailure failure;  // the first

  std::int64_t bytes_of_block() const { return stack_bytes * program.threads; }
  void fail(FiberFailure found) {
    const std::lock_guard lock(mutex);
    if (!has_failed.exchange(true)) failure = std::move(found);
  }
};

// What a thread keeps from launch to launch.
struct Kept {
  std::unique_ptr<FiberStacks> stacks;
  std::vector<std::unique_ptr<FiberBlock>> idle;
};

Kept& kept_for(std::int64_t stack_bytes) {
  thread_local Kept kept;
  const auto bytes = static_cast<std::size_t>(stack_bytes);
  if (kept.stacks == nullptr || kept.stacks->bytes() < bytes || kept.stacks->bytes() > 4 * bytes) {
    kept.idle.clear();
    kept.stacks = std::make_unique<FiberStacks>(bytes);
  }
  return kept;
}

// One worker's part of a launch.
class Worker {
 public:
  explicit Worker(Launch& launch) : launch_(launch), kept_(kept_for(launch.stack_bytes)) {}

  void run() {
    while (!launch_.has_failed.load(std::memory_order_relaxed)) {
      if (blocks_.empty() && !begin_block()) break;
      if (launch_.stop != nullptr && launch_.stop->load(std::memory_order_relaxed)) {
        launch_.fail({kStopped, -1, {}});
      } else if (step_all()) {
        if (stuck_ > patience_) launch_.steps.fetch_add(1, std::memory_order_relaxed);
        stuck_ = 0;
      } else if (++stuck_ > patience_) {
        help_others();
      }
    }
    while (!blocks_.empty())
      end_block(0);
    kept_.stacks->trim(kKeptStacks);
    if (kept_.idle.size() > 4) kept_.idle.resize(4);
  }

 private:
  bool begin_block() {
    if (launch_.next.load(std::memory_order_relaxed) >= launch_.blocks) return false;
    const std::int64_t number = launch_.next.fetch_add(1, std::memory_order_relaxed);
    if (number >= launch_.blocks) return false;
    launch_.under_way.fetch_add(1, std::memory_order_relaxed);
    std::unique_ptr<FiberBlock> block;
    if (kept_.idle.empty()) {
      block = std::make_unique<FiberBlock>(*kept_.stacks);
    } else {
      block = std::move(kept_.idle.back());
      kept_.idle.pop_back();
    }
    block->start(launch_.program, number);
    blocks_.push_back(std::move(block));
    return true;
  }

  void end_block(std::size_t place) {
    blocks_[place]->abandon();
    kept_.idle.push_back(std::move(blocks_[place]));
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place));
    launch_.under_way.fetch_sub(1, std::memory_order_relaxed);
  }

  // Whether any block got on.
  bool step_all() {
    bool has_progress = false;
    for (std::size_t i = 0; i < blocks_.size();) {
      const FiberBlock::Step step = blocks_[i]->step();
      if (step == FiberBlock::Step::Failed) {
        launch_.fail(blocks_[i]->failure());
        return true;
      }
      if (step == FiberBlock::Step::Ended) {
        launch_.program.grid->leave();
        end_block(i);
        has_progress = true;
        patience_ = kPatience;
        continue;
      }
      has_progress |= step == FiberBlock::Step::Progress;
      ++i;
    }
    return has_progress;
  }

  // All blocks of this worker wait for others: begins one that they may wait for, or lets other
  // workers go on.
  void help_others() {
    if (stuck_ == patience_ + 1) {
      seen_steps_ = launch_.steps.load(std::memory_order_relaxed);
      since_ = Clock::now();
    }
    const bool has_more = launch_.next.load(std::memory_order_relaxed) < launch_.blocks;
    const std::int64_t room = kMostStackBytes / launch_.bytes_of_block();
    const std::int64_t under_way = launch_.under_way.load(std::memory_order_relaxed);
    if (has_more && under_way < std::max<std::int64_t>(1, room)) {
      // Soon again if that does not help: these blocks wait for many.
      if (begin_block()) stuck_ = 0;
      patience_ = std::max(1, patience_ / 2);
      return;
    }
    if (launch_.program.grid->is_divergent()) {
      launch_.fail({0, -1, "divergent barrier of the grid: some blocks wait, others have ended"});
      return;
    }
    if (stuck_ % 64 != 0) return;
    sched_yield();
    if (!has_more) return;
    const std::int64_t steps = launch_.steps.load(std::memory_order_relaxed);
    if (steps != seen_steps_) {
      seen_steps_ = steps;
      since_ = Clock::now();
    } else if (Clock::now() - since_ > kLongest) {
      launch_.fail({0, -1,
                    fmt::format("{} blocks wait for others, and no more can begin: the stacks of "
                                "their threads have {} MiB; a smaller grid or block may do",
                                under_way, under_way * launch_.bytes_of_block() >> 20)});
    }
  }

  Launch& launch_;
  Kept& kept_;
  std::vector<std::unique_ptr<FiberBlock>> blocks_;
  int stuck_ = 0;
  int patience_ = kPatience;
  std::int64_t seen_steps_ = 0;
  Clock::time_point since_;
};

std::int64_t run_worker(void* context, std::int64_t, std::int64_t) {
  Worker(*static_cast<Launch*>(context)).run();
  return 0;
}

}  // namespace

FiberFailure launch_fibers(const FiberKernel& kernel, const std::uint64_t* args,
                           const std::int64_t sizes[7]) {
  Launch launch;
  int128 blocks = 1;
  for (int axis = 0; axis < 3; ++axis)
    blocks = std::min<int128>(blocks * sizes[axis], INT64_MAX);
  launch.blocks = static_cast<std::int64_t>(blocks);
  launch.stop = current_stop();
  FiberProgram& program = launch.program;
  program.entry = kernel.entry;
  program.args = args;
  std::copy_n(sizes, 7, program.sizes);
  program.threads = static_cast<int>(sizes[3] * sizes[4] * sizes[5]);
  program.shared_bytes = kernel.entry(args, program.sizes, 0, -1, nullptr);
  program.sites = kernel.sites;
  GridMeeting grid(launch.blocks);
  program.grid = &grid;
  constexpr std::int64_t kPage = 4096;
  launch.stack_bytes = (kernel.stack_bytes + kLibraryBytes + kPage - 1) / kPage * kPage;
  const std::int64_t workers = std::min<std::int64_t>(thread_count(), launch.blocks);
  if (kernel.is_in_order || workers == 1) {
    run_worker(&launch, 0, 1);
  } else {
    const std::int64_t status = run_shared(run_worker, &launch, workers);
    // Stopped before a worker could begin.
    if (status == kStopped) launch.fail({kStopped, -1, {}});
  }
  return launch.failure;
}

std::uint64_t meet(std::int32_t meeting, std::int32_t site, std::uint64_t a, std::uint64_t b,
                   std::uint64_t c) {
  return FiberBlock::current().meet(static_cast<abi::CpuMeeting>(meeting), site, a, b, c);
}

}  // namespace tirxcc::runtime_cpu
