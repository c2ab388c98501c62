// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/plan_launcher.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace tirxcc::cuda {
namespace {

// Kernels with more arguments than this get their pointer array from the heap.
constexpr std::size_t kArgumentsOnStack = 128;

Result<unsigned> as_unsigned(std::int64_t value, const char* what) {
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
    return fail(fmt::format("{} is {}, beyond what a GPU takes", what, value), ErrorClass::Value);
  }
  return static_cast<unsigned>(value);
}

Result<void> fill(unsigned (&out)[3], const std::int64_t (&values)[3], const char* what) {
  for (int axis = 0; axis < 3; ++axis) {
    Result<unsigned> value = as_unsigned(values[axis], what);
    if (!value) return tl::unexpected(value.error());
    out[axis] = *value;
  }
  return {};
}

// The options that are one number of the driver's.
constexpr std::array<std::pair<abi::LaunchOption, LaunchAttributeId>, 6> kNumbers = {{
    {abi::LaunchOption::ClusterSchedulingPolicy,
     LaunchAttributeId::ClusterSchedulingPolicyPreference},
    {abi::LaunchOption::MemSyncDomain, LaunchAttributeId::MemSyncDomain},
    {abi::LaunchOption::SharedMemoryCarveout, LaunchAttributeId::PreferredSharedMemoryCarveout},
    {abi::LaunchOption::NvlinkUtilCentricScheduling,
     LaunchAttributeId::NvlinkUtilCentricScheduling},
    {abi::LaunchOption::PortableClusterSizeMode, LaunchAttributeId::PortableClusterSizeMode},
    {abi::LaunchOption::SharedMemoryMode, LaunchAttributeId::SharedMemoryMode},
}};

void* as_pointer(std::int64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

AccessPolicyWindow window_of(const abi::LaunchOptions& options) {
  using enum abi::LaunchOption;
  return {
      .base = as_pointer(options.get(WindowBase)),
      .bytes = static_cast<std::size_t>(options.get(WindowBytes)),
      .hit_ratio = std::bit_cast<float>(static_cast<std::uint32_t>(options.get(WindowHitRatio))),
      .hit_property = static_cast<int>(options.get(WindowHitProperty)),
      .miss_property = static_cast<int>(options.get(WindowMissProperty))};
}

// Ranges were checked when the plan ran.
void add_options(const abi::LaunchOptions& options, LaunchAttributes& attributes) {
  using enum abi::LaunchOption;
  if (options.has(PreferredClusterX)) {
    attributes.preferred_cluster(static_cast<unsigned>(options.get(PreferredClusterX)),
                                 static_cast<unsigned>(options.get(PreferredClusterY)),
                                 static_cast<unsigned>(options.get(PreferredClusterZ)));
  }
  for (const auto& [option, id] : kNumbers) {
    if (options.has(option)) attributes.number(id, static_cast<int>(options.get(option)));
  }
  if (options.has(MemSyncDomainDefault)) {
    attributes.mem_sync_domain_map(static_cast<unsigned char>(options.get(MemSyncDomainDefault)),
                                   static_cast<unsigned char>(options.get(MemSyncDomainRemote)));
  }
  if (options.has(WindowBase)) attributes.access_policy_window(window_of(options));
  if (options.has(ProgrammaticEvent)) {
    attributes.programmatic_event(static_cast<CuEvent>(as_pointer(options.get(ProgrammaticEvent))),
                                  static_cast<int>(options.get(ProgrammaticEventFlags)),
                                  options.get(ProgrammaticEventAtBlockStart) != 0);
  }
  if (options.has(CompletionEvent)) {
    attributes.completion_event(static_cast<CuEvent>(as_pointer(options.get(CompletionEvent))),
                                static_cast<int>(options.get(CompletionEventFlags)));
  }
}

Result<void> add_attributes(const abi::LaunchRequest& request, LaunchAttributes& attributes) {
  if (request.cluster[0] != 0 && !request.is_cluster_in_code) {
    unsigned cluster[3];
    if (Result<void> filled = fill(cluster, request.cluster, "a cluster dimension"); !filled) {
      return filled;
    }
    attributes.cluster(cluster[0], cluster[1], cluster[2]);
  }
  if (request.cooperative) attributes.cooperative();
  if (request.programmatic_stream_serialization) attributes.programmatic_stream_serialization();
  if (request.has_priority) attributes.priority(request.priority);
  if (request.options != nullptr) add_options(*request.options, attributes);
  return {};
}

}  // namespace

Result<void> shape_of(const abi::LaunchRequest& request, LaunchShape& shape,
                      LaunchAttributes& attributes) {
  if (Result<void> filled = fill(shape.grid, request.grid, "a grid dimension"); !filled) {
    return filled;
  }
  if (Result<void> filled = fill(shape.block, request.block, "a block dimension"); !filled) {
    return filled;
  }
  for (int axis = 0; axis < 3 && request.is_cluster_in_code; ++axis) {
    shape.grid[axis] /= static_cast<unsigned>(request.cluster[axis]);
  }
  Result<unsigned> shared = as_unsigned(request.dynamic_smem_bytes, "dynamic_smem_bytes");
  if (!shared) return tl::unexpected(shared.error());
  shape.dynamic_shared = *shared;
  if (Result<void> added = add_attributes(request, attributes); !added) return added;
  shape.attributes = attributes.empty() ? nullptr : &attributes;
  if (request.options != nullptr && request.options->has(abi::LaunchOption::Stream)) {
    shape.stream =
        static_cast<CuStream>(as_pointer(request.options->get(abi::LaunchOption::Stream)));
    shape.has_own_stream = true;
  }
  return {};
}

Result<void> PlanLauncher::launch(const abi::LaunchRequest& request) {
  Result<LoadedKernel*> kernel = kernels_.kernel(request.region, request.variant);
  if (!kernel) return tl::unexpected(kernel.error());
  LaunchShape shape;
  shape.stream = stream_;
  LaunchAttributes attributes;
  if (Result<void> known = shape_of(request, shape, attributes); !known) return known;

  // The driver wants the address of each value. A value narrower than its 64-bit word lies at the
  // word's start (little endian).
  void* on_stack[kArgumentsOnStack];
  std::vector<void*> on_heap;
  void** pointers = on_stack;
  if (request.args.size() > kArgumentsOnStack) {
    on_heap.resize(request.args.size());
    pointers = on_heap.data();
  }
  for (std::size_t i = 0; i < request.args.size(); ++i) {
    pointers[i] = const_cast<std::uint64_t*>(&request.args[i]);
  }
  return cuda::launch(**kernel, device_, shape, pointers);
}

}  // namespace tirxcc::cuda
