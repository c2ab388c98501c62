// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cubin_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace tirxcc::cuda {

// One entry in memory; its mutex is held while it is being compiled.
struct CubinCache::Slot {
  std::mutex mutex;
  std::shared_ptr<const std::string> bytes;
};

CubinCache::Settings CubinCache::Settings::from_environment(std::string nvrtc_given) {
  Settings settings;
  settings.search = NvrtcSearch::from_environment(std::move(nvrtc_given));
  settings.folder = DiskCache::default_folder();
  return settings;
}

CubinCache::CubinCache(Settings settings)
    : settings_(std::move(settings)), disk_(settings_.folder, "cubin", settings_.disk_limit) {}

CubinCache& CubinCache::instance() {
  static auto* const cache = new CubinCache(Settings::from_environment());
  return *cache;
}

Result<const Nvrtc*> CubinCache::nvrtc() {
  std::lock_guard lock(nvrtc_mutex_);
  if (nvrtc_ == nullptr || !*nvrtc_) {
    // A failure is not kept: the user may install the wheel while a notebook runs.
    nvrtc_ = std::make_unique<Result<Nvrtc>>(Nvrtc::find(settings_.search));
  }
  if (!*nvrtc_) return tl::unexpected(nvrtc_->error());
  return &**nvrtc_;
}

void CubinCache::warm_up() {
  Result<const Nvrtc*> compiler = nvrtc();
  if (!compiler) return;
  // The first compilation sets up NVRTC's tables.
  static_cast<void>((*compiler)->compile({.text = "__global__ void warm_up() {}\n"}));
}

// The file that a search finds first: path, size and time of change. Empty if only the dynamic
// loader can tell.
std::string CubinCache::library_identity() {
  {
    std::lock_guard lock(mutex_);
    if (!identity_.empty()) return identity_;
  }
  std::string path = settings_.search.library;
  if (path.empty()) {
    std::vector<std::string> candidates = nvrtc_candidates(settings_.search);
    if (!candidates.empty()) path = candidates.front();
  }
  struct stat status {};
  std::string identity;
  if (!path.empty() && stat(path.c_str(), &status) == 0) {
    identity = fmt::format("{} {} {}.{}", path, status.st_size, status.st_mtim.tv_sec,
                           status.st_mtim.tv_nsec);
  } else if (Result<const Nvrtc*> compiler = nvrtc()) {
    identity = fmt::format("{} {}", (*compiler)->path(), (*compiler)->version());
  }
  std::lock_guard lock(mutex_);
  identity_ = identity;
  return identity;
}

CacheKey CubinCache::key_of(const CompileRequest& request) {
  return content_key({request.text, fingerprint(request), library_identity()});
}

std::shared_ptr<CubinCache::Slot> CubinCache::slot_for(const CacheKey& key) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<Slot>& slot = slots_[key];
  if (slot == nullptr) slot = std::make_shared<Slot>();
  return slot;
}

void CubinCache::account(const CacheKey& key, std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  order_.emplace_back(key, bytes);
  bytes_ += bytes;
  while (bytes_ > settings_.memory_limit && order_.size() > 1) {
    slots_.erase(order_.front().first);
    bytes_ -= order_.front().second;
    order_.pop_front();
  }
}

Result<CubinCache::Cubin> CubinCache::get(const CompileRequest& request) {
  CacheKey key = key_of(request);
  std::shared_ptr<Slot> slot = slot_for(key);
  std::lock_guard lock(slot->mutex);
  if (slot->bytes != nullptr) return Cubin{slot->bytes, "", Origin::Memory};
  Result<Cubin> filled = fill(*slot, key, request);
  if (filled) account(key, filled->bytes->size());
  return filled;
}

Result<CubinCache::Cubin> CubinCache::fill(Slot& slot, const CacheKey& key,
                                           const CompileRequest& request) {
  Cubin cubin;
  if (std::optional<std::string> stored = disk_.find(key)) {
    cubin.origin = Origin::Disk;
    cubin.bytes = std::make_shared<const std::string>(*std::move(stored));
  } else {
    Result<const Nvrtc*> compiler = nvrtc();
    if (!compiler) return tl::unexpected(compiler.error());
    Result<Compiled> compiled = (*compiler)->compile(request);
    if (!compiled) return tl::unexpected(compiled.error());
    cubin.log = std::move(compiled->log);
    cubin.bytes = std::make_shared<const std::string>(std::move(compiled->binary));
    // A disk that refuses costs the next process a compilation, nothing else.
    static_cast<void>(disk_.store(key, *cubin.bytes));
  }
  slot.bytes = cubin.bytes;
  return cubin;
}

}  // namespace tirxcc::cuda
