// SPDX-License-Identifier: Apache-2.0
//
// Whole-file reading and atomic writing.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tirxcc/diagnostic.h"

namespace tirxcc::tool {

inline tl::unexpected<Error> error(std::string message, ErrorKind kind = ErrorKind::Value) {
  return tl::unexpected<Error>(Error{std::move(message), kind, {}});
}

// A mistake in the command line itself: exit status 2. Such an error has no place in a file.
inline tl::unexpected<Error> usage_error(std::string message) {
  Diagnostic mark;
  mark.id = "usage";
  return tl::unexpected<Error>(Error{std::move(message), ErrorKind::Value, {std::move(mark)}});
}
inline bool is_usage(const Error& error) {
  return !error.diagnostics.empty() && error.diagnostics[0].id == "usage";
}

// Writes out what was printed to standard output; false, with a message, if that is not possible.
bool flush_output();

// The parts one after another, through `path`.tmp-PID in the same folder and a rename: a reader
// never sees half a file, and a failure leaves what was there.
Expected<void> write_file(const std::string& path, std::span<const std::string_view> parts);

// "No such file or directory" of the present errno.
std::string errno_text();

}  // namespace tirxcc::tool
