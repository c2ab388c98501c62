// SPDX-License-Identifier: Apache-2.0
#include "array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>

#include "element.h"
#include "files.h"

namespace tirxcc::tool {
namespace {

// A kernel that writes beside its array damages these bytes first, not the allocator's.
constexpr std::size_t kStrip = 64 * 1024;
constexpr std::size_t kAlignment = 64;
constexpr std::byte kMark{0xC5};

// Zeroed memory of that size between two strips; null: the machine has not so much.
std::shared_ptr<std::byte[]> allocate(std::size_t bytes) {
  // Zeroed by the allocator's fresh pages.
  auto* memory = static_cast<std::byte*>(std::calloc(bytes + 2 * kStrip + kAlignment, 1));
  if (memory == nullptr) return nullptr;
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(memory) % kAlignment;
  std::byte* data = memory + kStrip + (kAlignment - misplaced) % kAlignment;
  std::fill_n(data - kStrip, kStrip, kMark);
  std::fill_n(data + bytes, kStrip, kMark);
  return {data, [memory](std::byte*) { std::free(memory); }};
}

tl::unexpected<Error> no_memory(std::size_t bytes) {
  return error(fmt::format("not enough memory for an array of {} bytes", bytes), ErrorKind::Memory);
}

}  // namespace

std::int64_t Array::size() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  return count;
}

TensorRef Array::ref() const {
  return {.data = data.get(), .type = type, .shape = shape, .strides = strides};
}

Expected<Array> Array::clone() const {
  Array copy = *this;
  copy.data = allocate(bytes);
  if (copy.data == nullptr) return no_memory(bytes);
  std::memcpy(copy.data.get(), data.get(), bytes);
  return copy;
}

Expected<Array> make_array(ElementType type, std::vector<std::int64_t> shape) {
  Array array;
  array.type = type;
  array.shape = std::move(shape);
  std::size_t bytes = element_size(type);
  for (std::int64_t extent : array.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes) ||
        bytes > (std::size_t{1} << 46)) {
      return error("the array is too large");
    }
  }
  array.bytes = bytes;
  array.data = allocate(bytes);
  if (array.data == nullptr) return no_memory(bytes);
  return array;
}

Damage find_damage(const Array& array) {
  const auto is_damaged = [](std::byte b) { return b != kMark; };
  const std::byte* start = array.data.get();
  const std::byte* end = start + array.bytes;
  const std::byte* first = std::find_if(start - kStrip, start, is_damaged);
  const auto last =
      std::find_if(std::reverse_iterator(end + kStrip), std::reverse_iterator(end), is_damaged);
  return {static_cast<std::size_t>(start - first), static_cast<std::size_t>(last.base() - end)};
}

std::string type_text(const Array& array) {
  std::string text = fmt::format("{}[", element_name(array.type));
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ",", array.shape[i]);
  }
  return text + "]";
}

std::string summarize(const Array& array) {
  constexpr std::int64_t kShown = 6;
  std::int64_t count = array.size();
  std::string text = type_text(array) + " ";
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  bool has_nan = false;
  for (std::int64_t i = 0; i < count; ++i) {
    double value = element_value(array, i);
    has_nan = has_nan || std::isnan(value);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  for (std::int64_t i = 0; i < std::min(count, kShown); ++i)
    text += " " + element_text(array, i);
  if (count > kShown) text += " ... " + element_text(array, count - 1);
  if (count > 0 && least <= most) text += fmt::format("  (min {:g}, max {:g})", least, most);
  if (has_nan) text += " with NaN";
  return text;
}

}  // namespace tirxcc::tool
