// SPDX-License-Identifier: Apache-2.0
//
// See cpu_support.h.
#include "passes/cpu_support.h"

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kBarrier{"cpu-barrier", Severity::Error, ErrorClass::Runtime,
                              "the CPU target does not run barriers yet: '{}'"};
constexpr Diagnostic kWarpOperation{"cpu-warp-operation", Severity::Error, ErrorClass::Runtime,
                                    "the CPU target does not run warp operations yet: '{}'"};
constexpr Diagnostic kSharedMemory{"cpu-shared-memory", Severity::Error, ErrorClass::Runtime,
                                   "the CPU target does not have shared memory yet: '{}'"};
constexpr Diagnostic kWorkspace{"cpu-workspace", Severity::Error, ErrorClass::Runtime,
                                "the CPU target does not allocate global memory in a kernel: '{}'"};
constexpr Diagnostic kNoCpuForm{"cpu-no-form", Severity::Error, ErrorClass::Runtime,
                                "'{}' has no meaning on the CPU target"};
constexpr Diagnostic kLocalSize{
    "cpu-local-size", Severity::Error, ErrorClass::Runtime,
    "local arrays of {} bytes a thread; the CPU target has a stack of {} for them"};
constexpr Diagnostic kLocalExtent{"cpu-local-extent", Severity::Error, ErrorClass::Runtime,
                                  "the size of local array '{}' must be known when compiling"};

constexpr int128 kMostLocalBytes = 1 << 20;

class Check {
 public:
  explicit Check(PassContext& context) : diags_(context.diags) {}

  bool run(const ir::Kernel& kernel) {
    const bool is_device = kernel.kind == ir::KernelKind::Device;
    ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
      if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) check_alloc(*alloc);
      if (is_device && ir::is<ir::Assert>(&stmt)) refuse(stmt.span, kNoCpuForm, "assert");
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
    return is_ok_;
  }

 private:
  void refuse(source::Span span, const Diagnostic& kind, std::string_view name) {
    diags_.report(span, kind, name);
    is_ok_ = false;
  }

  void check_alloc(const ir::Alloc& alloc) {
    const ir::Tensor& tensor = *alloc.tensor;
    const source::Span span = tensor.span.is_valid() ? tensor.span : alloc.span;
    if (tensor.scope == ir::Scope::Global) return refuse(span, kWorkspace, tensor.name);
    if (tensor.scope != ir::Scope::Local) return refuse(span, kSharedMemory, tensor.name);
    int128 bytes = tensor.dtype.bytes();
    for (const ir::Expr* extent : tensor.shape) {
      const ir::IntImm* imm = ir::as_int(extent);
      if (imm == nullptr) return refuse(span, kLocalExtent, tensor.name);
      bytes *= imm->value;
      if (bytes > kMostLocalBytes) bytes = kMostLocalBytes + 1;
    }
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
    if (row.effect == intrinsics::Effect::Barrier && row.convergence != Convergence::Thread) {
      return refuse(call.span, kBarrier, row.name);
    }
    if (row.convergence != Convergence::Thread) return refuse(call.span, kWarpOperation, row.name);
    if (row.special == intrinsics::Special::Printf) return refuse(call.span, kNoCpuForm, row.name);
    const bool has_form = !row.cpu.empty() || row.special != intrinsics::Special::None ||
                          row.effect == intrinsics::Effect::Barrier;
    if (!has_form) refuse(call.span, kNoCpuForm, row.name);
  }

  source::Diagnostics& diags_;
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
