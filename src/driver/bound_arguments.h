// SPDX-License-Identifier: Apache-2.0
//
// The arguments of the public API in the form that a launch plan takes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "abi/argument.h"
#include "tirxcc/kernel.h"

namespace tirxcc::driver {

inline constexpr std::size_t kStackArguments = 32;

inline constexpr std::array<DType, 13> kDTypes = {kBool,     kInt8,    kInt16,  kInt32,  kInt64,
                                                  kUInt8,    kUInt16,  kUInt32, kUInt64, kFloat16,
                                                  kBFloat16, kFloat32, kFloat64};

inline abi::TensorView to_view(const Argument& argument) {
  const TensorRef& tensor = argument.tensor();
  std::span<const std::int64_t> shape = argument.shape();
  abi::TensorView view;
  view.data = tensor.data;
  view.dtype = kDTypes[static_cast<std::size_t>(tensor.type)];
  view.rank = static_cast<std::int32_t>(shape.size());
  view.read_only = tensor.read_only;
  view.device = {tensor.device == DeviceType::Cpu ? abi::DeviceKind::Cpu : abi::DeviceKind::Cuda,
                 tensor.device_index};
  view.shape = shape.data();
  view.strides = tensor.strides.empty() ? nullptr : tensor.strides.data();
  return view;
}

// One argument; of a tensor, `view` is made, and must live as long.
inline void convert(const Argument& from, abi::TensorView& view, abi::Argument& to) {
  switch (from.kind()) {
    case Argument::Kind::Missing: to.kind = abi::ArgumentKind::Missing; break;
    case Argument::Kind::None: to.kind = abi::ArgumentKind::None; break;
    case Argument::Kind::Tensor:
      new (&view) abi::TensorView(to_view(from));
      to.kind = abi::ArgumentKind::Tensor;
      to.tensor = &view;
      break;
    case Argument::Kind::Int:
      to.kind = abi::ArgumentKind::Int;
      to.int_value = from.int_value();
      break;
    case Argument::Kind::UInt:
      to.kind = abi::ArgumentKind::UInt;
      to.uint_value = from.uint_value();
      break;
    case Argument::Kind::Float:
      to.kind = abi::ArgumentKind::Float;
      to.float_value = from.float_value();
      break;
    case Argument::Kind::Bool:
      to.kind = abi::ArgumentKind::Bool;
      to.int_value = from.int_value();
      break;
    case Argument::Kind::Pointer:
      to.kind = abi::ArgumentKind::Pointer;
      to.pointer = from.pointer();
      break;
  }
}

// Arguments in the form that the plan takes; on the stack for the usual counts.
class BoundArguments {
 public:
  explicit BoundArguments(std::span<const Argument> args) : count_(args.size()) {
    if (count_ > kStackArguments) {
      many_.resize(count_ * sizeof(Slot));
      slots_ = many_.data();
    }
    auto* arguments = reinterpret_cast<abi::Argument*>(slots_);
    auto* views = reinterpret_cast<abi::TensorView*>(slots_ + count_ * sizeof(abi::Argument));
    for (std::size_t i = 0; i < count_; ++i)
      convert(args[i], views[i], *new (&arguments[i]) abi::Argument);
  }
  BoundArguments(const BoundArguments&) = delete;
  BoundArguments& operator=(const BoundArguments&) = delete;
  std::span<const abi::Argument> get() {
    return {reinterpret_cast<const abi::Argument*>(slots_), count_};
  }

 private:
  struct Slot {
    abi::Argument argument;
    abi::TensorView view;
  };

  std::size_t count_;
  // Arguments, then views; only what is used is made, which is most of the time of a short call.
  alignas(Slot) std::byte few_[kStackArguments * sizeof(Slot)];
  std::vector<std::byte> many_;
  std::byte* slots_ = few_;
};

}  // namespace tirxcc::driver
