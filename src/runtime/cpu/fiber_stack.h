// SPDX-License-Identifier: Apache-2.0
//
// Stacks for fibers: pieces of memory with a page before them that nobody may touch. A thread keeps
// those that it gives back, so blocks that follow each other run on warm stacks.
#pragma once

#include <cstddef>
#include <vector>

namespace tirxcc::runtime_cpu {

struct FiberStack {
  char* bottom = nullptr;  // lowest address that may be used
  std::size_t bytes = 0;
  char* top() const { return bottom + bytes; }
};

// Of one worker thread: all its stacks have one size.
class FiberStacks {
 public:
  // At least so many bytes of use, whole pages.
  explicit FiberStacks(std::size_t bytes);
  ~FiberStacks();
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  std::size_t bytes() const { return bytes_; }
  // A null bottom: there is no more memory.
  FiberStack take();
  void give_back(FiberStack stack);
  // Frees what is idle beyond so many.
  void trim(std::size_t most);

 private:
  FiberStack used(char* bottom) const;

  std::size_t bytes_;
  std::vector<char*> idle_;  // their bottoms
};

}  // namespace tirxcc::runtime_cpu
