// SPDX-License-Identifier: Apache-2.0
//
// The words for a call that was refused. Each names the parameter, what was expected and what came,
// and ends with the whole signature.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "abi/bind.h"
#include "abi/host_code.h"
#include "abi/scalar.h"

namespace tirxcc::abi {
namespace {

struct Words {
  std::string text;
  ErrorClass error_class = ErrorClass::Value;
};

std::string_view device_name(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::Cpu: return "cpu";
    case DeviceKind::Cuda: return "cuda";
    case DeviceKind::CudaHost: return "cuda_host";
    case DeviceKind::Other: return "another kind of device";
  }
  return "";
}

std::string shape_text(const TensorView& tensor) {
  std::string text = "(";
  for (std::int32_t dim = 0; dim < tensor.rank; ++dim) {
    text += fmt::format("{}{}", dim == 0 ? "" : ", ", tensor.shape[dim]);
  }
  return text + (tensor.rank == 1 ? ",)" : ")");
}

std::string device_text(Device device) {
  if (device.kind == DeviceKind::Cuda) return fmt::format("cuda:{}", device.index);
  return std::string(device_name(device.kind));
}

std::string_view wanted_kind(const ParamSpec& spec) {
  switch (spec.kind) {
    case ParamKind::Tensor: return "a tensor";
    case ParamKind::Scalar:
      if (spec.dtype.is_bool()) return "a bool";
      return spec.dtype.is_float() ? "a number" : "an integer";
    case ParamKind::Pointer: return "a tensor or a pointer";
    case ParamKind::None: return "None";
  }
  return "";
}

const SymbolSpec* symbol_at(const Plan& plan, Slot slot) {
  for (const SymbolSpec& symbol : plan.symbols) {
    if (symbol.slot == slot) return &symbol;
  }
  return nullptr;
}

// What one failure says; every case names the place first.
struct Describer {
  const Plan& plan;
  std::span<const Argument> args;
  Device device;
  const BindFailure& f;

  const ParamSpec& spec() const { return plan.params[f.param]; }
  const TensorView& tensor() const { return *args[f.param].tensor; }
  const DimSpec& dim() const { return spec().shape[f.dim]; }
  std::string place() const { return fmt::format("{}.shape[{}]", spec().name, f.dim); }
  std::string argument() const {
    return fmt::format("argument #{} '{}'", f.param + 1, spec().name);
  }
  std::string_view symbol_name() const {
    const SymbolSpec* symbol = symbol_at(plan, dim().slot);
    return symbol != nullptr ? std::string_view(symbol->name) : "its symbol";
  }

  Words count() const {
    std::size_t count = plan.params.size();
    return {fmt::format("expected {} argument{}, got {}", count, count == 1 ? "" : "s", f.got),
            ErrorClass::Type};
  }

  Words scalar_value() const {
    bool is_float_for_int = args[f.param].kind == ArgumentKind::Float && !spec().dtype.is_float();
    return {fmt::format("{}: {} {} {}", argument(), to_string(args[f.param]),
                        is_float_for_int ? "is not a value of type" : "does not fit",
                        tirxcc::to_string(spec().dtype)),
            is_float_for_int ? ErrorClass::Type : ErrorClass::Value};
  }

  Words symbol_range() const {
    const SymbolSpec& symbol = *symbol_at(plan, dim().slot);
    const auto most = static_cast<std::int64_t>(symbol.dtype.max_int());
    const char* why =
        symbol.dtype.can_hold(f.got) ? ", so that an index beside it cannot wrap" : "";
    std::string text =
        fmt::format("{} is {}; {} ({}) goes up to {}{}", place(), f.got, symbol.name,
                    tirxcc::to_string(symbol.dtype), std::min(symbol.largest, most), why);
    if (symbol.dtype.bits < 64) {
      text += fmt::format(
          "; declare it T.dynamic(\"{}\", \"int64\") and compute what is compared with it in int64 "
          "too, 'T.int64(T.cuda.block_idx(\"x\")) * 256 + ...'",
          symbol.name);
    }
    return {std::move(text)};
  }

