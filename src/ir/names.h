// SPDX-License-Identifier: Apache-2.0
//
// Names for printing the IR as kernel text: one for each variable, unique in the function, because
// Python has one scope a function and sema merges names that are equal.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ir/ir.h"

namespace tirxcc::ir {

class Names {
 public:
  Names();

  // The name of a variable; the first to ask for a name keeps it, later ones get `_1`, `_2`.
  template <typename T>
  std::string_view of(const T* variable) {
    if (variable == nullptr) return "<null>";
    return name_of(variable, variable->name);
  }
  // Gives a variable the name of another one (a symbol that a scalar parameter defines).
  void alias(const void* variable, std::string_view name) { names_[variable] = name; }
  void reserve(std::string_view name) { taken_.insert(std::string(name)); }

 private:
  std::string_view name_of(const void* variable, std::string_view wanted);

  std::unordered_map<const void*, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_suffix_;
};

}  // namespace tirxcc::ir
