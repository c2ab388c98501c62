// SPDX-License-Identifier: Apache-2.0
//
// Single elements of arrays whose type is known only at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "array.h"

namespace tirxcc::tool {

std::vector<std::string> element_names();
std::optional<ElementType> parse_element(std::string_view name);
bool is_float(ElementType type);

// Element i in memory order, as a double; as text that keeps all digits of integers.
double element_value(const Array& array, std::int64_t i);
std::string element_text(const Array& array, std::int64_t i);

// Stores a number, rounded to the type (halves to nearest even) or cut to it.
void set_float(const Array& array, std::int64_t i, double value);
void set_int(const Array& array, std::int64_t i, std::int64_t value);

// Inclusive bounds of an integer type that fit int64.
std::int64_t lowest_int(ElementType type);
std::int64_t highest_int(ElementType type);

}  // namespace tirxcc::tool
