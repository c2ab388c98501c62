// SPDX-License-Identifier: Apache-2.0
#include "passes/shared_size.h"

#include <algorithm>

#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kSharedSize{"shared-size", Severity::Error, ErrorClass::Value,
                                 "{} bytes of shared memory; on sm_{} a block has at most {}"};

constexpr std::int64_t kLeastAlignment = 16;
// More than any GPU has: sums of a few of these do not overflow.
constexpr int128 kTooMany = std::int64_t{1} << 40;
constexpr std::size_t kMostListed = 8;

// Bytes of an array of constant size; -1 if the launch decides.
std::int64_t bytes_of(const ir::Tensor& tensor) {
  int128 bytes = tensor.dtype.bytes();
  for (const ir::Expr* extent : tensor.shape) {
    const ir::IntImm* literal = ir::as_int(extent);
    if (literal == nullptr) return -1;
    bytes = std::min<int128>(bytes * literal->value, kTooMany);
  }
  return static_cast<std::int64_t>(bytes);
}

std::int64_t placed_after(std::int64_t end, const SharedUse::Array& array) {
  const std::int64_t align =
      std::max<std::int64_t>({kLeastAlignment, array.tensor->align, array.tensor->dtype.bytes()});
  return std::min<std::int64_t>((end + align - 1) / align * align + array.bytes,
                                static_cast<std::int64_t>(kTooMany));
}

}  // namespace

source::Span SharedUse::place(const ir::Kernel& kernel) const {
  const Array* largest = nullptr;
  for (const Array& array : arrays) {
    if (largest == nullptr || array.bytes > largest->bytes) largest = &array;
  }
  return largest != nullptr ? largest->tensor->span : kernel.launch.span;
}

SharedUse shared_use(const ir::Kernel& kernel) {
  SharedUse use;
  std::int64_t of_launch = 0;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    const auto* alloc = ir::as<ir::Alloc>(&stmt);
    if (alloc == nullptr) return;
    const ir::Tensor& tensor = *alloc->tensor;
    if (tensor.scope != ir::Scope::Shared && tensor.scope != ir::Scope::SharedDyn) return;
    const SharedUse::Array array{&tensor, bytes_of(tensor)};
    if (array.bytes < 0) return;
    use.arrays.push_back(array);
    std::int64_t& end = tensor.scope == ir::Scope::Shared ? use.bytes : of_launch;
    end = placed_after(end, array);
  });
  if (const ir::IntImm* given = ir::as_int(kernel.launch.dynamic_smem_bytes)) {
    of_launch =
        std::max(of_launch, static_cast<std::int64_t>(std::min<int128>(given->value, kTooMany)));
  }
  use.bytes += of_launch;
  return use;
}

// CUDA C++ Programming Guide, technical specifications per compute capability.
std::int64_t shared_limit(int sm) {
  const int kib = sm < 75                ? 96
                  : sm < 80              ? 64
                  : sm == 80 || sm == 87 ? 163
                  : sm < 90              ? 99
                  : sm < 120             ? 227
                                         : 99;
  return std::int64_t{kib} * 1024;
}

bool check_shared_size(const ir::Kernel& kernel, PassContext& context) {
  const SharedUse use = shared_use(kernel);
  const std::int64_t limit = shared_limit(context.options.sm);
  if (use.bytes <= limit) return true;
  auto message =
      context.diags.report(use.place(kernel), kSharedSize, use.bytes, context.options.sm, limit);
  const std::size_t listed = use.arrays.size() == 1 ? 0 : std::min(use.arrays.size(), kMostListed);
  for (std::size_t i = 0; i < listed; ++i)
    message.note("'{}' takes {} bytes", use.arrays[i].tensor->name, use.arrays[i].bytes);
  if (listed < use.arrays.size() && listed != 0) {
    message.note("and {} arrays more", use.arrays.size() - listed);
  }
  return false;
}

}  // namespace tirxcc::passes
