// SPDX-License-Identifier: Apache-2.0
//
// Of one access of a kernel: who comes to which element. A hash table of open addressing that is
// made once and then only asked.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/lane_values.h"

namespace tirxcc::passes {

// Which lanes come to an element: two of them at the most.
class ElementTable {
 public:
  struct Visitors {
    int first = -1;
    int second = -1;
  };

  ElementTable(const LaneValue& elements, const LaneSet& lanes, std::size_t count) {
    std::size_t capacity = 64;
    while (capacity < 2 * count)
      capacity *= 2;
    slots_.resize(capacity);
    for (std::size_t lane = 0; lane < count; ++lane) {
      if (lanes[lane]) add(elements.at(lane), static_cast<int>(lane));
    }
  }

  // Null: no lane comes to it.
  const Visitors* find(std::int64_t element) const {
    const Slot& slot = slots_[place_of(element)];
    return slot.visitors.first < 0 ? nullptr : &slot.visitors;
  }

 private:
  struct Slot {
    std::int64_t element = 0;
    Visitors visitors;
  };

  std::size_t place_of(std::int64_t element) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (static_cast<std::uint64_t>(element) * 0x9E3779B97F4A7C15u >> 40) & mask;
    while (slots_[at].visitors.first >= 0 && slots_[at].element != element)
      at = (at + 1) & mask;
    return at;
  }

  void add(std::int64_t element, int lane) {
    Slot& slot = slots_[place_of(element)];
    slot.element = element;
    (slot.visitors.first < 0 ? slot.visitors.first : slot.visitors.second) = lane;
  }

  std::vector<Slot> slots_;
};

}  // namespace tirxcc::passes
