// SPDX-License-Identifier: Apache-2.0
#include "background.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace tirxcc::python {
namespace {

// How often a waiting main thread looks for signals, and how long it lets the work end by itself
// after one.
constexpr auto kLook = std::chrono::milliseconds(20);
constexpr auto kGrace = std::chrono::milliseconds(300);

// As much as a main thread usually has: deeply nested kernels are parsed on it.
constexpr std::size_t kStackBytes = 16UL * 1024 * 1024;

std::atomic<bool> is_exiting = false;

// One thread and the work that it has now. Never destroyed: its thread waits for the next work.
struct Worker {
  std::mutex mutex;
  std::condition_variable changed;
  std::shared_ptr<Work> work;  // null: idle
  bool is_done = false;
};

std::mutex idle_mutex;
std::vector<Worker*>* idle = new std::vector<Worker*>();

// A forked child has none of its parent's threads. Installed when the library is loaded, before any
// thread can hold the lock.
const int fork_handlers = pthread_atfork([] { idle_mutex.lock(); }, [] { idle_mutex.unlock(); },
                                         [] {
                                           idle = new std::vector<Worker*>();
                                           idle_mutex.unlock();
                                         });

void* work_forever(void* argument) {
  auto* worker = static_cast<Worker*>(argument);
  std::unique_lock lock(worker->mutex);
  for (;;) {
    worker->changed.wait(lock, [&] { return worker->work != nullptr; });
    std::shared_ptr<Work> work = std::move(worker->work);
    lock.unlock();
    work->run();
    // Whoever waits holds the work too and is its last owner; if nobody waits, this thread is.
    work.reset();
    lock.lock();
    worker->is_done = true;
    worker->changed.notify_all();
    lock.unlock();
    {
      const std::lock_guard idle_lock(idle_mutex);
      idle->push_back(worker);
    }
    lock.lock();
  }
}

// A new thread, which takes no signals; null if the system has none to give.
Worker* start_worker() {
  auto* worker = new Worker();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread = {};
  const int failed = pthread_create(&thread, &attributes, work_forever, worker);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed == 0) return worker;
  delete worker;
  return nullptr;
}

Worker* take_worker() {
  {
    const std::lock_guard lock(idle_mutex);
    if (!idle->empty()) {
      Worker* worker = idle->back();
      idle->pop_back();
      return worker;
    }
  }
  return start_worker();
}

// Waits without the GIL; true when the work is done.
bool wait_for(Worker& worker, std::chrono::milliseconds time) {
  bool is_done = false;
  Py_BEGIN_ALLOW_THREADS;
  {
    std::unique_lock lock(worker.mutex);
    is_done = worker.changed.wait_for(lock, time, [&] { return worker.is_done; });
  }
  sleep_if_exiting();
  Py_END_ALLOW_THREADS;
  return is_done;
}

void run_here(Work& work) {
  Py_BEGIN_ALLOW_THREADS;
  work.run();
  sleep_if_exiting();
  Py_END_ALLOW_THREADS;
}

}  // namespace

bool can_be_interrupted() {
  return static_cast<pid_t>(syscall(SYS_gettid)) == getpid();
}

bool run_interruptibly(const std::shared_ptr<Work>& work) {
  Worker* worker = take_worker();
  if (worker == nullptr) {
    run_here(*work);
    return true;
  }
  {
    const std::lock_guard lock(worker->mutex);
    worker->is_done = false;
    worker->work = work;
  }
  worker->changed.notify_all();
  while (!wait_for(*worker, kLook)) {
    if (PyErr_CheckSignals() == 0) continue;
    work->stop = true;
    wait_for(*worker, kGrace);
    return false;
  }
  return true;
}

bool run_long(const std::shared_ptr<Work>& work) {
  if (can_be_interrupted()) return run_interruptibly(work);
  run_here(*work);
  return true;
}

void note_interpreter_exit() {
  is_exiting = true;
}

bool is_interpreter_exiting() {
  return is_exiting.load(std::memory_order_relaxed);
}

void sleep_if_exiting() {
  if (!is_interpreter_exiting() || can_be_interrupted()) return;
  for (;;)
    pause();
}

}  // namespace tirxcc::python
