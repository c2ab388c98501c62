// SPDX-License-Identifier: Apache-2.0
//
// What the operands of a device function are called, in messages, stubs and documentation. Calls
// give them by position.
#pragma once

#include <string>

#include "intrinsics/intrinsics.h"

namespace tirxcc::intrinsics {

// "pointer, value"; "format, *values"; empty where there are none. Most follow from the shapes of
// the row; the file's table names the others.
std::string parameter_names(const Intrinsic& row);

// "int32, uint32 or float32".
std::string list_of_types(TypeSet set);

}  // namespace tirxcc::intrinsics
