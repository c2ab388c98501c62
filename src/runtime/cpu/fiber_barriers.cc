// SPDX-License-Identifier: Apache-2.0
//
// Named barriers and mbarriers for threads that are fibers. An mbarrier is a word of shared memory
// whose bits are nobody's business on a GPU; here they are, from the lowest:
//
//   20 bits  arrivals that the phase still waits for
//   20 bits  arrivals of each phase
//   23 bits  bytes of transactions that the phase still waits for, plus 2^22
//    1 bit   parity of the phase
#include <fmt/format.h>

#include "runtime/cpu/fiber_block.h"

namespace tirxcc::runtime_cpu {
namespace {

using abi::CpuMeeting;

constexpr std::uint64_t kMostArrivals = (1 << 20) - 1;
constexpr std::int64_t kMostBytes = (1 << 20) - 1;
constexpr std::int64_t kByteBias = 1 << 22;

struct Mbarrier {
  std::uint64_t pending = 0;
  std::uint64_t count = 0;
  std::int64_t bytes = 0;
  std::uint64_t parity = 0;

  static Mbarrier of(std::uint64_t word) {
    return {word & kMostArrivals, word >> 20 & kMostArrivals,
            static_cast<std::int64_t>(word >> 40 & 0x7fffff) - kByteBias, word >> 63};
  }
  std::uint64_t word() const {
    return pending | count << 20 | static_cast<std::uint64_t>(bytes + kByteBias) << 40 |
           parity << 63;
  }
};

}  // namespace

std::uint64_t FiberBlock::meet_named(Fiber& fiber) {
  if (fiber.a >= kNamedBarriers) {
    fail(fiber, fmt::format("barrier {}; a block has barriers 0 to 15",
                            static_cast<std::int32_t>(fiber.a)));
  }
  const auto count = static_cast<std::int32_t>(fiber.b);
  if (count < 0 || count % kWarpSize != 0 || count > (program_->threads + 31) / 32 * 32) {
    fail(fiber, fmt::format("a barrier for {} threads of a block of {}; the number is a multiple "
                            "of 32",
                            count, program_->threads));
  }
  Named& barrier = named_[fiber.a];
  if (barrier.arrived > 0 && barrier.count != fiber.b) {
    fail(fiber, fmt::format("barrier {} is reached with {} threads here and {} elsewhere", fiber.a,
                            count, barrier.count));
  }
  barrier.count = fiber.b;
  ++barrier.arrived;
  if (fiber.kind == CpuMeeting::NamedArrive) {
    release_named(static_cast<int>(fiber.a));
    return 0;
  }
  fiber.state = State::AtNamed;
  release_named(static_cast<int>(fiber.a));
  wait(fiber, State::AtNamed);
  return 0;
}

void FiberBlock::release_named(int number) {
  Named& barrier = named_[number];
  const std::uint64_t wanted =
      barrier.count == 0 ? static_cast<std::uint64_t>(alive_) : barrier.count;
  if (barrier.arrived < wanted) return;
  barrier = Named();
  for (Fiber& fiber : fibers_) {
    const bool is_there =
        fiber.state == State::AtNamed && fiber.a == static_cast<std::uint64_t>(number);
    if (is_there) fiber.state = State::Ready;
  }
}

std::uint64_t FiberBlock::meet_mbarrier(Fiber& fiber) {
  auto& word = *reinterpret_cast<std::uint64_t*>(fiber.a);
  const CpuMeeting kind = fiber.kind;
  if (kind == CpuMeeting::MbarInit) {
    if (fiber.b == 0 || fiber.b > kMostArrivals) {
      fail(fiber, fmt::format("an mbarrier for {} arrivals; it takes 1 to {}",
                              static_cast<std::int32_t>(fiber.b), kMostArrivals));
    }
    word = Mbarrier{fiber.b, fiber.b, 0, 0}.word();
    return 0;
  }
  if (kind == CpuMeeting::MbarInval) return word = 0;
  if (kind == CpuMeeting::MbarArrive || kind == CpuMeeting::MbarArriveDrop) {
    const std::uint64_t before = word;
    arrive(fiber, word, fiber.b, 0);
    return before;
  }
  if (kind == CpuMeeting::MbarExpect || kind == CpuMeeting::MbarComplete) {
    arrive(fiber, word, 0, kind == CpuMeeting::MbarExpect ? fiber.b : 0 - fiber.b);
    return 0;
  }
  if (Mbarrier::of(word).count == 0) fail(fiber, "an mbarrier that was not initialized");
  const std::uint64_t parity = fiber.b & 1;
  if (fiber.kind == CpuMeeting::MbarTest) return Mbarrier::of(word).parity != parity ? 1 : 0;
  while (Mbarrier::of(word).parity == parity) {
    fiber.state = State::AtMbarrier;
    wait(fiber, State::AtMbarrier);
  }
  return 0;
}

// Takes arrivals off the phase, and changes the bytes that it waits for.
void FiberBlock::arrive(Fiber& fiber, std::uint64_t& word, std::uint64_t arrivals,
                        std::uint64_t bytes) {
  Mbarrier barrier = Mbarrier::of(word);
  if (barrier.count == 0) fail(fiber, "an mbarrier that was not initialized");
  if (barrier.pending < arrivals) {
    fail(fiber, fmt::format("{} arrivals at an mbarrier that waits for {} more", arrivals,
                            barrier.pending));
  }
  barrier.pending -= arrivals;
  if (fiber.kind == CpuMeeting::MbarArriveDrop) barrier.count -= arrivals;
  barrier.bytes += static_cast<std::int32_t>(bytes);
  if (barrier.bytes > kMostBytes || barrier.bytes < -kMostBytes) {
    fail(fiber, fmt::format("an mbarrier that waits for {} bytes; the most are {}", barrier.bytes,
                            kMostBytes));
  }
  word = barrier.word();
  if (barrier.pending == 0 && barrier.bytes == 0) end_phase(word);
}

void FiberBlock::end_phase(std::uint64_t& word) {
  Mbarrier barrier = Mbarrier::of(word);
  barrier.parity ^= 1;
  barrier.pending = barrier.count;
  word = barrier.word();
  const auto address = reinterpret_cast<std::uint64_t>(&word);
  for (Fiber& fiber : fibers_) {
    if (fiber.state == State::AtMbarrier && fiber.a == address) fiber.state = State::Ready;
  }
}

}  // namespace tirxcc::runtime_cpu
