// SPDX-License-Identifier: Apache-2.0
//
// See block_memory.h.
#include "runtime/cpu/block_memory.h"

#include <stdlib.h>

#include "base/check.h"

namespace tirxcc::runtime_cpu {
namespace {

struct Piece {
  void* start = nullptr;
  std::int64_t bytes = 0;
  ~Piece() { free(start); }
};

}  // namespace

void* block_memory(std::int64_t bytes) {
  thread_local Piece piece;
  if (bytes <= piece.bytes) return piece.start;
  free(piece.start);
  constexpr std::int64_t kPage = 4096;
  piece.bytes = (bytes + kPage - 1) / kPage * kPage;
  piece.start = aligned_alloc(kPage, static_cast<std::size_t>(piece.bytes));
  TIRXCC_CHECK(piece.start != nullptr, "no memory for a block of {} bytes", bytes);
  return piece.start;
}

}  // namespace tirxcc::runtime_cpu
