// SPDX-License-Identifier: Apache-2.0
//
// tirxcc: a compiler for the TIRx kernel language.
//
//   #include <tirxcc/compiler.h>
//
//   auto module = tirxcc::compile_file("relu.py", {.target = tirxcc::Target::cpu()});
//   if (!module) { std::puts(module.error().message.c_str()); return 1; }
//   std::vector<float> a(1000, -1.0f), b(1000);
//   auto done = module->kernel("relu")->launch({a, b});
//
// The file is only read, never executed; no Python is needed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tirxcc/diagnostic.h"
#include "tirxcc/kernel.h"

namespace tirxcc {

// What to compile for.
struct Target {
  enum class Kind { Cpu, Cuda };
  Kind kind = Kind::Cpu;
  // CUDA: "sm_90a"; empty: the GPU's own where there is one, else sm_90a.
  std::string arch = {};

  static Target cpu() { return {}; }
  static Target cuda(std::string arch = {}) { return {Kind::Cuda, std::move(arch)}; }
  // The default: the GPU where there is one, else the CPU.
  static Target best();
  // "cpu", "llvm", "cuda", "cuda:sm_90a", "sm_90a".
  static Expected<Target> parse(std::string_view text);
};

struct CompileOptions {
  Target target;
  int opt_level = 2;  // CPU: 0 compiles fastest, 2 runs fastest
  // CPU: how the threads of a block run: "" (as the kernel needs), or for tests "fission", "lanes"
  // (both region by region) or "fibers" (each on a stack of its own).
  std::string scheme = {};
  // CPU: lines and names of the kernel file for gdb and lldb; opt_level 0, and blocks run in order
  // on the calling thread.
  bool debug = false;
  bool fast_math = false;
  bool fma = true;  // CUDA: a * b + c may round once, as nvcc has it
  // 2 or 4: each thread does the work of so many neighbours in x, with accesses as wide. For GPUs;
  // the CPU runs the same kernel and gains nothing.
  int coarsen = 1;
  bool plain_scalars = false;  // CUDA text: `int i = 0;` and `while (c)` for mutable scalars
  bool line_directives = false;
  bool warnings = true;      // narrowing stores and the like
  bool verify_each = false;  // check the IR after every pass
  bool time_passes = false;
  std::vector<std::string> print_after = {};  // passes whose result is kept; "all"
  std::string only = {};                      // compile only this function; empty: all of the file
};

// A compiled file. Cheap to copy.
class Module {
 public:
  // The function of that name; an Error that lists the names there are if it is missing.
  Expected<Kernel> kernel(std::string_view name) const;
  std::vector<std::string> names() const;
  // Warnings and notes of the compilation so far.
  std::vector<Diagnostic> remarks() const;
  // What print_after and time_passes asked for, as text.
  std::string pass_output() const;
  // The same functions by other options, for example for another target; the text is not read
  // again. `only` stays what it was, and warnings that were not wanted then are not there now.
  Expected<Module> compile_again(const CompileOptions& options) const;
  // CPU: an object file with a C function for each function of the file, which needs nothing but
  // the C library, and the header that declares them. `cpu`: empty for the baseline of the
  // architecture, "native" for this machine's processor, or a level such as "x86-64-v3".
  Expected<std::string> object(std::string_view cpu = {}) const;
  Expected<std::string> c_header() const;
  // One CUDA text of all functions.
  Expected<std::string> cuda_source() const;

  struct Impl;
  explicit Module(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<Impl> impl_;
};

Expected<Module> compile_file(const std::string& path, const CompileOptions& options = {});
// `path` is what messages call the text.
Expected<Module> compile_text(std::string text, const std::string& path,
                              const CompileOptions& options = {});

// The syntax tree of a file, one node a line (`tirxcc build --emit=ast`).
Expected<std::string> dump_syntax_tree(const std::string& path);

// Names of the compiler's passes in their order, each with a sentence.
std::string describe_passes();

// What was found on this machine of what a GPU needs (driver, devices, NVRTC, cache), and how to
// get what is missing: lines for people (`tirxcc doctor`).
std::string describe_machine();

// Starts to find and load what a GPU needs (driver, NVRTC) on a thread of its own, if this machine
// has a GPU, so that the first compilation need not wait for it. Returns at once.
void preload();
// Waits for preload(); belongs before the end of a process that called it.
void finish_preload();

// What lies in the folder in which compiled kernels are kept between processes.
struct CacheUsage {
  std::string folder;  // empty: there is none
  struct Kind {
    std::string name;  // "cubin"
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Kind> kinds;
  std::uint64_t limit = 0;  // bytes that each kind may take
};
CacheUsage cache_usage();
// Removes all entries; what there was.
CacheUsage clear_cache();

// The name of `known` that is nearest to what was written, for "did you mean"; empty if none is
// near.
std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> known);

// "0.1.0".
std::string_view version();

}  // namespace tirxcc
