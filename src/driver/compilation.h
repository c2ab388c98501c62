// SPDX-License-Identifier: Apache-2.0
//
// One compiled file: its text, IR and plans, shared by the public Module and Kernel objects. The IR
// never changes after construction, so variants may be compiled from many threads at once, each in
// an arena of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "abi/launch.h"
#include "abi/plan.h"
#include "codegen/cuda/codegen.h"
#include "driver/pipeline.h"
#include "ir/ir.h"
#include "source/diagnostics.h"
#include "tirxcc/compiler.h"
#include "tirxcc/scope.h"

namespace tirxcc::driver {

class CpuTarget;
class CudaTarget;

// One function cut out of a file.
struct FunctionText {
  std::string text;
  std::string path;
  int first_line = 1;
  std::string_view name;
};

// A function of the file.
struct Unit {
  Unit();
  ~Unit();

  // Of this process's functions; never given twice.
  const std::uint64_t number;
  const ir::Function* function = nullptr;
  abi::Plan plan;
  std::vector<ParameterInfo> parameters;
  // Exactly one of these two is set.
  std::unique_ptr<CpuTarget> cpu;
  std::unique_ptr<CudaTarget> cuda;
  std::atomic<std::uint32_t> variants_run = 0;  // bit v: variant v ran
  std::atomic<bool> has_told_empty = false;     // a launch without blocks has been remarked on
};

// A CUDA text and what NVRTC must know of it.
struct CudaCode {
  codegen_cuda::CudaText text;
  // Per kernel and parameter: alignment of the widest access, 0 for none.
  std::vector<std::vector<int>> wide_alignment;
};

// What parsing and sema made of a text; it never changes afterwards.
struct FrontEnd {
  source::SourceManager sources;
  ir::Module module;
  std::vector<Diagnostic> remarks;
  bool has_notes = false;  // remarks hold those of add_notes()
  double ms = 0;
};

class Compilation {
 public:
  explicit Compilation(const CompileOptions& options);
  // Of the text of `other`, by other options; `load_again` makes its units.
  Compilation(const CompileOptions& options, const Compilation& other);
  ~Compilation();

  // Parses and translates; an Error with the diagnostics if the file has any.
  Expected<void> load(const std::string& path);
  Expected<void> load_text(std::string text, const std::string& path);
  // The function `name` of a text that an embedding program gives (tirxcc/scope.h).
  Expected<void> load_function(FunctionText text, std::shared_ptr<Scope> scope);
  Expected<void> load_again();

  // Runs the CUDA passes and emits one text for these functions' kernels. `arch` empty: that of the
  // options, else sm_90a.
  Expected<CudaCode> cuda_code(std::span<const Unit* const> units, std::uint8_t variant,
                               std::string_view arch = {});

  Unit* find(std::string_view name);
  const std::vector<std::unique_ptr<Unit>>& units() const { return units_; }
  const CompileOptions& options() const { return options_; }
  const source::SourceManager& sources() const { return front_->sources; }
  double front_end_ms() const { return front_->ms; }

  // Thread-safe: remarks and pass output grow as code is compiled lazily.
  void add_remarks(const source::Diagnostics& diags);
  std::vector<Diagnostic> remarks() const;
  void add_pass_output(const std::string& text);
  std::string pass_output() const;
  PipelineOptions pipeline_options(std::string* output) const;
  // The Error made of all messages.
  Error error_of(const source::Diagnostics& diags) const;

 private:
  Expected<void> translate(const source::SourceFile& file);
  // Makes the units once sema has made the IR.
  Expected<void> finish(source::Diagnostics& diags, std::chrono::steady_clock::time_point start);
  Expected<void> add_units(source::Diagnostics& diags);
  // Of what is no mistake, but hardly meant. The same for all options.
  void add_notes(source::Diagnostics& diags) const;
  void add_unit(const ir::Function& function, source::Diagnostics& diags);
  // The function as option `coarsen` wants it.
  const ir::Function& coarsened(const ir::Function& function, source::Diagnostics& diags);

  CompileOptions options_;
  std::shared_ptr<FrontEnd> front_;
  Arena arena_;  // of functions that options changed
  std::vector<std::unique_ptr<Unit>> units_;
  mutable std::mutex mutex_;
  std::vector<Diagnostic> remarks_;
  std::string pass_output_;
};

// "sm_90a" -> 90 and 'a'; nullopt if it is no such name.
struct Arch {
  int sm = 90;
  char suffix = 0;
};
std::optional<Arch> parse_arch(std::string_view name);

Error to_error(const Failure& failure);
ElementType element_type(DType type);

}  // namespace tirxcc::driver
