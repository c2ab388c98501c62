// SPDX-License-Identifier: Apache-2.0
//
// Names with letters beyond ASCII: which characters may stand in one, and the NFKC form under which
// Python compares them (`ﬁ` and `fi` are one name). ASCII names never come here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tirxcc::syntax {

bool is_identifier_start(char32_t value);
bool is_identifier_continue(char32_t value);

// The NFKC form; nothing if the text is not well-formed UTF-8.
std::optional<std::string> normalize_identifier(std::string_view text);

}  // namespace tirxcc::syntax
