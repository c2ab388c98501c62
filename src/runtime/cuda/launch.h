// SPDX-License-Identifier: Apache-2.0
//
// Starting a kernel. The way from here to the driver is kept short: no allocation, no lock, no text
// unless the driver refuses.
#pragma once

#include <array>
#include <span>

#include "base/result.h"
#include "runtime/cuda/module.h"

namespace tirxcc::cuda {

// Attributes of one launch (language.md 2.1), in a fixed place. Each at most once.
class LaunchAttributes {
 public:
  void cluster(unsigned x, unsigned y, unsigned z) {
    add(LaunchAttributeId::ClusterDimension).dim = {x, y, z};
  }
  void preferred_cluster(unsigned x, unsigned y, unsigned z) {
    add(LaunchAttributeId::PreferredClusterDimension).dim = {x, y, z};
  }
  void cooperative() { add(LaunchAttributeId::Cooperative).number = 1; }
  void programmatic_stream_serialization() {
    add(LaunchAttributeId::ProgrammaticStreamSerialization).number = 1;
  }
  void priority(int value) { add(LaunchAttributeId::Priority).number = value; }
  // Policies and percentages: the driver's own numbers.
  void number(LaunchAttributeId id, int value) { add(id).number = value; }
  void mem_sync_domain_map(unsigned char normal, unsigned char remote) {
    add(LaunchAttributeId::MemSyncDomainMap).domains = {normal, remote};
  }
  void access_policy_window(const AccessPolicyWindow& window) {
    add(LaunchAttributeId::AccessPolicyWindow).window = window;
  }
  void programmatic_event(CuEvent event, int flags, bool at_block_start) {
    add(LaunchAttributeId::ProgrammaticEvent).event = {event, flags, at_block_start ? 1 : 0};
  }
  void completion_event(CuEvent event, int flags) {
    add(LaunchAttributeId::LaunchCompletionEvent).event = {event, flags, 0};
  }

  bool empty() const { return count_ == 0; }
  std::span<LaunchAttribute> all() { return {attributes_.data(), count_}; }
  std::span<const LaunchAttribute> all() const { return {attributes_.data(), count_}; }

 private:
  decltype(LaunchAttribute::value)& add(LaunchAttributeId id);

  std::array<LaunchAttribute, 16> attributes_;  // only the first count_ are initialised
  std::size_t count_ = 0;
};

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned dynamic_shared = 0;  // bytes
  CuStream stream = nullptr;    // null: the legacy default stream
  bool has_own_stream = false;  // the kernel says which, whatever the caller's is
  LaunchAttributes* attributes = nullptr;
};

// Starts the kernel on a device and returns; `arguments` are addresses of the values. A grid with a
// zero launches nothing. The caller's context is used if it is of that device, else the device's
// primary context for the length of the call.
Result<void> launch(LoadedKernel& kernel, int device, const LaunchShape& shape, void** arguments);

}  // namespace tirxcc::cuda
