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

namespace tirxcc::sema {
namespace {

constexpr std::array kForeign = {
    ForeignName{"Kernel", "T.device_entry(launch=T.cuda.LaunchConfig(grid=..., block=...))"},
    ForeignName{"__syncthreads", "T.cuda.cta_sync()"},
    ForeignName{"__syncwarp", "T.cuda.warp_sync()"},
    ForeignName{"__threadfence", "T.cuda.thread_fence()"},
    ForeignName{"absolute", "T.abs"},
    ForeignName{"arange", "T.cuda.thread_idx(\"x\")"},
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
    ForeignName{"barrier", "T.cuda.cta_sync()"},
    ForeignName{"blockDim", "T.cuda.block_dim(\"x\")"},
    ForeignName{"blockIdx", "T.cuda.block_idx(\"x\")"},
    ForeignName{"block_sync", "T.cuda.cta_sync()"},
    ForeignName{"cdiv", "T.ceildiv"},
    ForeignName{"char", "T.int8"},
    ForeignName{"clamp", "T.max(low, T.min(x, high))"},
    ForeignName{"clip", "T.max(low, T.min(x, high))"},
    ForeignName{"debug_barrier", "T.cuda.cta_sync()"},
    ForeignName{"double", "T.float64"},
    ForeignName{"empty", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"exit", "T.gpu_thread_return()"},
    ForeignName{"false", "False"},
    ForeignName{"float", "T.float32"},
    ForeignName{"fmax", "T.max"},
    ForeignName{"fmaxf", "T.max"},
    ForeignName{"fmin", "T.min"},
    ForeignName{"fminf", "T.min"},
    ForeignName{"full", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"grid",
                "T.cuda.block_idx(\"x\") * T.cuda.block_dim(\"x\") + "
                "T.cuda.thread_idx(\"x\")"},
    ForeignName{"gridDim", "T.cuda.grid_dim(\"x\")"},
    ForeignName{"gridsize", "T.cuda.grid_dim(\"x\") * T.cuda.block_dim(\"x\")"},
    ForeignName{"half", "T.float16"},
    ForeignName{"inf", "T.float32(\"inf\")"},
    ForeignName{"int", "T.int32"},
    ForeignName{"jit", "@T.function"},
    ForeignName{"kernel", "@T.function"},
    ForeignName{"laneid", "T.cuda.lane_id()"},
    ForeignName{"load", "A[i]"},
    ForeignName{"local", "T.alloc_local((4,), \"float32\")"},
    ForeignName{"long", "T.int64"},
    ForeignName{"maximum", "T.max"},
    ForeignName{"minimum", "T.min"},
    ForeignName{"mod", "a % b"},
    ForeignName{"nan", "T.float32(\"nan\")"},
    ForeignName{"null", "None"},
    ForeignName{"nullptr", "None"},
    ForeignName{"num_programs", "T.cuda.grid_dim(\"x\")"},
    ForeignName{"power", "T.pow"},
    ForeignName{"prange", "T.parallel"},
    ForeignName{"print", "T.cuda.printf"},
    ForeignName{"printf", "T.cuda.printf"},
    ForeignName{"program_id", "T.cuda.block_idx(\"x\")"},
    ForeignName{"range_constexpr", "T.unroll"},
    ForeignName{"return_", "T.gpu_thread_return()"},
    ForeignName{"select", "T.if_then_else"},
    ForeignName{"shared", "T.alloc_shared((256,), \"float32\")"},
    ForeignName{"short", "T.int16"},
    ForeignName{"static_range", "T.unroll"},
    ForeignName{"store", "A[i] = value"},
    ForeignName{"sync", "T.cuda.cta_sync()"},
    ForeignName{"sync_threads", "T.cuda.cta_sync()"},
    ForeignName{"synchronize", "T.cuda.cta_sync()"},
    ForeignName{"syncthreads", "T.cuda.cta_sync()"},
    ForeignName{"syncwarp", "T.cuda.warp_sync()"},
    ForeignName{"threadIdx", "T.cuda.thread_idx(\"x\")"},
    ForeignName{"thread_return", "T.gpu_thread_return()"},
    ForeignName{"threadfence", "T.cuda.thread_fence()"},
    ForeignName{"true", "True"},
    ForeignName{"true_divide", "a / b"},
    ForeignName{"uint", "T.uint32"},
    ForeignName{"unsigned", "T.uint32"},
    ForeignName{"vectorize", "T.vectorized"},
    ForeignName{"warpSize", "32"},
    ForeignName{"warpsize", "32"},
    ForeignName{"where", "T.if_then_else"},
    ForeignName{"zeros", "T.alloc_local((4,), \"float32\")"},
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
  return fmt::format("in a kernel, write '{}'{}", ours,
                     is_later ? ", which is not supported yet" : "");
}

}  // namespace

std::span<const ForeignName> foreign_names() {
  return kForeign;
}

std::string advice_for_member(std::string_view member, char dialect) {
  return advice(instead_of_member(member, dialect));
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
