// SPDX-License-Identifier: Apache-2.0
//
// tirxcc.Executable: a compiled function that Python calls. A plain type of CPython's own API, for
// its vectorcall: a call with two small arrays takes well under a microsecond.
#pragma once

#include <Python.h>

#include "tirxcc/compiler.h"

namespace tirxcc::python {

// Adds the type to the extension module; false with an error set.
bool add_executable_type(PyObject* module);
// The module of an executable; null if the object is none.
const Module* module_of(PyObject* object);
// A new reference, or null with an error set.
PyObject* make_executable(Module module, Kernel kernel, bool is_cuda);

}  // namespace tirxcc::python
