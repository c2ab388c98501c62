// SPDX-License-Identifier: Apache-2.0
//
// See thread_pool.h. The caller runs the first parts alone and measures them; only when enough
// work remains does it share the rest, in parts, by an atomic counter. Sharing takes no lock: the
// job goes into a free slot that helpers look through. A helper without work looks again and again
// for a short while, so that launches which follow each other need not wake it, then it sleeps.
#include "runtime/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace tirxcc::runtime_cpu {
namespace {

// The most work that one thread takes at a time, and the least that pays for taking it.
constexpr std::int64_t kPartNs = 50'000;
constexpr std::int64_t kLeastPartNs = 5'000;
// The least remaining work for which sharing pays: with a helper that is awake, or by waking one.
constexpr std::int64_t kWorthSharingNs = 10'000;
constexpr std::int64_t kWorthWakingNs = 40'000;
// How long a helper looks for more work before it sleeps.
constexpr std::int64_t kAwakeNs = 60'000;
// Each thread takes its share of the work in about so many parts, so that all end together.
constexpr std::int64_t kPartsEach = 4;

constexpr int kMostThreads = 1024;

struct Job {
  abi::CpuParallelBody body = nullptr;
  void* context = nullptr;
  std::int64_t count = 0;
  std::int64_t part = 1;
  std::int64_t begin = 0;              // turns before it are done
  std::atomic<std::int64_t> next = 0;  // at most one part before `begin`, so that parts are in step
  std::atomic<std::int64_t> status = 0;
  const std::atomic<bool>* stop = nullptr;
};

// Of the StopScope around this thread's work.
thread_local const std::atomic<bool>* stop_of_thread = nullptr;

bool is_stopped(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

// Set while this thread runs a part: nested work stays on it.
thread_local bool is_inside_part = false;

void note_status(Job& job, std::int64_t status) {
  std::int64_t none = 0;
  job.status.compare_exchange_strong(none, status);
  job.next.store(job.count);
}

void run_parts(Job& job) {
  is_inside_part = true;
  for (;;) {
    const std::int64_t start = job.next.fetch_add(job.part);
    if (start >= job.count) break;
    if (is_stopped(job.stop)) {
      note_status(job, kStopped);
      break;
    }
    const std::int64_t first = std::max(start, job.begin);
    const std::int64_t last = std::min(start + job.part, job.count);
    if (const std::int64_t status = job.body(job.context, first, last); status != 0) {
      note_status(job, status);
    }
  }
  is_inside_part = false;
}

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

class Pool {
 public:
  explicit Pool(int helpers) {
    for (int i = 0; i < helpers; ++i)
      std::thread([this] { work(); }).detach();
  }

  bool has_helper_awake() const { return awake_.load(std::memory_order_relaxed) > 0; }

  void run(Job& job) {
    Slot* slot = take_slot();
    if (slot == nullptr) return run_parts(job);
    slot->job.store(&job);
    posted_.fetch_add(1);
    posted_.notify_all();
    run_parts(job);
    // A helper says that it visits before it reads `job`: one that the loop does not see finds
    // null.
    slot->job.store(nullptr);
    for (int spins = 0; slot->visitors.load() != 0; ++spins) {
      if (spins > 1000) std::this_thread::yield();
    }
    slot->is_taken.store(false, std::memory_order_release);
  }

 private:
  // Where a caller puts its job; as many as callers that share work at the same time, and any
  // further one works alone.
  struct alignas(64) Slot {
    std::atomic<bool> is_taken = false;
    std::atomic<Job*> job = nullptr;
    std::atomic<int> visitors = 0;
  };

  Slot* take_slot() {
    for (Slot& slot : slots_) {
      bool is_taken = slot.is_taken.load(std::memory_order_relaxed);
      if (!is_taken && slot.is_taken.compare_exchange_strong(is_taken, true)) return &slot;
    }
    return nullptr;
  }

  // Whether there was something to do.
  bool help() {
    bool has_helped = false;
    for (Slot& slot : slots_) {
      if (slot.job.load(std::memory_order_relaxed) == nullptr) continue;
      slot.visitors.fetch_add(1);
      Job* job = slot.job.load();
      if (job != nullptr && job->next.load(std::memory_order_relaxed) < job->count) {
        run_parts(*job);
        has_helped = true;
      }
      slot.visitors.fetch_sub(1, std::memory_order_release);
    }
    return has_helped;
  }

  [[noreturn]] void work() {
    for (;;) {
      awake_.fetch_add(1, std::memory_order_relaxed);
      std::int64_t end = now_ns() + kAwakeNs;
      do {
        if (help()) end = now_ns() + kAwakeNs;
        for (int i = 0; i < 16; ++i)
          pause();
      } while (now_ns() < end);
      awake_.fetch_sub(1, std::memory_order_relaxed);
      const std::uint32_t seen = posted_.load();
      if (!help()) posted_.wait(seen);
    }
  }

  Slot slots_[16];
  std::atomic<std::uint32_t> posted_ = 0;
  std::atomic<int> awake_ = 0;
};

// The pool of this process; never destroyed, its threads wait for work until the process ends.
std::atomic<Pool*> pool = nullptr;
std::mutex pool_mutex;

// What TIRXCC_NUM_THREADS asks for: 0 where it is not set, -1 where it makes no sense.
int wanted_threads() {
  const char* text = getenv("TIRXCC_NUM_THREADS");
  if (text == nullptr || *text == '\0') return 0;
  int wanted = 0;
  const char* end = text + std::strlen(text);
  const auto [read, error] = std::from_chars(text, end, wanted);
  const bool is_good = error == std::errc() && read == end && wanted > 0 && wanted <= kMostThreads;
  return is_good ? wanted : -1;
}

int count_threads() {
  if (const int wanted = wanted_threads(); wanted > 0) return wanted;
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof(processors), &processors) == 0) {
    return std::max(1, CPU_COUNT(&processors));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// A forked child has none of its parent's threads: it forgets the pool and makes its own. Installed
// when the library is loaded, before any thread can hold the lock.
const int fork_handlers = pthread_atfork([] { pool_mutex.lock(); }, [] { pool_mutex.unlock(); },
                                         [] {
                                           pool.store(nullptr);
                                           pool_mutex.unlock();
                                         });

Pool& the_pool() {
  if (Pool* made = pool.load(std::memory_order_acquire)) return *made;
  const std::lock_guard lock(pool_mutex);
  if (Pool* made = pool.load(std::memory_order_acquire)) return *made;
  auto* made = new Pool(thread_count() - 1);
  pool.store(made, std::memory_order_release);
  return *made;
}

}  // namespace

StopScope::StopScope(const std::atomic<bool>* stop) : outer_(stop_of_thread) {
  stop_of_thread = stop;
}

StopScope::~StopScope() {
  stop_of_thread = outer_;
}

Result<void> check_thread_count() {
  static const bool is_good = wanted_threads() >= 0;
  if (is_good) return {};
  const char* text = getenv("TIRXCC_NUM_THREADS");
  return fail("the environment variable TIRXCC_NUM_THREADS is '" +
              std::string(text != nullptr ? text : "") + "'; it takes a number from 1 to " +
              std::to_string(kMostThreads));
}

int thread_count() {
  static const int count = count_threads();
  return count;
}

std::int64_t whole_rows(std::int64_t part, std::int64_t row) {
  return part < row - part ? part : (part + row / 2) / row * row;
}

std::int64_t parallel_for(abi::CpuParallelBody body, void* context, std::int64_t count) {
  return parallel_for_rows(body, context, count, 1);
}

std::int64_t parallel_for_rows(abi::CpuParallelBody body, void* context, std::int64_t count,
                               std::int64_t row) {
  if (count <= 0) return 0;
  if (count == 1 || is_inside_part) return body(context, 0, count);
  // Alone at first, in parts that double, until it is clear how long the rest will take.
  const std::int64_t start = now_ns();
  std::int64_t done = 0;
  std::int64_t elapsed = 0;
  for (std::int64_t part = 1; elapsed < kPartNs / 8; part *= 2) {
    if (is_stopped(stop_of_thread)) return kStopped;
    const std::int64_t last = std::min(done + part, count);
    if (const std::int64_t status = body(context, done, last); status != 0) return status;
    done = last;
    if (done == count) return 0;
    elapsed = now_ns() - start;
  }
  const double each_ns = static_cast<double>(elapsed) / static_cast<double>(done);
  const double rest_ns = each_ns * static_cast<double>(count - done);
  const Pool* made = pool.load(std::memory_order_acquire);
  const bool is_cheap = made != nullptr && made->has_helper_awake();
  if (rest_ns < static_cast<double>(is_cheap ? kWorthSharingNs : kWorthWakingNs)) {
    return body(context, done, count);
  }
  const double share_ns = rest_ns / static_cast<double>(kPartsEach * thread_count());
  const double part_ns = std::clamp<double>(share_ns, kLeastPartNs, kPartNs);
  Job job;
  job.body = body;
  job.context = context;
  job.count = count;
  const std::int64_t part = std::max<std::int64_t>(1, static_cast<std::int64_t>(part_ns / each_ns));
  job.part = whole_rows(part, row);
  job.begin = done;
  // Where the first part is whole rows as well, but for what is done.
  job.next = job.part % row == 0 ? done - done % row : done;
  job.stop = stop_of_thread;
  if (thread_count() == 1) {
    run_parts(job);
  } else {
    the_pool().run(job);
  }
  return job.status.load();
}

const std::atomic<bool>* current_stop() {
  return stop_of_thread;
}

std::int64_t run_shared(abi::CpuParallelBody body, void* context, std::int64_t count) {
  if (count <= 1 || is_inside_part || thread_count() == 1) return body(context, 0, count);
  Job job;
  job.body = body;
  job.context = context;
  job.count = count;
  job.stop = stop_of_thread;
  the_pool().run(job);
  return job.status.load();
}

}  // namespace tirxcc::runtime_cpu
