// SPDX-License-Identifier: Apache-2.0
//
// Characters that texts copied from elsewhere have in place of one of Python's.
#pragma once

#include <string_view>

namespace tirxcc::syntax {

// "-" for U+2212 MINUS SIGN, ">=" for U+2265, and so on; "" for what looks like nothing of ours.
std::string_view ascii_twin(char32_t value);

}  // namespace tirxcc::syntax
