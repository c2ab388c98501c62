// SPDX-License-Identifier: Apache-2.0
//
// Arguments are checked in the order of rule 33: count, kind, rank, dtype, device, all shapes,
// strides, then the data pointer and its alignment. Shapes go before strides, so that an array of
// another shape is called that and not "not compact".
#include "abi/bind.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "abi/host_code.h"
#include "abi/scalar.h"

namespace tirxcc::abi {
namespace {

BindFailure failure(BindFault fault, std::size_t param, std::size_t dim = 0,
                    std::int64_t expected = 0, std::int64_t got = 0) {
  return {fault, static_cast<std::uint16_t>(param), static_cast<std::uint16_t>(dim), expected, got};
}

BindFailure check_kind(const ParamSpec& spec, const Argument& arg, std::size_t index,
                       std::int64_t* slots) {
  switch (spec.kind) {
    case ParamKind::Tensor:
      if (arg.kind == ArgumentKind::None) return failure(BindFault::NoneTensor, index);
      if (arg.kind != ArgumentKind::Tensor) return failure(BindFault::Kind, index);
      return {};
    case ParamKind::Scalar: {
      if (arg.kind == ArgumentKind::Missing && spec.has_default) {
        slots[spec.slot] = spec.default_bits;
        return {};
      }
      if (arg.kind == ArgumentKind::Tensor || arg.kind == ArgumentKind::None ||
          arg.kind == ArgumentKind::Pointer || arg.kind == ArgumentKind::Missing) {
        return failure(BindFault::Kind, index);
      }
      std::uint64_t bits = 0;
      if (!scalar_bits(arg, spec.dtype, bits)) return failure(BindFault::ScalarValue, index);
      slots[spec.slot] = static_cast<std::int64_t>(bits);
      return {};
    }
    case ParamKind::Pointer:
      if (arg.kind == ArgumentKind::Tensor || arg.kind == ArgumentKind::Pointer ||
          arg.kind == ArgumentKind::None) {
        return {};
      }
      return failure(BindFault::Kind, index);
    case ParamKind::None:
      return arg.kind == ArgumentKind::None ? BindFailure{} : failure(BindFault::Kind, index);
  }
  return {};
}

BindFailure check_tensor(const ParamSpec& spec, const TensorView& tensor, Device device,
                         std::size_t index) {
  if (tensor.rank != static_cast<std::int32_t>(spec.shape.size())) {
    return failure(BindFault::Rank, index, 0, static_cast<std::int64_t>(spec.shape.size()),
                   tensor.rank);
  }
  if (tensor.dtype != spec.dtype) return failure(BindFault::DTypeMismatch, index);
  if (tensor.device != device) return failure(BindFault::WrongDevice, index);
  if (tensor.read_only && spec.is_written) return failure(BindFault::ReadOnly, index);
  return {};
}

const SymbolSpec* symbol_of(const Plan& plan, Slot slot) {
  for (const SymbolSpec& symbol : plan.symbols) {
    if (symbol.slot == slot) return &symbol;
  }
  return nullptr;
}

BindFailure bind_symbol(const Plan& plan, const DimSpec& spec, std::int64_t value,
                        std::size_t index, std::size_t dim, std::int64_t* slots) {
  if (spec.kind == DimSpec::Kind::Linear) {
    std::int64_t scaled = value - spec.offset;
    if (scaled % spec.value != 0) {
      return failure(BindFault::DimNotDivisible, index, dim, spec.value, value);
    }
    if (scaled / spec.value < 0) return failure(BindFault::DimNegativeSymbol, index, dim, 0, value);
    value = scaled / spec.value;
  }
  const SymbolSpec* symbol = symbol_of(plan, spec.slot);
  const bool fits =
      symbol == nullptr || (symbol->dtype.can_hold(value) && value <= symbol->largest);
  if (!fits) {
    return failure(BindFault::DimSymbolRange, index, dim, 0, value);
  }
  slots[spec.slot] = value;
  return {};
}

// First pass over the shapes: symbols are bound and constants compared; formulas need all symbols
// and come in a second pass.
BindFailure bind_dim(const Plan& plan, const DimSpec& spec, std::int64_t value, std::size_t index,
                     std::size_t dim, std::int64_t* slots) {
  switch (spec.kind) {
    case DimSpec::Kind::Constant:
      if (value != spec.value)
        return failure(BindFault::DimConstant, index, dim, spec.value, value);
      return {};
    case DimSpec::Kind::Bind:
    case DimSpec::Kind::Linear: return bind_symbol(plan, spec, value, index, dim, slots);
    case DimSpec::Kind::Formula:
    case DimSpec::Kind::Any: return {};
  }
  return {};
}

BindFailure check_formula(const Plan& plan, const DimSpec& spec, std::int64_t value,
                          std::size_t index, std::size_t dim, std::int64_t* slots) {
  for (std::uint32_t pc = spec.code_begin; pc < spec.code_end; ++pc) {
    HostFault fault = execute(plan.formulas[pc], slots);
    if (fault != HostFault::None) {
      return failure(BindFault::FormulaFault, index, dim, static_cast<std::int64_t>(fault), value);
    }
  }
  std::int64_t expected = slots[spec.slot];
  if (expected != value) return failure(BindFault::DimFormula, index, dim, expected, value);
  return {};
}

bool is_empty(const TensorView& tensor) {
  for (std::int32_t dim = 0; dim < tensor.rank; ++dim) {
    if (tensor.shape[dim] == 0) return true;
  }
  return false;
}

// Row-major without gaps; dimensions of extent 1 may carry any stride, empty tensors pass.
BindFailure check_compact(const TensorView& tensor, std::size_t index) {
  if (tensor.strides == nullptr || is_empty(tensor)) return {};
  std::int64_t expected = 1;
  for (std::int32_t dim = tensor.rank - 1; dim >= 0; --dim) {
    std::int64_t extent = tensor.shape[dim];
    if (extent != 1 && tensor.strides[dim] != expected) {
      return failure(BindFault::StrideNotCompact, index, static_cast<std::size_t>(dim), expected,
                     tensor.strides[dim]);
    }
    expected *= extent;
  }
  return {};
}

std::int64_t stride_of(const TensorView& tensor, std::int32_t wanted) {
  if (tensor.strides != nullptr) return tensor.strides[wanted];
  std::int64_t stride = 1;
  for (std::int32_t dim = tensor.rank - 1; dim > wanted; --dim)
    stride *= tensor.shape[dim];
  return stride;
}

BindFailure check_strides(const Plan& plan, const ParamSpec& spec, const TensorView& tensor,
                          std::size_t index, std::int64_t* slots) {
  if (spec.strides.empty()) return check_compact(tensor, index);
  bool empty = is_empty(tensor);
  for (std::size_t dim = 0; dim < spec.strides.size(); ++dim) {
    const DimSpec& stride = spec.strides[dim];
    std::int64_t got = stride_of(tensor, static_cast<std::int32_t>(dim));
    if (stride.kind == DimSpec::Kind::Bind || stride.kind == DimSpec::Kind::Linear) continue;
    if (empty || tensor.shape[dim] == 1) continue;
    BindFailure fault = stride.kind == DimSpec::Kind::Formula
                            ? check_formula(plan, stride, got, index, dim, slots)
                            : bind_dim(plan, stride, got, index, dim, slots);
    if (fault) return failure(BindFault::Stride, index, dim, fault.expected, got);
  }
  return {};
}

std::int64_t alignment_of(const ParamSpec& spec) {
  return spec.align > 0 ? spec.align : spec.dtype.bytes();
}

BindFailure check_memory(const ParamSpec& spec, const TensorView& tensor, std::size_t index) {
  if (is_empty(tensor)) return {};
  if (tensor.data == nullptr) return failure(BindFault::Null, index);
  const std::int64_t align = alignment_of(spec);
  std::int64_t rest = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(tensor.data) %
                                                static_cast<std::uintptr_t>(align));
  if (rest != 0) return failure(BindFault::Misaligned, index, 0, align, rest);
  return {};
}

// Elements from the first to the last one, in element units: [low, high].
struct Extent {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Extent extent_of(const TensorView& tensor) {
  Extent extent;
  for (std::int32_t dim = 0; dim < tensor.rank; ++dim) {
    std::int64_t reach = (tensor.shape[dim] - 1) * stride_of(tensor, dim);
    (reach < 0 ? extent.low : extent.high) += reach;
  }
  return extent;
}

// Bytes from one's begin to the other's last byte are fewer than both have together.
bool overlap(const Footprint& a, const Footprint& b) {
  if (a.length == 0 || b.length == 0) return false;
  return b.low - a.low + b.length - 1 < a.length + b.length - 1;
}

}  // namespace

Footprint footprint_of(const TensorView& tensor) {
  if (is_empty(tensor)) return {};
  const Extent extent = extent_of(tensor);
  const std::int64_t size = tensor.dtype.bytes();
  return {static_cast<std::uintptr_t>(extent.low * size),
          static_cast<std::uintptr_t>((extent.high - extent.low + 1) * size)};
}

namespace {

// The failure of the earliest stage, and of its first parameter.
class FirstFailure {
 public:
  // True where the parameter passes.
  bool passes(int stage, const BindFailure& failure) {
    if (!failure) [[likely]]
      return true;
    if (stage < stage_) {
      stage_ = stage;
      failure_ = failure;
    }
    return false;
  }
  const BindFailure& get() const { return failure_; }

