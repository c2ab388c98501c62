// SPDX-License-Identifier: Apache-2.0
#include "driver/call_memo.h"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "abi/bind.h"
#include "abi/scalar.h"
#include "driver/bound_arguments.h"

namespace tirxcc::driver {
namespace {

// A thread keeps up to this many calls: of kernels whose numbers meet in a set, the latest few.
constexpr std::size_t kSets = 64;
constexpr std::size_t kWays = 4;
// Host code that launches more kernels than this is no short call.
constexpr std::size_t kMostLaunches = 16;
// How many calls that were not found a set knows again.
constexpr std::size_t kSeen = 8;
// After so many calls in a row that were not found, only one in some is looked at: sizes that never
// come twice should not pay for it.
constexpr std::uint32_t kPatience = 64;
constexpr std::uint32_t kOneIn = 16;

// A number for calls with these extents.
std::uint64_t fingerprint(std::uint64_t function, std::span<const Argument> args) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = function;
  for (const Argument& arg : args) {
    if (arg.kind() != Argument::Kind::Tensor) continue;
    for (const std::int64_t extent : arg.shape())
      hash = (std::rotl(hash, 23) ^ static_cast<std::uint64_t>(extent)) * kFactor;
  }
  return hash;
}

}  // namespace

struct CallMemo::Table {
  struct Set {
    std::array<std::unique_ptr<CallMemo>, kWays> memos;  // those that there are come first
    std::size_t next = 0;
    std::array<std::uint64_t, kSeen> seen = {};
    std::size_t next_seen = 0;
    std::uint32_t missed = 0;  // calls in a row that were not found

    // Whether a call that was not found is to be noted.
    bool has_patience() {
      missed = missed < kPatience + kOneIn ? missed + 1 : kPatience + 1;
      return missed <= kPatience || missed == kPatience + kOneIn;
    }

    // Whether such a call was seen before, lately.
    bool knows(std::uint64_t call) {
      for (const std::uint64_t other : seen) {
        if (other == call) return true;
      }
      seen[std::exchange(next_seen, (next_seen + 1) % kSeen)] = call;
      return false;
    }

    // One that is good for nothing, a new one, or the oldest.
    CallMemo& replaced() {
      for (std::unique_ptr<CallMemo>& memo : memos) {
        if (memo == nullptr) memo = std::make_unique<CallMemo>();
        if (memo->function_ == 0) return *memo;
      }
      return *memos[std::exchange(next, (next + 1) % kWays)];
    }
  };
  std::array<Set, kSets> sets;

  Set& set_of(std::uint64_t function) { return sets[function % kSets]; }

  // Null until the thread's first call.
  static constinit thread_local Table* of_this_thread;
  static Table& make() {
    static thread_local std::unique_ptr<Table> owner;
    owner = std::make_unique<Table>();
    of_this_thread = owner.get();
    return *owner;
  }
  ~Table() { of_this_thread = nullptr; }
};

constinit thread_local CallMemo::Table* CallMemo::Table::of_this_thread = nullptr;

CallMemo* CallMemo::find(std::uint64_t function, std::span<const Argument> args) {
  Table* table = Table::of_this_thread;
  if (table == nullptr) return nullptr;
  Table::Set& set = table->set_of(function);
  for (const std::unique_ptr<CallMemo>& memo : set.memos) {
    if (memo == nullptr) return nullptr;
    if (memo->function_ != function || !memo->refresh(args)) continue;
    set.missed = 0;
    return memo.get();
  }
  return nullptr;
}

CallMemo* CallMemo::place(std::uint64_t function, std::span<const Argument> args) {
  Table* table = Table::of_this_thread;
  Table::Set& set = (table != nullptr ? *table : Table::make()).set_of(function);
  if (!set.has_patience() || !set.knows(fingerprint(function, args))) return nullptr;
  CallMemo& memo = set.replaced();
  memo.pending_ = function;
  memo.function_ = 0;
  memo.is_repeatable_ = true;
  memo.launches_.clear();
  memo.noted_.clear();
  return &memo;
}

void CallMemo::note(const abi::LaunchRequest& request) {
  // An address among the attributes would be that of this call.
  const bool has_address = request.options != nullptr && request.options->has_address;
  is_repeatable_ = is_repeatable_ && launches_.size() < kMostLaunches && !has_address;
  if (!is_repeatable_) return;
  Launch& launch = launches_.emplace_back();
  launch.request = request;
  launch.request.args = {};
  launch.request.result = nullptr;
  if (request.options != nullptr) {
    launch.options = std::make_unique<abi::LaunchOptions>(*request.options);
    launch.request.options = launch.options.get();
  }
  launch.first = noted_.size();
  launch.count = request.args.size();
  noted_.insert(noted_.end(), request.args.begin(), request.args.end());
}

