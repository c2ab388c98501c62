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

TEST(ThreadPool, WholeRows) {
  EXPECT_EQ(whole_rows(7, 1), 7);
  EXPECT_EQ(whole_rows(333, 128), 384);
  EXPECT_EQ(whole_rows(300, 128), 256);
  EXPECT_EQ(whole_rows(64, 128), 128);
  EXPECT_EQ(whole_rows(63, 128), 63);
  EXPECT_EQ(whole_rows(1, INT64_MAX), 1);
}

// Whatever the rows, each turn comes once.
TEST(ThreadPool, RowsCoverEveryTurnOnce) {
  for (std::int64_t row : {1, 3, 7, 50, 333, 1999, 5000}) {
    constexpr std::int64_t kCount = 2000;
    static std::atomic<int> seen[kCount];
    for (std::atomic<int>& one : seen)
      one = 0;
    const auto mark = [](void* /*context*/, std::int64_t first, std::int64_t last) -> std::int64_t {
      Counter counter;
      for (std::int64_t i = first; i < last; ++i)
        ++seen[i];
      return slow_turns(&counter, 0, (last - first + 9) / 10);
    };
    EXPECT_EQ(parallel_for_rows(mark, nullptr, kCount, row), 0);
    for (const std::atomic<int>& one : seen)
      EXPECT_EQ(one, 1);
  }
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
