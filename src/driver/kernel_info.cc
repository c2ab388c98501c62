// SPDX-License-Identifier: Apache-2.0
#include "driver/kernel_info.h"

#include "base/check.h"
#include "ir/expr_printer.h"
#include "ir/traverse.h"

namespace tirxcc::driver {
namespace {

class Describer {
 public:
  explicit Describer(ir::Dialect dialect) : printer_(names_, text_, dialect) {}

  // "(n + 255) // 256"; empty for null.
  std::string formula(const ir::Expr* expr) {
    text_.clear();
    if (expr != nullptr) printer_.print_host(expr);
    return text_;
  }

  // Trailing ones are left out, as a launch may leave them out.
  std::vector<std::string> sizes(const ir::Expr* const (&sizes)[3]) {
    std::vector<std::string> out;
    for (const ir::Expr* size : sizes)
      out.push_back(size == nullptr ? "1" : formula(size));
    while (out.size() > 1 && out.back() == "1")
      out.pop_back();
    return out;
  }

  KernelInfo describe(const ir::Kernel& kernel, const std::string& name) {
    KernelInfo info;
    info.name = name;
    info.grid = sizes(kernel.launch.grid);
    info.block = sizes(kernel.launch.block);
    if (kernel.launch.cluster[0] != nullptr) info.cluster = sizes(kernel.launch.cluster);
    info.dynamic_shared_bytes = formula(kernel.launch.dynamic_smem_bytes);
    ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
      const auto* alloc = ir::as<ir::Alloc>(&stmt);
      if (alloc != nullptr && alloc->tensor->scope == ir::Scope::Shared) {
        info.shared_bytes += bytes_of(*alloc->tensor);
      }
    });
    return info;
  }

 private:
  // Shared arrays have constant extents; sema sees to that.
  static std::int64_t bytes_of(const ir::Tensor& tensor) {
    std::int64_t bytes = tensor.dtype.bytes();
    for (const ir::Expr* extent : tensor.shape) {
      const auto* constant = ir::as<ir::IntImm>(extent);
      TIRXCC_CHECK(constant != nullptr, "a shared array without a constant extent");
      bytes *= static_cast<std::int64_t>(constant->value);
    }
    return bytes;
  }

  ir::Names names_;
  std::string text_;
  ir::ExprPrinter printer_;
};

}  // namespace

std::vector<KernelInfo> describe_kernels(const Unit& unit) {
  std::vector<KernelInfo> kernels;
  Describer describer(unit.function->dialect);
  for (std::size_t i = 0; i < unit.function->kernels.size(); ++i) {
    if (unit.plan.regions[i].is_host) continue;
    kernels.push_back(
        describer.describe(*unit.function->kernels[i], unit.plan.regions[i].kernel_name));
  }
  return kernels;
}

}  // namespace tirxcc::driver
