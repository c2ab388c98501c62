// SPDX-License-Identifier: Apache-2.0
//
// The launch of a function with one kernel, short: the plan boiled down to what the usual call
// needs, and run on the caller's arguments as they are. What is not usual (a mistake, strides,
// formulas that are not a symbol, another variant) is left to the plan itself, which checks
// everything and finds the words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/plan.h"
#include "runtime/cuda/module.h"
#include "tirxcc/kernel.h"

namespace tirxcc::driver {

class QuickLaunch {
 public:
  // For the default variant of `plan`, whose only kernel is `kernel`.
  QuickLaunch(const abi::Plan& plan, cuda::LoadedKernel& kernel);

  // False: not launched, and nothing is known of the call.
  bool launch(std::span<const Argument> args, void* stream) const;

 private:
  struct Param {
    bool is_tensor = false;
    bool is_changed = false;  // written, or a pointer into it escapes
    bool is_written = false;
    ElementType type = ElementType::Float32;
    std::uint8_t rank = 0;
    std::uint8_t size = 0;          // of an element
    std::uint16_t first_dim = 0;    // in dims_
    std::uint16_t slot = 0;         // scalars
    std::uintptr_t align_mask = 0;  // bits of an address that must be 0
  };
  struct Dim {
    enum class Kind : std::uint8_t { Constant, Bind, Same };
    Kind kind = Kind::Constant;
    std::uint16_t slot = 0;
    std::int64_t value = 0;  // Constant; Bind: the largest for the usual call
  };
  struct Frame;

  bool describe_params(const abi::Plan& plan);
  bool describe_tensor(const abi::Plan& plan, const abi::ParamSpec& spec, Param& param,
                       std::uint64_t& bound);
  bool describe_code(const abi::Plan& plan);

  bool bind(std::span<const Argument> args, Frame& frame) const;
  bool bind_scalar(const Param& param, const Argument& arg, Frame& frame) const;
  bool bind_tensor(const Param& param, const Argument& arg, std::size_t index, Frame& frame) const;
  static bool bind_extent(const Dim& dim, std::int64_t extent, Frame& frame);
  bool sizes(const Frame& frame, const abi::Slot (&slots)[3], const unsigned (&limits)[3],
             unsigned (&out)[3]) const;

  cuda::LoadedKernel& kernel_;
  const abi::RegionSpec* region_ = nullptr;
  bool is_usable_ = false;
  std::vector<Param> params_;
  std::vector<Dim> dims_;
  std::vector<abi::HostInstr> code_;
  std::vector<std::size_t> args_;  // where in a frame the kernel's arguments lie
};

}  // namespace tirxcc::driver
