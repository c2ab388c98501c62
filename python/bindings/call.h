// SPDX-License-Identifier: Apache-2.0
//
// One call of an Executable: its arguments in the order of the parameters, and the launch. The
// common call (no larger than earlier ones that were quick) runs where it is; what may take long
// goes through background.h, so that Ctrl-C ends it.
#pragma once

#include <Python.h>

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "arrays.h"
#include "tirxcc/compiler.h"

namespace tirxcc::python {

// What earlier calls of one Executable say about the next.
struct CallHistory {
  // The first call compiles.
  std::atomic<std::int64_t> last_ns = INT64_MAX;
  // The most bytes and the largest scalar of a call that was quick; a call with more is new ground.
  std::atomic<std::int64_t> quick_bytes = -1;
  std::atomic<std::uint64_t> quick_scalar = 0;
};

// What a call needs of an Executable.
struct Callee {
  Kernel kernel;
  bool is_cuda = false;
  std::vector<PyObject*> names;  // of the parameters, interned
  std::atomic<bool> is_prepared = false;
  CallHistory history;
};

// The work of vectorcall: a new reference, or null with an error set.
PyObject* call(const std::shared_ptr<Callee>& callee, PyObject* const* args, std::size_t count,
               PyObject* keywords);

// Compiles what a call with these arguments would compile; without arguments, the default variant.
bool prepare(const std::shared_ptr<Callee>& callee, PyObject* const* args, std::size_t count,
             PyObject* keywords);

// The time of calls with these arguments on a GPU, as a tirxcc.Timing. Keywords besides the
// parameters' names: stream, runs, warm_up, cold_cache.
PyObject* time_calls(const std::shared_ptr<Callee>& callee, PyObject* const* args,
                     std::size_t count, PyObject* keywords);

}  // namespace tirxcc::python
