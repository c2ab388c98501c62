// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/plan_launcher.h"

#include <fmt/format.h>

#include <limits>
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

Result<void> add_attributes(const abi::LaunchRequest& request, LaunchAttributes& attributes) {
  if (request.cluster[0] != 0) {
    unsigned cluster[3];
    if (Result<void> filled = fill(cluster, request.cluster, "a cluster dimension"); !filled) {
      return filled;
    }
    attributes.cluster(cluster[0], cluster[1], cluster[2]);
  }
  if (request.cooperative) attributes.cooperative();
  if (request.programmatic_stream_serialization) attributes.programmatic_stream_serialization();
  if (request.has_priority) attributes.priority(request.priority);
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
  Result<unsigned> shared = as_unsigned(request.dynamic_smem_bytes, "dynamic_smem_bytes");
  if (!shared) return tl::unexpected(shared.error());
  shape.dynamic_shared = *shared;
  if (Result<void> added = add_attributes(request, attributes); !added) return added;
  shape.attributes = attributes.empty() ? nullptr : &attributes;
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
