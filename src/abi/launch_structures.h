// SPDX-License-Identifier: Apache-2.0
//
// The fields of T.cuda.LaunchConfig that are structures, and what makes one: for what reads and
// writes kernel text. The options themselves are in launch_options.h.
#pragma once

#include <array>
#include <string_view>

#include "abi/launch_options.h"

namespace tirxcc::abi {

struct LaunchStructure {
  std::string_view field;
  std::string_view type;  // behind `T.`
};

inline constexpr std::array<LaunchStructure, 4> kLaunchStructures = {{
    {"mem_sync_domain_map", "cuda.MemSyncDomainMap"},
    {"access_policy_window", "cuda.AccessPolicyWindow"},
    {"programmatic_event", "cuda.ProgrammaticEvent"},
    {"launch_completion_event", "cuda.LaunchCompletionEvent"},
}};

// What makes the structure that a field is; "" if the field is none.
constexpr std::string_view structure_of(std::string_view field) {
  for (const LaunchStructure& structure : kLaunchStructures) {
    if (structure.field == field) return structure.type;
  }
  return {};
}

}  // namespace tirxcc::abi
