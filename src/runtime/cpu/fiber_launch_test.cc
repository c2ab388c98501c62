// SPDX-License-Identifier: Apache-2.0
//
// Fibers without the compiler: threads are C++ functions that call what generated code calls.
#include "runtime/cpu/fiber_launch.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/cpu/thread_pool.h"

namespace tirxcc::runtime_cpu {
namespace {

using abi::CpuMeeting;

constexpr std::int64_t kSharedBytes = 8192;

// What a thread of a test sees.
struct Thread {
  std::uint64_t* out;  // of the launch
  std::int64_t block;
  int rank;
  std::uint64_t* shared;
};

std::uint64_t at(CpuMeeting kind, std::int32_t site, std::uint64_t a = 0, std::uint64_t b = 0,
                 std::uint64_t c = 0) {
  return meet(static_cast<std::int32_t>(kind), site, a, b, c);
}

template <typename T>
std::uint64_t address(T& word) {
  return reinterpret_cast<std::uint64_t>(&word);
}

constexpr std::uint64_t lanes(std::uint64_t mask, std::uint64_t width = 32) {
  return mask | width << 32;
}
constexpr std::uint64_t kAll = 0xffffffff;

template <std::int64_t (*kBody)(const Thread&)>
std::int64_t entry(const std::uint64_t* args, const std::int64_t*, std::int64_t block,
                   std::int64_t rank, std::uint64_t* shared) {
  if (rank < 0) return kSharedBytes;
  return kBody({reinterpret_cast<std::uint64_t*>(args[0]), block, static_cast<int>(rank), shared});
}

struct Outcome {
  std::vector<std::uint64_t> out;
  FiberFailure failure;
};

template <std::int64_t (*kBody)(const Thread&)>
Outcome run(std::int64_t blocks, std::int64_t threads, std::int64_t stack_bytes = 4096) {
  static const std::vector<std::string> sites = {"k.py:1", "k.py:2", "k.py:3"};
  Outcome outcome;
  outcome.out.resize(static_cast<std::size_t>(blocks * threads));
  const std::uint64_t args[] = {reinterpret_cast<std::uint64_t>(outcome.out.data())};
  const std::int64_t sizes[7] = {blocks, 1, 1, threads, 1, 1, 0};
  outcome.failure = launch_fibers(
      {.entry = entry<kBody>, .stack_bytes = stack_bytes, .sites = sites}, args, sizes);
  return outcome;
}

std::int64_t count_up(const Thread& t) {
  t.out[t.block * 100 + t.rank] += 1;
  return 0;
}

TEST(Fibers, EachThreadOfEachBlockRunsOnce) {
  const Outcome outcome = run<count_up>(50, 100);
  EXPECT_TRUE(outcome.failure.text.empty());
  for (const std::uint64_t count : outcome.out)
    EXPECT_EQ(count, 1U);
}

std::int64_t turn_round(const Thread& t) {
  for (int turn = 0; turn < 3; ++turn) {
    t.shared[t.rank] = static_cast<std::uint64_t>(t.rank + turn);
    at(CpuMeeting::BlockBarrier, 0);
    t.out[t.block * 64 + t.rank] = t.shared[63 - t.rank];
    at(CpuMeeting::BlockBarrier, 1);
  }
  return 0;
}

TEST(Fibers, ABarrierLetsNobodyThroughBeforeAllHaveCome) {
  const Outcome outcome = run<turn_round>(9, 64);
  EXPECT_TRUE(outcome.failure.text.empty());
  for (std::size_t i = 0; i < outcome.out.size(); ++i)
    EXPECT_EQ(outcome.out[i], 63 - i % 64 + 2);
}

std::int64_t vote(const Thread& t) {
  const std::uint64_t all = at(CpuMeeting::BlockAnd, 0, t.rank < 32 ? 1 : 0);
  const std::uint64_t any = at(CpuMeeting::BlockOr, 1, t.rank == 3 ? 1 : 0);
  t.out[t.rank] = all * 2 + any;
  return 0;
}

TEST(Fibers, VotesOfTheBlock) {
  for (const std::uint64_t got : run<vote>(1, 40).out)
    EXPECT_EQ(got, 1U);
  for (const std::uint64_t got : run<vote>(1, 32).out)
    EXPECT_EQ(got, 3U);
}

// Lane operations of a block of 40 threads: its last warp has 8.
std::int64_t exchange(const Thread& t) {
  const auto value = static_cast<std::uint64_t>(t.rank);
  const std::uint64_t up = at(CpuMeeting::ShuffleUp, 0, value, 2, lanes(kAll, 16));
  const std::uint64_t flipped = at(CpuMeeting::ShuffleXor, 1, value, 9, lanes(kAll));
  const std::uint64_t ballot = at(CpuMeeting::Ballot, 2, t.rank % 3 == 0 ? 1 : 0, 0, kAll);
  const std::uint64_t sum = at(CpuMeeting::ReduceAdd, 2, value, 0, kAll);
  t.out[t.rank] = up | flipped << 8 | (ballot & 0xff) << 16 | sum << 24;
  return 0;
}

TEST(Fibers, LanesExchangeAlsoInAPartOfAWarp) {
  const Outcome outcome = run<exchange>(1, 40);
  for (std::uint64_t rank = 0; rank < 40; ++rank) {
    const std::uint64_t up = rank % 16 >= 2 ? rank - 2 : rank;
    const std::uint64_t flipped = rank < 32 ? rank ^ 9 : rank;  // lane 9 of the last warp is none
    const std::uint64_t ballot = rank < 32 ? 0b01001001 : 0b10010010;
    const std::uint64_t sum = rank < 32 ? 496 : 284;
    EXPECT_EQ(outcome.out[rank], up | flipped << 8 | ballot << 16 | sum << 24) << rank;
  }
}

std::int64_t part_ways(const Thread& t) {
  std::uint64_t got = 0;
  if (t.rank % 2 == 0) {
    got = at(CpuMeeting::ActiveMask, 0);
  } else {
    got = at(CpuMeeting::Any, 1, t.rank == 5 ? 1 : 0, 0, 0xaaaaaaaa);
  }
  at(CpuMeeting::BlockBarrier, 2);
  t.out[t.rank] = got;
  return 0;
}

TEST(Fibers, LanesInDifferentBranchesMeetTheirOwn) {
  const Outcome outcome = run<part_ways>(1, 32);
  for (std::size_t rank = 0; rank < 32; ++rank)
    EXPECT_EQ(outcome.out[rank], rank % 2 == 0 ? 0x55555555U : 1U);
}

std::int64_t diverge(const Thread& t) {
  at(CpuMeeting::BlockBarrier, t.rank < 5 ? 1 : 2);
  return 0;
}

TEST(Fibers, ADivergentBarrierIsAnErrorWithItsPlace) {
  const Outcome outcome = run<diverge>(3, 64);
  EXPECT_EQ(outcome.failure.site, 1);
  EXPECT_NE(outcome.failure.text.find("divergent barrier"), std::string::npos);
  EXPECT_TRUE(run<turn_round>(3, 64).failure.text.empty());
}

std::int64_t hand_over(const Thread& t) {
  if (t.rank < 32) {
    t.shared[t.rank] = static_cast<std::uint64_t>(t.rank * 3);
    at(CpuMeeting::NamedArrive, 0, 7, 64);
  } else {
    at(CpuMeeting::NamedSync, 1, 7, 64);
    t.out[t.rank] = t.shared[63 - t.rank];
  }
  return 0;
}

TEST(Fibers, ANamedBarrierCountsThoseWhoDoNotWaitToo) {
  const Outcome outcome = run<hand_over>(1, 64);
  EXPECT_TRUE(outcome.failure.text.empty());
  for (std::size_t rank = 32; rank < 64; ++rank)
    EXPECT_EQ(outcome.out[rank], (63 - rank) * 3);
}

std::int64_t wait_for_more(const Thread& t) {
  if (t.rank == 9) {
    at(CpuMeeting::BlockBarrier, 2);
  } else {
    at(CpuMeeting::NamedSync, 1, 3, 96);
  }
  return 0;
}

TEST(Fibers, ADeadlockTellsWhoWaitsWhere) {
  EXPECT_EQ(run<wait_for_more>(1, 96).failure.text,
            "deadlock: no thread of block 0 can go on: thread 0 and 94 more wait at barrier 3 "
            "(k.py:2), which 95 of 96 have reached; thread 9 waits at the barrier of the block "
            "(k.py:3)");
}

std::int64_t wrong_count(const Thread& t) {
  at(CpuMeeting::NamedSync, t.rank < 32 ? 0 : 1, 3, t.rank < 32 ? 64 : 96);
  return 0;
}
std::int64_t wrong_number(const Thread&) {
  at(CpuMeeting::NamedSync, 2, 16, 32);
  return 0;
}
std::int64_t odd_count(const Thread&) {
  at(CpuMeeting::NamedSync, 2, 1, 33);
  return 0;
}

TEST(Fibers, WhatNamedBarriersRefuse) {
  EXPECT_EQ(run<wrong_count>(1, 96).failure.text,
            "barrier 3 is reached with 96 threads here and 64 elsewhere");
  EXPECT_EQ(run<wrong_number>(1, 32).failure.text, "barrier 16; a block has barriers 0 to 15");
  EXPECT_EQ(run<odd_count>(1, 64).failure.text,
            "a barrier for 33 threads of a block of 64; the number is a multiple of 32");
}

std::int64_t phases(const Thread& t) {
  std::uint64_t& bar = t.shared[100];
  if (t.rank == 0) at(CpuMeeting::MbarInit, 0, address(bar), 64);
  at(CpuMeeting::BlockBarrier, 0);
  for (std::uint64_t turn = 0; turn < 5; ++turn) {
    t.shared[t.rank] = turn + static_cast<std::uint64_t>(t.rank);
    at(CpuMeeting::MbarArrive, 1, address(bar), 1);
    at(CpuMeeting::MbarWait, 2, address(bar), turn % 2);
    t.out[t.rank] = t.shared[63 - t.rank];
    at(CpuMeeting::BlockBarrier, 0);
  }
  t.out[t.rank] = t.out[t.rank] * 2 + at(CpuMeeting::MbarTest, 1, address(bar), 1);
  return 0;
}

TEST(Fibers, PhasesOfAnMbarrier) {
  const Outcome outcome = run<phases>(1, 64);
  EXPECT_EQ(outcome.failure.text, "");
  for (std::size_t rank = 0; rank < 64; ++rank)
    EXPECT_EQ(outcome.out[rank], (63 - rank + 4) * 2);
}

std::int64_t no_init(const Thread& t) {
  t.shared[0] = 0;
  at(CpuMeeting::MbarArrive, 1, address(t.shared[0]), 1);
  return 0;
}
std::int64_t too_many(const Thread& t) {
  if (t.rank > 0) return 0;
  at(CpuMeeting::MbarInit, 0, address(t.shared[0]), 2);
  at(CpuMeeting::MbarArrive, 1, address(t.shared[0]), 3);
  return 0;
}
std::int64_t never_comes(const Thread& t) {
  if (t.rank > 0) return 0;
  at(CpuMeeting::MbarInit, 0, address(t.shared[0]), 1);
  at(CpuMeeting::MbarExpect, 1, address(t.shared[0]), 64);
  at(CpuMeeting::MbarArrive, 1, address(t.shared[0]), 1);
  at(CpuMeeting::MbarWait, 2, address(t.shared[0]), 0);
  return 0;
}

TEST(Fibers, WhatMbarriersRefuse) {
  EXPECT_EQ(run<no_init>(1, 1).failure.text, "an mbarrier that was not initialized");
  EXPECT_EQ(run<too_many>(1, 1).failure.text, "3 arrivals at an mbarrier that waits for 2 more");
  EXPECT_EQ(
      run<never_comes>(1, 4).failure.text,
      "deadlock: no thread of block 0 can go on: thread 0 waits at an mbarrier (k.py:3) for the "
      "end of a phase of parity 0");
}

std::int64_t look_at_flag(const Thread& t) {
  volatile std::uint64_t* flag = &t.shared[0];
  if (t.rank == 0) *flag = 0;
  at(CpuMeeting::BlockBarrier, 0);
  if (t.rank == 63) *flag = 17;
  while (*flag == 0)
    at(CpuMeeting::Spin, 1);
  t.out[t.rank] = *flag;
  return 0;
}

TEST(Fibers, AThreadThatLooksAtMemoryLetsOthersWriteIt) {
  for (const std::uint64_t got : run<look_at_flag>(1, 64).out)
    EXPECT_EQ(got, 17U);
}

// Each block waits for the next one.
std::int64_t wait_for_next(const Thread& t) {
  const std::int64_t number = t.block * 2 + t.rank;
  if (t.block < 199) {
    while (__atomic_load_n(&t.out[number + 2], __ATOMIC_ACQUIRE) == 0)
      at(CpuMeeting::Spin, 1);
  }
  __atomic_store_n(&t.out[number], 1, __ATOMIC_RELEASE);
  return 0;
}

TEST(Fibers, BlocksThatWaitForLaterOnesAreUnderWayTogether) {
  const Outcome outcome = run<wait_for_next>(200, 2);
  EXPECT_EQ(outcome.failure.text, "");
  for (const std::uint64_t got : outcome.out)
    EXPECT_EQ(got, 1U);
}

TEST(Fibers, TooManyBlocksUnderWayAreAnError) {
  const Outcome outcome = run<wait_for_next>(200, 2, std::int64_t{50} << 20);
  EXPECT_NE(outcome.failure.text.find("blocks wait for others, and no more can begin"),
            std::string::npos)
      << outcome.failure.text;
}

std::int64_t meet_all(const Thread& t) {
  for (std::uint64_t turn = 1; turn <= 3; ++turn) {
    __atomic_fetch_add(&t.out[0], 1, __ATOMIC_RELAXED);
    at(CpuMeeting::GridBarrier, 0);
    if (__atomic_load_n(&t.out[0], __ATOMIC_RELAXED) != turn * 30 * 8) return 5;
    at(CpuMeeting::GridBarrier, 1);
  }
  return 0;
}
std::int64_t leave_grid(const Thread& t) {
  if (t.block != 7) at(CpuMeeting::GridBarrier, 0);
  return 0;
}

TEST(Fibers, ABarrierOfTheGrid) {
  const Outcome outcome = run<meet_all>(30, 8);
  EXPECT_EQ(outcome.failure.status, 0);
  EXPECT_EQ(outcome.failure.text, "");
  EXPECT_EQ(run<leave_grid>(30, 8).failure.text,
            "divergent barrier of the grid: some blocks wait, others have ended");
}

std::int64_t fails(const Thread& t) {
  at(CpuMeeting::BlockBarrier, 0);
  return t.block == 3 && t.rank == 5 ? 4 : 0;
}

TEST(Fibers, AFailedAssertEndsTheLaunchAndNothingElse) {
  EXPECT_EQ(run<fails>(40, 8).failure.status, 4);
  EXPECT_TRUE(run<turn_round>(3, 64).failure.text.empty());
}

std::int64_t for_ever(const Thread&) {
  for (;;)
    at(CpuMeeting::Spin, 0);
}

TEST(Fibers, WaitingForEverCanBeStopped) {
  std::atomic<bool> stop = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  {
    const StopScope scope(&stop);
    EXPECT_EQ(run<for_ever>(4, 4).failure.status, kStopped);
  }
  later.join();
}

}  // namespace
}  // namespace tirxcc::runtime_cpu
