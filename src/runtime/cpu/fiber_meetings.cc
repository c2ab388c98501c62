// SPDX-License-Identifier: Apache-2.0
//
// Barriers of the block and operations of warps for threads that are fibers. The last one to arrive
// works out what all get, and goes on without having waited.
#include <bit>

#include "runtime/cpu/fiber_block.h"

namespace tirxcc::runtime_cpu {
namespace {

using abi::CpuMeeting;

constexpr std::uint32_t kAllLanes = 0xffffffff;

bool has_mask(CpuMeeting kind) {
  return kind >= CpuMeeting::Shuffle && kind <= CpuMeeting::ReduceMin;
}

}  // namespace

std::uint64_t FiberBlock::meet_block(Fiber& fiber) {
  fiber.state = State::AtBlock;
  ++at_block_;
  release_block();
  if (has_failed_) fail(fiber, {});
  wait(fiber, State::AtBlock);
  return fiber.result;
}

// If all threads that have not ended wait at the barrier.
void FiberBlock::release_block() {
  if (at_block_ == 0 || at_block_ < alive_) return;
  const Fiber* first = nullptr;
  bool all = true;
  bool any = false;
  for (const Fiber& fiber : fibers_) {
    if (fiber.state != State::AtBlock) continue;
    if (first == nullptr) first = &fiber;
    all &= fiber.a != 0;
    any |= fiber.a != 0;
    if (fiber.site == first->site || has_failed_) continue;
    has_failed_ = true;
    failure_ = {0, first->site,
                "divergent barrier: some threads of the block are here, others are still "
                "elsewhere"};
  }
  if (has_failed_) return;
  at_block_ = 0;
  const bool result = first->kind == CpuMeeting::BlockAnd ? all : any;
  for (Fiber& fiber : fibers_) {
    if (fiber.state != State::AtBlock) continue;
    fiber.result = result ? 1 : 0;
    fiber.state = State::Ready;
  }
}

std::uint64_t FiberBlock::meet_warp(Fiber& fiber) {
  const int warp = fiber.rank / kWarpSize;
  fiber.state = State::AtWarp;
  Warp& own = warps_[static_cast<std::size_t>(warp)];
  ++own.arrived;
  if (own.arrived == own.alive) {
    release_warp(warp, /*is_forced=*/false);
  } else if (has_mask(fiber.kind)) {
    // Those that the mask names may all be here.
    const auto mask = static_cast<std::uint32_t>(fiber.c) | 1U << (fiber.rank % kWarpSize);
    if (mask != kAllLanes) {
      std::uint32_t alive = 0;
      for (int lane = 0; lane < kWarpSize; ++lane) {
        const auto rank = static_cast<std::size_t>(warp * kWarpSize + lane);
        if (rank < fibers_.size() && fibers_[rank].state != State::Ended) alive |= 1U << lane;
      }
      const std::uint32_t here = lanes_at(warp, fiber.site);
      if ((mask & alive & ~here) == 0) give_results(warp, here & mask);
    }
  }
  wait(fiber, State::AtWarp);
  return fiber.result;
}

std::uint32_t FiberBlock::lanes_at(int warp, std::int32_t site) const {
  std::uint32_t lanes = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto rank = static_cast<std::size_t>(warp * kWarpSize + lane);
    if (rank >= fibers_.size()) break;
    const Fiber& fiber = fibers_[rank];
    if (fiber.state == State::AtWarp && fiber.site == site) lanes |= 1U << lane;
  }
  return lanes;
}

// If all lanes of the warp wait (or `is_forced`), those at the place that comes first in the kernel
// go on. Whether any do.
bool FiberBlock::release_warp(int warp, bool is_forced) {
  const Warp& own = warps_[static_cast<std::size_t>(warp)];
  if (own.arrived == 0 || (own.arrived < own.alive && !is_forced)) return false;
  std::int32_t first = INT32_MAX;
  const auto begin = static_cast<std::size_t>(warp * kWarpSize);
  for (std::size_t rank = begin; rank < begin + kWarpSize && rank < fibers_.size(); ++rank) {
    const Fiber& fiber = fibers_[rank];
    if (fiber.state == State::AtWarp && fiber.site < first) first = fiber.site;
  }
  give_results(warp, lanes_at(warp, first));
  return true;
}

// The lanes `here`, which wait at one place, get what the operation gives.
void FiberBlock::give_results(int warp, std::uint32_t here) {
  for (std::uint32_t rest = here; rest != 0; rest &= rest - 1) {
    Fiber& fiber = fibers_[static_cast<std::size_t>(warp * kWarpSize + std::countr_zero(rest))];
    fiber.result = result_of(fiber, here);
  }
  for (std::uint32_t rest = here; rest != 0; rest &= rest - 1) {
    fibers_[static_cast<std::size_t>(warp * kWarpSize + std::countr_zero(rest))].state =
        State::Ready;
  }
  warps_[static_cast<std::size_t>(warp)].arrived -= std::popcount(here);
}

std::uint64_t FiberBlock::result_of(const Fiber& fiber, std::uint32_t here) const {
  const int lane = fiber.rank % kWarpSize;
  const CpuMeeting kind = fiber.kind;
  if (kind == CpuMeeting::WarpBarrier) return 0;
  if (kind == CpuMeeting::ActiveMask) return here;
  if (kind == CpuMeeting::Elect) return std::countr_zero(here) == lane ? 1 : 0;
  if (kind >= CpuMeeting::Shuffle && kind <= CpuMeeting::ShuffleXor) return shuffled(fiber, here);
  std::uint32_t ballot = 0;
  std::uint32_t sum = 0;
  std::uint32_t least = kAllLanes;
  const std::uint32_t lanes = here & static_cast<std::uint32_t>(fiber.c);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int other = std::countr_zero(rest);
    const auto given =
        static_cast<std::uint32_t>(fibers_[static_cast<std::size_t>(fiber.rank - lane + other)].a);
    if (given != 0) ballot |= 1U << other;
    sum += given;
    if (given < least) least = given;
  }
  if (kind == CpuMeeting::Ballot) return ballot;
  if (kind == CpuMeeting::All) return ballot == lanes ? 1 : 0;
  if (kind == CpuMeeting::Any) return ballot != 0 ? 1 : 0;
  return kind == CpuMeeting::ReduceAdd ? sum : least;
}

// A lane that is not here, or beyond the group, gives nothing: the value stays one's own.
std::uint64_t FiberBlock::shuffled(const Fiber& fiber, std::uint32_t here) const {
  const int lane = fiber.rank % kWarpSize;
  const int width = static_cast<int>(fiber.c >> 32);
  const auto other = static_cast<std::int32_t>(fiber.b);
  const int first = lane & -width;
  const int last = lane | (width - 1);
  int source = lane;
  if (fiber.kind == CpuMeeting::Shuffle) {
    source = first | (other & (width - 1));
  } else if (fiber.kind == CpuMeeting::ShuffleUp) {
    if (other >= 0 && other <= lane - first) source = lane - other;
  } else if (fiber.kind == CpuMeeting::ShuffleDown) {
    if (other >= 0 && other <= last - lane) source = lane + other;
  } else if ((lane ^ (other & (kWarpSize - 1))) <= last) {
    source = lane ^ (other & (kWarpSize - 1));
  }
  // A width that is no power of two must not lead out of the warp.
  source &= kWarpSize - 1;
  if ((here >> source & 1) == 0) source = lane;
  return fibers_[static_cast<std::size_t>(fiber.rank - lane + source)].a;
}

}  // namespace tirxcc::runtime_cpu
