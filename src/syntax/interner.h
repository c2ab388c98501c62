// SPDX-License-Identifier: Apache-2.0
//
// One copy of each name: equal names get views of the same bytes in the arena.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace tirxcc::syntax {

class Interner {
 public:
  explicit Interner(Arena& arena) : arena_(arena), slots_(few_) {}
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  std::string_view intern(std::string_view text) {
    const bool is_short = text.size() < 8;
    const std::uint64_t key = is_short ? short_word(text) : key_of(text);
    std::size_t at = slot_of(key, text.size());
    for (; slots_[at].data != nullptr; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.key != key || slot.size != text.size()) continue;
      if (is_short || std::memcmp(slot.data, text.data(), text.size()) == 0)
        return {slot.data, slot.size};
    }
    const std::string_view copy = arena_.copy_string(text);
    slots_[at] = {.data = copy.data(), .key = key, .size = static_cast<std::uint32_t>(text.size())};
    if (++count_ * 4 > slots_.size() * 3) grow();
    return copy;
  }

 private:
  struct Slot {
    const char* data = nullptr;
    std::uint64_t key = 0;
    std::uint32_t size = 0;
  };
  static constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;

  std::size_t slot_of(std::uint64_t key, std::size_t size) const {
    return ((key ^ size) * kFactor >> 32) & (slots_.size() - 1);
  }

  static std::uint64_t key_of(std::string_view text) {
    std::uint64_t hash = 0;
    while (text.size() >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data(), 8);
      hash = (hash ^ word) * kFactor;
      hash ^= hash >> 29;
      text.remove_prefix(8);
    }
    return (hash ^ short_word(text)) * kFactor;
  }

  // All of up to seven bytes, without a loop; two equal words mean two equal texts of one length.
  static std::uint64_t short_word(std::string_view text) {
    if (text.size() >= 4) {
      std::uint32_t first = 0;
      std::uint32_t last = 0;
      std::memcpy(&first, text.data(), 4);
      std::memcpy(&last, text.data() + text.size() - 4, 4);
      return first | static_cast<std::uint64_t>(last) << 32;
    }
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    return byte(0) | byte(text.size() / 2) << 8 | byte(text.size() - 1) << 16;
  }

  [[gnu::noinline]] void grow() {
    std::vector<Slot> larger(slots_.size() * 4);
    const std::span<Slot> old = slots_;
    slots_ = larger;
    for (const Slot& entry : old) {
      if (entry.data == nullptr) continue;
      std::size_t at = slot_of(entry.key, entry.size);
      while (larger[at].data != nullptr)
        at = (at + 1) & (larger.size() - 1);
      larger[at] = entry;
    }
    many_.swap(larger);
    slots_ = many_;
  }

  Arena& arena_;
  std::array<Slot, 64> few_{};  // enough for most files
  std::vector<Slot> many_;
  std::span<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace tirxcc::syntax
