// SPDX-License-Identifier: Apache-2.0
//
// See fiber_block.h.
#include "runtime/cpu/fiber_block.h"

#include <fmt/format.h>
#include <stdlib.h>

#include "base/check.h"

namespace tirxcc::runtime_cpu {
namespace {

using abi::CpuMeeting;

thread_local FiberBlock* current_block = nullptr;

constexpr std::size_t kPage = 4096;

}  // namespace

void GridMeeting::arrive() {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < blocks_) return;
  arrived_.store(0, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_acq_rel);
}

bool GridMeeting::is_divergent() const {
  const std::int64_t ended = ended_.load(std::memory_order_acquire);
  return ended > 0 && ended + arrived_.load(std::memory_order_acquire) == blocks_;
}

FiberBlock& FiberBlock::current() {
  TIRXCC_CHECK(current_block != nullptr, "a fiber's operation outside of a fiber");
  return *current_block;
}

void FiberBlock::start(const FiberProgram& program, std::int64_t number) {
  program_ = &program;
  number_ = number;
  const auto threads = static_cast<std::size_t>(program.threads);
  if (fibers_.size() != threads) fibers_ = std::vector<Fiber>(threads);
  warps_.assign((threads + kWarpSize - 1) / kWarpSize, Warp());
  for (int rank = 0; rank < program.threads; ++rank) {
    Fiber& fiber = fibers_[static_cast<std::size_t>(rank)];
    fiber.block = this;
    fiber.rank = rank;
    fiber.state = State::Fresh;
    fiber.turns = 0;
    ++warps_[static_cast<std::size_t>(rank / kWarpSize)].alive;
  }
  for (Named& barrier : named_)
    barrier = Named();
  alive_ = program.threads;
  at_block_ = 0;
  at_grid_ = 0;
  has_arrived_at_grid_ = false;
  has_failed_ = false;
  failure_ = FiberFailure();
  if (program.shared_bytes <= shared_bytes_) return;
  const auto bytes = (static_cast<std::size_t>(program.shared_bytes) + kPage - 1) / kPage * kPage;
  shared_ = {static_cast<std::byte*>(aligned_alloc(kPage, bytes)), free};
  TIRXCC_CHECK(shared_ != nullptr, "no memory for a block of {} bytes", bytes);
  shared_bytes_ = static_cast<std::int64_t>(bytes);
}

void FiberBlock::abandon() {
  for (Fiber& fiber : fibers_) {
    if (fiber.stack.bottom != nullptr) stacks_.give_back(fiber.stack);
    fiber.stack = {};
    fiber.state = State::Ended;
  }
}

// The first thing on a fiber's own stack.
void FiberBlock::body(void* argument) {
  auto& fiber = *static_cast<Fiber*>(argument);
  FiberBlock& block = *fiber.block;
  const FiberProgram& program = *block.program_;
  const std::int64_t status = program.entry(program.args, program.sizes, block.number_, fiber.rank,
                                            reinterpret_cast<std::uint64_t*>(block.shared_.get()));
  if (status != 0) {
    block.has_failed_ = true;
    block.failure_.status = status;
  }
  block.end(fiber);
  fiber.context.end();
}

void FiberBlock::run(Fiber& fiber) {
  if (fiber.state == State::Fresh) {
    fiber.stack = stacks_.take();
    if (fiber.stack.bottom == nullptr) {
      has_failed_ = true;
      failure_.text = fmt::format("no memory for the stacks of {} threads", program_->threads);
      return;
    }
    fiber.context.prepare(fiber.stack, body, &fiber);
  }
  fiber.state = State::Running;
  running_ = &fiber;
  current_block = this;
  fiber.context.resume();
  current_block = nullptr;
  if (fiber.state != State::Ended) return;
  stacks_.give_back(fiber.stack);
  fiber.stack = {};
}

// A thread has returned: those that wait may have waited for it alone.
void FiberBlock::end(Fiber& fiber) {
  fiber.state = State::Ended;
  --alive_;
  const int warp = fiber.rank / kWarpSize;
  --warps_[static_cast<std::size_t>(warp)].alive;
  release_warp(warp, /*is_forced=*/false);
  release_block();
  for (int number = 0; number < kNamedBarriers; ++number) {
    if (named_[number].arrived > 0) release_named(number);
  }
}

void FiberBlock::suspend(Fiber& fiber) {
  fiber.context.suspend();
}

// Unless what was done since has made it Ready again.
void FiberBlock::wait(Fiber& fiber, State state) {
  if (fiber.state == state) suspend(fiber);
  fiber.state = State::Running;
}

void FiberBlock::fail(Fiber& fiber, std::string text) {
  if (!has_failed_) failure_ = {0, fiber.site, std::move(text)};
  has_failed_ = true;
  fiber.context.end();
}

