// SPDX-License-Identifier: Apache-2.0
//
// See cpu_support.h.
#include "passes/cpu_support.h"

#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/cpu_kernel.h"
#include "ir/traverse.h"
#include "passes/fission.h"
#include "passes/shared_size.h"

namespace tirxcc::passes {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kWarpOperation{"cpu-warp-operation", Severity::Error, ErrorClass::Runtime,
                                    "'{}' needs the scheme 'fibers'"};
constexpr Diagnostic kSharedSize{"cpu-shared-size", Severity::Error, ErrorClass::Value,
                                 "{} bytes of shared memory; a block has at most {}"};
constexpr Diagnostic kBeyondGpus{"shared-size-beyond-gpus", Severity::Note, ErrorClass::Value,
                                 "{} bytes of shared memory; the CPU target has them, a GPU gives "
                                 "a block {} at most"};
constexpr Diagnostic kWorkspace{"cpu-workspace", Severity::Error, ErrorClass::Runtime,
                                "the CPU target does not allocate global memory in a kernel: '{}'"};
constexpr Diagnostic kNoCpuForm{"cpu-no-form", Severity::Error, ErrorClass::Runtime,
                                "'{}' has no meaning on the CPU target"};
constexpr Diagnostic kLocalSize{
    "cpu-local-size", Severity::Error, ErrorClass::Runtime,
    "local arrays of {} bytes a thread; the CPU target has a stack of {} for them"};

constexpr int128 kMostLocalBytes = 1 << 20;
// The GPU with the most.
constexpr int kLargestSm = 100;

class Check {
 public:
  explicit Check(PassContext& context)
      : diags_(context.diags),
        may_have_fibers_(context.options.scheme == Scheme::Automatic ||
                         context.options.scheme == Scheme::Fibers) {}

  bool run(const ir::Kernel& kernel) {
    ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
      if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) check_alloc(*alloc);
      ir::for_each_operand(stmt, [&](const ir::Expr& expr) {
        ir::walk_exprs(expr, [&](const ir::Expr& e) {
          if (const auto* call = ir::as<ir::Call>(&e)) check_call(*call);
        });
      });
    });
    if (local_bytes_ > kMostLocalBytes) {
      diags_.report(largest_->span, kLocalSize, static_cast<std::int64_t>(local_bytes_),
                    static_cast<std::int64_t>(kMostLocalBytes));
      is_ok_ = false;
    }
    check_shared(kernel);
    return is_ok_;
  }

 private:
  void check_shared(const ir::Kernel& kernel) {
    const SharedUse use = shared_use(kernel);
    if (use.bytes > kMostSharedBytes) {
      diags_.report(use.place(kernel), kSharedSize, use.bytes, kMostSharedBytes);
      is_ok_ = false;
    } else if (use.bytes > shared_limit(kLargestSm)) {
      diags_.report(use.place(kernel), kBeyondGpus, use.bytes, shared_limit(kLargestSm));
    }
  }

  // As the kernel writes it.
  void refuse_call(const ir::Call& call, const Diagnostic& kind) {
    refuse(call.span, kind, "T." + std::string(call.callee->name));
  }

  void refuse(source::Span span, const Diagnostic& kind, std::string_view name) {
    diags_.report(span, kind, name);
    is_ok_ = false;
  }

  void check_alloc(const ir::Alloc& alloc) {
    const ir::Tensor& tensor = *alloc.tensor;
    const source::Span span = tensor.span.is_valid() ? tensor.span : alloc.span;
    if (tensor.scope == ir::Scope::Global) return refuse(span, kWorkspace, tensor.name);
    if (ir::is_sized_at_launch(tensor)) return;  // the launcher looks at the sum
    int128 bytes = tensor.dtype.bytes();
    for (const ir::Expr* extent : tensor.shape) {
      const ir::IntImm* imm = ir::as_int(extent);
      TIRXCC_CHECK(imm != nullptr, "sema let array {} have a size that is not known", tensor.name);
      bytes = std::min<int128>(bytes * imm->value, std::int64_t{1} << 40);
    }
    if (tensor.scope != ir::Scope::Local) return;
    if (largest_ == nullptr || bytes > largest_bytes_) {
      largest_ = &tensor;
      largest_bytes_ = bytes;
    }
    local_bytes_ += bytes;
  }

  void check_call(const ir::Call& call) {
    const intrinsics::Intrinsic& row = *call.callee;
    using intrinsics::Convergence;
    if (row.special == intrinsics::Special::ElectSync) return;
    if (row.convergence != Convergence::Thread) {
      const bool is_fine = row.cpu == "fiber" ? may_have_fibers_ : is_warp_operation(row);
      if (!is_fine) refuse_call(call, kWarpOperation);
      return;
    }
    const bool has_form = !row.cpu.empty() || row.special != intrinsics::Special::None ||
                          row.effect == intrinsics::Effect::Barrier ||
                          row.effect == intrinsics::Effect::Atomic;
    if (!has_form) refuse_call(call, kNoCpuForm);
  }

  source::Diagnostics& diags_;
  bool may_have_fibers_;
  bool is_ok_ = true;
  int128 local_bytes_ = 0;
  const ir::Tensor* largest_ = nullptr;
  int128 largest_bytes_ = 0;
};

}  // namespace

bool check_cpu_support(const ir::Kernel& kernel, PassContext& context) {
  return Check(context).run(kernel);
}

}  // namespace tirxcc::passes
