// SPDX-License-Identifier: Apache-2.0
//
// What a thread remembers of a call that went well, so that the next call like it is short.
//
// Every rule about arguments stands in abi/bind. Nearly all of what those rules look at (counts,
// types, ranks, extents, strides, devices, scalars that sizes depend on) is the same from one call
// of a kernel to the next, and so is all that follows from it: symbols, grids, which kernel runs. A
// call whose arguments are in all of that equal to a remembered one needs no second look at it, and
// launches what that one launched. What may differ is looked at again: addresses (null, alignment,
// overlap: the variant must come out the same) and scalars that are only handed on (their range).
// Whatever is not found equal is left to abi/bind, which checks everything and finds the words.
//
//   exe(a, b)    abi/bind checks, the plan runs
//   exe(a, b)    the same, and the call is remembered
//   exe(a, b)    equal: addresses and scalars are filled in, the kernel is launched
//   exe(a, a)    equal but for the overlap: abi/bind again, the variant "alias"
//
// Memos belong to one thread, so there is nothing to lock.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "abi/launch.h"
#include "runtime/cuda/launch.h"
#include "tirxcc/kernel.h"

namespace tirxcc::driver {

class CallMemo {
 public:
  // One kernel of the call.
  struct Launch {
    std::size_t first = 0;  // of the kernel's arguments, in the memo's addresses
    std::size_t count = 0;
    // On a GPU:
    cuda::LoadedKernel* kernel = nullptr;
    int device = 0;
    cuda::LaunchShape shape = {};
    abi::LaunchRequest request = {};  // without args and result
    std::unique_ptr<cuda::LaunchAttributes> attributes = nullptr;
    std::unique_ptr<abi::LaunchOptions> options = nullptr;  // the request's
  };

  // The memo of this thread for a function (by its number) and arguments; null if there is none.
  // The addresses and scalars of these arguments are then filled in.
  static CallMemo* find(std::uint64_t function, std::span<const Argument> args);
  // A memo to fill for such calls, in place of an older one; null the first time, since what comes
  // once is not worth remembering, and mostly null where nothing was found for long.
  static CallMemo* place(std::uint64_t function, std::span<const Argument> args);

  // Filling: each launch as it happens, then the arguments. Only then the memo is found, and not if
  // the call is none that can be repeated.
  void note(const abi::LaunchRequest& request);
  void finish(const abi::Plan& plan, std::span<const Argument> args);

  std::span<Launch> launches() { return launches_; }
  // Where the values of a launch's arguments lie, and the values themselves.
  void** addresses(const Launch& launch) { return addresses_.data() + launch.first; }
  std::span<const std::uint64_t> words(const Launch& launch);

 private:
  enum class Rule : std::uint8_t {
    Tensor,
    Pointer,  // a tensor or an address that is passed on without a look at it
    Kind,     // nothing but the kind of argument counts
    Same,     // the value must be the remembered one
    Int,      // within a range
    Float32,
    Other,  // by abi::scalar_bits
  };
  // How one argument must be. Every call walks over these and the numbers, in order, right after
  // the driver has used the cache for its own; so this is kept small.
  struct Param {
    Rule rule = Rule::Kind;
    Argument::Kind kind = Argument::Kind::Missing;
    // Of a tensor:
    ElementType type = ElementType::Float32;
    DeviceType device = DeviceType::Cpu;
    bool read_only = false;
    std::uint8_t rank = 0;
    std::uint8_t stride_count = 0;  // rank, or 0
    int device_index = 0;
  };
  // The rest about it, which only some calls ask for.
  struct Details {
    DType dtype = {};  // of a scalar
    // Bits of an address that must be 0; some of them must be for the default variant.
    std::uintptr_t align_mask = 0;
    std::uintptr_t wide_mask = 0;
    // Bytes that the tensor spans, from this far from its address on.
    std::uintptr_t low = 0;
    std::uintptr_t length = 0;
  };
  struct Table;

  bool remember(const abi::ParamSpec& spec, const Argument& arg);
  bool remember_tensor(const abi::ParamSpec& spec, const Argument& arg, Param& param);
  void remember_scalar(const abi::ParamSpec& spec, const Argument& arg, Param& param);
  void point_to_words(const abi::Plan& plan);

  bool refresh(std::span<const Argument> args);
  static bool is_like(const Param& param, const Argument& arg, const std::int64_t*& number);
  static bool refresh_int(const Argument& arg, const std::int64_t*& number, std::uint64_t& word);
  bool refresh_scalar(std::size_t place, const Argument& arg, std::uint64_t& word) const;
  static bool refresh_pointer(const Param& param, const Argument& arg, std::uint64_t& word);
  bool are_addresses_right() const;
  bool has_overlap() const;

  std::uint64_t function_ = 0;  // 0: not to be found
  std::uint64_t pending_ = 0;   // the function while it is filled
  bool is_repeatable_ = false;
  bool is_right_ = false;   // the words are of a call that all was right with
  bool is_scalar_ = false;  // the variants that the addresses called for
  bool is_alias_ = false;
  std::vector<Param> params_;
  std::vector<Details> details_;  // of the same parameters
  // What the arguments' numbers must be, one argument's after the other's. Tensors: shape, then
  // strides. Int: the least and the largest value. Same: the bits.
  std::vector<std::int64_t> numbers_;
  std::vector<std::uint32_t> tensors_;  // places of the tensors that may overlap
  std::vector<std::uint32_t> changed_;  // and of those that the kernels change
  // A word for each parameter, then the words of the launches that are the same in every call.
  std::vector<std::uint64_t> words_;
  std::vector<void*> addresses_;
  std::vector<std::uint64_t> gathered_;
  std::vector<Launch> launches_;
  std::vector<std::uint64_t> noted_;  // the words of all launches, as they were first
};

// Notes in a memo, if there is one, what a plan launches.
class NotingLauncher final : public abi::Launcher {
 public:
  NotingLauncher(abi::Launcher& launcher, CallMemo* memo) : launcher_(launcher), memo_(memo) {}
  Result<void> launch(const abi::LaunchRequest& request) override {
    if (memo_ != nullptr) memo_->note(request);
    return launcher_.launch(request);
  }

 private:
  abi::Launcher& launcher_;
  CallMemo* memo_;
};

}  // namespace tirxcc::driver