FiberBlock::Step FiberBlock::step() {
  if (has_arrived_at_grid_) return step_at_grid();
  bool has_progress = false;
  bool is_spinning = false;
  for (Fiber& fiber : fibers_) {
    const State before = fiber.state;
    if (before != State::Fresh && before != State::Ready && before != State::Spinning) continue;
    run(fiber);
    if (has_failed_) return Step::Failed;
    const bool spins = before == State::Spinning && fiber.state == State::Spinning;
    is_spinning |= spins;
    has_progress |= !spins;
  }
  if (has_progress) return Step::Progress;
  return is_spinning ? Step::Spinning : step_when_stuck();
}

// No fiber can run. Lanes that wait for others of their warp, which are elsewhere, go on without
// them: those that are furthest behind in the kernel first.
FiberBlock::Step FiberBlock::step_when_stuck() {
  if (alive_ == 0) return Step::Ended;
  bool has_progress = false;
  for (std::size_t warp = 0; warp < warps_.size(); ++warp)
    has_progress |= release_warp(static_cast<int>(warp), /*is_forced=*/true);
  if (has_failed_) return Step::Failed;
  if (has_progress) return Step::Progress;
  if (at_grid_ == alive_) return step_at_grid();
  has_failed_ = true;
  for (const Fiber& fiber : fibers_) {
    if (fiber.state == State::Ended) continue;
    failure_ = {0, fiber.site, deadlock()};
    break;
  }
  return Step::Failed;
}

FiberBlock::Step FiberBlock::step_at_grid() {
  GridMeeting& grid = *program_->grid;
  if (!has_arrived_at_grid_) {
    has_arrived_at_grid_ = true;
    grid_generation_ = grid.generation();
    grid.arrive();
  }
  if (grid.generation() == grid_generation_) return Step::AtGrid;
  for (Fiber& fiber : fibers_) {
    if (fiber.state == State::AtGrid) fiber.state = State::Ready;
  }
  at_grid_ = 0;
  has_arrived_at_grid_ = false;
  return Step::Progress;
}

std::uint64_t FiberBlock::meet(CpuMeeting kind, std::int32_t site, std::uint64_t a, std::uint64_t b,
                               std::uint64_t c) {
  Fiber& fiber = *running_;
  fiber.kind = kind;
  fiber.site = site;
  fiber.a = a;
  fiber.b = b;
  fiber.c = c;
  if (kind == CpuMeeting::Spin) {
    // `a`: so often that is no sign of waiting.
    fiber.state = fiber.turns < a ? State::Ready : State::Spinning;
    ++fiber.turns;
    wait(fiber, fiber.state);
    return 0;
  }
  fiber.turns = 0;
  if (kind <= CpuMeeting::BlockOr) return meet_block(fiber);
  if (kind <= CpuMeeting::ReduceMin) return meet_warp(fiber);
  if (kind <= CpuMeeting::NamedArrive) return meet_named(fiber);
  if (kind <= CpuMeeting::MbarWait) return meet_mbarrier(fiber);
  ++at_grid_;
  fiber.state = State::AtGrid;
  wait(fiber, State::AtGrid);
  return 0;
}

std::string FiberBlock::describe_wait(const Fiber& fiber, int count) const {
  std::string text = fmt::format("thread {}", fiber.rank);
  if (count > 1) text += fmt::format(" and {} more", count - 1);
  text += count > 1 ? " wait at " : " waits at ";
  const std::string& place = program_->sites[static_cast<std::size_t>(fiber.site)];
  if (fiber.state == State::AtNamed) {
    const Named& barrier = named_[fiber.a];
    return text + fmt::format("barrier {} ({}), which {} of {} have reached", fiber.a, place,
                              barrier.arrived, barrier.count == 0 ? alive_ : barrier.count);
  }
  if (fiber.state == State::AtMbarrier) {
    return text +
           fmt::format("an mbarrier ({}) for the end of a phase of parity {}", place, fiber.b & 1);
  }
  const bool is_grid = fiber.state == State::AtGrid;
  return text + fmt::format("the barrier of the {} ({})", is_grid ? "grid" : "block", place);
}

// Who waits where, a part for each place.
std::string FiberBlock::deadlock() const {
  struct Group {
    const Fiber* first;
    int count;
  };
  std::vector<Group> groups;
  for (const Fiber& fiber : fibers_) {
    if (fiber.state == State::Ended) continue;
    bool is_known = false;
    for (Group& group : groups) {
      const Fiber& other = *group.first;
      if (other.site != fiber.site || other.state != fiber.state || other.a != fiber.a) continue;
      ++group.count;
      is_known = true;
      break;
    }
    if (!is_known && groups.size() < 8) groups.push_back({&fiber, 1});
  }
  std::string text = fmt::format("deadlock: no thread of block {} can go on", number_);
  for (const Group& group : groups) {
    text += group.first == groups[0].first ? ": " : "; ";
    text += describe_wait(*group.first, group.count);
  }
  return text;
}

}  // namespace tirxcc::runtime_cpu
