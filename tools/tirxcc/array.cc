// SPDX-License-Identifier: Apache-2.0
#include "array.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "element.h"
#include "files.h"

namespace tirxcc::tool {
namespace {

// A kernel that writes beside its array damages these bytes first, not the allocator's. As floats
// of any width they are NaN, so that what is read there shows; and no two arrays have the same, so
// that a kernel which copies from beside one to beside another damages them too.
constexpr std::size_t kStrip = 64 * 1024;
constexpr std::size_t kAlignment = 64;

std::byte strip_byte(std::uint8_t mark, std::ptrdiff_t offset) {
  return offset % 2 == 0 ? std::byte{mark} : std::byte{0xff};
}

std::uint8_t next_mark() {
  static std::atomic<unsigned> count = 0;
  return static_cast<std::uint8_t>(0xc1 + count.fetch_add(1) % 62);
}

// Zeroed memory of the array's size between two strips; false: the machine has not so much.
bool allocate(Array& array) {
  // Zeroed by the allocator's fresh pages.
  auto* memory = static_cast<std::byte*>(std::calloc(array.bytes + 2 * kStrip + kAlignment, 1));
  if (memory == nullptr) return false;
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(memory) % kAlignment;
  std::byte* data = memory + kStrip + (kAlignment - misplaced) % kAlignment;
  array.data = {data, [memory](std::byte*) { std::free(memory); }};
  array.mark = next_mark();
  const auto bytes = static_cast<std::ptrdiff_t>(array.bytes);
  constexpr auto kLength = static_cast<std::ptrdiff_t>(kStrip);
  for (std::ptrdiff_t i = 0; i < kLength; ++i) {
    data[i - kLength] = strip_byte(array.mark, i - kLength);
    data[bytes + i] = strip_byte(array.mark, bytes + i);
  }
  return true;
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
  if (!allocate(copy)) return no_memory(bytes);
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
  if (!allocate(array)) return no_memory(bytes);
  return array;
}

Damage find_damage(const Array& array) {
  const std::byte* data = array.data.get();
  const auto is_whole = [&](std::ptrdiff_t offset) {
    return data[offset] == strip_byte(array.mark, offset);
  };
  const auto bytes = static_cast<std::ptrdiff_t>(array.bytes);
  auto before = static_cast<std::ptrdiff_t>(kStrip);
  while (before > 0 && is_whole(-before))
    --before;
  auto behind = static_cast<std::ptrdiff_t>(kStrip);
  while (behind > 0 && is_whole(bytes + behind - 1))
    --behind;
  // Whole elements: half of a mark's bytes are in every mark.
  const auto size = static_cast<std::ptrdiff_t>(element_size(array.type));
  const auto whole = [&](std::ptrdiff_t part) {
    return static_cast<std::size_t>((part + size - 1) / size * size);
  };
  return {whole(before), whole(behind)};
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
