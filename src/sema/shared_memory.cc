// SPDX-License-Identifier: Apache-2.0
//
// The arena of dynamic shared memory. CUDA gives a kernel one block of it, whose size the launch
// says; a kernel may allocate many arrays there. Each gets an offset in bytes (Tensor::elem_offset
// of an array of scope SharedDyn), those of constant size first, so that most offsets are literals.
// Static arrays that together exceed what CUDA allows move to the arena too.
//
//   a = T.alloc_shared((64,), "float32", scope="shared.dyn")    offset 0
//   b = T.alloc_shared((n,), "int8", scope="shared.dyn")        offset 256; launch: 256 + n
#include <algorithm>

#include "ir/constant.h"
#include "ir/traverse.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

constexpr source::Diagnostic kTooFewBytes{
    "dynamic-smem-too-small", source::Severity::Error, ErrorClass::Value,
    "dynamic_smem_bytes is {}; the kernel's arrays in dynamic shared memory take {}"};

constexpr std::int64_t kMostStaticBytes = 48 * 1024;
constexpr std::int64_t kLeastAlignment = 16;

std::int64_t round_up(std::int64_t value, std::int64_t to) {
  return (value + to - 1) / to * to;
}

std::int64_t alignment_of(const ir::Tensor& tensor) {
  return std::max<std::int64_t>({kLeastAlignment, tensor.align, tensor.dtype.bytes()});
}

// Bytes of an array of constant size; nullopt if a size decides.
std::optional<std::int64_t> bytes_of(const ir::Tensor& tensor) {
  int128 bytes = tensor.dtype.bytes();
  for (const ir::Expr* extent : tensor.shape) {
    const ir::IntImm* literal = ir::as_int(extent);
    if (literal == nullptr) return std::nullopt;
    bytes *= literal->value;
    if (!kInt32.can_hold(bytes)) return kInt32.max_int();  // more than any GPU has
  }
  return static_cast<std::int64_t>(bytes);
}

// Offsets and sizes as they grow: a literal until an array of symbolic size comes.
class Cursor {
 public:
  Cursor(ir::Builder& build, DType type, Span span) : build_(build), type_(type), span_(span) {
    at_ = literal(0);
  }

  void align(std::int64_t to) {
    if (const ir::IntImm* known = ir::as_int(at_)) {
      at_ = literal(round_up(known->value, to));
    } else {
      at_ = op(ir::BinaryOp::Mul,
               op(ir::BinaryOp::FloorDiv, op(ir::BinaryOp::Add, at_, literal(to - 1)), literal(to)),
               literal(to));
    }
  }
  void add(const ir::Tensor& tensor) {
    const ir::Expr* bytes = literal(tensor.dtype.bytes());
    for (const ir::Expr* extent : tensor.shape)
      bytes = op(ir::BinaryOp::Mul, build_.fold_cast(type_, extent, span_), bytes);
    at_ = op(ir::BinaryOp::Add, at_, bytes);
  }
  const ir::Expr* at() const { return at_; }

 private:
  const ir::Expr* literal(std::int64_t value) { return build_.int_imm(type_, value, span_); }
  const ir::Expr* op(ir::BinaryOp which, const ir::Expr* a, const ir::Expr* b) {
    return build_.fold_binary(which, a, b, span_);
  }

  ir::Builder& build_;
  DType type_;
  Span span_;
  const ir::Expr* at_ = nullptr;
};

}  // namespace

void FunctionSema::place_shared_memory(ir::Kernel& kernel) {
  // The tensors are this function's own until it is handed out.
  std::vector<ir::Tensor*> arrays;
  std::int64_t static_bytes = 0;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    const auto* alloc = ir::as<ir::Alloc>(&stmt);
    if (alloc == nullptr || alloc->tensor->scope == ir::Scope::Local) return;
    arrays.push_back(const_cast<ir::Tensor*>(alloc->tensor));
    if (alloc->tensor->scope == ir::Scope::Shared) {
      static_bytes = round_up(static_bytes, alignment_of(*alloc->tensor)) +
                     bytes_of(*alloc->tensor).value_or(0);
    }
  });
  const bool must_move = static_bytes > kMostStaticBytes;
  std::erase_if(arrays, [&](const ir::Tensor* tensor) {
    return tensor->scope == ir::Scope::Shared && !must_move;
  });
  if (arrays.empty()) return;
  std::stable_partition(arrays.begin(), arrays.end(),
                        [](const ir::Tensor* tensor) { return bytes_of(*tensor).has_value(); });
  const Span span = kernel.launch.span;
  Cursor offset(context_.build, kInt32, span);
  Cursor total(context_.build, kInt64, span);
  for (ir::Tensor* tensor : arrays) {
    tensor->scope = ir::Scope::SharedDyn;
    for (Cursor* cursor : {&offset, &total})
      cursor->align(alignment_of(*tensor));
    tensor->elem_offset = offset.at();
    for (Cursor* cursor : {&offset, &total})
      cursor->add(*tensor);
  }
  const ir::Expr*& given = kernel.launch.dynamic_smem_bytes;
  const ir::IntImm* known = ir::as_int(given);
  const ir::IntImm* needed = ir::as_int(total.at());
  if (known != nullptr && needed != nullptr && known->value < needed->value) {
    diags_.report(given->span, kTooFewBytes, known->value, needed->value);
  }
  if (given == nullptr) given = total.at();
}

}  // namespace tirxcc::sema
