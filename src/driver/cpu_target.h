// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one function on the CPU: compiles a variant when it is first needed and runs it
// over the blocks of a launch.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "abi/launch.h"
#include "driver/call_memo.h"
#include "ir/ir.h"
#include "runtime/cpu/plugin.h"
#include "tirxcc/compiler.h"

namespace tirxcc::driver {

class Compilation;
struct Unit;

class CpuTarget final : public abi::Launcher {
 public:
  CpuTarget(Compilation& compilation, Unit& unit);
  ~CpuTarget() override;

  // Compiles the default variant of every kernel now.
  Expected<void> prepare();
  // Compiles what this launch needs, without running it.
  Result<void> prepare(const abi::LaunchRequest& request);
  Result<void> launch(const abi::LaunchRequest& request) override;
  // Runs what a remembered call ran.
  Result<void> repeat(CallMemo& memo, std::uint64_t& result);

  // LLVM IR of the default variants after the optimiser.
  Expected<std::string> llvm_ir();
  // What the passes made of each kernel, and why, for people.
  Expected<std::string> explain();
  double passes_ms() const;
  double code_ms() const;

 private:
  static constexpr int kVariants = 32;

  // What an assert says when it fails, and where it stands.
  struct Failed {
    source::Span span;
    std::string text;
  };

  // Machine code of one kernel in one variant, and the largest launch it is right for.
  struct Variant {
    runtime_cpu::Code code;
    std::int64_t max_grid[3] = {1, 1, 1};
    std::int64_t max_block[3] = {1, 1, 1};
    std::vector<Failed> failures;  // of each assert
    bool is_fibers = false;
    // Where its fibers come together, also as messages name it: "relu.py:12".
    std::vector<ir::Span> sites;
    std::vector<std::string> places;
    std::int64_t streamed_bytes = 0;  // of a thread, that make the variant worth it; 0: none
    bool allows(const abi::LaunchRequest& request) const;
    bool should_stream(const abi::LaunchRequest& request) const;
  };

  // The variants of one kernel; pointers are published when they are ready.
  struct Region {
    std::array<std::atomic<const Variant*>, kVariants> ready = {};
    std::array<std::unique_ptr<Variant>, kVariants> owned = {};
  };

  Expected<const Variant*> variant(std::uint32_t region, std::uint8_t bits);
  Expected<const Variant*> compile(std::uint32_t region, std::uint8_t bits);
  // The variant that a launch needs, and its bits.
  Expected<const Variant*> variant_for(const abi::LaunchRequest& request, std::uint8_t& bits);

  std::string describe(const Failed& failed) const;
  Result<void> launch_fibers(const Variant& variant, const abi::LaunchRequest& request);
  std::string place_of(ir::Span span) const;

  Compilation& compilation_;
  Unit& unit_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::atomic<double> passes_ms_ = 0;
  std::atomic<double> code_ms_ = 0;
};

}  // namespace tirxcc::driver
