// SPDX-License-Identifier: Apache-2.0
//
// Kernels as an object file and a C header, for programs that know nothing of tirxcc.
#pragma once

#include <string>
#include <string_view>

#include "tirxcc/diagnostic.h"

namespace tirxcc::driver {

class Compilation;

// An object with a C function for each function of the file. `cpu`: empty for the architecture's
// baseline, "native" for this machine's processor, or a level such as "x86-64-v3".
Expected<std::string> export_object(Compilation& compilation, std::string_view cpu);

// The header that declares these functions and says what they expect.
Expected<std::string> export_header(Compilation& compilation);

}  // namespace tirxcc::driver
