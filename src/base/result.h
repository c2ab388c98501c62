// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: the answer of an operation that the outside world may refuse (files, drivers, NVRTC,
// memory). User mistakes in a kernel are diagnostics (source/diagnostics.h); our own bugs are
// TIRXCC_CHECK. Nothing under src/ throws.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace tirxcc {

// Which Python exception class a failure or diagnostic becomes.
enum class ErrorClass : unsigned char { Syntax, Type, Value, Name, Runtime, Memory };

struct Failure {
  std::string message;  // one or more lines, ready to print, no trailing newline
  ErrorClass error_class = ErrorClass::Runtime;
};

template <typename T>
using Result = tl::expected<T, Failure>;

inline tl::unexpected<Failure> fail(std::string message,
                                    ErrorClass error_class = ErrorClass::Runtime) {
  return tl::unexpected<Failure>(Failure{std::move(message), error_class});
}

}  // namespace tirxcc