 private:
  int stage_ = std::numeric_limits<int>::max();
  BindFailure failure_;
};

// All that determines symbols.
BindFailure bind_shape(const Plan& plan, const ParamSpec& spec, const TensorView& tensor,
                       std::size_t index, std::int64_t* slots) {
  for (std::size_t dim = 0; dim < spec.shape.size(); ++dim) {
    const std::int64_t extent = tensor.shape[dim];
    if (extent < 0) return failure(BindFault::NegativeDim, index, dim, 0, extent);
    BindFailure fault = bind_dim(plan, spec.shape[dim], extent, index, dim, slots);
    if (fault) return fault;
  }
  for (std::size_t dim = 0; dim < spec.strides.size(); ++dim) {
    const DimSpec::Kind kind = spec.strides[dim].kind;
    if (kind != DimSpec::Kind::Bind && kind != DimSpec::Kind::Linear) continue;
    BindFailure fault =
        bind_symbol(plan, spec.strides[dim], stride_of(tensor, static_cast<std::int32_t>(dim)),
                    index, dim, slots);
    if (fault) return fault;
  }
  return {};
}

BindFailure check_formulas(const Plan& plan, const ParamSpec& spec, const TensorView& tensor,
                           std::size_t index, std::int64_t* slots) {
  for (std::size_t dim = 0; dim < spec.shape.size(); ++dim) {
    if (spec.shape[dim].kind != DimSpec::Kind::Formula) continue;
    BindFailure fault = check_formula(plan, spec.shape[dim], tensor.shape[dim], index, dim, slots);
    if (fault) return fault;
  }
  return {};
}

}  // namespace

// What nearly all arguments are, looked at in as few steps as possible: compact tensors that are
// not empty, extents that are a constant or a symbol by itself, integers and float32. False where
// something is not so, which need not be wrong.
namespace {

bool bind_usual_scalar(const ParamSpec& spec, const Argument& arg, std::int64_t* slots) {
  if (arg.kind == ArgumentKind::Int && spec.dtype == kInt32) {
    slots[spec.slot] = arg.int_value;
    return arg.int_value == static_cast<std::int32_t>(arg.int_value);
  }
  if (arg.kind == ArgumentKind::Float && spec.dtype == kFloat32) {
    const auto value = static_cast<float>(arg.float_value);
    slots[spec.slot] = static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value));
    return std::isfinite(value);
  }
  std::uint64_t bits = 0;
  if (arg.kind != ArgumentKind::Int && arg.kind != ArgumentKind::Float) return false;
  const bool fits = scalar_bits(arg, spec.dtype, bits);
  slots[spec.slot] = static_cast<std::int64_t>(bits);
  return fits;
}

