// SPDX-License-Identifier: Apache-2.0
//
// What a launch may ask for beyond its sizes and the few flags of every day (language.md 2.1). Most
// launches ask for none of it, so it is kept apart: one list, which the language's names, the
// printer, the checks at a call and the driver's attributes are made from.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tirxcc::abi {

// In order of the fields of T.cuda.LaunchConfig; a field that is a structure has one for each part.
enum class LaunchOption : std::uint8_t {
  PreferredClusterX,
  PreferredClusterY,
  PreferredClusterZ,
  Stream,
  ClusterSchedulingPolicy,
  MemSyncDomain,
  MemSyncDomainDefault,
  MemSyncDomainRemote,
  WindowBase,
  WindowBytes,
  WindowHitRatio,
  WindowHitProperty,
  WindowMissProperty,
  SharedMemoryCarveout,
  NvlinkUtilCentricScheduling,
  PortableClusterSizeMode,
  SharedMemoryMode,
  ProgrammaticEvent,
  ProgrammaticEventFlags,
  ProgrammaticEventAtBlockStart,
  CompletionEvent,
  CompletionEventFlags,
};
inline constexpr std::size_t kLaunchOptionCount = 22;

enum class LaunchOptionKind : std::uint8_t {
  Number,   // a host formula between `least` and `largest`
  Flag,     // True or False
  Word,     // one of `words`; its place there is the driver's number
  Ratio,    // a float32 between 0 and 1
  Address,  // of memory, or a handle of the driver's; as a number or as a parameter
};

struct LaunchOptionInfo {
  LaunchOption option;
  std::string_view field;  // of T.cuda.LaunchConfig
  std::string_view part;   // of the structure that the field is; "" if it is none
  LaunchOptionKind kind;
  std::int64_t least = 0;
  std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  std::span<const std::string_view> words = {};
};

inline constexpr std::array<std::string_view, 3> kSchedulingPolicies = {"default", "spread",
                                                                        "load_balancing"};
inline constexpr std::array<std::string_view, 2> kMemSyncDomains = {"default", "remote"};
inline constexpr std::array<std::string_view, 3> kAccessProperties = {"normal", "streaming",
                                                                      "persisting"};
inline constexpr std::array<std::string_view, 3> kClusterSizeModes = {"default", "require_portable",
                                                                      "allow_non_portable"};
inline constexpr std::array<std::string_view, 5> kSharedMemoryModes = {
    "default", "require_portable", "allow_non_portable", "allow_oversized", "prefer_oversized"};

// By the option's number.
inline constexpr std::array<LaunchOptionInfo, kLaunchOptionCount> kLaunchOptions = [] {
  using enum LaunchOption;
  using enum LaunchOptionKind;
  constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
  return std::array<LaunchOptionInfo, kLaunchOptionCount>{{
      {PreferredClusterX, "preferred_cluster", "x", Number, 1, 1024},
      {PreferredClusterY, "preferred_cluster", "y", Number, 1, 1024},
      {PreferredClusterZ, "preferred_cluster", "z", Number, 1, 1024},
      {Stream, "stream", "", Address},
      {ClusterSchedulingPolicy, "cluster_scheduling_policy", "", Word, 0, 2, kSchedulingPolicies},
      {MemSyncDomain, "mem_sync_domain", "", Word, 0, 1, kMemSyncDomains},
      {MemSyncDomainDefault, "mem_sync_domain_map", "default", Number, 0, 255},
      {MemSyncDomainRemote, "mem_sync_domain_map", "remote", Number, 0, 255},
      {WindowBase, "access_policy_window", "base_ptr", Address},
      {WindowBytes, "access_policy_window", "num_bytes", Number, 0, kMostBytes},
      {WindowHitRatio, "access_policy_window", "hit_ratio", Ratio},
      {WindowHitProperty, "access_policy_window", "hit_prop", Word, 0, 2, kAccessProperties},
      {WindowMissProperty, "access_policy_window", "miss_prop", Word, 0, 2, kAccessProperties},
      {SharedMemoryCarveout, "preferred_shared_memory_carveout", "", Number, 0, 100},
      {NvlinkUtilCentricScheduling, "nvlink_util_centric_scheduling", "", Flag, 0, 1},
      {PortableClusterSizeMode, "portable_cluster_size_mode", "", Word, 0, 2, kClusterSizeModes},
      {SharedMemoryMode, "shared_memory_mode", "", Word, 0, 4, kSharedMemoryModes},
      {ProgrammaticEvent, "programmatic_event", "event", Address},
      {ProgrammaticEventFlags, "programmatic_event", "flags", Number},
      {ProgrammaticEventAtBlockStart, "programmatic_event", "trigger_at_block_start", Flag, 0, 1},
      {CompletionEvent, "launch_completion_event", "event", Address},
      {CompletionEventFlags, "launch_completion_event", "flags", Number},
  }};
}();

constexpr const LaunchOptionInfo& info_of(LaunchOption option) {
  return kLaunchOptions[static_cast<std::size_t>(option)];
}

static_assert([] {
  for (std::size_t i = 0; i < kLaunchOptionCount; ++i) {
    if (kLaunchOptions[i].option != static_cast<LaunchOption>(i)) return false;
  }
  return true;
}());

// The values that one launch asks for.
struct LaunchOptions {
  std::uint32_t given = 0;   // a bit for each option
  bool has_address = false;  // one that was taken from a parameter, and may change with each call
  std::array<std::int64_t, kLaunchOptionCount> values = {};

  bool has(LaunchOption option) const { return (given >> static_cast<unsigned>(option) & 1) != 0; }
  std::int64_t get(LaunchOption option) const { return values[static_cast<std::size_t>(option)]; }
  void set(LaunchOption option, std::int64_t value) {
    given |= 1U << static_cast<unsigned>(option);
    values[static_cast<std::size_t>(option)] = value;
  }
};

}  // namespace tirxcc::abi
