// SPDX-License-Identifier: Apache-2.0
#include "abi/bind_fast.h"

#include <array>
#include <bit>
#include <cmath>

#include "abi/host_code.h"
#include "abi/scalar.h"

namespace tirxcc::abi {
namespace {

constexpr std::size_t kMostTensors = 32;

// The bytes of one tensor.
struct Footprint {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool is_changed;  // written, or a pointer into it escapes
};

// What was seen of the tensors so far.
struct Seen {
  std::array<Footprint, kMostTensors> tensors;  // only the first `count`
  std::size_t count = 0;
  std::uint64_t bound = 0;  // bit s: the symbol in slot s is bound (slots below 64)
  std::uint8_t variant = kDefaultVariant;
  bool has_formulas = false;  // extents that must wait until all symbols are bound
};

// The whole type in one comparison.
std::uint32_t word_of(DType type) {
  static_assert(sizeof(DType) == sizeof(std::uint32_t));
  return std::bit_cast<std::uint32_t>(type);
}

bool fits(DType type, std::int64_t value) {
  int unused = 64 - type.bits;
  if (type.is_signed_int()) {
    auto shifted = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << unused);
    return shifted >> unused == value;
  }
  if (!type.is_unsigned_int() || value < 0) return false;
  return unused == 0 || static_cast<std::uint64_t>(value) >> type.bits == 0;
}

bool scalar(const ParamSpec& spec, const Argument& arg, std::int64_t& slot) {
  if (arg.kind == ArgumentKind::Int && spec.dtype.is_int()) {
    slot = arg.int_value;
    return fits(spec.dtype, arg.int_value);
  }
  if (arg.kind == ArgumentKind::Float && spec.dtype.is_float32()) {
    auto value = static_cast<float>(arg.float_value);
    slot = std::bit_cast<std::uint32_t>(value);
    return std::isfinite(value) || !std::isfinite(arg.float_value);
  }
  std::uint64_t bits = 0;
  bool is_value = arg.kind == ArgumentKind::Int || arg.kind == ArgumentKind::UInt ||
                  arg.kind == ArgumentKind::Float || arg.kind == ArgumentKind::Bool;
  if (!is_value || !scalar_bits(arg, spec.dtype, bits)) return false;
  slot = static_cast<std::int64_t>(bits);
  return true;
}

constexpr std::uint64_t bit_of(Slot slot) {
  return slot < 64 ? std::uint64_t{1} << slot : 0;
}

bool bind_symbol(const Plan& plan, Slot slot, std::int64_t value, std::int64_t* slots, Seen& seen) {
  slots[slot] = value;
  seen.bound |= bit_of(slot);
  for (const SymbolSpec& symbol : plan.symbols) {
    if (symbol.slot == slot) return fits(symbol.dtype, value) && value <= symbol.largest;
  }
  return false;
}

bool extent(const Plan& plan, const DimSpec& spec, std::int64_t value, std::int64_t* slots,
            Seen& seen) {
  if (value < 0) return false;
  switch (spec.kind) {
    case DimSpec::Kind::Constant: return value == spec.value;
    case DimSpec::Kind::Bind: return bind_symbol(plan, spec.slot, value, slots, seen);
    case DimSpec::Kind::Formula:
      // Most are a symbol by itself, bound by an earlier parameter.
      if (spec.code_begin == spec.code_end && (seen.bound & bit_of(spec.slot)) != 0) {
        return slots[spec.slot] == value;
      }
      seen.has_formulas = true;
      return true;
    case DimSpec::Kind::Any: return true;
    case DimSpec::Kind::Linear: return false;
  }
  return false;
}

// Shape and strides; `count` is the number of elements.
bool layout(const Plan& plan, const ParamSpec& spec, const TensorView& tensor, std::int64_t* slots,
            Seen& seen, std::int64_t& count) {
  count = 1;
  for (std::size_t dim = spec.shape.size(); dim-- > 0;) {
    std::int64_t size = tensor.shape[dim];
    if (!extent(plan, spec.shape[dim], size, slots, seen)) return false;
    if (tensor.strides != nullptr && size != 1 && tensor.strides[dim] != count) return false;
    if (__builtin_mul_overflow(count, size, &count)) return false;
  }
  return true;
}

// Extents that symbols determine, once those are known.
bool formulas(const Plan& plan, const ParamSpec& spec, const TensorView& tensor,
              std::int64_t* slots) {
  for (std::size_t dim = 0; dim < spec.shape.size(); ++dim) {
    const DimSpec& extent = spec.shape[dim];
    if (extent.kind != DimSpec::Kind::Formula) continue;
    for (std::uint32_t pc = extent.code_begin; pc < extent.code_end; ++pc) {
      if (execute(plan.formulas[pc], slots) != HostFault::None) return false;
    }
    if (slots[extent.slot] != tensor.shape[dim]) return false;
  }
  return true;
}

bool tensor(const Plan& plan, const ParamSpec& spec, const TensorView& tensor, Device device,
            std::int64_t* slots, Seen& seen) {
  if (tensor.rank != static_cast<std::int32_t>(spec.shape.size()) ||
      word_of(tensor.dtype) != word_of(spec.dtype) || tensor.device.kind != device.kind ||
      tensor.device.index != device.index || (tensor.read_only && spec.is_written) ||
      !spec.strides.empty() || seen.count == kMostTensors) {
    return false;
  }
  std::int64_t count = 0;
  if (!layout(plan, spec, tensor, slots, seen, count)) return false;
  // An empty tensor has no memory that anything could be wrong with.
  if (count == 0) return true;
  auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  auto size = static_cast<std::uintptr_t>(spec.dtype.bytes());
  auto align = spec.align > 0 ? static_cast<std::uintptr_t>(spec.align) : size;
  if (address == 0 || (align & (align - 1)) != 0 || (address & (align - 1)) != 0) return false;
  if (count > kMostElements32) seen.variant |= kIndex64;
  if (spec.wide_align > 0 && (address & (static_cast<std::uintptr_t>(spec.wide_align) - 1)) != 0) {
    seen.variant |= kScalar;
  }
  seen.tensors[seen.count++] = {address, address + static_cast<std::uintptr_t>(count) * size,
                                spec.is_written || spec.escapes};
  return true;
}

bool has_alias(const Seen& seen) {
  for (std::size_t i = 0; i < seen.count; ++i) {
    const Footprint& changed = seen.tensors[i];
    if (!changed.is_changed) continue;
    for (std::size_t k = 0; k < seen.count; ++k) {
      const Footprint& other = seen.tensors[k];
      if (k != i && changed.begin < other.end && other.begin < changed.end) return true;
    }
  }
  return false;
}

}  // namespace

bool bind_fast(const Plan& plan, std::span<const Argument> args, Device device, std::int64_t* slots,
               std::uint8_t& variant) {
  if (args.size() != plan.params.size()) return false;
  Seen seen;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ParamSpec& spec = plan.params[i];
    const Argument& arg = args[i];
    if (spec.kind == ParamKind::Tensor) {
      if (arg.kind != ArgumentKind::Tensor) return false;
      if (!tensor(plan, spec, *arg.tensor, device, slots, seen)) return false;
    } else if (spec.kind == ParamKind::Scalar) {
      if (arg.kind == ArgumentKind::Missing && spec.has_default) {
        slots[spec.slot] = spec.default_bits;
      } else if (!scalar(spec, arg, slots[spec.slot])) {
        return false;
      }
    } else {
      return false;
    }
  }
  for (std::size_t i = 0; seen.has_formulas && i < args.size(); ++i) {
    const ParamSpec& spec = plan.params[i];
    if (spec.kind != ParamKind::Tensor) continue;
    if (!formulas(plan, spec, *args[i].tensor, slots)) return false;
  }
  if (has_alias(seen)) seen.variant |= kAlias;
  variant = seen.variant;
  return true;
}

}  // namespace tirxcc::abi