bool bind_usual_shape(const Plan& plan, const ParamSpec& spec, const TensorView& tensor,
                      std::int64_t* slots) {
  const std::int64_t* extent = tensor.shape;
  for (const DimSpec& dim : spec.shape) {
    if (*extent <= 0) return false;
    if (dim.kind == DimSpec::Kind::Constant) {
      if (*extent != dim.value) return false;
    } else if (dim.kind == DimSpec::Kind::Bind) {
      const SymbolSpec* symbol = symbol_of(plan, dim.slot);
      if (symbol == nullptr || symbol->dtype.bits < 32 || *extent > kMostElements32) return false;
      slots[dim.slot] = *extent;
    } else if (dim.kind == DimSpec::Kind::Linear) {
      return false;
    }
    ++extent;
  }
  return true;
}

// The bytes of a tensor. Not initialised, since there is room for many.
struct Place {
  std::uintptr_t begin;
  std::uintptr_t length;
};
constexpr std::size_t kMostUsual = 32;

// The places of a call's tensors; the bits of those that a kernel changes.
struct Places {
  std::array<Place, kMostUsual> all;
  std::size_t count = 0;
  std::uint32_t changed = 0;

  bool have_overlap() const {
    for (std::uint32_t rest = changed; rest != 0; rest &= rest - 1) {
      const auto own = static_cast<std::size_t>(std::countr_zero(rest));
      for (std::size_t k = 0; k < count; ++k) {
        const std::uintptr_t reach = all[k].begin - all[own].begin + all[k].length - 1;
        if (reach < all[own].length + all[k].length - 1 && k != own) return true;
      }
    }
    return false;
  }
};

