// SPDX-License-Identifier: Apache-2.0
//
// What tirxcc says about a kernel file or a call that it refuses.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace tirxcc {

enum class Severity { Error, Warning, Note };

// The Python exception class that an error becomes in the package.
enum class ErrorKind { Syntax, Type, Value, Name, Runtime, Memory };

// One message about a source file.
struct Diagnostic {
  Severity severity = Severity::Error;
  ErrorKind kind = ErrorKind::Syntax;
  std::string id;        // "unknown-name"
  std::string path;      // as the file was named
  int line = 0;          // 1-based; 0: no place
  int column = 0;        // 1-based, in code points
  std::string text;      // "unknown name 'factr'"
  std::string rendered;  // with source line, caret, labels and notes; ends in a newline
};

// Why something could not be done: a message ready to print (no trailing newline), and the
// diagnostics it is made of when a source file is at fault.
struct Error {
  std::string message;
  ErrorKind kind = ErrorKind::Runtime;
  std::vector<Diagnostic> diagnostics;
};

template <typename T>
using Expected = tl::expected<T, Error>;

}  // namespace tirxcc
