// SPDX-License-Identifier: Apache-2.0
//
// The interpreter of a launch plan.
#include "abi/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "abi/bind.h"
#include "abi/host_code.h"
#include "abi/scalar.h"

namespace tirxcc::abi {
namespace {

constexpr std::int64_t kMaxGridX =
    0x7fffffff;  // CUDA C++ Programming Guide, technical specifications
constexpr std::int64_t kMaxGridYZ = 65535;
constexpr std::int64_t kMaxThreads = 1024;
constexpr std::int64_t kMaxBlockZ = 64;
constexpr int kMaxArgs = 512;
constexpr std::string_view kAxes = "xyz";

// What a run works on. Most plans need little; the few large ones get a frame of their own.
template <std::size_t slot_count, std::size_t word_count>
struct Storage {
  std::array<std::int64_t, slot_count> slots;
  std::array<std::uint64_t, word_count> words;
};
using SmallStorage = Storage<48, 64>;
using LargeStorage = Storage<kMaxSlots, kMaxArgs>;

enum class Dimension : std::uint8_t { Grid, Block, Cluster };
constexpr std::array<std::string_view, 3> kDimensionNames = {"grid", "block", "cluster"};

class Runner {
 public:
  template <typename Memory>
  Runner(const Plan& plan, std::span<const Argument> args, Launcher& launcher,
         const RunOptions& options, Memory& memory)
      : plan_(plan),
        args_(args),
        launcher_(launcher),
        options_(options),
        slots_(memory.slots.data()),
        words_(memory.words) {}

  Result<std::uint64_t> run() {
    BindFailure bad = bind(plan_, args_, options_.device, slots_, variant_);
    if (bad) return tl::unexpected<Failure>(describe(plan_, args_, options_.device, bad));
    variant_ |= options_.force_variant;
    for (std::size_t pc = 0; pc < plan_.code.size();) {
      const HostInstr& instr = plan_.code[pc++];
      if (is_arithmetic(instr.op)) {
        HostFault fault = execute(instr, slots_);
        if (fault != HostFault::None) return fault_failure(fault);
        continue;
      }
      if (instr.op == HostOp::Return) return instr.a == kNoSlot ? result_ : word(instr.a);
      Result<void> done = control(instr, pc);
      if (!done) return tl::unexpected<Failure>(std::move(done.error()));
    }
    return result_;
  }

 private:
  std::uint64_t word(Slot slot) const { return static_cast<std::uint64_t>(slots_[slot]); }

  tl::unexpected<Failure> fault_failure(HostFault fault) const {
    return fail(fmt::format("a size computed on the host {}; when calling {}",
                            fault == HostFault::Overflow ? "overflows 64 bits" : "divides by zero",
                            plan_.signature),
                ErrorClass::Value);
  }

  Result<void> control(const HostInstr& instr, std::size_t& pc) {
    if (instr.op == HostOp::Launch) return launch(static_cast<std::uint32_t>(instr.imm));
    auto index = static_cast<std::size_t>(instr.imm);
    if (instr.op == HostOp::Jump || (instr.op == HostOp::JumpIfZero && slots_[instr.a] == 0)) {
      pc = index;
    } else if (instr.op == HostOp::CheckRange && !plan_.types[index].can_hold(slots_[instr.a])) {
      return fail(fmt::format("the host value {} does not fit {}; when calling {}", slots_[instr.a],
                              tirxcc::to_string(plan_.types[index]), plan_.signature),
                  ErrorClass::Value);
    } else if (instr.op == HostOp::Assert && slots_[instr.a] == 0) {
      return fail(plan_.messages[index], ErrorClass::Runtime);
    }
    return {};
  }

  // One axis of grid, block or cluster. A zero grid launches nothing (rule 9).
  Result<void> axis(Dimension what, int index, Slot slot, std::int64_t limit,
                    std::int64_t& out) const {
    out = slot == kNoSlot ? 1 : slots_[slot];
    int least = what == Dimension::Grid ? 0 : 1;
    if (out <= limit && out >= least) [[likely]]
      return {};
    return fail(
        fmt::format("{}.{} is {}; it must be between {} and {}; when calling {}",
                    kDimensionNames[static_cast<std::size_t>(what)],
                    kAxes[static_cast<std::size_t>(index)], out, least, limit, plan_.signature),
        ErrorClass::Value);
  }

