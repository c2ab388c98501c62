// SPDX-License-Identifier: Apache-2.0
//
// Work that Ctrl-C can interrupt. Python answers signals on its main thread only, between
// bytecodes; a main thread deep in a kernel or in LLVM would answer none. Such work therefore runs
// on another thread while the main thread waits and looks for signals every few milliseconds.
//
// Handing over costs some 10 us, so it is for work that may be long. Work that does not stop in
// time after a signal (one endless block, or LLVM in the middle of a function) is left behind: it
// owns all that it uses, and ends in its own time or with the process.
#pragma once

#include <Python.h>

#include <atomic>
#include <memory>

namespace tirxcc::python {

class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  // Called without the GIL, on any thread.
  virtual void run() = 0;

  // Becomes true when a signal came: whatever can should end early.
  std::atomic<bool> stop = false;
};

// True where signals are answered: on the process's main thread.
bool can_be_interrupted();

// Runs the work and returns true when it is done. False after a signal whose handler raised: that
// exception is set, and the work may still be running. The caller has the GIL, which is given away
// meanwhile.
bool run_interruptibly(const std::shared_ptr<Work>& work);

// run_interruptibly where signals are answered, else plainly without the GIL.
bool run_long(const std::shared_ptr<Work>& work);

// Says that the interpreter is ending: from now on, only the main thread may touch Python.
void note_interpreter_exit();
bool is_interpreter_exiting();

// To be called before a thread takes the GIL back. Once the interpreter is ending, a thread other
// than the main one sleeps here until the process is gone; Python up to 3.13 would unwind its stack
// instead, through destructors that need the GIL.
void sleep_if_exiting();

}  // namespace tirxcc::python
