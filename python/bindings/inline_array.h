// SPDX-License-Identifier: Apache-2.0
//
// A fixed number of objects that is known when it is made: on the stack if there are few. Only as
// many are constructed as were asked for, which an std::array with room for all would not do.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace tirxcc::python {

template <typename T, std::size_t kInline>
class InlineArray {
 public:
  explicit InlineArray(std::size_t count) : count_(count) {
    if (count > kInline) heap_ = std::make_unique<std::byte[]>(count * sizeof(T));
    std::byte* memory = heap_ ? heap_.get() : inline_;
    data_ = reinterpret_cast<T*>(memory);
    for (std::size_t i = 0; i < count; ++i)
      new (memory + i * sizeof(T)) T;
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;
  ~InlineArray() {
    for (std::size_t i = 0; i < count_; ++i)
      data_[i].~T();
  }

  std::size_t size() const { return count_; }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  operator std::span<const T>() const { return {data_, count_}; }

 private:
  static_assert(alignof(T) <= alignof(std::max_align_t));
  std::size_t count_;
  T* data_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(std::max_align_t) std::byte inline_[kInline * sizeof(T)];
};

}  // namespace tirxcc::python
