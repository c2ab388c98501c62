// SPDX-License-Identifier: Apache-2.0
//
// Names in the CUDA text. Every variable keeps the kernel's own name where C++ allows it; who comes
// first in source order keeps a name, later ones that are visible together with it get `_1`, `_2`.
// Two loops one after the other may both count with `i`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/pointer_map.h"

namespace tirxcc::codegen_cuda {

class Names {
 public:
  // A name that nothing in this kernel may take: a function that it calls.
  void reserve(std::string_view name);

  // Chooses the name of an object that becomes visible now: `base` made fit for C++, plus `suffix`
  // (`_ptr`). The name is free again when the scope closes.
  std::string_view declare(const void* object, std::string_view base, std::string_view suffix = "");
  // A name for something that is no object of the IR: a copied bound.
  std::string_view declare_temporary(std::string_view base, std::string_view suffix);
  // The name given to an object before.
  std::string_view of(const void* object) const;

  // Labels have a name space of their own, and the whole function is their scope.
  std::string_view declare_label(const void* label, std::string_view base);

  void open_scope() { scopes_.push_back(log_.size()); }
  void close_scope();

 private:
  // What a scope has to undo: a name that appeared, or a counter that moved.
  struct Change {
    std::string_view name;
    std::uint32_t old_count = 0;
    bool appeared = false;
  };

  std::string_view take(std::string_view wanted);
  bool is_taken(std::string_view name) const;

  Arena arena_;
  std::unordered_map<std::string_view, std::uint32_t> taken_;  // how many `_k` were handed out
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  PointerMap<std::string_view> names_;
  std::vector<Change> log_;
  std::vector<std::size_t> scopes_;
};

// The base as C++ letters: letters beyond ASCII become `_u00e9`, very long names are cut and end
// in a hash of the whole.
std::string identifier(std::string_view base);
// Keywords, built-in variables, types and functions of C++ and CUDA, and our own helpers.
bool is_reserved(std::string_view name);

}  // namespace tirxcc::codegen_cuda
