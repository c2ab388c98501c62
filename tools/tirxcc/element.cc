// SPDX-License-Identifier: Apache-2.0
#include "element.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tirxcc::tool {
namespace {

struct ElementRow {
  std::string_view name;
  std::size_t size;
  bool is_float;
};

// In the order of ElementType.
constexpr std::array<ElementRow, 13> kRows = {{
    {"bool", 1, false},
    {"int8", 1, false},
    {"int16", 2, false},
    {"int32", 4, false},
    {"int64", 8, false},
    {"uint8", 1, false},
    {"uint16", 2, false},
    {"uint32", 4, false},
    {"uint64", 8, false},
    {"float16", 2, true},
    {"bfloat16", 2, true},
    {"float32", 4, true},
    {"float64", 8, true},
}};

const ElementRow& row(ElementType type) {
  return kRows[static_cast<std::size_t>(type)];
}

template <typename T>
T read(const Array& array, std::int64_t i) {
  T value;
  std::memcpy(&value, array.data.get() + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}
template <typename T>
void write(const Array& array, std::int64_t i, T value) {
  std::memcpy(array.data.get() + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

}  // namespace

std::size_t element_size(ElementType type) {
  return row(type).size;
}
std::string_view element_name(ElementType type) {
  return row(type).name;
}
bool is_float(ElementType type) {
  return row(type).is_float;
}

std::vector<std::string> element_names() {
  std::vector<std::string> names;
  for (const auto& each : kRows)
    names.emplace_back(each.name);
  return names;
}

std::optional<ElementType> parse_element(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

double element_value(const Array& array, std::int64_t i) {
  switch (array.type) {
    case ElementType::Bool:
    case ElementType::UInt8: return read<std::uint8_t>(array, i);
    case ElementType::Int8: return read<std::int8_t>(array, i);
    case ElementType::Int16: return read<std::int16_t>(array, i);
    case ElementType::Int32: return read<std::int32_t>(array, i);
    case ElementType::Int64: return static_cast<double>(read<std::int64_t>(array, i));
    case ElementType::UInt16: return read<std::uint16_t>(array, i);
    case ElementType::UInt32: return read<std::uint32_t>(array, i);
    case ElementType::UInt64: return static_cast<double>(read<std::uint64_t>(array, i));
    case ElementType::Float16:
    case ElementType::BFloat16: return from_half(array.type, read<std::uint16_t>(array, i));
    case ElementType::Float32: return read<float>(array, i);
    case ElementType::Float64: return read<double>(array, i);
  }
  return 0;
}

std::string element_text(const Array& array, std::int64_t i) {
  if (array.type == ElementType::Bool) return element_value(array, i) != 0 ? "True" : "False";
  if (array.type == ElementType::Int64) return fmt::format("{}", read<std::int64_t>(array, i));
  if (array.type == ElementType::UInt64) return fmt::format("{}", read<std::uint64_t>(array, i));
  if (array.type == ElementType::Float64) return fmt::format("{}", read<double>(array, i));
  return fmt::format("{}", static_cast<float>(element_value(array, i)));
}

void set_float(const Array& array, std::int64_t i, double value) {
  switch (array.type) {
    case ElementType::Float16:
    case ElementType::BFloat16: return write(array, i, to_half(array.type, value));
    case ElementType::Float32: return write(array, i, static_cast<float>(value));
    case ElementType::Float64: return write(array, i, value);
    case ElementType::Bool:
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::UInt8:
    case ElementType::UInt16:
    case ElementType::UInt32:
    case ElementType::UInt64: return set_int(array, i, static_cast<std::int64_t>(value));
  }
}

void set_int(const Array& array, std::int64_t i, std::int64_t value) {
  if (array.type == ElementType::Bool) value = value != 0 ? 1 : 0;
  if (is_float(array.type)) return set_float(array, i, static_cast<double>(value));
  switch (element_size(array.type)) {
    case 1: return write(array, i, static_cast<std::uint8_t>(value));
    case 2: return write(array, i, static_cast<std::uint16_t>(value));
    case 4: return write(array, i, static_cast<std::uint32_t>(value));
    default: return write(array, i, value);
  }
}

std::int64_t lowest_int(ElementType type) {
  switch (type) {
    case ElementType::Int8: return std::numeric_limits<std::int8_t>::min();
    case ElementType::Int16: return std::numeric_limits<std::int16_t>::min();
    case ElementType::Int32: return std::numeric_limits<std::int32_t>::min();
    case ElementType::Int64: return std::numeric_limits<std::int64_t>::min();
    case ElementType::Bool:
    case ElementType::UInt8:
    case ElementType::UInt16:
    case ElementType::UInt32:
    case ElementType::UInt64: return 0;
    case ElementType::Float16:
    case ElementType::BFloat16:
    case ElementType::Float32:
    case ElementType::Float64: return std::numeric_limits<std::int64_t>::min();
  }
  return 0;
}

std::int64_t highest_int(ElementType type) {
  if (type == ElementType::Bool) return 1;
  if (is_float(type) || element_size(type) == 8) return std::numeric_limits<std::int64_t>::max();
  bool is_signed = lowest_int(type) < 0;
  return (std::int64_t{1} << (element_size(type) * 8 - (is_signed ? 1 : 0))) - 1;
}

}  // namespace tirxcc::tool
