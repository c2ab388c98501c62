// SPDX-License-Identifier: Apache-2.0
#include "driver/quick_launch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "abi/host_code.h"
#include "driver/compilation.h"
#include "runtime/cuda/launch.h"

namespace tirxcc::driver {
namespace {

constexpr std::size_t kMostSlots = 64;
constexpr std::size_t kMostParams = 32;
constexpr std::size_t kMostArgs = 40;
constexpr unsigned kGridLimits[3] = {0x7fffffff, 65535, 65535};
constexpr unsigned kBlockLimits[3] = {1024, 1024, 64};

}  // namespace

// What one launch works on.
struct QuickLaunch::Frame {
  std::array<std::int64_t, kMostSlots> slots;
  std::array<void*, kMostParams> data;            // of tensors, by parameter
  std::array<std::uintptr_t, kMostParams> begin;  // of tensors, in order
  std::array<std::uintptr_t, kMostParams> end;
  std::array<std::uint8_t, kMostParams> changed;  // places of those that the kernel changes
  std::size_t tensor_count = 0;
  std::size_t changed_count = 0;
  int device = -1;
};

QuickLaunch::QuickLaunch(const abi::Plan& plan, cuda::LoadedKernel& kernel) : kernel_(kernel) {
  is_usable_ = plan.regions.size() == 1 && plan.slot_count <= kMostSlots &&
               plan.params.size() <= kMostParams && plan.regions[0].args.size() <= kMostArgs;
  is_usable_ = is_usable_ && describe_params(plan) && describe_code(plan);
}

bool QuickLaunch::describe_params(const abi::Plan& plan) {
  std::uint64_t bound = 0;  // slots of symbols that an earlier extent binds
  for (const abi::ParamSpec& spec : plan.params) {
    Param param;
    param.type = element_type(spec.dtype);
    if (spec.kind == abi::ParamKind::Scalar) {
      param.slot = spec.slot;
    } else if (spec.kind != abi::ParamKind::Tensor || !describe_tensor(plan, spec, param, bound)) {
      return false;
    }
    params_.push_back(param);
  }
  return true;
}

bool QuickLaunch::describe_tensor(const abi::Plan& plan, const abi::ParamSpec& spec, Param& param,
                                  std::uint64_t& bound) {
  if (!spec.strides.empty()) return false;
  int align = std::max({spec.align, spec.wide_align, spec.dtype.bytes()});
  if ((align & (align - 1)) != 0) return false;
  param.is_tensor = true;
  param.is_written = spec.is_written;
  param.is_changed = spec.is_written || spec.escapes;
  param.rank = static_cast<std::uint8_t>(spec.shape.size());
  param.size = static_cast<std::uint8_t>(spec.dtype.bytes());
  param.align_mask = static_cast<std::uintptr_t>(align) - 1;
  param.first_dim = static_cast<std::uint16_t>(dims_.size());
  for (const abi::DimSpec& dim : spec.shape) {
    Dim quick{.kind = Dim::Kind::Constant, .slot = dim.slot, .value = dim.value};
    if (dim.kind == abi::DimSpec::Kind::Bind) {
      quick.kind = Dim::Kind::Bind;
      for (const abi::SymbolSpec& symbol : plan.symbols) {
        if (symbol.slot == dim.slot)
          quick.value = std::min(abi::kMostElements32, std::int64_t(symbol.dtype.max_int()));
      }
      bound |= std::uint64_t{1} << dim.slot;
    } else if (dim.kind == abi::DimSpec::Kind::Formula && dim.code_begin == dim.code_end &&
               (bound >> dim.slot & 1) != 0) {
      quick.kind = Dim::Kind::Same;
    } else if (dim.kind != abi::DimSpec::Kind::Constant || dim.value < 1 ||
               dim.value > abi::kMostElements32) {
      return false;
    }
    dims_.push_back(quick);
  }
  return true;
}

// Arithmetic, one launch without attributes, the end.
bool QuickLaunch::describe_code(const abi::Plan& plan) {
  region_ = &plan.regions[0];
  const abi::LaunchAttributes& attributes = region_->attributes;
  for (abi::Slot slot : {attributes.cluster[0], attributes.cluster[1], attributes.cluster[2],
                         attributes.cooperative, attributes.programmatic_stream_serialization,
                         attributes.priority, attributes.dynamic_smem_bytes}) {
    if (slot != abi::kNoSlot) return false;
  }
  if (region_->is_host) return false;
  for (const abi::HostInstr& instr : plan.code) {
    if (instr.op == abi::HostOp::Launch) {
      for (const abi::KernelArgSpec& arg : region_->args) {
        const bool is_tensor = arg.kind == abi::KernelArgSpec::Kind::Tensor;
        args_.push_back(is_tensor ? offsetof(Frame, data) + arg.index * sizeof(void*)
                                  : offsetof(Frame, slots) + arg.index * sizeof(std::int64_t));
      }
      return &instr + 1 < plan.code.data() + plan.code.size() &&
             (&instr + 1)->op == abi::HostOp::Return && (&instr + 1)->a == abi::kNoSlot;
    }
    if (!abi::is_arithmetic(instr.op)) return false;
    code_.push_back(instr);
  }
  return false;
}

bool QuickLaunch::bind_scalar(const Param& param, const Argument& arg, Frame& frame) const {
  std::int64_t& slot = frame.slots[param.slot];
  if (param.type == ElementType::Int32 && arg.kind() == Argument::Kind::Int) {
    slot = arg.int_value();
    return slot == static_cast<std::int32_t>(slot);
  }
  if (param.type == ElementType::Float32 && arg.kind() == Argument::Kind::Float) {
    auto value = static_cast<float>(arg.float_value());
    slot = std::bit_cast<std::uint32_t>(value);
    return std::isfinite(value);
  }
  slot = arg.int_value();
  return param.type == ElementType::Int64 && arg.kind() == Argument::Kind::Int;
}

// Extents from 1 to kMostElements32, as `dim` wants them.
inline bool QuickLaunch::bind_extent(const Dim& dim, std::int64_t extent, Frame& frame) {
  std::int64_t& slot = frame.slots[dim.slot & (kMostSlots - 1)];
  switch (dim.kind) {
    case Dim::Kind::Bind:
      slot = extent;
      return static_cast<std::uint64_t>(extent - 1) < static_cast<std::uint64_t>(dim.value);
    case Dim::Kind::Same: return extent == slot;
    case Dim::Kind::Constant: return extent == dim.value;
  }
  return false;
}

bool QuickLaunch::bind_tensor(const Param& param, const Argument& arg, std::size_t index,
                              Frame& frame) const {
  if (arg.kind() != Argument::Kind::Tensor) return false;
  const TensorRef& tensor = arg.tensor();
  const std::span<const std::int64_t> shape = arg.shape();
  auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  if (frame.device < 0) frame.device = tensor.device_index;
  if (tensor.device != DeviceType::Cuda || tensor.device_index != frame.device ||
      tensor.type != param.type || shape.size() != param.rank || address == 0 ||
      (address & param.align_mask) != 0 || (tensor.read_only && param.is_written)) {
    return false;
  }
  const Dim* dims = dims_.data() + param.first_dim;
  const std::int64_t* strides = tensor.strides.empty() ? nullptr : tensor.strides.data();
  std::int64_t count = 1;
  if (param.rank == 1) {
    count = shape[0];
    if (!bind_extent(dims[0], count, frame) || (strides != nullptr && strides[0] != 1)) {
      return false;
    }
  } else {
    for (std::size_t i = 0; i < param.rank; ++i) {
      if (!bind_extent(dims[i], shape[i], frame)) return false;
    }
    for (std::size_t i = param.rank; i-- > 0;) {
      if (strides != nullptr && strides[i] != count) return false;
      count *= shape[i];
      if (count > abi::kMostElements32) return false;
    }
  }
  if (param.is_changed) {
    frame.changed[frame.changed_count++] = static_cast<std::uint8_t>(frame.tensor_count);
  }
  frame.data[index] = tensor.data;
  frame.begin[frame.tensor_count] = address;
  frame.end[frame.tensor_count++] = address + static_cast<std::uintptr_t>(count) * param.size;
  return true;
}

bool QuickLaunch::bind(std::span<const Argument> args, Frame& frame) const {
  if (args.size() != params_.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    bool is_bound = params_[i].is_tensor ? bind_tensor(params_[i], args[i], i, frame)
                                         : bind_scalar(params_[i], args[i], frame);
    if (!is_bound) return false;
  }
  for (std::size_t k = 0; k < frame.changed_count; ++k) {
    std::size_t changed = frame.changed[k];
    for (std::size_t i = 0; i < frame.tensor_count; ++i) {
      if (frame.begin[changed] < frame.end[i] && frame.begin[i] < frame.end[changed] &&
          i != changed) {
        return false;
      }
    }
  }
  return frame.device >= 0;
}

bool QuickLaunch::sizes(const Frame& frame, const abi::Slot (&slots)[3],
                        const unsigned (&limits)[3], unsigned (&out)[3]) const {
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t size = slots[axis] == abi::kNoSlot ? 1 : frame.slots[slots[axis]];
    if (size < 1 || size > static_cast<std::int64_t>(limits[axis])) return false;
    out[axis] = static_cast<unsigned>(size);
  }
  return true;
}

bool QuickLaunch::launch(std::span<const Argument> args, void* stream) const {
  Frame frame;
  if (!is_usable_ || !bind(args, frame)) return false;
  for (const abi::HostInstr& instr : code_) {
    if (abi::execute(instr, frame.slots.data()) != abi::HostFault::None) return false;
  }
  cuda::LaunchShape shape;
  shape.stream = static_cast<cuda::CuStream>(stream);
  if (!sizes(frame, region_->grid, kGridLimits, shape.grid) ||
      !sizes(frame, region_->block, kBlockLimits, shape.block)) {
    return false;
  }
  // The driver copies the values from where they are; a slot begins with its value's low bytes.
  std::array<void*, kMostArgs> addresses;
  auto* base = reinterpret_cast<std::byte*>(&frame);
  for (std::size_t i = 0; i < args_.size(); ++i)
    addresses[i] = base + args_[i];
  return cuda::try_launch(kernel_, frame.device, shape, addresses.data());
}

}  // namespace tirxcc::driver
