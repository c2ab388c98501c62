// SPDX-License-Identifier: Apache-2.0
//
// A bump allocator for the trees of one compilation. Nodes are made in it, never changed once
// published and never freed one by one; destructors do not run, so everything in it must be
// trivially destructible (spans and string_views into the arena instead of vectors and strings).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tirxcc {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  // A new T, aggregate- or constructor-initialised from `args`.
  template <typename T, typename... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>, "arena nodes are never destroyed");
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // A copy of `items` that lives as long as the arena.
  template <typename T>
  std::span<const T> copy(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    void* memory = allocate(items.size_bytes(), alignof(T));
    std::memcpy(memory, items.data(), items.size_bytes());
    return {static_cast<const T*>(memory), items.size()};
  }
  template <typename T>
  std::span<const T> copy(const std::vector<T>& items) {
    return copy(std::span<const T>(items));
  }
  template <typename T>
  std::span<const T> copy(std::initializer_list<T> items) {
    return copy(std::span<const T>(items.begin(), items.size()));
  }
  std::string_view copy_string(std::string_view text) {
    std::span<const char> chars = copy(std::span<const char>(text.data(), text.size()));
    return {chars.data(), chars.size()};
  }

  void* allocate(std::size_t size, std::size_t align) {
    std::uintptr_t start = (next_ + align - 1) & ~(static_cast<std::uintptr_t>(align) - 1);
    if (start + size > end_) return allocate_in_new_block(size, align);
    next_ = start + size;
    return reinterpret_cast<void*>(start);
  }

  // Bytes reserved from the system so far.
  std::size_t reserved() const { return reserved_; }

 private:
  [[gnu::cold, gnu::noinline]] void* allocate_in_new_block(std::size_t size, std::size_t align) {
    std::size_t wanted = std::max(block_size_, size + align);
    block_size_ = std::min<std::size_t>(block_size_ * 2, 1 << 20);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(wanted));
    reserved_ += wanted;
    next_ = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
    end_ = next_ + wanted;
    return allocate(size, align);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t block_size_ = 16 << 10;
  std::size_t reserved_ = 0;
};

}  // namespace tirxcc