bool CallMemo::remember_tensor(const abi::ParamSpec& spec, const Argument& arg, Param& param) {
  const abi::TensorView view = to_view(arg);
  const abi::Footprint footprint = abi::footprint_of(view);
  const std::int64_t align = spec.align > 0 ? spec.align : spec.dtype.bytes();
  const std::size_t rank = arg.shape().size();
  const std::size_t stride_count = arg.tensor().strides.size();
  // An empty tensor has rules of its own.
  if (footprint.length == 0 || !std::has_single_bit(static_cast<std::uint64_t>(align)) ||
      rank > std::numeric_limits<std::uint8_t>::max()) {
    return false;
  }
  param.rule = Rule::Tensor;
  param.rank = static_cast<std::uint8_t>(rank);
  param.stride_count = static_cast<std::uint8_t>(stride_count);
  Details& details = details_.back();
  details.align_mask = static_cast<std::uintptr_t>(align) - 1;
  details.wide_mask = spec.wide_align > 0 ? static_cast<std::uintptr_t>(spec.wide_align) - 1 : 0;
  details.low = footprint.low;
  details.length = footprint.length;
  numbers_.insert(numbers_.end(), arg.shape().begin(), arg.shape().end());
  numbers_.insert(numbers_.end(), arg.tensor().strides.begin(), arg.tensor().strides.end());
  const auto place = static_cast<std::uint32_t>(params_.size());
  tensors_.push_back(place);
  if (spec.is_written || spec.escapes) changed_.push_back(place);
  return stride_count == 0 || stride_count == rank;
}

void CallMemo::remember_scalar(const abi::ParamSpec& spec, const Argument& arg, Param& param) {
  const bool is_int = param.kind == Argument::Kind::Int && spec.dtype.is_int();
  const bool is_float = param.kind == Argument::Kind::Float;
  details_.back().dtype = spec.dtype;
  param.rule = !spec.is_only_passed                  ? Rule::Same
               : is_int                              ? Rule::Int
               : is_float && spec.dtype.is_float32() ? Rule::Float32
                                                     : Rule::Other;
  if (param.rule == Rule::Same) numbers_.push_back(arg.int_value());
  if (param.rule == Rule::Int) {
    constexpr int128 kLargest = std::numeric_limits<std::int64_t>::max();
    numbers_.push_back(static_cast<std::int64_t>(spec.dtype.min_int()));
    numbers_.push_back(static_cast<std::int64_t>(std::min(kLargest, spec.dtype.max_int())));
  }
}

// False if calls with such an argument are not repeated.
bool CallMemo::remember(const abi::ParamSpec& spec, const Argument& arg) {
  Param param;
  details_.emplace_back();
  param.kind = arg.kind();
  if (param.kind == Argument::Kind::Tensor) {
    param.type = arg.tensor().type;
    param.read_only = arg.tensor().read_only;
    param.device = arg.tensor().device;
    param.device_index = arg.tensor().device_index;
  }
  if (spec.kind == abi::ParamKind::Tensor) {
    if (!remember_tensor(spec, arg, param)) return false;
  } else if (spec.kind == abi::ParamKind::Pointer) {
    param.rule = Rule::Pointer;
  } else if (spec.kind == abi::ParamKind::Scalar && param.kind != Argument::Kind::Missing) {
    remember_scalar(spec, arg, param);
  }
  params_.push_back(param);
  return true;
}

// The word of each kernel argument: a parameter's, or one that is the same in every call.
void CallMemo::point_to_words(const abi::Plan& plan) {
  std::vector<std::uint32_t> places;
  for (const Launch& launch : launches_) {
    const abi::RegionSpec& region = plan.regions[launch.request.region];
    for (std::size_t i = 0; i < launch.count; ++i) {
      const abi::KernelArgSpec& spec = region.args[i];
      std::size_t place = words_.size();
      if (spec.kind == abi::KernelArgSpec::Kind::Tensor) place = spec.index;
      for (std::size_t p = 0; p < plan.params.size() && place == words_.size(); ++p) {
        const bool is_own = spec.kind == abi::KernelArgSpec::Kind::Value &&
                            plan.params[p].kind == abi::ParamKind::Scalar &&
                            plan.params[p].slot == spec.index && plan.params[p].is_only_passed;
        if (is_own && params_[p].kind != Argument::Kind::Missing) place = p;
      }
      if (place == words_.size()) words_.push_back(noted_[launch.first + i]);
      places.push_back(static_cast<std::uint32_t>(place));
    }
  }
  addresses_.clear();
  for (const std::uint32_t place : places)
    addresses_.push_back(&words_[place]);
}

void CallMemo::finish(const abi::Plan& plan, std::span<const Argument> args) {
  if (!is_repeatable_ || launches_.empty()) return;
  params_.clear();
  details_.clear();
  numbers_.clear();
  tensors_.clear();
  changed_.clear();
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!remember(plan.params[i], args[i])) return;
  }
  is_right_ = false;
  words_.assign(args.size(), 0);
  point_to_words(plan);
  const std::uint8_t variant = launches_[0].request.variant;
  is_scalar_ = (variant & abi::kScalar) != 0;
  is_alias_ = (variant & abi::kAlias) != 0;
  function_ = pending_;
  // A memo is good for the call that it was made from, or it is not good at all.
  if (!refresh(args)) function_ = 0;
}

