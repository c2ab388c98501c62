// SPDX-License-Identifier: Apache-2.0
//
// See foreign_names.h. The table holds what cannot be found by rule; the rules find what has the
// same name in T or T.cuda (`sqrt`, `np.float32`, `__expf`, `tl.exp`).
#include "sema/foreign_names.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "abi/dtype.h"
#include "intrinsics/intrinsics.h"
#include "sema/builtins.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

constexpr std::array kForeign = {
    ForeignName{"Array", "T.Tensor((n,), T.float32)"},
    ForeignName{"Kernel", "T.device_entry(launch=T.cuda.LaunchConfig(grid=..., block=...))"},
    ForeignName{"NDArray", "T.Tensor((n,), T.float32)"},
    ForeignName{"NULL", "None"},
    ForeignName{"Parallel", "T.parallel"},
    ForeignName{"Pipelined", "T.serial"},
    ForeignName{"Pointer", "T.Tensor((n,), T.float32)"},
    ForeignName{"Symbol", "T.dynamic(\"n\")"},
    ForeignName{"__all_sync", "T.cuda.all_sync"},
    ForeignName{"__any_sync", "T.cuda.any_sync"},
    ForeignName{"__ballot_sync", "T.cuda.ballot_sync"},
    ForeignName{"__float2half", "T.float16"},
    ForeignName{"__half", "T.float16"},
    ForeignName{"__half2float", "T.float32"},
    ForeignName{"__ldg", "A[i]"},
    ForeignName{"__nv_bfloat16", "T.bfloat16"},
    ForeignName{"__popc", "T.popcount"},
    ForeignName{"__shfl", "T.cuda.__shfl_sync"},
    ForeignName{"__shfl_down", "T.cuda.__shfl_down_sync"},
    ForeignName{"__shfl_up", "T.cuda.__shfl_up_sync"},
    ForeignName{"__shfl_xor", "T.cuda.__shfl_xor_sync"},
    ForeignName{"__syncthreads", "T.cuda.cta_sync()"},
    ForeignName{"__syncwarp", "T.cuda.warp_sync()"},
    ForeignName{"__threadfence", "T.cuda.thread_fence()"},
    ForeignName{"__threadfence_block", "T.cuda.thread_fence_block()"},
    ForeignName{"__threadfence_system", "T.cuda.thread_fence_system()"},
    ForeignName{"absolute", "T.abs"},
    ForeignName{"activemask", "T.cuda.__activemask()"},
    ForeignName{"alloc", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"alloc_fragment", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"alloc_var", "x: T.float32 = 0.0"},
    ForeignName{"arange", "T.cuda.thread_idx(\"x\")"},
    ForeignName{"array", "T.Tensor((n,), T.float32)"},
    ForeignName{"atomic", "T.cuda.atomic_add(A.ptr_to([i]), value)"},
    ForeignName{"atomicAdd", "T.cuda.atomic_add"},
    ForeignName{"atomicAnd", "T.cuda.atomic_and"},
    ForeignName{"atomicCAS", "T.cuda.atomic_cas"},
    ForeignName{"atomicExch", "T.cuda.atomic_exch"},
    ForeignName{"atomicMax", "T.cuda.atomic_max"},
    ForeignName{"atomicMin", "T.cuda.atomic_min"},
    ForeignName{"atomicOr", "T.cuda.atomic_or"},
    ForeignName{"atomicSub", "T.cuda.atomic_sub"},
    ForeignName{"atomicXor", "T.cuda.atomic_xor"},
    ForeignName{"axis", "vi = i"},
    ForeignName{"ballot", "T.cuda.ballot_sync"},
    ForeignName{"barrier", "T.cuda.cta_sync()"},
    ForeignName{"bfloat", "T.bfloat16"},
    ForeignName{"bid", "T.cuda.block_idx(\"x\")"},
    ForeignName{"blockDim", "T.cuda.block_dim(\"x\")"},
    ForeignName{"blockIdx", "T.cuda.block_idx(\"x\")"},
    ForeignName{"block_id", "T.cuda.block_idx(\"x\")"},
    ForeignName{"block_sync", "T.cuda.cta_sync()"},
    ForeignName{"cdiv", "T.ceildiv"},
    ForeignName{"char", "T.int8"},
    ForeignName{"clamp", "T.max(low, T.min(x, high))"},
    ForeignName{"clear", "A[i] = 0.0"},
    ForeignName{"clip", "T.max(low, T.min(x, high))"},
    ForeignName{"copy", "B[i] = A[i]"},
    ForeignName{"debug_barrier", "T.cuda.cta_sync()"},
    ForeignName{"device_assert", "assert condition, \"text\""},
    ForeignName{"device_print", "T.cuda.printf(\"%d %f\\n\", i, x)"},
    ForeignName{"double", "T.float64"},
    ForeignName{"empty", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"empty_like", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"exit", "T.gpu_thread_return()"},
    ForeignName{"false", "False"},
    ForeignName{"fill", "A[i] = value"},
    ForeignName{"float", "T.float32"},
    ForeignName{"fmax", "T.max"},
    ForeignName{"fmaxf", "T.max"},
    ForeignName{"fmin", "T.min"},
    ForeignName{"fminf", "T.min"},
    ForeignName{"fp16", "T.float16"},
    ForeignName{"fp32", "T.float32"},
    ForeignName{"fp64", "T.float64"},
    ForeignName{"full", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"get_block_binding", "T.cuda.block_idx(\"x\")"},
    ForeignName{"get_global_id",
                "T.cuda.block_idx(\"x\") * T.cuda.block_dim(\"x\") + T.cuda.thread_idx(\"x\")"},
    ForeignName{"get_group_id", "T.cuda.block_idx(\"x\")"},
    ForeignName{"get_lane_idx", "T.cuda.lane_id()"},
    ForeignName{"get_local_id", "T.cuda.thread_idx(\"x\")"},
    ForeignName{"get_local_size", "T.cuda.block_dim(\"x\")"},
    ForeignName{"get_num_groups", "T.cuda.grid_dim(\"x\")"},
    ForeignName{"get_thread_binding", "T.cuda.thread_idx(\"x\")"},
    ForeignName{"get_warp_idx", "T.cuda.warp_id()"},
    ForeignName{"grid",
                "T.cuda.block_idx(\"x\") * T.cuda.block_dim(\"x\") + T.cuda.thread_idx(\"x\")"},
    ForeignName{"gridDim", "T.cuda.grid_dim(\"x\")"},
    ForeignName{"gridsize", "T.cuda.grid_dim(\"x\") * T.cuda.block_dim(\"x\")"},
    ForeignName{"half", "T.float16"},
    ForeignName{"inf", "T.float32(\"inf\")"},
    ForeignName{"int", "T.int32"},
    ForeignName{"int16_t", "T.int16"},
    ForeignName{"int32_t", "T.int32"},
    ForeignName{"int64_t", "T.int64"},
    ForeignName{"int8_t", "T.int8"},
    ForeignName{"jit", "@T.function"},
    ForeignName{"kernel", "@T.function"},
    ForeignName{"laneid", "T.cuda.lane_id()"},
    ForeignName{"launch", "T.device_entry(launch=T.cuda.LaunchConfig(grid=..., block=...))"},
    ForeignName{"load", "A[i]"},
    ForeignName{"local", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"local_array", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"long", "T.int64"},
    ForeignName{"maximum", "T.max"},
    ForeignName{"minimum", "T.min"},
    ForeignName{"mod", "a % b"},
    ForeignName{"nan", "T.float32(\"nan\")"},
    ForeignName{"ndarray", "T.Tensor((n,), T.float32)"},
    ForeignName{"null", "None"},
    ForeignName{"nullptr", "None"},
    ForeignName{"num_programs", "T.cuda.grid_dim(\"x\")"},
    ForeignName{"ones", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"pid", "T.cuda.block_idx(\"x\")"},
    ForeignName{"pointer", "T.Tensor((n,), T.float32)"},
    ForeignName{"popc", "T.popcount"},
    ForeignName{"power", "T.pow"},
    ForeignName{"prange", "T.parallel"},
    ForeignName{"print", "T.cuda.printf(\"%d %f\\n\", i, x)"},
    ForeignName{"printf", "T.cuda.printf"},
    ForeignName{"println", "T.cuda.printf(\"%d %f\\n\", i, x)"},
    ForeignName{"program_id", "T.cuda.block_idx(\"x\")"},
    ForeignName{"ptr", "T.Tensor((n,), T.float32)"},
    ForeignName{"range_constexpr", "T.unroll"},
    ForeignName{"relu", "T.max(x, 0.0)"},
    ForeignName{"return_", "T.gpu_thread_return()"},
    ForeignName{"select", "T.if_then_else"},
    ForeignName{"shared", "T.alloc_shared((256,), \"float32\")"},
    ForeignName{"shared_array", "T.alloc_shared((256,), \"float32\")"},
    ForeignName{"shared_memory", "T.alloc_shared((256,), \"float32\")"},
    ForeignName{"shfl", "T.cuda.__shfl_sync"},
    ForeignName{"shfl_down", "T.cuda.__shfl_down_sync"},
    ForeignName{"shfl_down_sync", "T.cuda.__shfl_down_sync"},
    ForeignName{"shfl_sync", "T.cuda.__shfl_sync"},
    ForeignName{"shfl_up", "T.cuda.__shfl_up_sync"},
    ForeignName{"shfl_up_sync", "T.cuda.__shfl_up_sync"},
    ForeignName{"shfl_xor", "T.cuda.__shfl_xor_sync"},
    ForeignName{"shfl_xor_sync", "T.cuda.__shfl_xor_sync"},
    ForeignName{"short", "T.int16"},
    ForeignName{"size_t", "T.int64"},
    ForeignName{"square", "x * x"},
    ForeignName{"static_cast", "T.float32(x)"},
    ForeignName{"static_print", "T.cuda.printf(\"%d %f\\n\", i, x)"},
    ForeignName{"static_range", "T.unroll"},
    ForeignName{"store", "A[i] = value"},
    ForeignName{"symbol", "T.dynamic(\"n\")"},
    ForeignName{"symbolic", "T.dynamic(\"n\")"},
    ForeignName{"sync", "T.cuda.cta_sync()"},
    ForeignName{"sync_threads", "T.cuda.cta_sync()"},
    ForeignName{"synchronize", "T.cuda.cta_sync()"},
    ForeignName{"syncthreads", "T.cuda.cta_sync()"},
    ForeignName{"syncwarp", "T.cuda.warp_sync()"},
    ForeignName{"threadIdx", "T.cuda.thread_idx(\"x\")"},
    ForeignName{"thread_return", "T.gpu_thread_return()"},
    ForeignName{"threadfence", "T.cuda.thread_fence()"},
    ForeignName{"threadfence_block", "T.cuda.thread_fence_block()"},
    ForeignName{"tid", "T.cuda.thread_idx(\"x\")"},
    ForeignName{"true", "True"},
    ForeignName{"true_divide", "a / b"},
    ForeignName{"tvm_storage_sync", "T.cuda.cta_sync()"},
    ForeignName{"uint", "T.uint32"},
    ForeignName{"uint16_t", "T.uint16"},
    ForeignName{"uint32_t", "T.uint32"},
    ForeignName{"uint64_t", "T.uint64"},
    ForeignName{"uint8_t", "T.uint8"},
    ForeignName{"unsigned", "T.uint32"},
    ForeignName{"vectorize", "T.vectorized"},
    ForeignName{"warpSize", "32"},
    ForeignName{"warpsize", "32"},
    ForeignName{"where", "T.if_then_else"},
    ForeignName{"zeros", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"zeros_like", "T.alloc_local((4,), \"float32\")"},
};

