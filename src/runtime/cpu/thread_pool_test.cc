// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace tirxcc::runtime_cpu {
namespace {

struct Counter {
  std::atomic<std::int64_t> turns = 0;
  std::atomic<bool> stop = false;
  std::int64_t stop_at = -1;
};

// Takes about 10 us a turn, and asks to stop at one of them.
std::int64_t slow_turns(void* context, std::int64_t first, std::int64_t last) {
  auto* counter = static_cast<Counter*>(context);
  for (std::int64_t i = first; i < last; ++i) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(10);
    while (std::chrono::steady_clock::now() < end) {
    }
    if (i == counter->stop_at) counter->stop = true;
    ++counter->turns;
  }
  return 0;
}

TEST(ThreadPool, RunsEveryTurnOnce) {
  Counter counter;
  EXPECT_EQ(parallel_for(slow_turns, &counter, 2000), 0);
  EXPECT_EQ(counter.turns, 2000);
}

// More callers than slots, each with small jobs one after another: helpers come and go all the
// time.
TEST(ThreadPool, ManyCallersAtOnce) {
  constexpr int kCallers = 24;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&wrong] {
      for (int job = 0; job < 20; ++job) {
        Counter counter;
        if (parallel_for(slow_turns, &counter, 40) != 0 || counter.turns != 40) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

// Helpers that sleep are woken by the next job.
TEST(ThreadPool, WorksAfterAPause) {
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Counter counter;
    EXPECT_EQ(parallel_for(slow_turns, &counter, 100), 0);
    EXPECT_EQ(counter.turns, 100);
  }
}

TEST(ThreadPool, StopsBetweenParts) {
  Counter counter;
  counter.stop_at = 100;
  const StopScope scope(&counter.stop);
  EXPECT_EQ(parallel_for(slow_turns, &counter, 1'000'000), kStopped);
  EXPECT_LT(counter.turns, 10'000);
}

TEST(ThreadPool, StopScopesNest) {
  Counter counter;
  counter.stop = true;
  const StopScope outer(&counter.stop);
  {
    const StopScope inner(nullptr);
    EXPECT_EQ(parallel_for(slow_turns, &counter, 10), 0);
  }
  EXPECT_EQ(parallel_for(slow_turns, &counter, 10), kStopped);
  EXPECT_EQ(counter.turns, 10);
}

}  // namespace
}  // namespace tirxcc::runtime_cpu