  Result<void> dimensions(const RegionSpec& region, LaunchRequest& request) const {
    for (int i = 0; i < 3; ++i) {
      Result<void> ok = axis(Dimension::Grid, i, region.grid[i], i == 0 ? kMaxGridX : kMaxGridYZ,
                             request.grid[i]);
      if (ok) {
        ok = axis(Dimension::Block, i, region.block[i], i == 2 ? kMaxBlockZ : kMaxThreads,
                  request.block[i]);
      }
      Slot cluster = region.attributes.cluster[i];
      if (ok && cluster != kNoSlot) {
        ok = axis(Dimension::Cluster, i, cluster, kMaxThreads, request.cluster[i]);
        if (ok && request.grid[i] % request.cluster[i] != 0) {
          ok = fail(
              fmt::format("grid.{} is {}, which cluster.{} = {} does not divide; when calling {}",
                          kAxes[static_cast<std::size_t>(i)], request.grid[i],
                          kAxes[static_cast<std::size_t>(i)], request.cluster[i], plan_.signature),
              ErrorClass::Value);
        }
      }
      if (!ok) return ok;
    }
    if (request.cluster[0] != 0 || request.cluster[1] != 0 || request.cluster[2] != 0) {
      for (std::int64_t& extent : request.cluster)
        extent = std::max<std::int64_t>(extent, 1);
    }
    std::int64_t threads = request.block[0] * request.block[1] * request.block[2];
    if (threads > kMaxThreads) {
      return fail(fmt::format("block is {} x {} x {} = {} threads; a block has at most {}; when "
                              "calling {}",
                              request.block[0], request.block[1], request.block[2], threads,
                              kMaxThreads, plan_.signature),
                  ErrorClass::Value);
    }
    return {};
  }

  Result<void> attributes(const LaunchAttributes& attributes, LaunchRequest& request) const {
    if (attributes.dynamic_smem_bytes != kNoSlot) {
      request.dynamic_smem_bytes = slots_[attributes.dynamic_smem_bytes];
      if (request.dynamic_smem_bytes < 0) {
        return fail(fmt::format("dynamic_smem_bytes is {}; when calling {}",
                                request.dynamic_smem_bytes, plan_.signature),
                    ErrorClass::Value);
      }
    }
    auto flag = [&](Slot slot) { return slot != kNoSlot && slots_[slot] != 0; };
    request.is_cluster_in_code = attributes.is_cluster_in_code;
    request.cooperative = flag(attributes.cooperative);
    request.programmatic_stream_serialization = flag(attributes.programmatic_stream_serialization);
    request.has_priority = attributes.priority != kNoSlot;
    if (request.has_priority) {
      request.priority = static_cast<std::int32_t>(slots_[attributes.priority]);
    }
    return {};
  }

  // The rare attributes, which are known to be right where they are constants.
  Result<void> options(const LaunchAttributes& attributes, LaunchRequest& request,
                       LaunchOptions& options) const {
    for (const LaunchOptionInfo& info : kLaunchOptions) {
      const Slot slot = attributes.options[static_cast<std::size_t>(info.option)];
      if (slot == kNoSlot) continue;
      const std::int64_t value = slots_[slot];
      options.set(info.option, value);
      if (is_right(info, value)) continue;
      const std::string_view separator = info.part.empty() ? "" : ".";
      return fail(
          fmt::format("{}{}{} is {}; it must be between {} and {}; when calling {}", info.field,
                      separator, info.part, option_text(info, value),
                      info.kind == LaunchOptionKind::Ratio ? 0 : info.least,
                      info.kind == LaunchOptionKind::Ratio ? 1 : info.largest, plan_.signature),
          ErrorClass::Value);
    }
    for (const LaunchAttributes::Address& address : attributes.addresses) {
      const std::int64_t offset = address.byte_offset == kNoSlot ? 0 : slots_[address.byte_offset];
      options.set(address.option, static_cast<std::int64_t>(address_of(address.param)) + offset);
      options.has_address = true;
    }
    request.options = &options;
    return preferred_cluster(options, request);
  }

  // A multiple of the cluster, which the driver would refuse without saying so.
  Result<void> preferred_cluster(const LaunchOptions& options, const LaunchRequest& request) const {
    if (!options.has(LaunchOption::PreferredClusterX)) return {};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t wanted = options.values[i];
      if (i == 2 ? wanted != request.cluster[i] : wanted % request.cluster[i] != 0) {
        return fail(fmt::format("preferred_cluster.{0} is {1}, but cluster.{0} is {2}; it must be "
                                "{3}; when calling {4}",
                                kAxes[i], wanted, request.cluster[i],
                                i == 2 ? "the same" : "a multiple of it", plan_.signature),
                    ErrorClass::Value);
      }
      if (request.grid[i] % wanted == 0) continue;
      return fail(fmt::format("grid.{0} is {1}, which preferred_cluster.{0} = {2} does not divide; "
                              "when calling {3}",
                              kAxes[i], request.grid[i], wanted, plan_.signature),
                  ErrorClass::Value);
    }
    return {};
  }

