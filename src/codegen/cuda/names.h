// SPDX-License-Identifier: Apache-2.0
//
// Names in the CUDA text. Every variable keeps the kernel's own name where C++ allows it; who comes
// first in source order keeps a name, later ones that are visible together with it get `_1`, `_2`.
// Two loops one after the other may both count with `i`.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/pointer_map.h"

namespace tirxcc::codegen_cuda {

class Names {
 public:
  Names();
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

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
  // A word that was asked for. Words are few and stay; scopes take and give back what they mean.
  struct Word {
    std::string_view text;
    std::uint32_t hash = 0;
    std::uint32_t count = 0;  // how many `_k` were handed out
    bool is_taken = false;
    bool is_reserved = false;
    bool is_label = false;
    std::uint32_t labels = 0;  // how many `_k` were handed out for labels
  };
  // What a scope has to undo: a name that appeared, or a counter that moved.
  struct Change {
    std::uint32_t word = 0;
    std::uint32_t old_count = 0;
    bool appeared = false;
  };

  // Index of the word; the reference to it is good until the next look-up.
  std::uint32_t look_up(std::string_view text);
  std::string_view take(std::string_view wanted);
  void grow();

  Arena arena_;
  std::vector<Word> words_;
  // Open addressing: indices of words plus one; 0 is free.
  std::array<std::uint32_t, 64> few_slots_ = {};
  std::vector<std::uint32_t> many_slots_;
  std::span<std::uint32_t> slots_{few_slots_};
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
