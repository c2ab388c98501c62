// SPDX-License-Identifier: Apache-2.0
//
// A small hash map from addresses to values, for names (interned, so equal names have equal
// addresses) and syntax nodes. Open addressing, one allocation, no deletion: sema makes one per
// function and looks names up thousands of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tirxcc::sema {

template <typename T>
class PointerMap {
 public:
  // The value of the key, or null.
  T* find(const void* key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slot_of(key);
    return slot.key == key ? &slot.value : nullptr;
  }
  // The value of the key, value-initialised if the key is new. Stays valid until the next insert.
  T& operator[](const void* key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slot_of(key);
    if (slot.key == nullptr) {
      slot.key = key;
      ++count_;
    }
    return slot.value;
  }
  template <typename F>
  void for_each(F&& f) {
    for (Slot& slot : slots_) {
      if (slot.key != nullptr) f(slot.value);
    }
  }

 private:
  struct Slot {
    const void* key = nullptr;
    T value{};
  };

  Slot& slot_of(const void* key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(
        (reinterpret_cast<std::uintptr_t>(key) * 0x9E3779B97F4A7C15u) >> 20);
    while (slots_[at & mask].key != nullptr && slots_[at & mask].key != key)
      ++at;
    return slots_[at & mask];
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.key != nullptr) slot_of(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace tirxcc::sema
