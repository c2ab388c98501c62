// SPDX-License-Identifier: Apache-2.0
//
// `tirxcc cache`: what the folder of compiled kernels holds, and removing it.
#include <fmt/format.h>

#include "commands.h"

namespace tirxcc::tool {
namespace {

double mebibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

void print_kinds(const CacheUsage& usage, std::string_view end) {
  for (const CacheUsage::Kind& kind : usage.kinds) {
    fmt::print("{}: {} {}, {:.1f} MiB{}\n", kind.name, kind.entries,
               kind.entries == 1 ? "entry" : "entries", mebibytes(kind.bytes), end);
  }
}

}  // namespace

int cache(const CacheFlags& flags) {
  CacheUsage usage = flags.clear ? clear_cache() : cache_usage();
  if (usage.folder.empty()) {
    fmt::print("no cache: HOME is not set, or TIRXCC_CACHE_DIR is empty\n");
    return kSuccess;
  }
  if (usage.kinds.empty()) fmt::print("{}: empty\n", usage.folder);
  if (!usage.kinds.empty()) fmt::print("{}\n", usage.folder);
  print_kinds(usage, flags.clear ? " removed" : fmt::format(" of {:.0f}", mebibytes(usage.limit)));
  return std::fflush(stdout) == 0 ? kSuccess : kFailure;
}

}  // namespace tirxcc::tool
