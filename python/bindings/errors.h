// SPDX-License-Identifier: Apache-2.0
//
// tirxcc::Error as a Python exception: class by ErrorKind, message, and the diagnostics. The
// classes live in tirxcc/_errors.py.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tirxcc/diagnostic.h"

namespace tirxcc::python {

// Sets the Python error indicator.
void set_error(const Error& error);
void set_error(ErrorKind kind, const std::string& message);
// The same as a C++ exception for nanobind functions.
[[noreturn]] void raise_error(const Error& error);

// Clears the Python error that is set, and gives its text.
std::string take_error_text();

// The Python error that is set, about argument `index` of a call: what reads arguments knows the
// parameter's name only, so its number and the signature are added.
void complete_argument_error(std::size_t index, std::string_view signature);

// Sends warnings and notes to warnings.warn; false if a filter made one an exception.
bool warn(const std::vector<Diagnostic>& remarks);

}  // namespace tirxcc::python
