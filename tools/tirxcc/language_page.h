// SPDX-License-Identifier: Apache-2.0
//
// docs/language.md, which the build puts into the program.
#pragma once

#include <string_view>

namespace tirxcc::tool {

extern const std::string_view kLanguagePage;

}  // namespace tirxcc::tool
