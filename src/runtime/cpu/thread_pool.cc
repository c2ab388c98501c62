// SPDX-License-Identifier: Apache-2.0
//
// See thread_pool.h. The caller runs the first parts alone and measures them; only when enough
// work remains does it share the rest, in parts of about kPartNs, by an atomic counter.
#include "runtime/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace tirxcc::runtime_cpu {
namespace {

// A part of the work that one thread takes at a time, and the least remaining work for which
// waking other threads pays.
constexpr std::int64_t kPartNs = 50'000;
constexpr std::int64_t kWorthSharingNs = 40'000;

constexpr int kMostThreads = 1024;

struct Job {
  abi::CpuParallelBody body = nullptr;
  void* context = nullptr;
  std::int64_t count = 0;
  std::int64_t part = 1;
  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> status = 0;
  std::atomic<int> helpers = 0;  // pool threads that may still touch this job
  const std::atomic<bool>* stop = nullptr;
};

// Of the StopScope around this thread's work.
thread_local const std::atomic<bool>* current_stop = nullptr;

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
    const std::int64_t first = job.next.fetch_add(job.part);
    if (first >= job.count) break;
    if (is_stopped(job.stop)) {
      note_status(job, kStopped);
      break;
    }
    const std::int64_t last = std::min(first + job.part, job.count);
    if (const std::int64_t status = job.body(job.context, first, last); status != 0) {
      note_status(job, status);
    }
  }
  is_inside_part = false;
}

class Pool {
 public:
  explicit Pool(int helpers) {
    for (int i = 0; i < helpers; ++i)
      std::thread([this] { work(); }).detach();
  }

  void run(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(&job);
    }
    wake_.notify_all();
    run_parts(job);
    {
      const std::lock_guard lock(mutex_);
      jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    }
    // No helper can join any more; those that did finish their parts.
    for (int spins = 0; job.helpers.load(std::memory_order_acquire) != 0; ++spins) {
      if (spins > 1000) std::this_thread::yield();
    }
  }

 private:
  Job* job_with_work() {
    for (Job* job : jobs_) {
      if (job->next.load(std::memory_order_relaxed) < job->count) return job;
    }
    return nullptr;
  }

  [[noreturn]] void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = nullptr;
      wake_.wait(lock, [&] { return (job = job_with_work()) != nullptr; });
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      run_parts(*job);
      job->helpers.fetch_sub(1, std::memory_order_release);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Job*> jobs_;
};

// The pool of this process; never destroyed, its threads wait for work until the process ends.
std::atomic<Pool*> pool = nullptr;
std::mutex pool_mutex;

int count_threads() {
  if (const char* text = getenv("TIRXCC_NUM_THREADS"); text != nullptr) {
    const int wanted = atoi(text);
    if (wanted > 0) return std::min(wanted, kMostThreads);
  }
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

std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

StopScope::StopScope(const std::atomic<bool>* stop) : outer_(current_stop) {
  current_stop = stop;
}

StopScope::~StopScope() {
  current_stop = outer_;
}

int thread_count() {
  static const int count = count_threads();
  return count;
}

std::int64_t parallel_for(abi::CpuParallelBody body, void* context, std::int64_t count) {
  if (count <= 0) return 0;
  if (count == 1 || is_inside_part) return body(context, 0, count);
  // Alone at first, in parts that double, until it is clear how long the rest will take.
  const std::int64_t start = now_ns();
  std::int64_t done = 0;
  std::int64_t elapsed = 0;
  for (std::int64_t part = 1; elapsed < kPartNs / 8; part *= 2) {
    if (is_stopped(current_stop)) return kStopped;
    const std::int64_t last = std::min(done + part, count);
    if (const std::int64_t status = body(context, done, last); status != 0) return status;
    done = last;
    if (done == count) return 0;
    elapsed = now_ns() - start;
  }
  const double each_ns = static_cast<double>(elapsed) / static_cast<double>(done);
  if (each_ns * static_cast<double>(count - done) < kWorthSharingNs) {
    return body(context, done, count);
  }
  Job job;
  job.body = body;
  job.context = context;
  job.count = count;
  job.part = std::max<std::int64_t>(1, static_cast<std::int64_t>(kPartNs / each_ns));
  job.next = done;
  job.stop = current_stop;
  if (thread_count() == 1) {
    run_parts(job);
  } else {
    the_pool().run(job);
  }
  return job.status.load();
}

}  // namespace tirxcc::runtime_cpu
