// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tirxcc::cuda {
namespace {

// The number of a compute capability, 90 for 9.0.
int capability(const DeviceInfo& device) {
  return device.major * 10 + device.minor;
}

Finding examine_device(const DeviceInfo& device, const Result<const Nvrtc*>& nvrtc) {
  Finding finding{
      true, fmt::format("GPU {}", device.index),
      fmt::format("{}, {}, {} multiprocessors, {:.0f} GiB", device.name, device.arch(),
                  device.multiprocessors, static_cast<double>(device.memory_bytes) / (1 << 30))};
  if (!nvrtc) return finding;
  std::vector<int> known = (*nvrtc)->supported_archs();
  if (!known.empty() && std::find(known.begin(), known.end(), capability(device)) == known.end()) {
    finding.is_good = false;
    finding.text += fmt::format("; NVRTC {} does not compile for it", (*nvrtc)->version());
  }
  return finding;
}

Finding examine_nvrtc(const Result<Driver*>& driver, const Result<const Nvrtc*>& nvrtc) {
  if (!nvrtc) return {false, "NVRTC", nvrtc.error().message};
  Finding finding{true, "NVRTC", fmt::format("{}, {}", (*nvrtc)->version(), (*nvrtc)->path())};
  int major = std::atoi((*nvrtc)->version().c_str());
  // Machine code of a newer major version may not load; of a newer minor one it does.
  if (driver && major > (*driver)->version() / 1000) {
    finding.is_good = false;
    finding.text +=
        fmt::format("; newer than the driver's CUDA {}: install nvidia-cuda-nvrtc of that version",
                    (*driver)->version_text());
  }
  return finding;
}

Finding examine_cache(CubinCache& cache) {
  const DiskCache& disk = cache.disk();
  if (disk.folder().empty()) {
    return {true, "cache", "none on disk: HOME is not set, or TIRXCC_CACHE_DIR is empty"};
  }
  if (Result<void> usable = disk.check_usable(); !usable) {
    return {
        false, "cache",
        fmt::format("cannot be used, so each process compiles anew: {}", usable.error().message)};
  }
  DiskCache::Usage usage = disk.usage();
  return {true, "cache",
          fmt::format("{}, {} entries, {:.1f} of {} MiB", disk.folder(), usage.entries,
                      static_cast<double>(usage.bytes) / (1 << 20), disk.limit() >> 20)};
}

}  // namespace

std::vector<Finding> examine(const Result<Driver*>& driver, CubinCache& cache) {
  std::vector<Finding> findings;
  Result<const Nvrtc*> nvrtc = cache.nvrtc();
  if (driver) {
    findings.push_back(
        {true, "driver", fmt::format("CUDA {}, {}", (*driver)->version_text(), (*driver)->path())});
    for (const DeviceInfo& device : (*driver)->devices()) {
      findings.push_back(examine_device(device, nvrtc));
    }
  } else {
    findings.push_back({false, "driver", driver.error().message});
  }
  findings.push_back(examine_nvrtc(driver, nvrtc));
  findings.push_back(examine_cache(cache));
  return findings;
}

std::string render(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    // Further lines of a message stand below its first.
    std::string words = finding.text;
    for (std::size_t at = words.find('\n'); at != std::string::npos;
         at = words.find('\n', at + 1)) {
      words.insert(at + 1, 19, ' ');
    }
    text +=
        fmt::format("{:<8} {:<9} {}\n", finding.is_good ? "ok" : "missing", finding.subject, words);
  }
  return text;
}

}  // namespace tirxcc::cuda
