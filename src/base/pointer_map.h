// SPDX-License-Identifier: Apache-2.0
//
// Small hash tables whose keys are addresses: interned names (equal names have equal addresses) and
// nodes of the trees. Open addressing, no deletion, and the first few entries live in the object
// itself, since a compiler makes many such tables and most stay small.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tirxcc {

template <typename T, std::size_t kInline = 16>
class PointerMap {
  static_assert((kInline & (kInline - 1)) == 0, "the capacity is a power of two");

 public:
  PointerMap() = default;
  PointerMap(const PointerMap&) = delete;
  PointerMap& operator=(const PointerMap&) = delete;

  // The value of the key, or null.
  T* find(const void* key) {
    Slot& slot = slot_of(key);
    return slot.key == key && key != nullptr ? &slot.value : nullptr;
  }
  const T* find(const void* key) const { return const_cast<PointerMap*>(this)->find(key); }
  bool contains(const void* key) const { return find(key) != nullptr; }

  // The value of the key, value-initialised if the key is new. Stays valid until the next insert.
  T& operator[](const void* key) {
    Slot* slot = &slot_of(key);
    if (slot->key == key) return slot->value;
    if (2 * (count_ + 1) > capacity_) {
      grow();
      slot = &slot_of(key);
    }
    slot->key = key;
    ++count_;
    return slot->value;
  }

  std::size_t size() const { return count_; }
  template <typename F>
  void for_each(F&& f) {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (slots()[i].key != nullptr) f(slots()[i].value);
    }
  }

 private:
  struct Slot {
    const void* key = nullptr;
    T value{};
  };

  Slot* slots() { return many_ != nullptr ? many_.get() : few_.data(); }

  Slot& slot_of(const void* key) {
    const std::size_t mask = capacity_ - 1;
    std::size_t at = static_cast<std::size_t>(
        (reinterpret_cast<std::uintptr_t>(key) * 0x9E3779B97F4A7C15u) >> 32);
    Slot* all = slots();
    while (all[at & mask].key != nullptr && all[at & mask].key != key)
      ++at;
    return all[at & mask];
  }

  // Not inlined: walks that recurse through deep trees call insert, and their frames must stay
  // small.
  [[gnu::noinline]] void grow() {
    const std::size_t old_capacity = capacity_;
    std::unique_ptr<Slot[]> old = std::move(many_);
    Slot* from = old != nullptr ? old.get() : few_.data();
    many_ = std::make_unique<Slot[]>(old_capacity * 4);
    capacity_ = old_capacity * 4;
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (from[i].key != nullptr) slot_of(from[i].key) = std::move(from[i]);
    }
  }

  std::array<Slot, kInline> few_{};
  std::unique_ptr<Slot[]> many_;
  std::size_t capacity_ = kInline;
  std::size_t count_ = 0;
};

// A set of addresses.
template <std::size_t kInline = 16>
class PointerSet {
 public:
  // True if the key is new.
  bool insert(const void* key) {
    const std::size_t before = map_.size();
    map_[key];
    return map_.size() != before;
  }
  bool contains(const void* key) const { return map_.contains(key); }

 private:
  struct Nothing {};
  PointerMap<Nothing, kInline> map_;
};

}  // namespace tirxcc
