// SPDX-License-Identifier: Apache-2.0
//
// Room for a number of objects that is known when it is made: on the stack if they are few. The
// objects are made one by one where they are needed; a call that makes all it might need takes most
// of its time for that.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace tirxcc::python {

template <typename T, std::size_t kInline>
class InlineArray {
 public:
  explicit InlineArray(std::size_t count) {
    if (count > kInline) heap_ = std::make_unique<std::byte[]>(count * sizeof(T));
    data_ = reinterpret_cast<T*>(heap_ ? heap_.get() : inline_);
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;
  ~InlineArray() {
    for (std::size_t i = 0; i < added_; ++i)
      data_[i].~T();
  }

  // Makes the next one, which is destroyed with the array.
  T& add() { return *new (&data_[added_++]) T; }

  // Makes the one at a place, which needs no destruction. Use one of the two ways only.
  T& make(std::size_t i) {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (&data_[i]) T;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  static_assert(alignof(T) <= alignof(std::max_align_t));
  std::size_t added_ = 0;
  T* data_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(std::max_align_t) std::byte inline_[kInline * sizeof(T)];
};

}  // namespace tirxcc::python
