// SPDX-License-Identifier: Apache-2.0
#include "array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "element.h"
#include "files.h"

namespace tirxcc::tool {

std::int64_t Array::size() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  return count;
}

TensorRef Array::ref() const {
  return {.data = data.get(), .type = type, .shape = shape, .strides = strides};
}

Array Array::clone() const {
  Array copy = *this;
  copy.data = std::shared_ptr<std::byte[]>(new std::byte[std::max<std::size_t>(bytes, 1)]);
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
  // Zeroed by the allocator's fresh pages; a failure is the machine's refusal, not ours.
  void* memory = std::calloc(std::max<std::size_t>(bytes, 1), 1);
  if (memory == nullptr) {
    return error(fmt::format("not enough memory for an array of {} bytes", bytes),
                 ErrorKind::Memory);
  }
  array.data = std::shared_ptr<std::byte[]>(static_cast<std::byte*>(memory), std::free);
  return array;
}

std::string summarize(const Array& array) {
  constexpr std::int64_t kShown = 6;
  std::int64_t count = array.size();
  std::string text = fmt::format("{}[", element_name(array.type));
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ",", array.shape[i]);
  }
  text += "] ";
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
