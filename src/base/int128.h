// SPDX-License-Identifier: Apache-2.0
//
// 128-bit integers: wide enough for every constant of the language and every product of two.
#pragma once

namespace tirxcc {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

}  // namespace tirxcc