  static bool is_right(const LaunchOptionInfo& info, std::int64_t value) {
    if (info.kind == LaunchOptionKind::Address) return true;
    if (info.kind != LaunchOptionKind::Ratio) return value >= info.least && value <= info.largest;
    const float ratio = std::bit_cast<float>(static_cast<std::uint32_t>(value));
    return ratio >= 0.0F && ratio <= 1.0F;
  }

  static std::string option_text(const LaunchOptionInfo& info, std::int64_t value) {
    if (info.kind != LaunchOptionKind::Ratio) return std::to_string(value);
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
  }

  std::uint64_t argument_word(const KernelArgSpec& spec) const {
    if (spec.kind == KernelArgSpec::Kind::Value) return word(spec.index);
    return address_of(spec.index);
  }

  std::uint64_t address_of(std::size_t param) const {
    const Argument& arg = args_[param];
    if (arg.kind == ArgumentKind::Tensor) {
      return reinterpret_cast<std::uintptr_t>(arg.tensor->data);
    }
    return arg.kind == ArgumentKind::Pointer ? reinterpret_cast<std::uintptr_t>(arg.pointer) : 0;
  }

  Result<void> launch(std::uint32_t index) {
    const RegionSpec& region = plan_.regions[index];
    LaunchRequest request;
    request.region = index;
    request.variant = variant_;
    request.result = &result_;
    if (region.attributes.has_options) [[unlikely]] {
      LaunchOptions rare;
      return launch(region, request, &rare);
    }
    return launch(region, request, nullptr);
  }

  Result<void> launch(const RegionSpec& region, LaunchRequest& request, LaunchOptions* rare) {
    if (!region.is_host) {
      Result<void> ok = dimensions(region, request);
      if (ok) ok = attributes(region.attributes, request);
      if (ok && rare != nullptr) ok = options(region.attributes, request, *rare);
      if (!ok) return ok;
      int128 blocks = int128{request.grid[0]} * request.grid[1] * request.grid[2];
      if (blocks == 0) [[unlikely]] {
        note_empty(request);
        return {};
      }
      for (int i = 0; i < 3; ++i) {
        if (request.grid[i] * request.block[i] > kMaxGridX) request.variant |= kBigGrid;
      }
    }
    for (std::size_t i = 0; i < region.args.size(); ++i)
      words_[i] = argument_word(region.args[i]);
    request.args = words_.first(region.args.size());
    if (options_.variants_run != nullptr) *options_.variants_run |= request.variant;
    return launcher_.launch(request);
  }

  void note_empty(const LaunchRequest& request) const {
    if (options_.empty == nullptr || options_.empty->is_set) return;
    int axis = 0;
    while (axis < 2 && request.grid[axis] != 0)
      ++axis;
    *options_.empty = {true, request.region, axis};
  }

  const Plan& plan_;
  std::span<const Argument> args_;
  Launcher& launcher_;
  const RunOptions& options_;
  std::uint8_t variant_ = 0;
  std::uint64_t result_ = 0;
  std::int64_t* slots_;
  std::span<std::uint64_t> words_;
};

std::size_t most_words(const Plan& plan) {
  std::size_t most = 0;
  for (const RegionSpec& region : plan.regions)
    most = std::max(most, region.args.size());
  return most;
}

[[gnu::noinline]] Result<std::uint64_t> run_large(const Plan& plan, std::span<const Argument> args,
                                                  Launcher& launcher, const RunOptions& options) {
  if (plan.slot_count > kMaxSlots) return fail("the function has too many host values");
  if (most_words(plan) > kMaxArgs) return fail("the kernel has too many arguments");
  LargeStorage memory;
  return Runner(plan, args, launcher, options, memory).run();
}

}  // namespace

Result<std::uint64_t> run(const Plan& plan, std::span<const Argument> args, Launcher& launcher,
                          const RunOptions& options) {
  SmallStorage memory;
  if (plan.slot_count > memory.slots.size() || most_words(plan) > memory.words.size()) [[unlikely]]
    return run_large(plan, args, launcher, options);
  return Runner(plan, args, launcher, options, memory).run();
}

Result<std::uint64_t> to_slot(const Argument& argument, DType type) {
  std::uint64_t bits = 0;
  if (scalar_bits(argument, type, bits)) return bits;
  return fail(fmt::format("{} does not fit {}", to_string(argument), tirxcc::to_string(type)),
              ErrorClass::Value);
}

}  // namespace tirxcc::abi
