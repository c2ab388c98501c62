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

#include "abi/cpu_plugin.h"
#include "abi/launch.h"
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
  Result<void> launch(const abi::LaunchRequest& request) override;

  // LLVM IR of the default variants after the optimiser.
  Expected<std::string> llvm_ir();
  double passes_ms() const;
  double code_ms() const;

 private:
  static constexpr int kVariants = 16;

  // Machine code of one region's variants; entries are published when they are ready.
  struct Region {
    std::array<std::atomic<abi::CpuEntry>, kVariants> entries = {};
    std::array<abi::CpuCode*, kVariants> codes = {};
  };

  Expected<abi::CpuEntry> entry(std::uint32_t region, std::uint8_t variant);
  Expected<abi::CpuEntry> compile(std::uint32_t region, std::uint8_t variant);

  Compilation& compilation_;
  Unit& unit_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Region>> regions_;
  const abi::CpuPlugin* plugin_ = nullptr;
  std::atomic<double> passes_ms_ = 0;
  std::atomic<double> code_ms_ = 0;
};

}  // namespace tirxcc::driver
