// SPDX-License-Identifier: Apache-2.0
//
// See machine.h.
#include "driver/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/cpu/plugin.h"
#include "runtime/cpu/thread_pool.h"
#include "sema/suggest.h"

namespace tirxcc::driver {
namespace {

constexpr std::string_view kPrefix = "TIRXCC_";
// FAKE_CUDA, SANITIZE and PRELOAD are for our tests, SETUP_SECONDS for scripts/setup.sh.
constexpr std::array<std::string_view, 9> kVariables = {
    "TIRXCC_CACHE_DIR",   "TIRXCC_CPU_PLUGIN", "TIRXCC_LIBCUDA",
    "TIRXCC_NUM_THREADS", "TIRXCC_NVRTC",      "TIRXCC_FAKE_CUDA",
    "TIRXCC_SANITIZE",    "TIRXCC_PRELOAD",    "TIRXCC_SETUP_SECONDS"};
constexpr std::size_t kForUsers = 5;

}  // namespace

cuda::Finding examine_cpu() {
  const auto plugin = runtime_cpu::load_plugin();
  if (!plugin) return {false, "CPU", plugin.error().message};
  const int threads = runtime_cpu::thread_count();
  return {true, "CPU",
          fmt::format("{}, {} thread{}", (*plugin)->host_cpu, threads, threads == 1 ? "" : "s")};
}

std::vector<cuda::Finding> examine_variables() {
  std::vector<cuda::Finding> findings;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with(kPrefix)) continue;
    if (std::find(kVariables.begin(), kVariables.end(), name) != kVariables.end()) continue;
    sema::NearestName nearest(name);
    for (std::size_t i = 0; i < kForUsers; ++i)
      nearest.offer(kVariables[i]);
    std::string text = fmt::format("{} is set, which tirxcc does not read", name);
    if (!nearest.result().empty()) text += fmt::format("; did you mean {}?", nearest.result());
    findings.push_back({false, "variable", text});
  }
  return findings;
}

}  // namespace tirxcc::driver