std::span<const std::uint64_t> CallMemo::words(const Launch& launch) {
  gathered_.resize(launch.count);
  for (std::size_t i = 0; i < launch.count; ++i)
    gathered_[i] = *static_cast<const std::uint64_t*>(addresses_[launch.first + i]);
  return gathered_;
}

bool CallMemo::are_addresses_right() const {
  std::uintptr_t unaligned = 0;
  std::uintptr_t narrow = 0;
  for (const std::uint32_t place : tensors_) {
    if (words_[place] == 0) return false;
    unaligned |= words_[place] & details_[place].align_mask;
    narrow |= words_[place] & details_[place].wide_mask;
  }
  return unaligned == 0 && (narrow != 0) == is_scalar_ && has_overlap() == is_alias_;
}

bool CallMemo::has_overlap() const {
  for (const std::uint32_t changed : changed_) {
    const std::uintptr_t begin = words_[changed] + details_[changed].low;
    const std::uintptr_t length = details_[changed].length;
    for (const std::uint32_t other : tensors_) {
      // Bytes from one's begin to the other's last byte: fewer than both have together.
      const Details& details = details_[other];
      const std::uintptr_t reach = words_[other] + details.low - begin + details.length - 1;
      if (reach < length + details.length - 1 && other != changed) return true;
    }
  }
  return false;
}

// Whether a tensor is in all but its address like the remembered one; `number` moves on.
inline bool CallMemo::is_like(const Param& param, const Argument& arg,
                              const std::int64_t*& number) {
  const TensorRef& tensor = arg.tensor();
  const std::span<const std::int64_t> shape = arg.shape();
  if (tensor.type != param.type || shape.size() != param.rank ||
      tensor.strides.size() != param.stride_count || tensor.device != param.device ||
      tensor.device_index != param.device_index || tensor.read_only != param.read_only) {
    return false;
  }
  for (const std::int64_t extent : shape) {
    if (extent != *number++) return false;
  }
  for (const std::int64_t stride : tensor.strides) {
    if (stride != *number++) return false;
  }
  return true;
}

inline bool CallMemo::refresh_int(const Argument& arg, const std::int64_t*& number,
                                  std::uint64_t& word) {
  const std::int64_t least = *number++;
  const std::int64_t largest = *number++;
  word = arg.uint_value();
  return arg.int_value() >= least && arg.int_value() <= largest;
}

// A scalar of a rule that asks for no number.
inline bool CallMemo::refresh_scalar(std::size_t place, const Argument& arg,
                                     std::uint64_t& word) const {
  if (params_[place].rule == Rule::Float32) {
    const auto value = static_cast<float>(arg.float_value());
    word = std::bit_cast<std::uint32_t>(value);
    return std::isfinite(value);  // else perhaps too large
  }
  if (params_[place].rule == Rule::Kind) return true;
  abi::TensorView none;
  abi::Argument scalar;
  convert(arg, none, scalar);
  return abi::scalar_bits(scalar, details_[place].dtype, word);
}

// A tensor, an address or None, passed on as it is. A tensor's device may be the launch's.
bool CallMemo::refresh_pointer(const Param& param, const Argument& arg, std::uint64_t& word) {
  word = 0;
  if (param.kind == Argument::Kind::Pointer) word = reinterpret_cast<std::uintptr_t>(arg.pointer());
  if (param.kind != Argument::Kind::Tensor) return true;
  const TensorRef& tensor = arg.tensor();
  word = reinterpret_cast<std::uintptr_t>(tensor.data);
  return tensor.device == param.device && tensor.device_index == param.device_index;
}

bool CallMemo::refresh(std::span<const Argument> args) {
  if (args.size() != params_.size()) return false;
  // Whether the words are those of a call that all was right with.
  const bool was_right = std::exchange(is_right_, false);
  std::uintptr_t moved = 0;
  const std::int64_t* number = numbers_.data();
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Argument& arg = args[i];
    const Param& param = params_[i];
    std::uint64_t& word = words_[i];
    if (arg.kind() != param.kind) return false;
    if (param.rule == Rule::Tensor) {
      if (!is_like(param, arg, number)) return false;
      const auto address = reinterpret_cast<std::uintptr_t>(arg.tensor().data);
      moved |= address ^ word;
      word = address;
    } else if (param.rule == Rule::Int) {
      if (!refresh_int(arg, number, word)) return false;
    } else if (param.rule == Rule::Same) {
      if (arg.int_value() != *number++) return false;
    } else if (param.rule == Rule::Pointer) {
      if (!refresh_pointer(param, arg, word)) return false;
    } else if (!refresh_scalar(i, arg, word)) {
      return false;
    }
  }
  // The same addresses are as good as they were.
  is_right_ = (moved == 0 && was_right) || are_addresses_right();
  return is_right_;
}

}  // namespace tirxcc::driver