// A dimension that is no constant and determines no symbol, when all symbols are known.
bool is_usual_extent(const Plan& plan, const DimSpec& wanted, std::int64_t extent,
                     std::int64_t* slots) {
  if (wanted.kind != DimSpec::Kind::Formula) return true;
  // A symbol again has no code.
  if (wanted.code_begin == wanted.code_end) [[likely]]
    return slots[wanted.slot] == extent;
  return !check_formula(plan, wanted, extent, 0, 0, slots);
}

// The number of elements; 0 if something is not usual.
std::int64_t count_usual_elements(const Plan& plan, const ParamSpec& spec, const TensorView& tensor,
                                  std::int64_t* slots) {
  std::int64_t elements = 1;
  for (std::size_t dim = spec.shape.size(); dim-- > 0;) {
    const std::int64_t extent = tensor.shape[dim];
    if (!is_usual_extent(plan, spec.shape[dim], extent, slots)) return 0;
    if (tensor.strides != nullptr && extent != 1 && tensor.strides[dim] != elements) return 0;
    elements *= extent;  // both below 2^31
    if (elements > kMostElements32) return 0;
  }
  return elements;
}

bool take_usual_memory(const ParamSpec& spec, const TensorView& tensor, std::int64_t elements,
                       Places& places, std::uint8_t& variant) {
  const auto size = static_cast<std::uintptr_t>(spec.dtype.bytes());
  const std::uintptr_t align = spec.align > 0 ? static_cast<std::uintptr_t>(spec.align) : size;
  const auto wide = static_cast<std::uintptr_t>(std::max(spec.wide_align, 1));
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  if (address == 0 || (align & (align - 1)) != 0 || (address & (align - 1)) != 0) return false;
  if ((address & (wide - 1)) != 0) variant |= kScalar;
  if (places.count == kMostUsual) return false;
  places.changed |= static_cast<std::uint32_t>(spec.is_written || spec.escapes) << places.count;
  places.all[places.count++] = {address, static_cast<std::uintptr_t>(elements) * size};
  return true;
}

