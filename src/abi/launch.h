// SPDX-License-Identifier: Apache-2.0
//
// Running a launch plan: check and bind the arguments (language.md 2.3 with rules 14, 25, 33), pick
// the variant of each kernel, evaluate sizes, launch. Nothing is allocated or formatted unless the
// call fails.
#pragma once

#include <cstdint>
#include <span>

#include "abi/argument.h"
#include "abi/plan.h"
#include "base/result.h"

namespace tirxcc::abi {

// Where kernels of a plan run. `args` holds one 64-bit word per RegionSpec::args entry: a tensor's
// address, or a scalar in slot representation.
struct LaunchRequest {
  std::uint32_t region = 0;  // index into Plan::regions
  std::uint8_t variant = 0;  // Variant bits
  std::int64_t grid[3] = {1, 1, 1};
  std::int64_t block[3] = {1, 1, 1};
  std::int64_t cluster[3] = {0, 0, 0};  // 0: not a cluster launch
  // The machine code says so too, and the driver is told how many clusters there are, not blocks
  // (PTX ISA, .blocksareclusters).
  bool is_cluster_in_code = false;
  std::int64_t dynamic_smem_bytes = 0;
  bool cooperative = false;
  bool programmatic_stream_serialization = false;
  bool has_priority = false;
  std::int32_t priority = 0;
  const LaunchOptions* options = nullptr;  // null: none is given
  std::span<const std::uint64_t> args;
  std::uint64_t* result =
      nullptr;  // Host regions with a result: receives it in slot representation
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  // Starts one kernel (a CPU launcher also finishes it). grid and block are at least 1.
  virtual Result<void> launch(const LaunchRequest& request) = 0;
};

// A launch that had no blocks.
struct EmptyLaunch {
  bool is_set = false;
  std::uint32_t region = 0;
  int axis = 0;  // whose grid size is 0
};

struct RunOptions {
  Device device = {};                    // all tensors must live there
  std::uint8_t force_variant = 0;        // tests: these Variant bits in addition
  std::uint8_t* variants_run = nullptr;  // receives the OR of what ran; null: not wanted
  EmptyLaunch* empty = nullptr;          // receives the first such launch; null: not wanted
};

// The most words a plan may need; larger plans are refused when they are built.
inline constexpr int kMaxSlots = 1024;

// Runs the plan. The result, if the function has one, is in slot representation.
Result<std::uint64_t> run(const Plan& plan, std::span<const Argument> args, Launcher& launcher,
                          const RunOptions& options);

// A scalar argument in slot representation, range-checked against `type`; a message fragment
// ("300 does not fit uint8") if it cannot be.
Result<std::uint64_t> to_slot(const Argument& argument, DType type);

}  // namespace tirxcc::abi
