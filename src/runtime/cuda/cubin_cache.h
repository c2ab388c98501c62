// SPDX-License-Identifier: Apache-2.0
//
// From CUDA text to machine code, at most once: what was compiled is kept in memory and on disk.
// A cubin that lies on disk is found without loading NVRTC, whose start alone takes a hundred
// milliseconds; that is why the key holds the identity of the library file and not the version that
// only the loaded library can tell.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/disk_cache.h"
#include "runtime/cuda/nvrtc.h"

namespace tirxcc::cuda {

class CubinCache {
 public:
  struct Settings {
    NvrtcSearch search = {};
    std::string folder = {};  // of the disk cache; empty: none
    std::uint64_t disk_limit = DiskCache::kDefaultLimit;
    std::uint64_t memory_limit = std::uint64_t{64} << 20;
    static Settings from_environment(std::string nvrtc_given = {});
  };

  enum class Origin : unsigned char { Memory, Disk, Compiler };

  struct Cubin {
    std::shared_ptr<const std::string> bytes;
    std::string log;  // NVRTC's warnings, when it was compiled now
    Origin origin = Origin::Compiler;
  };

  explicit CubinCache(Settings settings);

  // The cache of this process, as the environment asks for it at the first call. Never destroyed.
  static CubinCache& instance();

  // The binary of a request (cubin or PTX). Threads that ask for the same one at the same time wait
  // for a single compilation.
  Result<Cubin> get(const CompileRequest& request);

  // NVRTC, searched and loaded at first need.
  Result<const Nvrtc*> nvrtc();

  // Loads and starts NVRTC, if there is one, so that the first compilation finds it ready.
  void warm_up();

  DiskCache& disk() { return disk_; }

  // The name of a request's binary in both caches.
  CacheKey key_of(const CompileRequest& request);

 private:
  struct Slot;
  struct HashKey {
    std::size_t operator()(const CacheKey& key) const { return static_cast<std::size_t>(key.low); }
  };

  std::string library_identity();
  std::shared_ptr<Slot> slot_for(const CacheKey& key);
  Result<Cubin> fill(Slot& slot, const CacheKey& key, const CompileRequest& request);
  void account(const CacheKey& key, std::uint64_t bytes);

  Settings settings_;
  DiskCache disk_;

  std::mutex nvrtc_mutex_;
  std::unique_ptr<Result<Nvrtc>> nvrtc_;

  std::mutex mutex_;  // guards what follows
  std::unordered_map<CacheKey, std::shared_ptr<Slot>, HashKey> slots_;
  std::deque<std::pair<CacheKey, std::uint64_t>> order_;  // oldest first, with its bytes
  std::uint64_t bytes_ = 0;
  std::string identity_;
};

}  // namespace tirxcc::cuda