bool bind_usual(const Plan& plan, std::span<const Argument> args, Device device,
                std::int64_t* slots, std::uint8_t& variant) {
  if (args.size() != plan.params.size()) return false;
  const Argument* arg = args.data();
  for (const ParamSpec& spec : plan.params) {
    if (spec.kind == ParamKind::Scalar) {
      if (!bind_usual_scalar(spec, *arg++, slots)) return false;
      continue;
    }
    if (spec.kind != ParamKind::Tensor || arg->kind != ArgumentKind::Tensor) return false;
    const TensorView& tensor = *arg++->tensor;
    const bool is_like = tensor.rank == static_cast<std::int32_t>(spec.shape.size()) &&
                         tensor.dtype == spec.dtype && tensor.device == device &&
                         !(tensor.read_only && spec.is_written) && spec.strides.empty();
    if (!is_like || !bind_usual_shape(plan, spec, tensor, slots)) return false;
  }
  Places places;
  variant = kDefaultVariant;
  arg = args.data();
  for (const ParamSpec& spec : plan.params) {
    const Argument& given = *arg++;
    if (spec.kind != ParamKind::Tensor) continue;
    const std::int64_t elements = count_usual_elements(plan, spec, *given.tensor, slots);
    if (elements == 0 || !take_usual_memory(spec, *given.tensor, elements, places, variant)) {
      return false;
    }
  }
  if (places.have_overlap()) variant |= kAlias;
  return true;
}

}  // namespace

BindFailure bind(const Plan& plan, std::span<const Argument> args, Device device,
                 std::int64_t* slots, std::uint8_t& variant) {
  if (bind_usual(plan, args, device, slots, variant)) [[likely]]
    return {};
  const BindFailure failure = bind_carefully(plan, args, device, slots);
  if (!failure) variant = needed_variant(plan, args);
  return failure;
}

// Two passes, the second when all symbols are known; in each, a parameter goes as far as it passes,
// and what is reported is what failed at the earliest stage.
BindFailure bind_carefully(const Plan& plan, std::span<const Argument> args, Device device,
                           std::int64_t* slots) {
  if (args.size() != plan.params.size()) {
    return failure(BindFault::Count, 0, 0, static_cast<std::int64_t>(plan.params.size()),
                   static_cast<std::int64_t>(args.size()));
  }
  FirstFailure first;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ParamSpec& spec = plan.params[i];
    const bool is_missing = args[i].kind == ArgumentKind::Missing && !spec.has_default;
    if (is_missing) {
      first.passes(0, failure(BindFault::Missing, i));
    } else if (first.passes(1, check_kind(spec, args[i], i, slots)) &&
               spec.kind == ParamKind::Tensor) {
      const TensorView& tensor = *args[i].tensor;
      if (first.passes(2, check_tensor(spec, tensor, device, i)))
        first.passes(3, bind_shape(plan, spec, tensor, i, slots));
    }
  }
  if (first.get()) return first.get();
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ParamSpec& spec = plan.params[i];
    if (spec.kind != ParamKind::Tensor) continue;
    const TensorView& tensor = *args[i].tensor;
    if (first.passes(4, check_formulas(plan, spec, tensor, i, slots)) &&
        first.passes(5, check_strides(plan, spec, tensor, i, slots))) {
      first.passes(6, check_memory(spec, tensor, i));
    }
  }
  return first.get();
}

// Whether the tensor overlaps another parameter's.
static bool overlaps_another(const Plan& plan, std::span<const Argument> args, std::size_t index) {
  auto place_of = [](const TensorView& tensor) {
    Footprint place = footprint_of(tensor);
    place.low += reinterpret_cast<std::uintptr_t>(tensor.data);
    return place;
  };
  const Footprint own = place_of(*args[index].tensor);
  for (std::size_t k = 0; k < args.size(); ++k) {
    if (k == index || plan.params[k].kind != ParamKind::Tensor) continue;
    if (overlap(own, place_of(*args[k].tensor))) return true;
  }
  return false;
}

std::uint8_t needed_variant(const Plan& plan, std::span<const Argument> args) {
  std::uint8_t variant = kDefaultVariant;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ParamSpec& spec = plan.params[i];
    if (spec.kind != ParamKind::Tensor) continue;
    const TensorView& tensor = *args[i].tensor;
    Extent extent = extent_of(tensor);
    if (extent.high >= kMostElements32 || extent.low <= -kMostElements32) variant |= kIndex64;
    if (spec.wide_align > 0 && reinterpret_cast<std::uintptr_t>(tensor.data) %
                                       static_cast<std::uintptr_t>(spec.wide_align) !=
                                   0) {
      variant |= kScalar;
    }
    if ((spec.is_written || spec.escapes) && overlaps_another(plan, args, i)) variant |= kAlias;
  }
  return variant;
}

}  // namespace tirxcc::abi
