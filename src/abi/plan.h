// SPDX-License-Identifier: Apache-2.0
//
// The launch plan: everything that happens on the host at a call of a compiled function, computed
// once at compile time as plain data. Running it checks and binds the arguments, evaluates sizes
// and launches kernels; the fast path allocates nothing, formats nothing and takes no lock. The
// same plan drives the CPU executor, the CUDA launcher, the header emitter and error messages.
//
// Values live in `slots`, an array of 64-bit words: first the scalar parameters, then symbols,
// then temporaries. Integers are sign- or zero-extended to 64 bits; floats are stored as their own
// bit pattern (float32 in the low half).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "abi/dtype.h"
#include "abi/launch_options.h"

namespace tirxcc::abi {

using Slot = std::uint16_t;
inline constexpr Slot kNoSlot = 0xffff;

// One instruction of host code. Arithmetic is in 64 bits and saturates never; overflow is checked
// and is a launch error ("overflows").
enum class HostOp : std::uint8_t {
  Const,  // slots[dst] = imm
  Copy,   // slots[dst] = slots[a]
  Add,
  Sub,
  Mul,
  FloorDiv,
  FloorMod,
  TruncDiv,
  TruncMod,
  Min,
  Max,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  And,
  Or,
  Not,
  Select,      // slots[dst] = slots[a] ? slots[b] : slots[imm]
  Jump,        // pc = imm
  JumpIfZero,  // if (slots[a] == 0) pc = imm
  CheckRange,  // slots[a] must fit the dtype whose index in Plan::types is imm
  Assert,      // slots[a] must be true; else RuntimeError with messages[imm]
  Launch,      // launch regions[imm]
  Return,      // stop; a scalar result, if any, is in slots[a] (kNoSlot: none)
};

struct HostInstr {
  HostOp op = HostOp::Return;
  Slot dst = kNoSlot;
  Slot a = kNoSlot;
  Slot b = kNoSlot;
  std::int64_t imm = 0;
};

// How one dimension (or stride) of a tensor argument is checked or bound.
struct DimSpec {
  enum class Kind : std::uint8_t {
    Constant,  // must equal `value`
    Bind,      // first place of a symbol: slots[slot] = dim, after a check of the symbol's type
    Linear,  // dim = value * symbol + offset determines the symbol in `slot` (divisibility checked)
    Formula,  // must equal slots[slot], which the code of this dimension computes
    Any,      // no requirement
  };
  Kind kind = Kind::Any;
  Slot slot = kNoSlot;
  std::int64_t value = 0;
  std::int64_t offset = 0;
  std::uint32_t code_begin = 0;  // Formula: instructions [code_begin, code_end) of Plan::formulas
  std::uint32_t code_end = 0;
  std::string text;  // as written, "n * 2", for messages
};

enum class ParamKind : std::uint8_t { Tensor, Scalar, Pointer, None };

struct ParamSpec {
  std::string name;
  ParamKind kind = ParamKind::Tensor;
  DType dtype;
  std::string type_text;  // as in the signature: "Tensor([n, 4], float32)"
  // Tensor:
  std::vector<DimSpec> shape;    // rank = shape.size()
  std::vector<DimSpec> strides;  // empty: must be row-major without gaps
  std::int32_t align = 0;        // bytes; 0: natural
  bool is_read = false;
  bool is_written = false;
  bool escapes = false;         // a pointer into it leaves the compiler's sight
  std::int32_t wide_align = 0;  // largest wide access of the default kernel; 0: none
  // Scalar:
  Slot slot = kNoSlot;
  bool has_default = false;
  std::int64_t default_bits = 0;  // in slot representation
  bool is_only_passed = false;    // to kernels: no check, size or host statement reads or writes it
};

struct SymbolSpec {
  std::string name;
  DType dtype;
  Slot slot = kNoSlot;
  std::string origin;  // "A.shape[0]": the place that determines it, for messages
  std::int64_t largest = INT64_MAX;
};

struct KernelArgSpec {
  enum class Kind : std::uint8_t { Tensor, Value };
  Kind kind = Kind::Tensor;
  std::uint16_t index = 0;  // parameter index, or slot
  DType dtype;              // of the slot
};

// Launch attributes beyond grid and block (language.md 2.1); a slot of kNoSlot means "not given".
struct LaunchAttributes {
  Slot cluster[3] = {kNoSlot, kNoSlot, kNoSlot};
  bool is_cluster_in_code = false;  // the machine code says how large a cluster is
  Slot dynamic_smem_bytes = kNoSlot;
  Slot cooperative = kNoSlot;
  Slot programmatic_stream_serialization = kNoSlot;
  Slot priority = kNoSlot;
  // The rare ones. An address is a slot, or that of a parameter's memory.
  struct Address {
    LaunchOption option;
    std::uint16_t param = 0;
    Slot byte_offset = kNoSlot;
  };
  bool has_options = false;
  std::array<Slot, kLaunchOptionCount> options = [] {
    std::array<Slot, kLaunchOptionCount> none;
    none.fill(kNoSlot);
    return none;
  }();
  std::vector<Address> addresses;
};

// One kernel launch of the function.
struct RegionSpec {
  std::string kernel_name;                     // "relu_kernel"
  bool is_host = false;                        // a plain CPU function: one call, no grid
  Slot grid[3] = {kNoSlot, kNoSlot, kNoSlot};  // kNoSlot: 1
  Slot block[3] = {kNoSlot, kNoSlot, kNoSlot};
  LaunchAttributes attributes;
  std::vector<KernelArgSpec> args;
};

// Calls `visit` with each slot that a launch of the region reads, but for its kernel's arguments;
// kNoSlot among them.
template <typename Visit>
void for_each_slot(const RegionSpec& region, Visit&& visit) {
  for (int axis = 0; axis < 3; ++axis) {
    visit(region.grid[axis]);
    visit(region.block[axis]);
    visit(region.attributes.cluster[axis]);
  }
  const LaunchAttributes& attributes = region.attributes;
  visit(attributes.dynamic_smem_bytes);
  visit(attributes.cooperative);
  visit(attributes.programmatic_stream_serialization);
  visit(attributes.priority);
  for (Slot slot : attributes.options)
    visit(slot);
  for (const LaunchAttributes::Address& address : attributes.addresses)
    visit(address.byte_offset);
}

// The most elements a tensor may have for 32-bit flat offsets. Below 2^31, because sums such as
// `row * 64 + j - 1` pass slightly above the offset that they come to.
inline constexpr std::int64_t kMostElements32 = 0x7fffffff - 65536;
// The same for int64 sizes. No memory is as large, and arithmetic on indices cannot wrap below.
inline constexpr std::int64_t kMostElements64 = std::int64_t{1} << 56;

// Why another kernel than the default runs (design.md section 2, "Variants"). Bits, combined.
enum Variant : std::uint8_t {
  kDefaultVariant = 0,
  kIndex64 = 1,     // a tensor with more than 2^31-1 elements: 64-bit flat offsets
  kAlias = 2,       // a written parameter overlaps another: no __restrict__
  kScalar = 4,      // a base is not aligned for the wide accesses
  kBigGrid = 8,     // grid x block does not fit int32 (CPU target: no overflow-free index)
  kStreaming = 16,  // CPU target: what is only written, and exceeds the caches, goes past them
};

struct Plan {
  std::string function_name;
  std::string signature;  // "relu(A: Tensor([n], float32), B: Tensor([n], float32))"
  std::vector<ParamSpec> params;
  std::vector<SymbolSpec> symbols;
  std::vector<HostInstr> formulas;  // code of DimSpec::Formula
  std::vector<HostInstr> code;      // the host function
  std::vector<RegionSpec> regions;
  std::vector<DType> types;
  std::vector<std::string> messages;
  Slot slot_count = 0;
  DType result;  // kVoid, or the type of a CPU function's result
};

}  // namespace tirxcc::abi
