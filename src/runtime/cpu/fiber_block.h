// SPDX-License-Identifier: Apache-2.0
//
// A block whose threads are fibers: each runs until it must wait for others, and then the next one
// does. What threads do together (abi::CpuMeeting) is kept here as plain data, for a block never
// leaves its worker thread. fiber_block.cc lets fibers run and tells when nothing can go on,
// fiber_meetings.cc has barriers of the block and what warps do, fiber_barriers.cc named barriers
// and mbarriers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abi/cpu_plugin.h"
#include "runtime/cpu/fiber_switch.h"

namespace tirxcc::runtime_cpu {

// The barrier of all blocks of a launch.
class GridMeeting {
 public:
  explicit GridMeeting(std::int64_t blocks) : blocks_(blocks) {}
  // Grows whenever all blocks have come.
  std::int64_t generation() const { return generation_.load(std::memory_order_acquire); }
  // All threads of a block that have not ended are there.
  void arrive();
  void leave() { ended_.fetch_add(1, std::memory_order_acq_rel); }
  // Some blocks wait for others that have ended.
  bool is_divergent() const;

 private:
  std::int64_t blocks_;
  std::atomic<std::int64_t> arrived_ = 0;
  std::atomic<std::int64_t> ended_ = 0;
  std::atomic<std::int64_t> generation_ = 0;
};

// What all blocks of a launch have in common.
struct FiberProgram {
  abi::CpuEntry entry = nullptr;
  const std::uint64_t* args = nullptr;
  std::int64_t sizes[7] = {};
  int threads = 1;                     // of a block
  std::int64_t shared_bytes = 0;       // of a block
  std::span<const std::string> sites;  // "relu.py:12"
  GridMeeting* grid = nullptr;
};

// Why a launch ended early: `status` is that of abi::CpuEntry where an assert failed; else `text`
// tells it, about the place `site` if that is not negative.
struct FiberFailure {
  std::int64_t status = 0;
  std::int32_t site = -1;
  std::string text;
};

class FiberBlock {
 public:
  explicit FiberBlock(FiberStacks& stacks) : stacks_(stacks) {}

  void start(const FiberProgram& program, std::int64_t number);

  enum class Step : std::uint8_t {
    Progress,  // some thread got on
    Spinning,  // threads only asked memory whether they may
    AtGrid,    // all wait for other blocks
    Ended,
    Failed,
  };
  // Lets each fiber that can run do so once.
  Step step();
  const FiberFailure& failure() const { return failure_; }
  // Drops the fibers that have not ended.
  void abandon();

  // Called by generated code on the running fiber.
  std::uint64_t meet(abi::CpuMeeting kind, std::int32_t site, std::uint64_t a, std::uint64_t b,
                     std::uint64_t c);
  // The block whose fiber this thread runs.
  static FiberBlock& current();

 private:
  enum class State : std::uint8_t {
    Fresh,
    Ready,
    Running,
    Spinning,
    AtBlock,
    AtWarp,
    AtNamed,
    AtMbarrier,
    AtGrid,
    Ended,
  };
  // A thread, and what it waits at.
  struct Fiber {
    FiberSwitch context;
    FiberStack stack;
    FiberBlock* block = nullptr;
    int rank = 0;
    State state = State::Fresh;
    abi::CpuMeeting kind = abi::CpuMeeting::Spin;
    std::int32_t site = 0;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    std::uint64_t result = 0;
    std::uint64_t turns = 0;  // how often in a row it let others run
  };
  struct Warp {
    int alive = 0;
    int arrived = 0;
  };
  struct Named {
    std::uint64_t count = 0;  // as given; 0: all threads
    std::uint64_t arrived = 0;
  };
  static constexpr int kWarpSize = 32;
  static constexpr int kNamedBarriers = 16;

  static void body(void* fiber);
  void run(Fiber& fiber);
  void end(Fiber& fiber);
  // The fiber waits until somebody makes it Ready.
  void suspend(Fiber& fiber);
  void wait(Fiber& fiber, State state);
  [[noreturn]] void fail(Fiber& fiber, std::string text);
  Step step_when_stuck();
  Step step_at_grid();
  std::string deadlock() const;
  std::string describe_wait(const Fiber& fiber, int count) const;

  // fiber_meetings.cc
  std::uint64_t meet_block(Fiber& fiber);
  std::uint64_t meet_warp(Fiber& fiber);
  void release_block();
  bool release_warp(int warp, bool is_forced);
  std::uint32_t lanes_at(int warp, std::int32_t site) const;
  void give_results(int warp, std::uint32_t here);
  std::uint64_t result_of(const Fiber& fiber, std::uint32_t here) const;
  std::uint64_t shuffled(const Fiber& fiber, std::uint32_t here) const;

  // fiber_barriers.cc
  std::uint64_t meet_named(Fiber& fiber);
  void release_named(int number);
  std::uint64_t meet_mbarrier(Fiber& fiber);
  void arrive(Fiber& fiber, std::uint64_t& word, std::uint64_t arrivals, std::uint64_t bytes);
  void end_phase(std::uint64_t& word);

  FiberStacks& stacks_;
  const FiberProgram* program_ = nullptr;
  std::int64_t number_ = 0;
  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  Named named_[kNamedBarriers];
  std::unique_ptr<std::byte, void (*)(void*)> shared_ = {nullptr, nullptr};
  std::int64_t shared_bytes_ = 0;
  Fiber* running_ = nullptr;
  int alive_ = 0;
  int at_block_ = 0;
  int at_grid_ = 0;
  bool has_arrived_at_grid_ = false;
  std::int64_t grid_generation_ = 0;
  bool has_failed_ = false;
  FiberFailure failure_;
};

}  // namespace tirxcc::runtime_cpu