// Names for the parts of a launch, elsewhere, and what T.cuda.LaunchConfig calls them.
struct ForeignField {
  std::string_view foreign;
  std::string_view ours;
};
constexpr ForeignField kLaunchFields[] = {
    {"block_count", "grid"},
    {"block_dim", "block"},
    {"block_size", "block"},
    {"blockdim", "block"},
    {"blocks", "grid"},
    {"blocks_per_grid", "grid"},
    {"dynamic_smem", "dynamic_smem_bytes"},
    {"grid_dim", "grid"},
    {"grid_size", "grid"},
    {"griddim", "grid"},
    {"nblocks", "grid"},
    {"nthreads", "block"},
    {"num_blocks", "grid"},
    {"num_threads", "block"},
    {"num_warps", "block"},
    {"shared", "dynamic_smem_bytes"},
    {"shared_mem", "dynamic_smem_bytes"},
    {"shared_mem_bytes", "dynamic_smem_bytes"},
    {"sharedmem", "dynamic_smem_bytes"},
    {"smem", "dynamic_smem_bytes"},
    {"smem_bytes", "dynamic_smem_bytes"},
    {"thread_count", "block"},
    {"threads", "block"},
    {"threads_per_block", "block"},
    {"threadsperblock", "block"},
};

constexpr bool is_sorted_by_name() {
  for (std::size_t i = 1; i < kForeign.size(); ++i) {
    if (kForeign[i - 1].foreign >= kForeign[i].foreign) return false;
  }
  return true;
}
static_assert(is_sorted_by_name(), "kForeign must be sorted, without a name twice");

