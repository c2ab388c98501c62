// SPDX-License-Identifier: Apache-2.0
//
// tirxcc._core.Boundary: a Python function of the package as its user sees it. A mistake of the
// user's (tirxcc.Error) leaves it without the package's own frames, so that a traceback ends at the
// user's line and is followed by the message. Everything else about it is the function's.
#pragma once

#include <Python.h>

namespace tirxcc::python {

// The Python error that is set, without frames and context if it is a tirxcc.Error.
void trim_error();

// Adds the type to the extension module; false with an error set.
bool add_boundary_type(PyObject* module);

}  // namespace tirxcc::python
