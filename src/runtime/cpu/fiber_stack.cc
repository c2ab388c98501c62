// SPDX-License-Identifier: Apache-2.0
//
// See fiber_stack.h.
#include "runtime/cpu/fiber_stack.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace tirxcc::runtime_cpu {
namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// Each guarded page is a mapping of its own, of which a process has 65,530 by default. Beyond this
// many stacks they have no guard: their size is what the compiler says that code needs, and more.
constexpr int kMostGuarded = 20'000;
std::atomic<int> stacks = 0;

}  // namespace

FiberStacks::FiberStacks(std::size_t bytes)
    : bytes_((bytes + page_bytes() - 1) / page_bytes() * page_bytes() + page_bytes()) {}

FiberStacks::~FiberStacks() {
  trim(0);
}

void FiberStacks::trim(std::size_t most) {
  for (; idle_.size() > most; idle_.pop_back()) {
    munmap(idle_.back() - page_bytes(), bytes_ + page_bytes());
    stacks.fetch_sub(1, std::memory_order_relaxed);
  }
}

// Each stack begins at another place of its last page: at the same one, those of a block would all
// fight for the same few lines of the caches.
FiberStack FiberStacks::used(char* bottom) const {
  constexpr std::size_t kLine = 64;
  const std::size_t number = reinterpret_cast<std::uintptr_t>(bottom) / (bytes_ + page_bytes());
  const std::size_t unused = number * 5 * kLine % page_bytes();
  return {bottom, bytes_ - unused};
}

FiberStack FiberStacks::take() {
  if (!idle_.empty()) {
    char* bottom = idle_.back();
    idle_.pop_back();
#ifdef __SANITIZE_ADDRESS__
    // Frames that a failed launch has left.
    __asan_unpoison_memory_region(bottom, bytes_);
#endif
    return used(bottom);
  }
  void* start = mmap(nullptr, bytes_ + page_bytes(), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (start == MAP_FAILED) return {};
  if (stacks.fetch_add(1, std::memory_order_relaxed) < kMostGuarded) {
    mprotect(start, page_bytes(), PROT_NONE);
  }
  return used(static_cast<char*>(start) + page_bytes());
}

void FiberStacks::give_back(FiberStack stack) {
  idle_.push_back(stack.bottom);
}

}  // namespace tirxcc::runtime_cpu