// Modules whose functions people expect in a kernel.
constexpr std::array<std::string_view, 21> kModules = {
    "F",     "cmath", "cp",  "cuda", "cupy", "jax",   "jnp",    "libdevice", "math",   "nb", "np",
    "numba", "numpy", "ops", "tir",  "tl",   "torch", "triton", "tirx",      "tirxcc", "tx"};

bool is_function_of_t(std::string_view path, char dialect) {
  // T.thread_id and its like are the native level's.
  if (dialect == 'A' && path.ends_with("_id") && !path.starts_with("cuda.")) return false;
  if (intrinsics::find(path, dialect) != nullptr || parse_dtype(path)) return true;
  const BuiltinRow* row = find_builtin(path);
  if (row == nullptr) return false;
  return row->family != BuiltinFamily::Python && row->family != BuiltinFamily::Math &&
         row->family != BuiltinFamily::Namespace;
}

// The function of T with this name, give or take CUDA's decorations: `__expf` -> T.exp.
std::string same_name(std::string_view name, char dialect) {
  while (true) {
    if (is_function_of_t(name, dialect)) return "T." + std::string(name);
    const std::string in_cuda = "cuda." + std::string(name);
    if (is_function_of_t(in_cuda, dialect)) return "T." + in_cuda;
    if (name.starts_with("__") && name.size() > 2) {
      name.remove_prefix(2);
    } else if (name.ends_with('f') && name.size() > 3) {
      name.remove_suffix(1);
    } else {
      return {};
    }
  }
}

