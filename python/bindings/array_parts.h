// SPDX-License-Identifier: Apache-2.0
//
// What the two halves of arrays.h share: arrays.cc (buffers, scalars) and exchange.cc (DLPack and
// the CUDA array interface).
#pragma once

#include <string>

#include "arrays.h"
#include "errors.h"

namespace tirxcc::python {

// Sets "argument 'A': what"; false.
bool refuse(const ParameterInfo& parameter, ErrorKind kind, const std::string& what);
// The same around the Python error that is set (a TypeError or BufferError of the array's library);
// errors that are not about the array, such as KeyboardInterrupt, stay as they are.
bool refuse_with_cause(const ParameterInfo& parameter, PyObject* object);

// The integer type of `size` bytes.
ElementType integer_type(bool is_signed, Py_ssize_t size);

// What is said of an array whose elements the language has no type for: by the name of its dtype,
// else by the buffer's format.
std::string describe_format(const char* format, PyObject* object);

}  // namespace tirxcc::python
