// SPDX-License-Identifier: Apache-2.0
//
// The commands of the tool. Each returns the process's exit status: 0, or 1 after a message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tirxcc/compiler.h"

namespace tirxcc::tool {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

// What every command that compiles takes.
struct CompileFlags {
  std::string file;
  std::string kernel;
  std::string target;
  std::string arch;
  int opt_level = 2;
  int coarsen = 1;
  bool no_fma = false;
  bool fast_math = false;
  bool debug = false;
  bool no_warnings = false;
  bool verify_each = false;
  bool time_passes = false;
  bool line_directives = false;
  std::vector<std::string> print_after;
};

struct BuildFlags : CompileFlags {
  std::string emit = "cuda";
  std::string output;
  bool plain_scalars = false;
  bool explain = false;
  std::string cpu;
};

struct RunFlags : CompileFlags {
  std::vector<std::string> args;   // NAME=SPEC
  std::vector<std::string> saves;  // NAME=FILE
  std::uint64_t seed = 0;
  int repeat = 0;
  bool time = false;
  bool json = false;
  std::string force_variant;
};

struct CacheFlags {
  bool clear = false;
};

int build(const BuildFlags& flags);
int cache(const CacheFlags& flags);
int run(const RunFlags& flags);

// Shared: options from flags, remarks and errors to stderr. print_error gives the exit status: a
// usage_error is the command line's fault.
Expected<CompileOptions> compile_options(const CompileFlags& flags, Target::Kind default_target);
int print_error(const Error& error);
// A text of the library with its options as flags of the command.
std::string in_flags(std::string text);
void print_remarks(const Module& module);
// Compiles the file; a --kernel that it does not define is the command line's fault.
Expected<Module> compile_for(const CompileFlags& flags, const CompileOptions& options);
// The only kernel of the module, or the one that is named.
Expected<Kernel> select_kernel(const Module& module, const CompileFlags& flags);

}  // namespace tirxcc::tool
