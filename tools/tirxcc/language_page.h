// SPDX-License-Identifier: Apache-2.0
//
// docs/language.md and docs/intrinsics.md, which the build puts into the program.
#pragma once

#include <string_view>

namespace tirxcc::tool {

extern const std::string_view kLanguagePage;
extern const std::string_view kIntrinsicsPage;

}  // namespace tirxcc::tool