// Offers the names directly inside the namespace that `prefix` names ("cuda.").
void offer_members(NearestName& nearest, std::string_view prefix) {
  const auto offer = [&](std::string_view path) {
    if (!path.starts_with(prefix)) return;
    path.remove_prefix(prefix.size());
    if (path.find('.') == std::string_view::npos) nearest.offer(path);
  };
  for (const BuiltinRow& row : builtins()) {
    if (!prefix.empty() || (!row.path.starts_with("py.") && !row.path.starts_with("math."))) {
      offer(row.path);
    }
  }
  for (const intrinsics::Intrinsic& row : intrinsics::table())
    offer(row.name);
}

std::string_view in_table(std::string_view name) {
  const auto at = std::lower_bound(
      kForeign.begin(), kForeign.end(), name,
      [](const ForeignName& row, std::string_view wanted) { return row.foreign < wanted; });
  return at != kForeign.end() && at->foreign == name ? at->ours : std::string_view();
}

// `threadIdx.y`: the axis goes into the advice.
std::string with_axis(std::string_view ours, std::string_view axis) {
  std::string text(ours);
  const std::size_t at = text.find("\"x\"");
  if (at != std::string::npos) text[at + 1] = axis[0];
  return text;
}

std::string instead_of_member(std::string_view member, char dialect) {
  if (const std::string_view ours = in_table(member); !ours.empty()) return std::string(ours);
  return same_name(member, dialect);
}

std::string advice(std::string_view ours) {
  if (ours.empty()) return {};
  const std::size_t end = std::min(ours.find('('), ours.size());
  const BuiltinRow* row = ours.starts_with("T.") ? find_builtin(ours.substr(2, end - 2)) : nullptr;
  const bool is_later = row != nullptr && row->family == BuiltinFamily::Later;
  // These stand around a kernel.
  const bool is_outside =
      ours.starts_with("@") || ours.starts_with("T.Tensor") || ours.starts_with("T.dynamic");
  return fmt::format("{}write '{}'{}", is_outside ? "" : "in a kernel, ", ours,
                     is_later ? ", which is not supported yet" : "");
}

}  // namespace

std::span<const ForeignName> foreign_names() {
  return kForeign;
}

std::string advice_for_member(std::string_view member, char dialect) {
  return advice(instead_of_member(member, dialect));
}

std::string note_for_member(std::string_view owner, std::string_view member, char dialect) {
  std::string note = advice_for_member(member, dialect);
  if (!note.empty()) return note;
  const std::string prefix = owner.empty() ? "" : fmt::format("{}.", owner);
  NearestName nearest(member);
  offer_members(nearest, prefix);
  if (nearest.result().empty()) return {};
  const std::string_view t = owner == "math" ? "" : "T.";
  return fmt::format("did you mean '{}{}{}'?", t, prefix, nearest.result());
}

std::string_view launch_field_for(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  for (const ForeignField& field : kLaunchFields) {
    if (field.foreign == lower) return field.ours;
  }
  return {};
}

std::string_view type_for(std::string_view name) {
  const std::string_view ours = in_table(name);
  return ours.starts_with("T.") && parse_dtype(ours.substr(2)) ? ours : std::string_view();
}

std::string advice_instead_of(std::string_view path) {
  return advice(in_table(path));
}

std::string advice_for_name(std::string_view name, std::string_view member, char dialect) {
  const bool is_module = std::find(kModules.begin(), kModules.end(), name) != kModules.end();
  if (is_module) {
    const std::string ours = instead_of_member(member, dialect);
    return ours.empty() ? "a kernel can only use the functions of T" : advice(ours);
  }
  const bool is_axis = member == "x" || member == "y" || member == "z";
  if (!member.empty() && !is_axis) return {};
  const std::string ours = instead_of_member(name, dialect);
  return advice(is_axis ? with_axis(ours, member) : ours);
}

}  // namespace tirxcc::sema
