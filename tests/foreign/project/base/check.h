// SPDX-License-Identifier: Apache-2.0
//
// The user's own header, which shares its name with one inside tirxcc.
#pragma once
inline const char* own_check() {
  return "own";
}