  Words formula() const {
    const SymbolSpec* symbol = symbol_at(plan, dim().slot);
    bool is_symbol = symbol != nullptr && dim().code_begin == dim().code_end;
    if (is_symbol && !symbol->origin.empty()) {
      return {fmt::format("{}: expected {} to match {} ({}), got {}", place(), f.expected,
                          symbol->origin, symbol->name, f.got)};
    }
    return {fmt::format("{}: expected {} ({}), got {}", place(), f.expected, dim().text, f.got)};
  }

  Words formula_fault() const {
    bool is_overflow = f.expected == static_cast<std::int64_t>(HostFault::Overflow);
    return {fmt::format("{}: {} {}", place(), dim().text,
                        is_overflow ? "overflows 64 bits" : "divides by zero")};
  }

  Words words() const {
    const std::string& name = spec().name;
    switch (f.fault) {
      case BindFault::None:
      case BindFault::Count: return count();
      case BindFault::Missing: return {fmt::format("{} is missing", argument()), ErrorClass::Type};
      case BindFault::NoneTensor:
        return {fmt::format("{}: expected a tensor, got None", argument()), ErrorClass::Type};
      case BindFault::Kind:
        return {fmt::format("{}: expected {}, got {}", argument(), wanted_kind(spec()),
                            to_string(args[f.param])),
                ErrorClass::Type};
      case BindFault::ScalarValue: return scalar_value();
      case BindFault::Rank:
        return {fmt::format("{}: expected {} dimension{}, got {} with shape {}", name, f.expected,
                            f.expected == 1 ? "" : "s", f.got, shape_text(tensor()))};
      case BindFault::DTypeMismatch:
        return {fmt::format("{}: expected dtype {}, got {}", name, tirxcc::to_string(spec().dtype),
                            tirxcc::to_string(tensor().dtype)),
                ErrorClass::Type};
      case BindFault::WrongDevice:
        return {fmt::format("{}: expected a tensor on {}, got one on {}", name, device_text(device),
                            device_text(tensor().device))};
      case BindFault::ReadOnly:
        return {fmt::format("{} is read-only, but the kernel writes it", name)};
      case BindFault::NegativeDim: return {fmt::format("{} is negative: {}", place(), f.got)};
      case BindFault::DimConstant:
        return {fmt::format("{}: expected {}, got {}", place(), f.expected, f.got)};
      case BindFault::DimNotDivisible:
        return {fmt::format("{}: expected {}, got {}, which leaves no whole number for {}", place(),
                            dim().text, f.got, symbol_name())};
      case BindFault::DimNegativeSymbol:
        return {fmt::format("{}: expected {}, got {}, which makes {} negative", place(), dim().text,
                            f.got, symbol_name())};
      case BindFault::DimSymbolRange: return symbol_range();
      case BindFault::DimFormula: return formula();
      case BindFault::FormulaFault: return formula_fault();
      case BindFault::Stride:
        return {fmt::format("{}.strides[{}]: expected {}, got {}", name, f.dim, f.expected, f.got)};
      case BindFault::StrideNotCompact:
        return {
            fmt::format("{} must be contiguous (row-major): {}.strides[{}]: expected {}, got "
                        "{}; pass a contiguous copy",
                        name, name, f.dim, f.expected, f.got)};
      case BindFault::Null: return {fmt::format("{}: the data pointer is NULL", name)};
      case BindFault::Misaligned:
        return {
            fmt::format("{}: misaligned data: expected an address that is a multiple of {}, "
                        "got one that is {} past",
                        name, f.expected, f.got)};
    }
    return {};
  }
};

}  // namespace

Failure describe(const Plan& plan, std::span<const Argument> args, Device device,
                 const BindFailure& failure) {
  Words words = Describer{plan, args, device, failure}.words();
  return {fmt::format("{}; when calling {}", words.text, plan.signature), words.error_class};
}

}  // namespace tirxcc::abi
